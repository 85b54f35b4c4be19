"""What lies behind each number of an audit's report: links for its cells, and their pages.

A figure leads to the questions that it rests on, by what each of them adds; a question leads to
its rows: item, condition, model and trial, with the verdict and the answer.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator

from realhop_kg.audit.figures import Figure
from realhop_kg.audit.panel import Missing, Panel
from realhop_kg.audit.reporting.formats import shown as cell_text
from realhop_kg.audit.reporting.pages import counts
from realhop_kg.audit.reporting.pages.frame import framed
from realhop_kg.audit.reporting.pages.places import (
    BOARDS,
    CUES,
    FOLDER,
    GAPS,
    MEANS,
    Arm,
    Places,
    anchor,
    arm_of,
    compares,
    named,
)
from realhop_kg.audit.reporting.pages.rows import row_pages
from realhop_kg.audit.reporting.pages.shares import section, shares
from realhop_kg.audit.reporting.records import RunRecords
from realhop_kg.audit.reporting.report import Report
from realhop_kg.audit.reporting.shapes import told
from realhop_kg.audit.reporting.table import Table
from realhop_kg.model.run import TrialRecord

__all__ = ["Behind"]

_SAYS = (
    "<p>Each question stands with what it adds to the figure: its share of 1, or `a of b` where "
    "questions weigh differently. A figure is the sum of what they add, divided by how many count "
    "(by the sum of the `b`), averaged over trials; `minus` is subtracted. A number leads to the "
    "question's rows.</p>\n"
)


_BOARD = "board_"
"""What names of tables of boards begin with; the side follows."""

_COUNTS = {
    "means": ("Mean", "Models"),
    "tests": ("n", "Only first", "Only second", "p"),
    "incomplete": ("Question",),
    "missing": ("Cells",),
}
"""Heads of the cells that lead somewhere, of tables with other cells beside them."""


class Behind:
    """Where the numbers of a report lead.

    Args:
        report: the figures.
        records: the records that they are computed from.
    """

    def __init__(self, report: Report, records: RunRecords) -> None:
        self._report = report
        self._records = records
        self._places = Places(records.panels)
        self._boards = {board.side for board in report.boards if not board.origin}

    def cell(self, table: Table, row: int, column: int) -> str:
        """Return the place behind a cell of a table; empty where it is no number."""
        where = self._where(table, row, column)
        return f"{FOLDER}/{where}" if where else ""

    def _where(self, table: Table, row: int, column: int) -> str:
        value, head = table.rows[row][column], table.columns[column]
        if value is None or head not in _COUNTS.get(table.name, (head,)):
            return ""
        if isinstance(value, Figure):
            return self._places.figure(value)
        if table.name.startswith(_BOARD):
            return self._board(table, row, column)
        own: dict[str, Callable[[int], str]] = {
            "means": self._mean,
            "shortcuts": self._cues,
            "tests": lambda at: self._places.test(self._report.tests[at]),
            "incomplete": self._lacking,
            "missing": lambda at: f"{GAPS}#{counts.gap_anchor(at)}",
        }
        if table.name in own:
            return own[table.name](row)
        return self._counted(table, row, column) if isinstance(value, int) else ""

    def _mean(self, row: int) -> str:
        mean = self._report.means[row]
        return f"{MEANS}#{anchor(mean.measure, mean.side, mean.ablation)}"

    def _cues(self, row: int) -> str:
        return f"{CUES}#{self._report.shortcuts[row].side}"

    def _lacking(self, row: int) -> str:
        lacks = self._report.incomplete[row]
        return self._places.rows((lacks.model, lacks.side, lacks.ablation), lacks.item)

    def _board(self, table: Table, row: int, column: int) -> str:
        """Return the place of a score, or of the scores that a rank, change or spread is of."""
        side = table.name.removeprefix(_BOARD)
        if side not in self._boards or not column:
            return ""
        model = str(table.rows[row][0])
        if isinstance(table.rows[row][column], float) and model in self._places.models:
            return f"{self._places.arm_page((model, side, 'both'))}#board"
        return f"{BOARDS}#{side}"

    def _counted(self, table: Table, row: int, column: int) -> str:
        """Return the place of the figure whose questions a cell counts: left or right of it."""
        cells = table.rows[row]
        beside = (
            cells[column - 1 :: -1]
            if table.columns[column].startswith("n (")
            else cells[column + 1 :]
        )
        figure = next((each for each in beside if isinstance(each, Figure)), None)
        return self._places.figure(figure) if figure else ""

    def pages(self) -> Iterator[tuple[str, str]]:
        """Yield (name, text) of every page, one at a time."""
        report, records, places = self._report, self._records, self._places
        for panel in records.panels:
            yield places.arm_page(arm_of(panel)), self._page(panel)
        for model in places.models:
            yield places.model_page(model), self._compared(model)
        for name, title, body in (
            (MEANS, "Means over models", counts.means_body(report.means, report.figures, places)),
            (BOARDS, "Leaderboards", counts.boards_body(report.boards, places)),
            (CUES, "Cues by question", counts.cues_body(records.cues, records.panels, places)),
            (
                GAPS,
                "Cells without a verdict",
                counts.gaps_body(report.gaps, records.missing, places),
            ),
        ):
            yield name, "".join(framed(title, body))
        rows = self._rows()
        for panel in records.panels:
            yield from row_pages(panel, records.questions, rows[arm_of(panel)], places)

    def _page(self, panel: Panel) -> str:
        arm = arm_of(panel)
        title = f"Behind the figures of {panel.model}, {named(panel.side, panel.ablation)}"
        own = [
            figure
            for figure in self._report.figures
            if not compares(figure) and (figure.model, figure.side, figure.ablation) == arm
        ]

        def body() -> Iterator[str]:
            yield _SAYS
            for figure in own:
                yield from self._figure(figure)
            yield from counts.board_section(panel, self._records.panels, self._places)

        return "".join(framed(title, body()))

    def _compared(self, model: str) -> str:
        def body() -> Iterator[str]:
            yield _SAYS
            for figure in self._report.figures:
                if compares(figure) and figure.model == model:
                    yield from self._figure(figure)
            for test in self._report.tests:
                if test.model == model:
                    yield from counts.test_section(test, self._places)

        return "".join(framed(f"Behind what compares the sides of {model}", body()))

    def _figure(self, figure: Figure) -> Iterator[str]:
        of = f" ({figure.cohort})" if figure.cohort and figure.cohort != "ablation" else ""
        name = f"{told().get(figure.measure, figure.measure)}{of}: {cell_text(figure)}"
        arms = self._places.arms_of(figure)
        found = shares(figure.rests_on) if figure.rests_on else {}
        there = anchor(figure.measure, figure.cohort)
        yield from section(there, f"{name}, n {figure.interval.n}", found, arms, self._places)

    def _rows(self) -> dict[Arm, dict[str, list[TrialRecord | Missing]]]:
        """Return the answers of each panel by question, and what is missing for other reasons."""
        found: dict[Arm, dict[str, list[TrialRecord | Missing]]] = defaultdict(
            lambda: defaultdict(list)
        )
        answered = set()
        for trial in self._records.trials:
            found[trial.model, trial.side, trial.ablation][trial.item].append(trial)
            answered.add(trial.cell)
        for lack in self._records.missing:
            arm = (lack.model, lack.side, lack.ablation)
            cell = (*arm, lack.item, lack.trial, lack.condition.value, lack.target)
            if cell not in answered:
                found[arm][lack.item].append(lack)
        return found
