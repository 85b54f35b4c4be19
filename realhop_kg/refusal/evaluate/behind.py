"""The questions behind each number of a report: pages that list them, and links to those.

A page has one section per figure. It lists the questions that the figure rests on by what each of
them adds to it, and every question leads to its run.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator

from realhop_kg.audit.figures import Figure as Share
from realhop_kg.audit.reporting.formats import shown as cell_text
from realhop_kg.audit.reporting.pages.frame import framed, quoted, safe
from realhop_kg.audit.reporting.table import Table
from realhop_kg.model.trajectory import Mode
from realhop_kg.refusal.evaluate.figures import Figure
from realhop_kg.refusal.evaluate.measures.paired import pair
from realhop_kg.refusal.evaluate.report import CHANGES, HEADS, RefusalReport, cell
from realhop_kg.refusal.evaluate.runs_page import page_of

__all__ = ["Behind"]

_PAIRED = "paired"


class Behind:
    """Where the numbers of a report lead."""

    def __init__(self, report: RefusalReport) -> None:
        self._report = report
        self._arms = {
            (each.arm.model, str(each.arm.mode)): at for at, each in enumerate(report.arms, 1)
        }
        self._models = {model: at for at, model in enumerate(report.transitions, 1)}

    def figure(self, figure: Figure) -> str:
        """Return the place that lists the questions of a figure."""
        where = self._page(figure.model, figure.mode)
        return f"{where}#{_anchor(figure.measure, figure.by, figure.group)}"

    def cell(self, table: Table, row: int, column: int) -> str:
        """Return the place that lists what a cell of a table counts; empty where it counts none."""
        value, head = table.rows[row][column], table.columns[column]
        if isinstance(value, Share):
            by, _, group = value.cohort.partition(" ")
            return f"{self._page(value.model, value.side)}#{_anchor(value.measure, by, group)}"
        if not isinstance(value, int):
            return ""
        first = str(table.rows[row][0])
        if table.name.startswith(CHANGES):
            number = int(table.name.removeprefix(CHANGES).partition("_")[0])
            return f"{_change_page(number)}#{first.partition(': ')[2]}-{head.partition(': ')[2]}"
        page = page_of(self._arms[first, str(table.rows[row][1])])
        return f"{page}#missing" if table.name == "missing" else page

    def pages(self) -> dict[str, str]:
        """Return the pages by name."""
        found = {
            self._page(model, mode): "".join(self._figures_page(model, mode))
            for model, mode in self._arms
        }
        for model in self._models:
            found[self._page(model, _PAIRED)] = "".join(self._figures_page(model, _PAIRED))
        return found

    def _page(self, model: str, mode: str) -> str:
        if mode == _PAIRED:
            return _change_page(self._models[model])
        return f"runs/{self._arms[model, mode]}-figures.html"

    def _figures_page(self, model: str, mode: str) -> Iterator[str]:
        title = f"Behind the figures of {model}, {mode.replace('_', ' ')}"
        yield from framed(title, self._sections(model, mode))

    def _sections(self, model: str, mode: str) -> Iterator[str]:
        yield "<p>Each question stands with what it adds to the figure.</p>\n"
        modes = list(Mode) if mode == _PAIRED else [Mode(mode)]
        links = self._links(model, modes)
        for figure in self._report.figures:
            if (figure.model, figure.mode) == (model, mode):
                group = f"{figure.by} {figure.group}" if figure.group else "all questions"
                name = f"{HEADS[figure.measure]}, {group}: {cell_text(cell(figure))}"
                anchor = _anchor(figure.measure, figure.by, figure.group)
                yield from _section(anchor, name, figure.counted, links)
        if mode == _PAIRED:
            yield from self._changes(model, links)

    def _changes(self, model: str, links: dict[str, str]) -> Iterator[str]:
        both = {each.arm.mode: each.outcomes for each in self._report.arms
                if each.arm.model == model}  # fmt: skip
        inside: dict[str, list[tuple[str, int]]] = defaultdict(list)
        for without, search in pair(both[Mode.PLAIN], both[Mode.SEARCH]):
            inside[f"{without.state}-{search.state}"].append((without.item, 1))
        for one, other in self._report.transitions[model]:
            found = inside[f"{one}-{other}"]
            name = f"{one} without search, {other} with it: {len(found)}"
            yield from _section(f"{one}-{other}", name, found, links)

    def _links(self, model: str, modes: Iterable[Mode]) -> dict[str, str]:
        """Return by question what leads to its runs."""
        numbers = {mode: self._arms[model, str(mode)] for mode in modes}
        questions = self._report.arms[next(iter(numbers.values())) - 1].questions
        found = {}
        for place, question in enumerate(questions, 1):
            targets = [f"{number}.html#q{place}" for number in numbers.values()]
            names = [str(place)] if len(targets) == 1 else [f"{place} without", "with"]
            parts = zip(targets, names, strict=True)
            found[question.item] = " ".join(f'<a href="{to}">{name}</a>' for to, name in parts)
        return found


def _change_page(number: int) -> str:
    return f"runs/changes-{number}.html"


def _anchor(measure: str, by: str, group: str) -> str:
    return "-".join(filter(None, (measure, by, group)))


def _section(
    anchor: str, name: str, counted: Iterable[tuple[str, int]], links: dict[str, str]
) -> Iterator[str]:
    yield f"<h2 id={quoted(anchor)}>{safe(name)}</h2>\n"
    by_amount: dict[int, list[str]] = defaultdict(list)
    for item, adds in counted:
        by_amount[adds].append(links[item])
    for adds in sorted(by_amount, reverse=True):
        inside = by_amount[adds]
        yield f"<p>Adds {adds}, {len(inside)} questions: {', '.join(inside)}</p>\n"
    if not by_amount:
        yield "<p>No question.</p>\n"
