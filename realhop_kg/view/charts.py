"""Charts of a dataset, counted item by item and drawn as bars that say their numbers."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from html import escape

from realhop_kg.model.finding import CONTRACTS, Code
from realhop_kg.model.frozen import ExcludedItem, FrozenItem
from realhop_kg.view.html import shown
from realhop_kg.view.lettering import text_width
from realhop_kg.view.page import ItemView

__all__ = ["Bar", "Chart", "Charts", "Drawn", "chart_svg", "drawn"]

_SHAPE = re.compile(r"/(\dhop\d?)__")
_UNKNOWN = "not known"


@dataclass(frozen=True, slots=True)
class Bar:
    """One row of a chart."""

    name: str
    parts: tuple[tuple[str, int], ...]
    """Kind (a class of the style sheet) and number of each part, left to right."""
    told: str
    """What stands behind the bar."""


@dataclass(frozen=True, slots=True)
class Chart:
    """Bars under a title."""

    title: str
    note: str
    bars: tuple[Bar, ...]


@dataclass(frozen=True, slots=True)
class Drawn:
    """A chart as a page shows it."""

    title: str
    note: str
    svg: str = ""


class Charts:
    """Running counts of everything that is drawn."""

    def __init__(self) -> None:
        self.shapes: Counter[str] = Counter()
        self.codes: Counter[str] = Counter()
        self.hops: set[int] = set()
        self.diagnostics: set[str] = set()
        self._excluded_shapes: Counter[str] = Counter()
        self._hosts: Counter[tuple[str, int]] = Counter()
        self._survivors: Counter[int] = Counter()

    def add(self, view: ItemView) -> None:
        """Count an item."""
        self.add_undrawn(view.item)
        for path in view.item.competitors:
            self._hosts[path.kind, len({span.passage for span in path.spans})] += 1
        for complete in view.proved.complete_paths.values():
            self._survivors[len(complete)] += 1

    def add_undrawn(self, item: FrozenItem) -> None:
        """Count an item of which the graph cannot be drawn."""
        self.shapes[item.topology] += 1
        self.hops.add(len(item.hops))
        self.diagnostics.update(str(finding.code) for finding in item.diagnostics)

    def exclude(self, excluded: ExcludedItem) -> None:
        """Count an excluded record."""
        self.codes[excluded.code] += 1
        found = _SHAPE.search(excluded.id)
        self._excluded_shapes[found[1] if found else _UNKNOWN] += 1

    def charts(self) -> tuple[Drawn, ...]:
        """Return the charts of what was counted; one without any bar is left out."""
        every = (self._yield(), self._exclusions(), self._hosts_per_path(), self._survival())
        return tuple(drawn(chart) for chart in every if chart.bars)

    def _yield(self) -> Chart:
        bars = []
        for shape in sorted(self.shapes.keys() | self._excluded_shapes.keys()):
            made, lost = self.shapes[shape], self._excluded_shapes[shape]
            told = f"{made} of {made + lost} ({made / (made + lost):.0%})"
            bars.append(Bar(shape, (("gold", made), ("source", lost)), told))
        note = "Constructed (blue) of all records read, by shape of the question's hops."
        if self._excluded_shapes[_UNKNOWN]:
            note += " The shape of an excluded record is known where its id names it."
        return Chart("Yield by shape", note, tuple(bars))

    def _exclusions(self) -> Chart:
        bars = []
        for code, count in sorted(self.codes.items(), key=lambda entry: (-entry[1], entry[0])):
            what = CONTRACTS[Code(code)].holds_when if code in list(Code) else ""
            told = f"{count}: broken is “{what}”" if what else str(count)
            bars.append(Bar(code, (("source", count),), told))
        return Chart("Exclusions by code", "The first code of each excluded record.", tuple(bars))

    def _hosts_per_path(self) -> Chart:
        bars = []
        for hosts in sorted({hosts for _, hosts in self._hosts}):
            strict, flexible = self._hosts["strict", hosts], self._hosts["flexible", hosts]
            told = f"{strict} Strict, {flexible} Flexible"
            name = f"{hosts} host{'' if hosts == 1 else 's'}"
            bars.append(Bar(name, (("strict", strict), ("flexible", flexible)), told))
        note = "Passages that hold the own facts of a path; Strict filled, Flexible dashed."
        return Chart("Hosts per path", note, tuple(bars))

    def _survival(self) -> Chart:
        bars = (
            Bar(f"{paths} left", (("strict", count),), f"{count} Drop{'' if count == 1 else 's'}")
            for paths, count in sorted(self._survivors.items())
        )
        note = "Competitor paths that are still complete after a Drop, over all hops (V1)."
        return Chart("Survival after Drop", note, tuple(bars))


_ROW, _BAR, _WIDE = 24, 16, 320


def drawn(chart: Chart) -> Drawn:
    """Return a chart with its picture."""
    return Drawn(chart.title, chart.note, chart_svg(chart))


def chart_svg(chart: Chart) -> str:
    """Return a chart as SVG that takes its colours from the page's style sheet."""
    left = 10 + max(text_width(bar.name, 13) for bar in chart.bars)
    longest = max(1, *(sum(count for _, count in bar.parts) for bar in chart.bars))
    width = left + _WIDE + 10 + max(text_width(bar.told, 12) for bar in chart.bars)
    height = _ROW * len(chart.bars)
    lines = [
        f'<svg class="chart" width="{width:.0f}" height="{height}" role="img" '
        f'viewBox="0 0 {width:.0f} {height}" aria-label="{escape(shown(chart.title))}">'
    ]
    for at, bar in enumerate(chart.bars):
        y, x = at * _ROW, left
        base = y + _ROW / 2 + 4.5
        lines.append(
            f'<text x="{left - 8:.1f}" y="{base}" class="name">{escape(shown(bar.name))}</text>'
        )
        for kind, count in bar.parts:
            long = _WIDE * count / longest
            if count:
                lines.append(
                    f'<rect class="{kind}" x="{x:.1f}" y="{y + 4}" '
                    f'width="{long:.1f}" height="{_BAR}"/>'
                )
            x += long
        lines.append(f'<text x="{x + 8:.1f}" y="{base}">{escape(shown(bar.told))}</text>')
    return "".join([*lines, "</svg>"])
