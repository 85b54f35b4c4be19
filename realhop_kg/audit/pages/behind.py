"""What lies behind each number of an audit's report: links for its cells, and their pages.

A figure leads to the questions that it rests on, by what each of them adds; a question leads to
its rows: item, condition, model and trial, with the verdict and the answer.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from realhop_kg.audit.figures import Figure
from realhop_kg.audit.formats import shown as cell_text
from realhop_kg.audit.pages import counts
from realhop_kg.audit.pages.frame import framed
from realhop_kg.audit.pages.places import (
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
)
from realhop_kg.audit.pages.rows import row_pages
from realhop_kg.audit.pages.shares import section, shares
from realhop_kg.audit.panel import Missing, Panel
from realhop_kg.audit.report import Report, RunRecords
from realhop_kg.audit.shapes import told
from realhop_kg.audit.table import Table
from realhop_kg.model.run import TrialRecord

__all__ = ["Behind"]

_SAYS = (
    "<p>Each question stands with what it adds to the figure, which is the sum of that over the "
    "questions that count, averaged over trials. A number leads to the question's rows.</p>\n"
)


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
        cells = table.rows[row]
        value = cells[column]
        if value is None:
            return ""
        if isinstance(value, Figure):
            return self._places.figure(value)
        name = table.name
        if name == "means":
            mean = self._report.means[row]
            there = counts.mean_anchor(mean.measure, mean.side, mean.ablation)
            return f"{MEANS}#{there}" if column in (3, 4) else ""
        if name.startswith("board_"):
            return self._board(table, row, column)
        if name == "shortcuts":
            return f"{CUES}#{cells[0]}" if column else ""
        if name == "tests":
            return self._places.test(self._report.tests[row]) if column > 3 else ""
        if name == "incomplete":
            lacks = self._report.incomplete[row]
            arm = (lacks.model, lacks.side, lacks.ablation)
            return self._places.rows(arm, lacks.item) if column == 3 else ""
        if name == "missing":
            return f"{GAPS}#{counts.gap_anchor(row)}" if isinstance(value, int) else ""
        return self._counted(table, row, column) if isinstance(value, int) else ""

    def _board(self, table: Table, row: int, column: int) -> str:
        side = table.name.removeprefix("board_")
        if side not in self._boards or not column:
            return ""
        model = str(table.rows[row][0])
        scored = isinstance(table.rows[row][column], float) and row < len(table.rows) - 1
        if scored:
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
        kept = "" if panel.ablation == "both" else f", {panel.ablation}"
        title = f"Behind the figures of {panel.model} on the {panel.side} side{kept}"
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
