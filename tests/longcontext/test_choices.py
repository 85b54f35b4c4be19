from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import pytest

from realhop_kg.errors import InputError
from realhop_kg.jsonl import write_records
from realhop_kg.longcontext.choices import (
    LETTERS,
    balance,
    plan_choices,
    read_choices,
)
from realhop_kg.model.frozen import FrozenCompetitor, FrozenItem, SourceSide


def item(number: int, ends: Sequence[tuple[str, bool]]) -> FrozenItem:
    return FrozenItem(
        id=f"longbench/w{number}", dataset="longbench", topology="2hop", question="Who?",
        answer="Gold", aliases=("Or",), insertions=(), substitutions=(), kept=(), passages=(),
        hops=(), source=SourceSide(id=f"w{number}", question="q", answer="a", aliases=()),
        competitors=tuple(
            FrozenCompetitor(id=f"p{at}", kind="strict", protected_hop=1, break_hop=1,
                             endpoint=text, complete=complete, spans=())
            for at, (text, complete) in enumerate(ends)
        ),
    )  # fmt: skip


FOUR = [("Ash", True), ("Birch", True), ("Cedar", True), ("Elm", True)]


def test_gold_takes_each_letter_once_in_every_four_items() -> None:
    found = list(plan_choices((item(n, FOUR) for n in range(40)), seed=1))
    for start in range(0, 40, 4):
        assert sorted(each.letter for each in found[start : start + 4]) == list(LETTERS)
    assert len({tuple(each.letter for each in found[at : at + 4]) for at in range(0, 40, 4)}) > 3
    for each in found:
        assert each.options[LETTERS.index(each.letter)] == "Gold"
        assert each.paths[LETTERS.index(each.letter)] == "path:g"
        assert len(set(each.options)) == 4


def test_endpoints_of_fragments_repeats_and_forms_of_gold_make_no_option() -> None:
    few = [("Ash", True), ("ash.", True), ("the gold", True), ("OR", True), ("Elm", False),
           ("Fir", True)]  # fmt: skip
    [found] = plan_choices([item(1, few)], seed=1)
    assert found.options == ()
    assert found.infeasible == ("mcq-infeasible: 2 distinct endpoints of complete paths, not 3")


def test_infeasible_items_take_no_letter() -> None:
    mixed = [item(n, FOUR if n % 2 else FOUR[:2]) for n in range(32)]
    told = balance(plan_choices(mixed, seed=3))
    assert told.letters == dict.fromkeys(LETTERS, 4)
    assert len(told.infeasible) == 16
    assert told.p == 1.0


def test_an_unbalanced_key_is_told_by_chi_square() -> None:
    found = list(plan_choices((item(n, FOUR) for n in range(40)), seed=1))
    skewed = [each.model_copy(update={"letter": "A"}) for each in found]
    assert balance(skewed).p < 1e-10
    assert balance([]).p == 1.0
    assert Counter(each.letter for each in found) == dict.fromkeys(LETTERS, 10)


def test_options_are_written_whole_and_read_back(tmp_path: Path) -> None:
    found = list(plan_choices([item(1, FOUR), item(2, FOUR[:1])], seed=1))
    path = tmp_path / "choices.jsonl"
    write_records(path, (each.model_dump(mode="json") for each in found))
    assert list(read_choices(path).values()) == found
    assert [each.name for each in tmp_path.iterdir()] == ["choices.jsonl"]


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("{", "not JSON"),
        ('{"id": "a"}', "question"),
        ('{"id":"a","question":"q","options":["x","x","y","z"],"letter":"A"}', "four different"),
        ('{"id":"a","question":"q","options":["w","x","y","z"],"letter":"E"}', "four different"),
        ('{"id":"a","question":"q","options":["w","x","y","z"],"letter":""}', "four different"),
    ],
)
def test_a_file_of_options_that_is_wrong_is_told_by_line(
    tmp_path: Path, line: str, told: str
) -> None:
    path = tmp_path / "c.jsonl"
    path.write_text(line, encoding="utf-8")
    with pytest.raises(InputError, match=rf"c\.jsonl:1: .*{told}"):
        read_choices(path)
