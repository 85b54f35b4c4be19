"""What the Drops of a FRAMES dataset leave: paths by which the answer still follows, and its name.

A Drop takes the recorded spans of a hop on the constructed side and the quote on the source side,
and with closure the sentences that name both ends of the hop. On the constructed side derivation
tells whether gold still follows from what is written; on either side it is counted how often a form
of the answer still stands in the text, which is a place where a reader may find it.

Source: REALHOP, section 4.3 and Appendix I.4.
"""

from __future__ import annotations

from collections.abc import Iterator

from realhop_kg.audit.auditable import Auditable, constructed_side, source_side
from realhop_kg.audit.intervene import drop
from realhop_kg.audit.scripted import Reader
from realhop_kg.audit.solvers import Prompt
from realhop_kg.freeze.reader import FrozenDataset
from realhop_kg.model.answers import normalize_answer
from realhop_kg.model.record import Record
from realhop_kg.model.run import AuditedSide

__all__ = ["Residual", "residuals"]


class Residual(Record):
    """What one Drop leaves."""

    item: str
    side: AuditedSide
    target: str
    follows: bool | None
    """Whether gold still follows from what is written; None on the source side, where nothing is
    planned that could be derived from."""
    named: int
    """How often a form of the answer still stands in the context."""


def residuals(dataset: FrozenDataset, closure: bool = True) -> Iterator[Residual]:
    """Yield what each Drop of each side leaves, item by item.

    Args:
        dataset: a frozen dataset.
        closure: whether sentences that name both ends of a hop are dropped too.
    """
    reader = Reader(dataset)
    for item in dataset.items():
        for side in (source_side(item), constructed_side(item, "spans")):
            for unit in side.units:
                removal = drop(side, unit, closure=closure)
                text = removal.apply(side.context)
                prompt = Prompt(side, removal.record(side), text, reader.name, 1, ())
                yield Residual(
                    item=item.id,
                    side=side.side,
                    target=unit.target,
                    follows=_follows(reader, prompt) if side.side == "constructed" else None,
                    named=_named(side, text),
                )


def _follows(reader: Reader, prompt: Prompt) -> bool:
    said = normalize_answer(reader.answer(prompt).text or "")
    return said in {normalize_answer(answer) for answer in prompt.item.answers}


def _named(item: Auditable, text: str) -> int:
    folded = text.casefold()
    return sum(folded.count(answer.casefold()) for answer in item.answers if answer)
