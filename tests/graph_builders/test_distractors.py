from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from graph_builders.base import Excluded
from graph_builders.distractors import BUILDER, TWIN
from realhop_kg.errors import InputError
from realhop_kg.model.item import SourceItem
from tests.graph_builders.supported_records import hotpot

Write = Callable[..., Path]

FALSE = ["Brask", ["Brask opened a shop in Tolland in 1971."]]


def swapped(**changes: Any) -> dict[str, Any]:
    record = hotpot(**changes)
    record["context"][1] = FALSE
    return record


def read(
    write_lines: Write, changed: list[Any], original: list[Any]
) -> list[SourceItem | Excluded]:
    write_lines(json.dumps(original), name=f"{TWIN}named.json")
    return list(BUILDER.read(write_lines(json.dumps(changed), name="named.json")))


def test_inserted_paragraphs_are_the_difference_from_the_twin(write_lines: Write):
    [item] = read(write_lines, [swapped()], [hotpot()])
    assert isinstance(item, SourceItem)
    assert item.dataset == "distractors"
    assert item.false_chain == (1,)
    assert item.passages[1].title == "Brask"
    assert [unit.target for unit in item.units] == ["h1", "h2"]


def test_later_records_of_an_id_get_a_name_of_their_own(write_lines: Write):
    outcomes = read(write_lines, [swapped(), swapped(), swapped()], [hotpot()] * 3)
    assert [outcome.id for outcome in outcomes] == ["5a1", "5a1~2", "5a1~3"]


def test_a_paragraph_beyond_its_twin_s_copies_counts_as_inserted(write_lines: Write):
    changed = hotpot()
    changed["context"].append(changed["context"][1])
    [item] = read(write_lines, [changed], [hotpot()])
    assert isinstance(item, SourceItem)
    assert item.false_chain == (3,)


@pytest.mark.parametrize(
    ("changed", "original", "said"),
    [
        (hotpot(), hotpot(), "inserts nothing"),
        (swapped(), hotpot(question="Another?"), "another question"),
        (swapped(), hotpot(_id="b"), "another question"),
        (swapped(), {"_id": "5a1"}, "cannot be used"),
        (
            hotpot(context=[["Corvane & Sons", ["New."]], ["Halberg", ["Halberg is.", " It."]]]),
            hotpot(),
            "changes a supporting paragraph",
        ),
    ],
)
def test_a_row_whose_twin_does_not_fit_is_excluded(
    write_lines: Write, changed: Any, original: Any, said: str
):
    broken, sound = read(write_lines, [changed, swapped(_id="c")], [original, hotpot(_id="c")])
    assert isinstance(sound, SourceItem)
    assert isinstance(broken, Excluded)
    assert said in broken.message


def test_a_twin_that_is_too_short_excludes_the_rest(write_lines: Write):
    _, second = read(write_lines, [swapped(), swapped(_id="b")], [hotpot()])
    assert isinstance(second, Excluded)
    assert "no such row" in second.message


def test_without_the_twin_the_file_is_refused(write_lines: Write):
    with pytest.raises(InputError, match=r"no_changes_lonely\.json is missing"):
        list(BUILDER.read(write_lines(swapped(), name="lonely.json")))


@pytest.mark.parametrize(
    ("name", "count", "inserted"),
    [
        ("named_True_2", 31, 2),
        ("named_True_4", 4, 4),
        ("other_True_2", 4, 2),
        ("named_False_1", 4, 1),
    ],
)
def test_public_samples_are_read_whole(shared_data: Path, name: str, count: int, inserted: int):
    folder = shared_data / "multihop" / "plausible_distractors"
    outcomes = list(BUILDER.read(folder / f"{name}_sample.json"))
    items = [outcome for outcome in outcomes if isinstance(outcome, SourceItem)]
    assert len(items) == len(outcomes) == len({item.id for item in items}) == count
    assert {len(item.false_chain) for item in items} == {inserted}
    for item in items:
        gold = {part.passage for unit in item.units for part in unit.parts}
        assert not gold & set(item.false_chain)


def test_a_limit_counts_records(shared_data: Path):
    path = shared_data / "multihop" / "plausible_distractors" / "named_True_2_sample.json"
    assert len(list(BUILDER.read(path, 5))) == 5
