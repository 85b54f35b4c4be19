"""Reads FRAMES questions with chains of steps (`--dataset frames`): `realhop frames chains`.

The plain form of `--dataset jsonl`, and for each hop a `quote`: what the source states it by, word
for word in its support. A Drop of the source side removes the quote alone; with `--closure`, also
sentences that name both ends of the step.
"""

from __future__ import annotations

from graph_builders.form import FormBuilder
from graph_builders.frames import DATASET
from graph_builders.normalize import Fields, Unusable, normalize
from realhop_kg.model.finding import Code
from realhop_kg.model.item import DeletionUnit, SourceItem, TextRange

__all__ = ["BUILDER"]

_FIELDS = Fields(
    aliases="aliases", passages="passages", text="text", hops="hops", support="support"
)


def _item(data: object) -> SourceItem:
    item = normalize(DATASET, data, _FIELDS)
    raw = data.get("hops") if isinstance(data, dict) else None
    hops = raw if isinstance(raw, list) else []
    units = [
        _unit(item, at, step.get("quote") if isinstance(step, dict) else None)
        for at, step in enumerate(hops)
    ]
    return item.model_copy(update={"units": tuple(units)})


def _unit(item: SourceItem, at: int, quote: object) -> DeletionUnit:
    hop, field = item.hops[at], f"hops[{at}].quote"
    if not isinstance(quote, str) or not quote.strip():
        raise Unusable(Code.B2, field, f"`{field}` is empty; quote what states the step")
    support = hop.support or 0
    start = item.passages[support].text.find(quote)
    if start < 0:
        message = f"`{field}` does not stand in passage {support}; quote it word for word"
        raise Unusable(Code.B2, field, message)
    answers = {each.index: each.answer for each in item.hops}
    return DeletionUnit(
        target=f"h{hop.index}",
        kind="spans",
        parts=(TextRange(passage=support, start=start, end=start + len(quote)),),
        endpoints=(*(answers[earlier] for earlier in hop.depends_on), hop.answer),
    )


BUILDER = FormBuilder(
    name=DATASET,
    form="FRAMES chain",
    other="write one by `realhop frames chains`",
    marks=("hops", "passages"),
    item=_item,
)
"""The builder of `--dataset frames`."""
