"""Lays out what a report counts beside its figures: means, cues, tests and what is missing."""

from __future__ import annotations

from collections.abc import Iterator

from realhop_kg.audit.reporting.report import Report
from realhop_kg.audit.reporting.table import LISTED, Table

__all__ = ["count_tables"]


def count_tables(report: Report) -> Iterator[Table]:
    """Yield the tables of a report whose cells are no figures."""
    yield _means(report)
    yield _shortcuts(report)
    yield _tests(report)
    yield _incomplete(report)
    yield _missing(report)


def _means(report: Report) -> Table:
    return Table(
        "means",
        "Means over models, with equal weight (Table 1)",
        ("Measure", "Side", "Competitors", "Mean", "Models", "Over"),
        tuple(
            (
                mean.measure,
                mean.side,
                mean.ablation,
                mean.value,
                len(mean.models),
                ", ".join(mean.models),
            )
            for mean in report.means
        ),
        "Over the models that have the measure on every side and under every ablation shown.",
    )


def _shortcuts(report: Report) -> Table:
    return Table(
        "shortcuts",
        "Cues that could stand in for reasoning (not in the paper)",
        (
            "Side", "n", "Only one of its kind", "Others of its kind", "Words shared: support",
            "Words shared: others", "Support shares most", "Answer's place", "Answer in question",
            "Hosts that are gold", "V2 failures per question",
        ),
        tuple(
            (
                cues.side, cues.n, cues.no_rivals, f"{cues.rivals:.1f}", cues.support_overlap,
                cues.other_overlap, cues.support_first, cues.answer_position,
                cues.answer_in_question, cues.hosts_gold, f"{cues.orphan_failures:.2f}",
            )
            for cues in report.shortcuts
        ),
        "Without any model; the cues of each question are in shortcuts.jsonl.",
    )  # fmt: skip


def _tests(report: Report) -> Table:
    return Table(
        "tests",
        "Exact McNemar tests of Full correctness (Appendix F)",
        ("Model", "Trial", "First", "Second", "n", "Only first", "Only second", "p"),
        tuple(
            (
                test.model,
                test.trial,
                test.first,
                test.second,
                test.n,
                test.test.only_first,
                test.test.only_second,
                f"{test.test.p:.3g}",
            )
            for test in report.tests
        ),
        "No correction for multiple tests.",
    )


def _incomplete(report: Report) -> Table:
    return Table(
        "incomplete",
        "Questions with an incomplete panel, which BNR and Drop-one leave out",
        ("Model", "Side", "Competitors", "Question", "Lacks", "Reason"),
        tuple(
            (each.model, each.side, each.ablation, each.item, each.lacks, each.reason)
            for each in report.incomplete
        ),
        "A panel is complete with Full and every Drop judged in every trial.",
        LISTED,
    )


def _missing(report: Report) -> Table:
    return Table(
        "missing",
        "Cells without a verdict, by reason",
        ("Model", "Side", "Competitors", "Condition", "Reason", "Cells"),
        tuple(
            (gap.model, gap.side, gap.ablation, gap.condition, gap.reason, gap.count)
            for gap in report.gaps
        ),
        "They are in no numerator and no denominator"
        + (", except where a table says `fixed`" if _fixed(report) else "")
        + "; `missing.csv` names each.",
    )


def _fixed(report: Report) -> bool:
    return any(figure.measure.endswith("_fixed") for figure in report.figures)
