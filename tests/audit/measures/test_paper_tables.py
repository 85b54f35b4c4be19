"""Every derived figure of the papers' tables follows from their other columns by our functions."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from realhop_kg.audit.measures.ablation import competitor_share, interaction
from realhop_kg.audit.measures.avg_at_k import avg_at_k
from realhop_kg.audit.measures.ranks import rank_changes, ranks
from realhop_kg.audit.measures.spearman import spearman
from realhop_kg.audit.measures.spread import displayed, spread

Load = Callable[[str], dict[str, Any]]


@pytest.fixture(scope="module")
def table(shared_data: Path) -> Load:
    def load(name: str) -> dict[str, Any]:
        loaded: dict[str, Any] = json.loads(
            (shared_data / "paper_tables" / f"{name}.json").read_text()
        )
        return loaded

    return load


def exact(values: Sequence[float]) -> list[Fraction]:
    """Return printed numbers as they are printed."""
    return [Fraction(str(value)) for value in values]


def counted(percent: Fraction, questions: int = 216) -> Fraction:
    """Return the unrounded percentage behind a printed one: a whole number of questions."""
    unrounded = 100 * Fraction(round(percent * questions / 100), questions)
    assert displayed(unrounded) == percent
    return unrounded


def agrees(found: float | Fraction, printed: float, inputs: int = 1, digit: float = 0.1) -> bool:
    """Whether a figure equals a printed one, as far as rounded inputs allow.

    `inputs` rounded numbers are each off by half a digit at most; so is the printed figure.
    """
    return abs(float(found) - printed) <= digit / 2 * (inputs + 1) + 1e-9


def test_table_1_is_the_mean_over_models_of_table_4(table: Load):
    models, means = table("table4_per_model")["rows"], table("table1_panel_means")["rows"]
    for benchmark, printed in means.items():
        columns = zip(*map(exact, models[benchmark].values()), strict=True)
        for found, mean in zip(columns, printed, strict=True):
            assert agrees(avg_at_k(found), mean), benchmark


def test_table_2_averages_ranks_and_spreads(table: Load):
    board = table("table2_leaderboard")
    rows = {model: exact(row) for model, row in board["rows"].items()}
    stated = board["stated"]
    average = {
        model: avg_at_k([counted(score) for score in row[2:5]]) for model, row in rows.items()
    }
    for model, row in rows.items():
        assert displayed(average[model]) == row[5]
    assert ranks(average) == {model: row[6] for model, row in rows.items()}
    assert ranks({model: row[0] for model, row in rows.items()}) == {
        model: row[1] for model, row in rows.items()
    }
    assert spread([row[0] for row in rows.values()]) == stated["source_spread"]
    assert [spread([row[at] for row in rows.values()]) for at in (2, 3, 4)] == stated[
        "trial_spreads"
    ]
    assert spread(list(average.values())) == stated["avg_spread"]
    assert spread([row[7] for row in rows.values()]) == stated["mcq_spread"]


def test_table_2_rank_changes_as_the_paper_prints_them(table: Load):
    rows = table("table2_leaderboard")["rows"]
    before = {model: int(row[1]) for model, row in rows.items()}
    after = {model: int(row[6]) for model, row in rows.items()}
    changes = rank_changes(before, after)
    assert changes["Claude Opus 5"] == 1
    assert changes["Gemini 3.5 Flash"] == -11
    assert changes["Kimi K2.6"] == 0


def test_table_2_spearman_and_stability(table: Load):
    board = table("table2_leaderboard")
    rows = list(board["rows"].values())
    average = [avg_at_k([counted(score) for score in exact(row[2:5])]) for row in rows]
    correlation = spearman(average, exact([row[7] for row in rows]))
    assert correlation is not None
    assert round(correlation, 2) == board["stated"]["spearman_avg_vs_mcq"]
    # "no more than about six points": Claude Opus 4.8 spans 6.0, Kimi K3 8.8.
    steady = sum(spread(row[2:5]) <= 6.05 for row in rows)
    assert steady == board["stated"]["models_within_6_points_over_trials"]


@pytest.mark.parametrize("panel", ["accuracy_earlier", "accuracy_current", "bnr_current"])
def test_table_3_means(table: Load, panel: str):
    rows = dict(table("table3_ablation")[panel])
    printed = rows.pop("Mean")
    for found, mean in zip(zip(*map(exact, rows.values()), strict=True), printed, strict=True):
        assert agrees(avg_at_k(found), mean)


def test_table_3_share_interaction_and_flexible_cost(table: Load):
    data = table("table3_ablation")
    rows = dict(data["accuracy_earlier"])
    rows.pop("Mean")
    stated = data["stated"]
    means = [avg_at_k(column) for column in zip(*map(exact, rows.values()), strict=True)]
    share = 100 * competitor_share(means[0], means[1], means[4])
    assert round(float(share), 1) == stated["competitor_share_of_drop_percent"]
    terms = [interaction(row[4], row[3], row[2], row[1]) for row in map(exact, rows.values())]
    assert [float(min(terms)), float(max(terms))] == stated["interaction_range_points"]
    for model, printed in stated["flexible_minus_gold"].items():
        _, gold, flexible, *_ = exact(rows[model])
        assert agrees(flexible - gold, printed, inputs=2)


def test_figure_3_increases_and_spreads(table: Load):
    figure = table("figure3")
    increases = [
        Fraction(str(figure["bnr_constructed"][model])) - Fraction(str(before))
        for model, before in figure["bnr_original"].items()
    ]
    assert [float(each) for each in increases] == [65.5, 68.7, 66.8]
    assert spread(list(figure["full_original"].values())) == 2.6
    assert spread(list(figure["full_constructed"].values())) == 15.0


def test_table_6_increases_and_changes(table: Load):
    figure = table("figure3")
    changes = {}
    for model, (_, before, after, increase, low, high) in table("table6_common_full")[
        "rows"
    ].items():
        found = Fraction(str(after)) - Fraction(str(before))
        assert agrees(found, increase, inputs=0)
        assert low < found < high
        own = figure["bnr_constructed"][model] - figure["bnr_original"][model]
        changes[model] = float(found) - own
    for model, printed in (
        ("DeepSeek V4 Flash", 1.10),
        ("Gemini 3.6 Flash", 0.98),
        ("Qwen 3.7 Max", 0.74),
    ):
        assert agrees(changes[model], printed, inputs=2)


def test_table_7_shares_follow_from_full_accuracy(table: Load):
    figure = table("figure3")["full_constructed"]
    for model, (hit, share) in table("table7_wrong_hit")["rows"].items():
        wrong = 100 - figure[model]
        low, high = 100 * (hit - 0.05) / (wrong + 0.05), 100 * (hit + 0.05) / (wrong - 0.05)
        assert low - 0.05 <= share <= high + 0.05


def test_table_8_differences_and_means(table: Load):
    data = table("table8_difficulty")
    rows = [exact(row) for row in data["rows"].values()]
    for _, before, after, change in rows:
        assert agrees(after - before, float(change), inputs=2)
    stated = data["stated"]
    _, before, after, change = (avg_at_k(column) for column in zip(*rows, strict=True))
    assert agrees(before, stated["mean_original"])
    assert agrees(after, stated["mean_constructed"])
    assert agrees(change, stated["mean_delta"])


def test_table_10_and_11_share_full_and_masks_average(table: Load):
    full = table("table10_longbench")["rows"]
    for model, row in table("table11_mask20")["rows"].items():
        accuracy, *windows, average, decrease, low, high, _ = row
        assert accuracy == full[model][0]
        assert agrees(avg_at_k(exact(windows)), average)
        assert agrees(Fraction(str(accuracy)) - Fraction(str(average)), decrease, inputs=2)
        assert low < decrease < high


def test_table_12_fixed_differences_and_complete_cases(table: Load):
    for models in table("table12_random_masks")["rows"].values():
        for complete, full, masked, fixed, paired, low, high in models.values():
            assert agrees(Fraction(str(masked)) - Fraction(str(full)), fixed, inputs=2)
            assert low <= paired <= high
            if complete == 100:
                assert paired == fixed


def test_table_13_trial_means_give_the_stated_ranges(table: Load):
    data = table("table13_frames_trials")
    found: dict[str, list[Fraction]] = {}
    for model, trials in data["rows"].items():
        panels = data["complete_panels"][model]
        _, source, constructed, before, after = zip(*map(exact, trials), strict=True)
        for name, values in (
            ("full_source_range", [100 * n / panels for n in source]),
            ("full_constructed_range", [100 * n / panels for n in constructed]),
            ("bnr_original_range", before),
            ("bnr_constructed_range", after),
        ):
            found.setdefault(name, []).append(avg_at_k(values))
    for name, printed in data["stated"].items():
        for edge, shown in zip((min(found[name]), max(found[name])), printed, strict=True):
            assert agrees(edge, shown, inputs=0, digit=0.11)


def test_table_14_increases_and_item_trials(table: Load):
    data = table("table14_frames_common")
    for counts, before, after, increase, low, high in data["rows"].values():
        assert agrees(Fraction(str(after)) - Fraction(str(before)), increase, inputs=0, digit=0.12)
        assert low < increase < high
        assert sum(counts) in data["stated"]["item_trials"]


def test_table_14_changes_follow_from_table_13(table: Load):
    trials = table("table13_frames_trials")["rows"]
    printed = {"DeepSeek V4 Flash": 0.81, "Gemini 3.6 Flash": 0.83, "Qwen 3.7 Max": 0.03}
    for model, row in table("table14_frames_common")["rows"].items():
        *_, before, after = (
            avg_at_k(column) for column in zip(*map(exact, trials[model]), strict=True)
        )
        common = Fraction(str(row[2])) - Fraction(str(row[1]))
        assert agrees(common - (after - before), printed[model], inputs=4, digit=0.01)


def test_table_15_control_minus_drop(table: Load):
    for bands in table("table15_frames_control")["rows"].values():
        for _, _, full, control, drop, difference, low, high in bands.values():
            assert agrees(
                Fraction(str(control)) - Fraction(str(drop)), difference, inputs=0, digit=0.12
            )
            assert low < difference < high
            assert control - full > -5


def test_table_15_control_minus_full_on_all_pairs(table: Load):
    rows = table("table15_frames_control")["rows"]
    found = [float(Fraction(str(r["all"][3])) - Fraction(str(r["all"][2]))) for r in rows.values()]
    assert found == pytest.approx([0.59, -2.19, -0.59], abs=0.011)
