"""Reads LongBench v2 rows (`--dataset longbench`), for audits of the source questions.

One JSON object a row: `_id`, `question`, `choice_A` to `choice_D`, `answer` (a letter), `context`.
The context is one passage without a title; there are no hops, so Full and masks can be asked, and
multiple choice with the row's own options (`--template solver=choice.v1`). Rows that a prediction
run wrote are read too; what it added is not.

Source: Bai et al., "LongBench v2: Towards Deeper Understanding and Reasoning on Realistic
Long-context Multitasks", ACL 2025.
"""

from __future__ import annotations

from graph_builders.form import FormBuilder
from graph_builders.normalize import Unusable, called, text_of
from realhop_kg.model.finding import Code
from realhop_kg.model.item import SourceItem
from realhop_kg.model.text import Passage

__all__ = ["BUILDER"]

_LETTERS = "ABCD"


def _item(data: object) -> SourceItem:
    if not isinstance(data, dict):
        raise Unusable(Code.B2, "", f"the record is {called(data)}; write an object")
    options = tuple(
        text_of(data.get(f"choice_{letter}"), f"choice_{letter}", numbers=True)
        for letter in _LETTERS
    )
    letter = text_of(data.get("answer"), "answer")
    if letter not in set(_LETTERS):
        message = f"`answer` is {called(letter)}; write the letter of the right option, A to D"
        raise Unusable(Code.B2, "answer", message)
    return SourceItem(
        dataset="longbench",
        id=text_of(data.get("_id"), "_id", numbers=True),
        question=text_of(data.get("question"), "question"),
        answer=options[_LETTERS.index(letter)],
        passages=(Passage(index=0, title="", text=text_of(data.get("context"), "context")),),
        hops=(),
        choices=options,
    )


BUILDER = FormBuilder(
    name="longbench",
    form="LongBench v2",
    other="write rows with `choice_A` to `choice_D` and `context`",
    marks=("choice_A",),
    item=_item,
)
"""The builder of `--dataset longbench`."""
