"""Intervals are those of a plain loop over the same resamples, bit for bit."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from realhop_kg.audit.bootstrap import SEED, draws, intervals, offset_of, resampled
from realhop_kg.audit.estimand import LIMIT, Estimand, Ratio, Term, common_scale

ITEMS = tuple("abcdef")
ACCURACY = Estimand(ITEMS, (Term(1, Ratio((1, 1, 0, 1, 0, 1), (1,) * 6)),))
RATE = Estimand(ITEMS, (Term(1, Ratio((12, 6, 0, 8, 0, 0), (12, 12, 0, 12, 0, 12))),))


def loop(estimand: Estimand, resamples: int, offset: int) -> list[float]:
    """The same resamples, one question at a time in plain Python."""
    values = []
    for chunk in draws(len(estimand.items), resamples, offset):
        for drawn in chunk.tolist():
            value = estimand.value(drawn)
            values.append(math.nan if value is None else value)
    return values


def test_values_equal_the_plain_loop_bit_for_bit():
    found = resampled({"accuracy": ACCURACY, "rate": RATE}, 500, 7)
    for name, estimand in (("accuracy", ACCURACY), ("rate", RATE)):
        np.testing.assert_array_equal(found[name], loop(estimand, 500, 7))


@given(
    st.lists(
        st.tuples(st.integers(0, 12), st.integers(0, 1), st.integers(0, 12), st.integers(0, 1)),
        min_size=1,
        max_size=30,
    ),
    st.integers(0, 2**32 - 1),
)
@settings(max_examples=40, deadline=None)
def test_sums_of_ratios_equal_the_plain_loop_on_any_panel(
    rows: list[tuple[int, int, int, int]], offset: int
):
    a, b, c, d = zip(*rows, strict=True)
    terms = (
        Term(1, Ratio(tuple(x * y for x, y in zip(a, b, strict=True)), tuple(12 * y for y in b))),
        Term(-1, Ratio(tuple(x * y for x, y in zip(c, d, strict=True)), tuple(12 * y for y in d))),
    )
    estimand = Estimand(tuple(map(str, range(len(rows)))), terms, divisor=3)
    np.testing.assert_array_equal(
        resampled({"it": estimand}, 60, offset)["it"], loop(estimand, 60, offset)
    )


def test_chunks_do_not_change_what_is_drawn(monkeypatch: pytest.MonkeyPatch):
    whole = np.concatenate(list(draws(7, 90, 3)))
    monkeypatch.setattr("realhop_kg.audit.bootstrap._CHUNK_CELLS", 50)
    np.testing.assert_array_equal(np.concatenate(list(draws(7, 90, 3))), whole)


def test_an_interval_says_how_it_was_drawn():
    found = intervals({"accuracy": ACCURACY}, offset=5, resamples=200)["accuracy"]
    assert (found.value, found.n, found.resamples, found.seed, found.offset) == (
        4 / 6,
        6,
        200,
        SEED,
        5,
    )
    sample = resampled({"it": ACCURACY}, 200, 5)["it"]
    assert (found.low, found.high) == tuple(np.percentile(sample, (2.5, 97.5)))


def test_offsets_depend_on_model_and_cohort_and_on_nothing_else():
    assert offset_of("m", "full") == offset_of("m", "full") != offset_of("m", "control")
    assert 0 <= offset_of("m") < 2**32


def test_no_question_in_the_denominator_is_said():
    empty = Estimand(("a", "b"), (Term(1, Ratio((0, 0), (0, 0))),), n=0)
    found = intervals({"it": empty}, 0, 50)["it"]
    assert (found.value, found.low, found.high, found.n) == (None, None, None, 0)
    assert found.notes == ("not defined: no question in the denominator",)


def test_one_question_and_undefined_resamples_are_said():
    single = Estimand(("a", "b"), (Term(1, Ratio((1, 0), (1, 0))),), n=1)
    found = intervals({"it": single}, 0, 200)["it"]
    assert (found.value, found.low, found.high) == (1.0, 1.0, 1.0)
    assert 0 < found.undefined < 200
    assert found.notes == (
        "rests on one question: the interval says nothing",
        f"not defined in {found.undefined} resamples, which the interval leaves out",
    )


def test_equal_resamples_are_said():
    same = Estimand(("a", "b"), (Term(1, Ratio((1, 1), (1, 1))),))
    [note] = intervals({"it": same}, 0, 50)["it"].notes
    assert "no width" in note


def test_no_questions_at_all_give_no_value():
    found = intervals({"it": Estimand((), (Term(1, Ratio((), ())),))}, 0, 10)["it"]
    assert found.value is None


def test_different_questions_are_not_resampled_together():
    other = Estimand(("z",), (Term(1, Ratio((1,), (1,))),))
    with pytest.raises(ValueError, match="same questions"):
        resampled({"a": ACCURACY, "b": other}, 10)
    with pytest.raises(ValueError, match="same questions"):
        ACCURACY.minus(other)


def test_sums_that_are_no_longer_exact_are_refused():
    with pytest.raises(ValueError, match="too large"):
        Estimand(("a", "b"), (Term(1, Ratio((LIMIT // 2, 0), (1, 1))),))
    with pytest.raises(ValueError, match="1 values for 2"):
        Estimand(("a", "b"), (Term(1, Ratio((1,), (1, 1))),))


def test_common_scale_is_divided_by_every_count():
    assert common_scale([2, 3, 4]) == 12
    assert common_scale([]) == 1
