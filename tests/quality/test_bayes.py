"""Naive Bayes: what speaks for gold, what says nothing, and that no fold sees itself."""

from __future__ import annotations

from realhop_kg.quality.bayes import fold_scores, weights

A, B, C = ("words", "a"), ("words", "b"), ("words", "c")


def test_a_feature_as_common_in_both_classes_says_nothing() -> None:
    odds = weights({A: 10, B: 10}, {A: 50, B: 50})
    assert odds == {A: 0, B: 0}


def test_a_feature_of_gold_speaks_for_gold_the_more_the_oftener_it_stands() -> None:
    odds = weights({A: 10, B: 1, C: 9}, {C: 20})
    assert odds[A] > odds[B] > 0 > odds[C]


def test_odds_are_smoothed_log_odds_in_thousandths() -> None:
    # log((3 * 8 + 4) * 4 / ((1 * 8 + 4) * 4)) = log(28 / 12)
    assert weights({A: 3, B: 1}, {A: 1, B: 3}) == {A: 847, B: -847}


def test_each_field_is_counted_by_itself() -> None:
    place = ("place", "end")
    alone = weights({A: 3, B: 1}, {A: 1, B: 3})
    beside = weights({A: 3, B: 1, place: 500}, {A: 1, B: 3, place: 7})
    assert {feature: beside[feature] for feature in alone} == alone
    assert beside[place] == 0


def test_a_field_that_one_class_lacks_says_nothing() -> None:
    assert weights({A: 3}, {("place", "end"): 2}) == {A: 0, ("place", "end"): 0}


def test_a_fold_is_scored_by_the_others_alone() -> None:
    signatures = [(A,), (B,)]
    # Fold 0 holds a as gold; the other fold says the opposite.
    seen = {(0, 0, 1): 9, (1, 0, 0): 9, (0, 1, 0): 2, (1, 1, 1): 2}
    scores = fold_scores(signatures, seen, 2)
    assert scores[0, 0] < 0 < scores[1, 0]
    assert scores[0, 1] > 0 > scores[1, 1]


def test_what_other_folds_do_not_hold_scores_nothing() -> None:
    assert fold_scores([(A,)], {(0, 0, 1): 3}, 2) == {(0, 0): 0}
