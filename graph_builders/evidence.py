"""Reads the plain form for audits (`--dataset evidence`): any question, context and evidence units.

For data that has no decomposition in MuSiQue's sense (quoted evidence, sentences, several hops in
one passage) and for sets with planted false chains. One JSON object per question, on one line:

    {"id": "lamps-1",
     "question": "In which year did the maker of the Corvane lamp open a shop in Tolland?",
     "answer": "1967",
     "aliases": ["in 1967"],
     "passages": [
       {"title": "Corvane lamp", "text": "The Corvane lamp is made by Halberg."},
       {"title": "Halberg", "text": "Halberg opened a shop in Tolland in 1967. It sold lamps."},
       {"title": "Brask", "text": "Brask opened a shop in Tolland in 1971."}],
     "units": [
       {"passage": 0},
       {"passage": 1, "quotes": ["Halberg opened a shop in Tolland in 1967."],
        "endpoints": ["Halberg", "1967"]}],
     "false_chain": [2]}

- `units`: one per deletion target (`h1`, `h2`, ...). `passage` is a position counted from 0.
  Without `quotes` the whole passage is removed; with them, each exact text wherever it stands in
  that passage. `endpoints` (two names) are for `--closure`: sentences that name both go too.
- `false_chain`: positions of passages that were planted to mislead; they stay in all conditions.
- `aliases` and `false_chain` may be left out; more fields may stand there and are not read.
"""

from __future__ import annotations

from graph_builders.form import FormBuilder
from graph_builders.normalize import Unusable, aliases_of, called, list_of, number_of, text_of
from realhop_kg.model.finding import Code
from realhop_kg.model.item import DeletionUnit, SourceItem, TextRange
from realhop_kg.model.text import Passage

__all__ = ["BUILDER"]

_NAME = "evidence"


def _item(data: object) -> SourceItem:
    if not isinstance(data, dict):
        raise Unusable(Code.B2, "", f"the record is {called(data)}; write an object")
    identity = text_of(data.get("id"), "id", numbers=True)
    question = text_of(data.get("question"), "question")
    answer = text_of(data.get("answer"), "answer", numbers=True)
    passages = _passages(data.get("passages"))
    units = tuple(
        _unit(entry, index, passages)
        for index, entry in enumerate(list_of(data.get("units"), "units", "units"), 1)
    )
    planted = data.get("false_chain")
    false_chain = (
        [_position(each, "false_chain", passages) for each in planted]
        if isinstance(planted, list)
        else []
    )
    if planted is not None and not isinstance(planted, list):
        message = f"`false_chain` is {called(planted)}; give a list of positions"
        raise Unusable(Code.B2, "false_chain", message)
    supports = {part.passage for unit in units for part in unit.parts}
    if supports & set(false_chain):
        message = "`false_chain` names a passage that is evidence; a passage is one or the other"
        raise Unusable(Code.B2, "false_chain", message)
    return SourceItem(
        dataset=_NAME,
        id=identity,
        question=question,
        answer=answer,
        aliases=aliases_of(data.get("aliases"), "aliases"),
        passages=tuple(
            passage.model_copy(update={"is_support": passage.index in supports})
            for passage in passages
        ),
        hops=(),
        units=units,
        false_chain=tuple(sorted(set(false_chain))),
    )


def _passages(value: object) -> list[Passage]:
    found = []
    for at, entry in enumerate(list_of(value, "passages", "passages")):
        field = f"passages[{at}]"
        if not isinstance(entry, dict):
            raise Unusable(Code.B2, field, f"`{field}` is {called(entry)}; write an object")
        title = "" if entry.get("title") is None else entry["title"]
        found.append(
            Passage(
                index=at,
                title=text_of(title, f"{field}.title", numbers=True, empty=True),
                text=text_of(entry.get("text"), f"{field}.text", empty=True),
            )
        )
    return found


def _position(value: object, field: str, passages: list[Passage]) -> int:
    position = number_of(value)
    if position is None or not 0 <= position < len(passages):
        message = f"`{field}` is {called(value)}, the position of no passage; count them from 0 on"
        raise Unusable(Code.B2, field, message)
    return position


def _unit(entry: object, index: int, passages: list[Passage]) -> DeletionUnit:
    field = f"units[{index - 1}]"
    if not isinstance(entry, dict):
        raise Unusable(Code.B2, field, f"`{field}` is {called(entry)}; write an object")
    at = _position(entry.get("passage"), f"{field}.passage", passages)
    text = passages[at].text
    quotes = entry.get("quotes")
    if quotes is None:
        if not text.strip():
            message = f"`{field}.passage` names a passage without text; give its text"
            raise Unusable(Code.B2, field, message)
        ranges = [(0, len(text))]
    else:
        ranges = [
            place
            for number, quote in enumerate(list_of(quotes, f"{field}.quotes", "texts"))
            for place in _found(quote, f"{field}.quotes[{number}]", text)
        ]
    return DeletionUnit(
        target=f"h{index}",
        kind="passage" if quotes is None else "spans",
        parts=tuple(TextRange(passage=at, start=start, end=end) for start, end in ranges),
        endpoints=aliases_of(entry.get("endpoints"), f"{field}.endpoints"),
    )


def _found(value: object, field: str, text: str) -> list[tuple[int, int]]:
    quote = text_of(value, field)
    places = []
    start = text.find(quote)
    while start >= 0:
        places.append((start, start + len(quote)))
        start = text.find(quote, start + len(quote))
    if not places:
        message = f"`{field}` does not stand in the passage; quote its text letter by letter"
        raise Unusable(Code.D2, field, message)
    return places


BUILDER = FormBuilder(
    name=_NAME,
    form="plain evidence",
    other="each record needs `passages` and `units`; use --dataset jsonl for decomposed questions",
    marks=("units",),
    item=_item,
)
"""The builder of `--dataset evidence`."""
