from __future__ import annotations

import ast
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from graph_builders import musique as musique_module
from graph_builders import plain as plain_module
from graph_builders.base import Excluded
from graph_builders.plain import BUILDER
from realhop_kg.errors import InputError
from realhop_kg.model.item import SourceItem

Raw = dict[str, Any]
Write = Callable[..., Path]


def read(write_lines: Write, *records: object) -> list[SourceItem | Excluded]:
    return list(BUILDER.read(write_lines(*records)))


def test_the_plain_form_gives_the_item_that_the_release_format_gives(
    write_lines: Write, plain: Raw, musique: Raw
):
    [found] = read(write_lines, plain)
    [other] = musique_module.BUILDER.read(write_lines(musique))
    assert isinstance(found, SourceItem)
    assert isinstance(other, SourceItem)
    assert found.dataset == "jsonl"
    assert found.model_copy(update={"dataset": "musique"}) == other


def test_the_example_of_the_documentation_is_an_item(write_lines: Write):
    doc = ast.get_docstring(ast.parse(Path(plain_module.__file__).read_text())) or ""
    example = re.search(r"^    \{.*?\}\]\}$", doc, re.DOTALL | re.MULTILINE)
    assert example
    [found] = read(write_lines, json.dumps(json.loads(example[0])))
    assert isinstance(found, SourceItem)
    assert [hop.depends_on for hop in found.hops] == [(), (1,)]


def test_aliases_titles_and_other_fields_are_optional(write_lines: Write, plain: Raw):
    del plain["aliases"]
    for passage in plain["passages"]:
        del passage["title"]
    plain["comment"] = {"by": "me"}
    [found] = read(write_lines, plain)
    assert isinstance(found, SourceItem)
    assert found.aliases == ()
    assert {passage.title for passage in found.passages} == {""}


def test_support_is_a_position_whatever_numbers_the_passages_carry(write_lines: Write, plain: Raw):
    for at, passage in enumerate(plain["passages"]):
        passage["idx"] = 9 - at
    [found] = read(write_lines, plain)
    assert isinstance(found, SourceItem)
    assert [hop.support for hop in found.hops] == [0, 2]


@pytest.mark.parametrize(
    ("change", "code", "field"),
    [
        ({"support": None}, "D2", "hops[1].support"),
        ({"support": 0}, "D2", "hops[1].support"),
        ({"support": 9}, "B2", "hops[1].support"),
        ({"answer": ""}, "B2", "hops[1].answer"),
        ({"question": "y >> z"}, "D1", "hops"),
        ({"question": "#2 >> z"}, "D1", "hops[1].question"),
    ],
)
def test_messages_name_the_fields_of_the_plain_form(
    write_lines: Write, plain: Raw, change: Raw, code: str, field: str
):
    plain["hops"][1].update(change)
    [outcome] = read(write_lines, plain)
    assert isinstance(outcome, Excluded)
    assert (outcome.dataset, outcome.code, outcome.field) == ("jsonl", code, field)
    assert f"`{field}`" in outcome.message


def test_an_unanswerable_question_is_b1(write_lines: Write, plain: Raw):
    [outcome] = read(write_lines, {**plain, "answerable": False})
    assert isinstance(outcome, Excluded)
    assert outcome.code == "B1"


def test_a_file_in_the_release_format_is_refused_with_the_way_out(write_lines: Write, musique: Raw):
    with pytest.raises(InputError, match=r"is no plain question file.*use --dataset musique"):
        next(BUILDER.read(write_lines(musique)))
