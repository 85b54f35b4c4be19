"""Areas under the ROC curve: against the definition, with ties, under resampling."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from realhop_kg.quality.ranking import Ranking, SideBySide
from realhop_kg.quality.resamples import drawn, percentile, unpacked

Row = tuple[int, int, int, int]
"""Score, 1 if gold, item, hop and part."""

rows = st.lists(
    st.tuples(st.integers(-3, 3), st.integers(0, 1), st.integers(0, 4), st.integers(0, 1)),
    max_size=30,
)


def by_definition(some: list[Row], weight: list[int], beside: bool = False) -> Fraction | None:
    """Compare every gold sentence with every other, as the definition of the area says."""
    wins, pairs = Fraction(0), 0
    for score, is_gold, item, part in some:
        for other_score, other_gold, other_item, other_part in some:
            if not is_gold or other_gold or (beside and (item, part) != (other_item, other_part)):
                continue
            times = weight[item] if beside else weight[item] * weight[other_item]
            wins += times * ((score > other_score) + Fraction(score == other_score, 2))
            pairs += times
    return wins / pairs if pairs else None


def columns(some: list[Row]) -> tuple[list[int], ...]:
    return tuple([row[at] for row in some] for at in range(4))


def overall(some: list[Row]) -> Ranking:
    scores, gold, items, _ = columns(some)
    return Ranking(scores, gold, items)


@pytest.mark.parametrize(
    ("right", "wrong", "area"),
    [
        ([3, 2], [1, 0], 1.0),
        ([0], [1, 2], 0.0),
        ([1, 1], [1, 1, 1], 0.5),
        ([2, 0], [1], 0.5),
        ([2, 1], [1, 0], 0.875),
        ([1], [], None),
        ([], [1], None),
        ([], [], None),
    ],
)
def test_an_area_is_the_chance_that_gold_ranks_above(
    right: list[int], wrong: list[int], area: float | None
) -> None:
    scores = [*right, *wrong]
    gold = [1] * len(right) + [0] * len(wrong)
    assert Ranking(scores, gold, list(range(len(scores)))).auc() == area


@given(rows)
def test_the_area_agrees_with_its_definition(some: list[Row]) -> None:
    scores, gold, items, parts = columns(some)
    once = [1] * 5
    whole = by_definition(some, once)
    beside = by_definition(some, once, beside=True)
    assert overall(some).auc() == (None if whole is None else float(whole))
    assert SideBySide(scores, gold, items, parts).auc() == (
        None if beside is None else float(beside)
    )


@given(rows, st.integers(0, 99))
def test_every_lane_of_a_resample_agrees_with_the_definition(some: list[Row], seed: int) -> None:
    scores, gold, items, parts = columns([*some, (0, 1, 4, 0)])
    draws = random.Random(seed)
    times = [[draws.randrange(4) for _ in range(3)] for _ in range(5)]
    lanes = [sum(n << (32 * at) for at, n in enumerate(each)) for each in times]
    areas = Ranking(scores, gold, items).aucs(lanes, 3)
    beside = SideBySide(scores, gold, items, parts).aucs(lanes, 3)
    for at in range(3):
        weight = [each[at] for each in times]
        table = list(zip(scores, gold, items, parts, strict=True))
        expected = by_definition(table, weight), by_definition(table, weight, beside=True)
        assert (areas[at], beside[at]) == tuple(e if e is None else float(e) for e in expected)


@given(rows, st.randoms())
def test_the_order_of_sentences_does_not_matter(some: list[Row], shuffler: random.Random) -> None:
    other = list(some)
    shuffler.shuffle(other)
    assert overall(some).auc() == overall(other).auc()


def test_pairs_of_other_hops_and_items_do_not_stand_side_by_side() -> None:
    # Item 0: gold above in hop 1, below in hop 2; item 1 has nothing to compare.
    some = [(5, 1, 0, 1), (1, 0, 0, 1), (0, 1, 0, 2), (9, 0, 0, 2), (7, 1, 1, 1)]
    scores, gold, items, parts = columns(some)
    assert SideBySide(scores, gold, items, parts).auc() == 0.5


# Resamples


def test_each_resample_draws_as_many_items_as_there_are() -> None:
    seen = 0
    for count, lanes in drawn(items=7, resamples=300, seed=3):
        assert len(lanes) == 7
        assert unpacked(sum(lanes), count) == [7] * count
        seen += count
    assert seen == 300


def test_resamples_are_the_same_for_the_same_seed_only() -> None:
    assert list(drawn(5, 10, 1)) == list(drawn(5, 10, 1))
    assert list(drawn(5, 10, 1)) != list(drawn(5, 10, 2))


def test_percentiles_are_linear_between_neighbours() -> None:
    assert percentile([4.0], 0.975) == 4.0
    assert percentile([0.0, 10.0], 0.025) == 0.25
    assert percentile([0.0, 1.0, 2.0, 3.0], 1.0) == 3.0
