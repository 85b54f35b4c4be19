"""Lays the figures of a report out as the tables of the paper."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from pydantic import TypeAdapter

from realhop_kg.audit.boards import Board
from realhop_kg.audit.figures import Figure
from realhop_kg.audit.report import Report
from realhop_kg.model.record import Record
from realhop_kg.resources import load_yaml

__all__ = ["Cell", "Table", "tables"]

Cell = str | int | float | Figure | None
"""A float is a fraction of 1; a figure shows with its interval."""


@dataclass(frozen=True)
class Table:
    """One table.

    Attributes:
        name: of its files.
        title: what it shows, with its source in the paper.
        columns: heads.
        rows: cells.
        note: what a reader must know.
        limit: rows that pages and terminals show; files of exact values have all.
    """

    name: str
    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    note: str = ""
    limit: int | None = None

    @property
    def heads(self) -> tuple[str, ...]:
        """The heads for the eye: a count stands beside its figure and is called `n` alone."""
        return tuple("n" if head.startswith("n (") else head for head in self.columns)

    @property
    def shown(self) -> tuple[tuple[Cell, ...], ...]:
        """The rows for the eye."""
        return self.rows[: self.limit]

    @property
    def said(self) -> str:
        """The note, with how many rows are not shown."""
        hidden = len(self.rows) - len(self.shown)
        more = f"{hidden} more rows are in tables/{self.name}.csv." if hidden else ""
        return f"{self.note} {more}".strip()


class _Shape(Record):
    """A table with one figure per cell, as `tables.yaml` declares it."""

    name: str
    title: str
    measures: dict[str, str]
    """Head by measure, in order."""
    note: str = ""


@cache
def _shapes() -> tuple[_Shape, ...]:
    declared = load_yaml("audit", "tables.yaml")
    return TypeAdapter(tuple[_Shape, ...]).validate_python(declared)


_SHOWN = 40
"""Rows of a list of single cases that a page shows."""

_BANDS = (
    ("band_full", "Full"),
    ("band_control", "Control"),
    ("band_drop", "Drop"),
    ("control_minus_drop", "C - D"),
    ("control_minus_full", "C - F"),
)


def tables(report: Report) -> list[Table]:
    """Return every table that has something to show."""
    found = [
        *_shaped(report),
        _remarks(report),
        *_trials(report),
        *_bands(report),
        *map(_board, report.boards),
        *_small(report),
    ]
    return [table for table in found if table.rows]


def _shaped(report: Report) -> Iterator[Table]:
    named = {
        (figure.model, figure.side, figure.ablation, figure.measure): figure
        for figure in report.figures
        if figure.cohort in ("", "ablation")
    }
    places = list(dict.fromkeys(key[:3] for key in named))
    for shape in _shapes():
        rows = []
        for model, side, kept in places:
            cells = [named.get((model, side, kept, measure)) for measure in shape.measures]
            if any(cell is not None for cell in cells):
                counts = [_counted(cell) for cell in cells]
                rows.append(
                    (
                        model,
                        side,
                        kept,
                        *(x for pair in zip(cells, counts, strict=True) for x in pair),
                    )
                )
        heads = [head for name in shape.measures.values() for head in (name, f"n ({name})")]
        yield Table(
            shape.name,
            shape.title,
            ("Model", "Side", "Competitors", *heads),
            tuple(rows),
            shape.note,
        )


def _remarks(report: Report) -> Table:
    """Say in words what figures marked `*` rest on: degenerate cases and small populations."""
    held: dict[tuple[str, str, str, str], list[str]] = {}
    for figure in report.figures:
        name = f"{figure.measure} ({figure.cohort})" if figure.cohort else figure.measure
        for note in figure.interval.notes:
            held.setdefault((note, figure.model, figure.side, figure.ablation), []).append(name)
    return Table(
        "remarks",
        "Remarks on figures that bear a *",
        ("Remark", "Model", "Side", "Competitors", "Figures"),
        tuple((*place, ", ".join(names)) for place, names in held.items()),
        "An interval without width, or one that rests on a single question, proves nothing.",
        _SHOWN,
    )


def _counted(figure: Figure | None) -> int | None:
    return None if figure is None else figure.interval.n


def _trials(report: Report) -> Iterator[Table]:
    rows: dict[tuple[str, str, str, str], dict[str, Figure]] = {}
    for figure in report.figures:
        if figure.cohort.startswith("trial "):
            key = (figure.model, figure.side, figure.ablation, figure.cohort)
            rows.setdefault(key, {})[figure.measure] = figure
    yield Table(
        "trials",
        "Full and BNR trial by trial (Table 13)",
        ("Model", "Side", "Competitors", "Trial", "Complete n", "Full", "n+", "BNR"),
        tuple(
            (
                *key,
                cells["full"].interval.n,
                cells["full"],
                _counted(cells.get("bnr")),
                cells.get("bnr"),
            )
            for key, cells in rows.items()
        ),
        "Over complete panels; n+ counts the questions that are Full-correct in the trial.",
    )


def _bands(report: Report) -> Iterator[Table]:
    rows: dict[tuple[str, str, str, str], dict[str, Figure]] = {}
    for figure in report.figures:
        if figure.pairs is not None:
            key = (figure.model, figure.side, figure.ablation, figure.cohort)
            rows.setdefault(key, {})[figure.measure] = figure
    yield Table(
        "bands",
        "Control against Drop by matched length (Table 15)",
        ("Model", "Side", "Competitors", "Band", "n", "Pairs", *(head for _, head in _BANDS)),
        tuple(
            (
                *key,
                cells["band_full"].interval.n,
                cells["band_full"].pairs,
                *(cells[measure] for measure, _ in _BANDS),
            )
            for key, cells in rows.items()
        ),
        "Mean scores of 1, 0.5 and 0; bands take whole-sentence controls whose length is within "
        "the share of what the Drop removed.",
    )


def _board(board: Board) -> Table:
    trials = len(board.trial_spreads)
    numbered = tuple(f"Trial {number}" for number in range(1, trials + 1))
    rows: list[tuple[Cell, ...]] = [
        (line.model, *line.trials, line.average, line.rank, line.change) for line in board.lines
    ]
    spreads = tuple(points / 100 for points in board.trial_spreads)
    rows.append(("Spread", *spreads, board.spread / 100, None, None))
    counted = f"{board.n} questions that every model has." if board.n else "Scores as given."
    note = f"From {board.origin}: {counted}" if board.origin else counted
    note += f" {board.agreement}" if board.agreement else ""
    return Table(
        f"board_{board.side}",
        f"Leaderboard on the {board.side} side (Table 2)",
        ("Model", *numbered, f"Avg@{trials}", "Rank", "Change"),
        tuple(rows),
        note,
    )


def _small(report: Report) -> Iterator[Table]:
    yield _means(report)
    yield _shortcuts(report)
    yield _tests(report)
    yield _incomplete(report)
    yield _missing(report)


def _means(report: Report) -> Table:
    return Table(
        "means",
        "Means over models, with equal weight (Table 1)",
        ("Measure", "Side", "Competitors", "Mean", "Models"),
        tuple(
            (mean.measure, mean.side, mean.ablation, mean.value, mean.models)
            for mean in report.means
        ),
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
        _SHOWN,
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
        "They are in no numerator and no denominator, except where a table says `fixed`; "
        "`missing.csv` names each.",
    )
