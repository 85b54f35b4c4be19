"""Opens what is to be audited: a frozen dataset that verifies, or a source file."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path

from realhop_kg.audit.auditable import (
    Auditable,
    UnitKind,
    constructed_side,
    from_source,
    source_side,
)
from realhop_kg.errors import InputError, VerificationError
from realhop_kg.freeze.reader import FrozenDataset
from realhop_kg.freeze.verify import verify
from realhop_kg.model.item import SourceItem
from realhop_kg.model.record import Record
from realhop_kg.model.run import AuditedSide

__all__ = ["FROZEN", "SourceFile", "frozen_items", "open_verified", "sides_of"]

FROZEN = "frozen"

Outcomes = Callable[[], Iterable[Record]]
"""Gives a `SourceItem`, or the record of what was left out, for every record of a file."""


def sides_of(wanted: str, frozen: bool) -> tuple[AuditedSide, ...]:
    """Return the sides that `--side` names.

    Args:
        wanted: `source`, `constructed`, `both`, or empty for all that there are.
        frozen: whether a frozen dataset is audited, which has both.

    Raises:
        InputError: if there is no such side.
    """
    known: dict[str, tuple[AuditedSide, ...]] = {
        "source": ("source",),
        "constructed": ("constructed",),
        "both": ("source", "constructed"),
        "": ("source", "constructed") if frozen else ("source",),
    }
    if wanted not in known:
        raise InputError(f"no side {wanted!r}; choose source, constructed or both")
    if not frozen and wanted in ("constructed", "both"):
        raise InputError(
            f"--side {wanted} needs a frozen dataset; a source file has its source side only"
        )
    return known[wanted]


def open_verified(
    folder: Path, progress: Callable[[int, int], None] = lambda done, total: None
) -> FrozenDataset:
    """Open a frozen dataset, and refuse one that does not verify.

    Raises:
        InputError: if it is none.
        VerificationError: if a hash or a blocking check fails.
    """
    dataset = FrozenDataset.open(folder)
    report = verify(folder, progress=progress)
    if not report.ok:
        first = report.discrepancies[0] if report.discrepancies else "unreadable"
        raise VerificationError(
            f"{folder} does not verify, so it is not audited: {first}; `realhop verify {folder}` "
            "says everything"
        )
    return dataset


def frozen_items(
    dataset: FrozenDataset,
    sides: Iterable[AuditedSide],
    unit: UnitKind = "passage",
    limit: int | None = None,
    choices: Mapping[str, tuple[str, ...]] | None = None,
) -> Iterator[Auditable]:
    """Yield the questions of a frozen dataset, both sides of a pair side by side.

    Args:
        dataset: the dataset.
        sides: which sides.
        unit: what a Drop of a constructed hop removes.
        limit: how many items at most.
        choices: frozen options by item, as `realhop long choices` balances them over a dataset;
            items without any are left out.
    """
    chosen = tuple(sides)
    for item in islice(dataset.items(), limit):
        if choices is not None and item.id not in choices:
            continue
        for side in chosen:
            if side == "source":
                yield source_side(item)
                continue
            question = constructed_side(item, unit)
            yield question.model_copy(update={"choices": (choices or {}).get(item.id, ())})


@dataclass
class SourceFile:
    """A source file, read anew at each pass.

    Attributes:
        outcomes: gives what the builder makes of each record, from the start.
        excluded: records of the last pass that did not become items.
    """

    outcomes: Outcomes
    excluded: list[Record] = field(default_factory=list)

    def items(self) -> Iterator[Auditable]:
        """Yield the questions that have something to delete; the others count as excluded."""
        self.excluded.clear()
        for outcome in self.outcomes():
            if isinstance(outcome, SourceItem):
                yield from_source(outcome)
            else:
                self.excluded.append(outcome)
