"""The chart of contract A1: how well gold can be told from competitors without the question."""

from __future__ import annotations

import json
from collections.abc import Iterator
from html import escape
from pathlib import Path

from realhop_kg.freeze.manifest import QUALITY
from realhop_kg.quality.artifact import ArtifactReport
from realhop_kg.view.charts import Drawn
from realhop_kg.view.html import shown
from realhop_kg.view.lettering import text_width

__all__ = ["artifact_chart"]

_TITLE = "Artifact AUC (A1)"
_LOW, _HIGH, _WIDE, _ROW = 0.3, 1.0, 420, 24
_TICKS = (0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0)


def artifact_chart(folder: Path) -> Drawn:
    """Return the chart of A1 as the quality report of a dataset has it, or why there is none.

    Args:
        folder: the dataset.
    """
    path = folder / QUALITY
    if not path.is_file():
        return Drawn(_TITLE, f"The dataset has no {QUALITY}; `realhop quality {folder.name}` tells")
    try:
        report = ArtifactReport.model_validate(json.loads(path.read_bytes())["a1"])
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return Drawn(_TITLE, f"{QUALITY} cannot be read; `realhop verify` says what is wrong")
    rows = list(_rows(report))
    problems = {f"{name}: {each.problem}" for name, each in report.contrasts.items()}
    problems = {told for told in problems if not told.endswith(": ")}
    verdict = {True: "holds", False: "does not hold", None: "is not known"}
    note = (
        "How often a classifier that sees no question ranks a gold sentence above a competitor, "
        f"with the 95 % interval over whole items: 0.5 is chance. A1 {verdict[report.holds]} (at "
        f"most {report.threshold:g}, the dashed line, for all features); by what stands in the "
        f"text it {verdict[report.holds_in_text]}."
    )
    if problems:
        note += f" No figures of {'; '.join(sorted(problems))}."
    return Drawn(_TITLE, note, _svg(rows, report.threshold) if rows else "")


_Row = tuple[str, float, float, float]
"""(name, area, lower end, upper end)."""


def _rows(report: ArtifactReport) -> Iterator[_Row]:
    for name, contrast in report.contrasts.items():
        against = "competitors" if name == "all" else name
        for group, figure in contrast.figures.items():
            if figure.auc is not None and figure.low is not None and figure.high is not None:
                features = "all features" if group == "all" else group
                yield f"{features}, against {against}", figure.auc, figure.low, figure.high


def _svg(rows: list[_Row], threshold: float) -> str:
    left = 10 + max(text_width(name, 13) for name, *_ in rows)
    told = [f"{auc:.3f} [{low:.3f}, {high:.3f}]" for _, auc, low, high in rows]
    width = left + _WIDE + 16 + max(text_width(text, 12) for text in told)
    high = _ROW * len(rows)

    def x(value: float) -> float:
        return left + _WIDE * (min(max(value, _LOW), _HIGH) - _LOW) / (_HIGH - _LOW)

    def rule(value: float, kind: str) -> str:
        return f'<line class="{kind}" x1="{x(value):.1f}" y1="0" x2="{x(value):.1f}" y2="{high}"/>'

    lines = [
        f'<svg class="chart" width="{width:.0f}" height="{high + _ROW}" role="img" '
        f'viewBox="0 0 {width:.0f} {high + _ROW}" aria-label="{_TITLE}">',
        rule(0.5, "chance"),
        rule(threshold, "limit"),
    ]
    for at, ((name, auc, low, top), text) in enumerate(zip(rows, told, strict=True)):
        y = at * _ROW + _ROW / 2
        lines += [
            f'<text x="{left - 8:.1f}" y="{y + 4.5}" class="name">{escape(shown(name))}</text>',
            f'<line class="interval" x1="{x(low):.1f}" y1="{y}" x2="{x(top):.1f}" y2="{y}"/>',
            f'<circle class="area" cx="{x(auc):.1f}" cy="{y}" r="5"/>',
            f'<text x="{left + _WIDE + 12:.1f}" y="{y + 4.5}">{text}</text>',
        ]
    lines += (
        f'<text class="tick" x="{x(tick):.1f}" y="{high + 16}">{tick:g}</text>' for tick in _TICKS
    )
    return "".join([*lines, "</svg>"])
