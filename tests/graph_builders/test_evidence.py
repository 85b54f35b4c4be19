from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from graph_builders import evidence
from graph_builders.base import Excluded
from graph_builders.evidence import BUILDER
from realhop_kg.model.item import SourceItem, TextRange

Write = Callable[..., Path]


def record(**changes: Any) -> dict[str, Any]:
    whole = {
        "id": "lamps-1",
        "question": "When did the maker of the Corvane lamp open a shop?",
        "answer": "1967",
        "passages": [
            {"title": "Corvane lamp", "text": "The Corvane lamp is made by Halberg."},
            {"title": "Halberg", "text": "It opened in 1967. It sold. It opened in 1967."},
            {"text": "Brask opened in 1971."},
        ],
        "units": [
            {"passage": 0},
            {"passage": 1, "quotes": ["It opened in 1967."], "endpoints": ["Halberg", "1967"]},
        ],
        "false_chain": [2],
    }
    return {key: value for key, value in {**whole, **changes}.items() if value is not ...}


def test_units_are_passages_or_every_place_of_a_quote(write_lines: Write):
    [item] = BUILDER.read(write_lines(record()))
    assert isinstance(item, SourceItem)
    first, second = item.units
    assert (first.kind, first.parts) == ("passage", (TextRange(passage=0, start=0, end=36),))
    assert second.kind == "spans"
    assert [(part.start, part.end) for part in second.parts] == [(0, 18), (28, 46)]
    assert second.endpoints == ("Halberg", "1967")
    assert item.false_chain == (2,)
    assert [passage.is_support for passage in item.passages] == [True, True, False]


def test_the_example_of_the_documentation_is_read(write_lines: Write):
    import ast
    import textwrap

    text = (evidence.__doc__ or "").partition("on one line:")[2]
    example = textwrap.dedent(text[: text.index("- `units`")])
    [item] = BUILDER.read(write_lines(ast.literal_eval(example.strip())))
    assert isinstance(item, SourceItem)
    assert len(item.units) == 2


@pytest.mark.parametrize(
    ("changes", "code", "field", "said"),
    [
        ({"units": []}, "B2", "units", "an empty list"),
        ({"units": [3]}, "B2", "units[0]", "write an object"),
        ({"units": [{}]}, "B2", "units[0].passage", "count them from 0"),
        ({"units": [{"passage": 9}]}, "B2", "units[0].passage", "is 9"),
        ({"units": [{"passage": 0, "quotes": []}]}, "B2", "units[0].quotes", "an empty list"),
        ({"units": [{"passage": 0, "quotes": ["x?"]}]}, "D2", "units[0].quotes[0]", "letter by"),
        ({"passages": [{"title": "a"}]}, "B2", "passages[0].text", "missing"),
        ({"false_chain": 2}, "B2", "false_chain", "a list of positions"),
        ({"false_chain": [7]}, "B2", "false_chain", "is 7"),
        ({"false_chain": [0]}, "B2", "false_chain", "one or the other"),
        ({"answer": ...}, "B2", "answer", "missing"),
    ],
)
def test_a_record_that_cannot_be_used_is_excluded_by_field(
    write_lines: Write, changes: dict[str, Any], code: str, field: str, said: str
):
    [outcome] = BUILDER.read(write_lines(record(**changes)))
    assert isinstance(outcome, Excluded)
    assert (outcome.code, outcome.field) == (code, field)
    assert said in outcome.message
