"""Each measure on panels small enough to work out by hand."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from realhop_kg.audit.estimand import Estimand
from realhop_kg.audit.measures.ablation import ablation
from realhop_kg.audit.measures.bands import BANDS, banded, within
from realhop_kg.audit.measures.bnr import bnr
from realhop_kg.audit.measures.closed_book import closed_book
from realhop_kg.audit.measures.common_full import common_full
from realhop_kg.audit.measures.drop_one import control, drop_one
from realhop_kg.audit.measures.full import full
from realhop_kg.audit.measures.masks import SINGLE_LOCATION, masks
from realhop_kg.audit.measures.mcnemar import mcnemar
from realhop_kg.audit.measures.paired_accuracy import paired_accuracy
from realhop_kg.audit.measures.premises import premise_necessity
from realhop_kg.audit.measures.ranks import rank_changes, ranks
from realhop_kg.audit.measures.spearman import spearman
from realhop_kg.audit.measures.spread import spread
from realhop_kg.audit.measures.survival import survival
from realhop_kg.audit.measures.wrong_hit import share_of_errors, wrong_hit
from realhop_kg.audit.panel import panels
from realhop_kg.model.run import Condition
from tests.audit.scores import Row, panel, records

PANEL = {
    "two": {"full": "C", "drop": "CI", "control": "CC"},
    "three": {"full": "C", "drop": "IIP", "control": "CI-"},
    "wrong": {"full": "I", "drop": "CC", "control": "CC"},
    "part": {"full": "P", "drop": "II", "control": "II"},
    "gap": {"full": "C", "drop": "C-", "control": "-C"},
}


def rounded(estimand: Estimand) -> float:
    value = estimand.value()
    assert value is not None
    return round(value, 12)


# single runs


def test_full_counts_correct_alone_over_all_judged_questions():
    assert rounded(full(panel(PANEL))) == 3 / 5


def test_bnr_weighs_questions_equally_whatever_their_hops():
    found = bnr(panel(PANEL))
    # two: one of two hops is necessary; three: all are, since partial is not correct.
    assert rounded(found) == (1 / 2 + 1) / 2
    assert found.count == 2
    assert "gap" not in found.items


def test_drop_one_and_control_are_not_conditioned_on_full():
    assert rounded(drop_one(panel(PANEL))) == (1 / 2 + 0 + 1 + 0) / 4
    # The control that lacks takes its pair with it: `three` has two, `gap` has none.
    assert rounded(control(panel(PANEL))) == (1 + 1 / 2 + 1 + 0) / 4


def test_survival_rests_on_the_same_questions_and_targets_for_both():
    drop, background = (
        survival(panel(PANEL), condition) for condition in (Condition.DROP, Condition.CONTROL)
    )
    assert rounded(drop) == (1 / 2 + 0) / 2
    assert rounded(background) == (1 + 1 / 2) / 2
    assert drop.count == background.count == 2


def test_no_full_correct_question_gives_no_bnr():
    assert bnr(panel({"a": {"full": "I", "drop": "II"}})).value() is None


# trials


def test_trials_are_scored_one_by_one_and_then_averaged():
    first = {"a": {"full": "C", "drop": "II"}, "b": {"full": "I", "drop": "CC"}}
    second = {"a": {"full": "C", "drop": "CC"}, "b": {"full": "C", "drop": "CI"}}
    found = panel(first, second)
    assert rounded(full(found)) == (1 / 2 + 1) / 2
    assert rounded(bnr(found)) == (1 + (0 + 1 / 2) / 2) / 2
    # Pooling all four question-trials would give another figure.
    assert rounded(bnr(found)) != pytest.approx((1 + 0 + 1 / 2) / 3)


# two sides

SOURCE = {
    "a": {"full": "C", "drop": "CC"},
    "b": {"full": "C", "drop": "CI"},
    "c": {"full": "I", "drop": "II"},
}
CONSTRUCTED = {
    "a": {"full": "C", "drop": "II"},
    "b": {"full": "I", "drop": "II"},
    "c": {"full": "C", "drop": "CI"},
}


def test_common_full_recomputes_both_sides_on_shared_questions():
    found = common_full(panel(SOURCE, side="source"), panel(CONSTRUCTED))
    named = {name: rounded(estimand) for name, estimand in found.named().items()}
    assert named == {
        "common_bnr_source": 0,
        "common_bnr_constructed": 1,
        "common_increase": 1,
        "increase": (1 + 1 / 2) / 2 - (0 + 1 / 2) / 2,
        "change": 1 - 1 / 2,
    }
    assert found.counts == (1,)


def test_questions_incomplete_on_one_side_leave_both():
    broken = {**CONSTRUCTED, "a": {"full": "C", "drop": "I-"}}
    found = common_full(panel(SOURCE, side="source"), panel(broken))
    assert found.increase.items == ("b", "c")


def test_paired_accuracy_uses_questions_judged_on_both_sides():
    broken = {**CONSTRUCTED, "c": {"full": "-", "drop": "II"}}
    found = paired_accuracy(panel(SOURCE, side="source"), panel(broken))
    assert {name: rounded(estimand) for name, estimand in found.items()} == {
        "paired_source": 1,
        "paired_constructed": 1 / 2,
        "paired_difference": -1 / 2,
    }


# wrong hits


def test_a_wrong_hit_is_a_wrong_answer_that_equals_an_endpoint():
    items, conditions, answers = records(
        [{key: {"full": letter} for key, letter in zip("abcd", "IIPC", strict=True)}]
    )
    said = dict(zip("abcd", ("the trap.", "a trapdoor", "Trap", "Trap"), strict=True))
    answers = [each.model_copy(update={"response": said[each.item]}) for each in answers]
    [found], _ = panels(items, conditions, answers, ["m"], [1])
    assert rounded(wrong_hit(found)) == 2 / 4
    assert rounded(share_of_errors(found)) == round(2 / 3, 12)


# ablations


def test_ablation_shares_and_interaction_use_complete_cases():
    letters = {
        "original": "CCCCC",
        "gold_only": "CCCCI",
        "flexible_only": "CCIIC",
        "strict_only": "CIIIC",
        "both": "CIII-",
    }
    found = {
        name: panel(
            {key: {"full": each} for key, each in zip("abcde", row, strict=True)},
            side="source" if name == "original" else "constructed",
            ablation="both" if name == "original" else name,
        )
        for name, row in letters.items()
    }
    original = found.pop("original")
    named = {name: rounded(each) for name, each in ablation(original, found).items()}
    assert named == {
        "accuracy_gold_only": 1,
        "accuracy_flexible_only": 1 / 2,
        "accuracy_strict_only": 1 / 4,
        "accuracy_both": 1 / 4,
        "accuracy_original": 1,
        "interaction": (1 / 4 - 1 / 4) - (1 / 2 - 1),
        "competitor_share": 1,
    }
    assert "competitor_share" not in ablation(None, found)
    with pytest.raises(ValueError, match="lacks strict_only"):
        ablation(original, {name: each for name, each in found.items() if name != "strict_only"})


@given(st.lists(st.tuples(st.booleans(), st.booleans()), max_size=40))
def test_mcnemar_is_symmetric_and_a_probability(pairs: list[tuple[bool, bool]]):
    first, second = [a for a, _ in pairs], [b for _, b in pairs]
    one, other = mcnemar(first, second), mcnemar(second, first)
    assert one.p == other.p
    assert 0 < one.p <= 1
    assert (one.only_first, one.only_second) == (other.only_second, other.only_first)


def test_mcnemar_agrees_with_scipy():
    from scipy.stats import binomtest

    for one, other in ((9, 1), (3, 3), (0, 8), (27, 0), (40, 21)):
        found = mcnemar([True] * one + [False] * other, [False] * one + [True] * other)
        assert found.p == pytest.approx(binomtest(one, one + other, 0.5).pvalue, rel=1e-12)


# masks, bands, probes


def test_masks_give_fixed_and_paired_figures_survival_and_flips():
    found = masks(
        panel(
            {
                "a": {"full": "C", "mask": "CCC"},
                "b": {"full": "C", "mask": "CII"},
                "c": {"full": "I", "mask": "ICI"},
                "d": {"full": "C", "mask": "C-C"},
            }
        )
    )
    assert {name: rounded(each) for name, each in found.items()} == {
        "mask_full_fixed": 3 / 4,
        "mask_fixed": round(7 / 12, 12),
        "mask_difference_fixed": round(7 / 12 - 3 / 4, 12),
        "mask_full_paired": round(2 / 3, 12),
        "mask_paired": round(5 / 9, 12),
        "mask_difference": round(5 / 9 - 2 / 3, 12),
        "all_mask_survival": 1 / 2,
        "flips_to_wrong": round(2 / 6, 12),
        "flips_to_right": round(1 / 9, 12),
    }
    assert masks(panel({"a": {"full": "C"}})) == {}
    assert round(SINGLE_LOCATION, 3) == 0.512


def banded_panel(row: Row, lengths: tuple[int, ...], whole: bool = True):
    items, conditions, answers = records([{"a": row}])
    by_target = dict(zip(("h1", "h2", "h3"), lengths, strict=False))
    conditions = [
        each.model_copy(
            update={"characters": by_target[each.target], "whole_sentences": whole}
            if each.condition is Condition.CONTROL
            else {}
        )
        for each in conditions
    ]
    [found], _ = panels(items, conditions, answers, ["m"], [1])
    return found


def test_bands_take_whole_sentences_of_nearly_the_length_that_drop_removed():
    found = banded_panel({"full": "C", "drop": "IPI", "control": "CPI"}, (105, 110, 126))
    assert {
        name: [target for target in ("h1", "h2", "h3") if within(found, "a", target, band)]
        for name, band in BANDS.items()
    } == {"all": ["h1", "h2", "h3"], "25%": ["h1", "h2"], "10%": ["h1", "h2"], "5%": ["h1"]}
    estimands, pairs = banded(found, 0.10)
    assert pairs == 2
    assert {name: rounded(each) for name, each in estimands.items()} == {
        "band_full": 1,
        "band_control": 3 / 4,
        "band_drop": 1 / 4,
        "control_minus_drop": 1 / 2,
        "control_minus_full": -1 / 4,
    }


def test_fragments_count_in_no_band_but_among_all_pairs():
    found = banded_panel({"full": "C", "drop": "I", "control": "C"}, (100,), whole=False)
    assert banded(found, 0.25)[1] == 0
    assert banded(found)[1] == 1


def test_closed_book_and_premises_are_probes_that_may_not_have_been_asked():
    plain = panel({"a": {"full": "C", "drop": "II"}})
    assert closed_book(plain) is None
    assert premise_necessity(plain) is None
    probed = panel(
        {
            "a": {"full": "C", "closed_book": "C", "drop_premise": "IIC"},
            "b": {"full": "I", "closed_book": "I", "drop_premise": "CCC"},
        }
    )
    recalled, needed = closed_book(probed), premise_necessity(probed)
    assert recalled is not None
    assert needed is not None
    assert rounded(recalled) == 1 / 2
    assert rounded(needed) == round(2 / 3, 12)


# boards


def test_equal_scores_share_the_better_rank_and_changes_are_gains():
    before = ranks({"a": 0.9, "b": 0.5, "c": 0.5, "d": 0.1})
    after = ranks({"a": Fraction(1, 3), "b": Fraction(2, 3), "d": Fraction(1, 2)})
    assert before == {"a": 1, "b": 2, "c": 2, "d": 4}
    assert rank_changes(before, after) == {"a": -2, "b": 1, "d": 2}


def test_spread_is_of_displayed_scores():
    assert spread([58.349, 72.15]) == 13.9
    with pytest.raises(ValueError, match="at least one"):
        spread([])


@given(
    st.lists(st.tuples(st.integers(0, 6), st.integers(0, 6)), min_size=2, max_size=20).filter(
        lambda pairs: len({a for a, _ in pairs}) > 1 and len({b for _, b in pairs}) > 1
    )
)
def test_spearman_agrees_with_scipy(pairs: list[tuple[int, int]]):
    from scipy.stats import spearmanr

    first, second = [a for a, _ in pairs], [b for _, b in pairs]
    assert spearman(first, second) == pytest.approx(spearmanr(first, second).statistic, abs=1e-12)


def test_spearman_of_a_constant_board_is_not_defined():
    assert spearman([1, 1], [1, 2]) is None


# any panel

LETTERS = st.sampled_from("CPI-")
ROWS = st.fixed_dictionaries(
    {
        "full": LETTERS,
        "drop": st.text("CPI-", min_size=2, max_size=4),
    }
)


@given(st.lists(ROWS, min_size=1, max_size=12))
def test_bnr_equals_its_definition_on_any_panel(rows: list[Row]):
    found = bnr(panel({str(at): row for at, row in enumerate(rows)}))
    means = [
        Fraction(sum(letter != "C" for letter in row["drop"]), len(row["drop"]))
        for row in rows
        if row["full"] == "C" and "-" not in row["drop"]
    ]
    value = found.value()
    if means:
        assert value == pytest.approx(float(sum(means) / len(means)), abs=1e-15)
    else:
        assert value is None
    assert found.count == len(means)


@given(st.lists(ROWS, min_size=1, max_size=8), st.randoms())
def test_figures_do_not_depend_on_the_order_of_records(rows: list[Row], random):
    items, conditions, answers = records([{str(at): row for at, row in enumerate(rows)}])
    mixed = list(answers)
    random.shuffle(mixed)
    [one], _ = panels(items, conditions, answers, ["m"], [1])
    [other], _ = panels(items, conditions, mixed, ["m"], [1])
    for measure in (full, bnr, drop_one):
        assert measure(one) == measure(other)
