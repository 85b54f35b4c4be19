"""Lays the figures of a report out as the tables of the paper."""

from __future__ import annotations

from collections.abc import Iterator

from realhop_kg.audit.figures import Figure
from realhop_kg.audit.reporting.boards import Board
from realhop_kg.audit.reporting.count_tables import count_tables
from realhop_kg.audit.reporting.report import Report
from realhop_kg.audit.reporting.shapes import BANDS, shapes
from realhop_kg.audit.reporting.table import LISTED, Cell, Table

__all__ = ["tables"]


def tables(report: Report) -> list[Table]:
    """Return every table that has something to show."""
    found = [
        *_shaped(report),
        _remarks(report),
        *_trials(report),
        *_bands(report),
        *map(_board, report.boards),
        *count_tables(report),
    ]
    return [table for table in found if table.rows]


def _shaped(report: Report) -> Iterator[Table]:
    named = {
        (figure.model, figure.side, figure.ablation, figure.measure): figure
        for figure in report.figures
        if figure.cohort in ("", "ablation")
    }
    places = list(dict.fromkeys(key[:3] for key in named))
    for shape in shapes():
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
        LISTED,
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
        ("Model", "Side", "Competitors", "Band", "n", "Pairs", *(head for _, head in BANDS)),
        tuple(
            (
                *key,
                cells["band_full"].interval.n,
                cells["band_full"].pairs,
                *(cells[measure] for measure, _ in BANDS),
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
    rows.append(("Spread", *board.trial_spreads, board.spread, None, None))
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
