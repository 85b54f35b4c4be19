"""Agreement of readers, on the paper's own figures and on labels that are not as they should be."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from realhop_kg.audit.agreement import Labels, agreement, kappa, read_labels
from realhop_kg.errors import InputError

Write = Callable[..., Path]


def reader(name: str, accepted: set[int], n: int) -> Labels:
    given = {(f"i{at}", "gold_supports"): "yes" if at in accepted else "no" for at in range(n)}
    return Labels(name, given, ())


def test_the_musique_spot_check_of_the_paper():
    # 4 and 5 marked questionable, both accepted 93, both rejected 2, third reader accepts the 5.
    every = set(range(100))
    one, two = reader("a", every - {0, 1, 2, 3}, 100), reader("b", every - {0, 1, 4, 5, 6}, 100)
    third = reader("c", {2, 3, 4, 5, 6}, 100)
    found = agreement([one, two], "gold_supports", third)
    assert (found.n, found.both_accept, found.both_reject) == (100, 93, 2)
    assert (found.pairs[0].agree, len(found.disagreements)) == (95, 5)
    assert (found.settled, found.accepted) == (5, 98)


def test_the_longbench_spot_check_of_the_paper():
    every = set(range(50))
    one, two = reader("a", every - {0}, 50), reader("b", every, 50)
    open_ = agreement([one, two], "gold_supports")
    assert (open_.pairs[0].agree, open_.both_accept, open_.accepted) == (49, 49, None)
    assert agreement([one, two], "gold_supports", reader("c", {0}, 50)).accepted == 50


def test_items_that_one_reader_left_blank_are_named_and_not_counted():
    one = Labels("a", {("x", "verdict"): "correct", ("y", "verdict"): "partial"}, ())
    two = Labels("b", {("x", "verdict"): "correct", ("z", "verdict"): "correct"}, ())
    found = agreement([one, two], "verdict")
    assert (found.n, found.both_accept) == (1, 1)
    assert found.unlabelled == ("y", "z")
    assert found.pairs[0].kappa is None


def test_three_readers_are_compared_two_by_two():
    found = agreement(
        [reader("a", {0, 1}, 4), reader("b", {0, 1}, 4), reader("c", {0}, 4)], "gold_supports"
    )
    assert [(pair.first, pair.second, pair.agree) for pair in found.pairs] == [
        ("a", "b", 4),
        ("a", "c", 3),
        ("b", "c", 3),
    ]
    assert found.disagreements == ("i1",)
    with pytest.raises(ValueError, match="two readers"):
        agreement([reader("a", {0}, 1)], "gold_supports")


LABEL = st.sampled_from(("yes", "no", "unsure"))


@given(st.lists(st.tuples(LABEL, LABEL), max_size=30))
def test_kappa_is_symmetric_at_most_one_and_one_where_all_agree(pairs: list[tuple[str, str]]):
    found = kappa(pairs)
    assert found == kappa([(b, a) for a, b in pairs])
    if found is not None:
        assert -1 <= found <= 1
        assert (found == 1) == all(a == b for a, b in pairs)


def test_kappa_of_a_known_table():
    table = {("y", "y"): 20, ("y", "n"): 5, ("n", "y"): 10, ("n", "n"): 15}
    assert kappa([pair for pair, n in table.items() for _ in range(n)]) == pytest.approx(0.4)
    assert kappa([]) is None


def test_a_mistyped_label_is_named_and_is_no_category(write_lines: Write):
    path = write_lines(
        {"id": "a", "verdict": "corect"},
        {"id": "b", "verdict": "Incorrect"},
        {"id": "c", "verdict": "yes", "tone": "dry"},
        name="reader.jsonl",
    )
    found = read_labels(path, ("verdict", "tone"))
    assert found.given == {("b", "verdict"): "incorrect", ("c", "tone"): "dry"}
    assert found.problems == (
        "reader.jsonl:1: a: `verdict` is 'corect', which is no label and counts as blank; write "
        "correct, partial or incorrect",
        "reader.jsonl:3: c: `verdict` is 'yes', which is no label and counts as blank; write "
        "correct, partial or incorrect",
    )


def test_filled_sheets_are_read_and_what_is_wrong_is_named(write_lines: Write):
    path = write_lines(
        {"id": "a", "gold_supports": " Yes ", "natural": ""},
        "no json",
        {"gold_supports": "yes"},
        {"id": "b", "gold_supports": True},
        {"id": "a", "gold_supports": "no"},
        name="reader.jsonl",
    )
    found = read_labels(path)
    assert found.given == {("a", "gold_supports"): "no"}
    assert [problem.partition(": ")[0] for problem in found.problems] == [
        "reader.jsonl:2",
        "reader.jsonl:3",
        "reader.jsonl:4",
        "reader.jsonl:5",
    ]
    with pytest.raises(InputError):
        read_labels(path.with_name("none.jsonl"))
