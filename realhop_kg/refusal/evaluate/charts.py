"""Draws refusal runs as SVG: state flows, depth curves, a cause heat map, a post-trigger scatter.

Nothing is told by colour alone: every band, line, cell and point bears its name or number.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from types import MappingProxyType

from realhop_kg.model.refusal_item import Topology
from realhop_kg.model.trajectory import State
from realhop_kg.view.html import shown

__all__ = ["COLOURS", "Point", "curves_svg", "heat_svg", "sankey_svg", "scatter_svg"]

COLOURS = {
    State.TACH: "#1d5fbf",
    State.PPH: "#6f9fd8",
    State.WRH: "#8a7fc7",
    State.URH: "#a9a9b3",
    State.SHD: "#c2570c",
    State.SEH: "#7d5a00",
}
_INK, _LINE = "#1b1f24", "#d0d5da"
_WIDE, _HIGH, _EDGE, _BAR = 640, 300, 130, 14


@dataclass(frozen=True, slots=True)
class Point:
    """One point of a scatter, as shares of 1."""

    name: str
    x: float
    y: float
    link: str = ""
    """Page of the runs behind it."""


def _svg(width: float, height: float, title: str, parts: Iterator[str]) -> str:
    name = escape(shown(title))
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" '
        f'width="{width:g}" height="{height:g}" role="img" font-family="sans-serif" '
        f'font-size="12" fill="{_INK}"><title>{name}</title>'
    )
    return head + "".join(parts) + "</svg>"


def _text(x: float, y: float, text: str, anchor: str = "start") -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{escape(shown(text))}</text>'


def _linked(mark: str, target: str) -> str:
    return f'<a href="{escape(target, quote=True)}">{mark}</a>' if target else mark


def sankey_svg(flows: Mapping[tuple[Topology, State], int], title: str, page: str) -> str:
    """Return how each topology ends, as bands whose width is the number of questions.

    Args:
        flows: questions by topology and state.
        title: what it shows.
        page: where its runs are listed; every band links to its own there.
    """
    return _svg(_WIDE, _HIGH + 20, title, _bands(flows, page))


def _bands(flows: Mapping[tuple[Topology, State], int], page: str) -> Iterator[str]:
    total = sum(flows.values()) or 1
    gap = 10.0
    scale = (_HIGH - gap * max(len(Topology), len(State))) / total
    left, right = _EDGE, _WIDE - _EDGE
    tops: dict[State, float] = {}
    y = 10.0
    for state in State:
        count = sum(flows.get((shape, state), 0) for shape in Topology)
        tops[state] = y
        if count:
            bar = f'x="{right}" y="{y:.1f}" width="{_BAR}" height="{count * scale:.1f}"'
            yield f'<rect {bar} fill="{COLOURS[state]}"/>'
            yield _text(right + _BAR + 6, y + count * scale / 2 + 4, f"{state} {count}")
        y += count * scale + (gap if count else 0)
    y = 10.0
    for shape in Topology:
        count = sum(flows.get((shape, state), 0) for state in State)
        bar = f'x="{left - _BAR}" y="{y:.1f}" width="{_BAR}" height="{count * scale:.1f}"'
        yield f'<rect {bar} fill="{_INK}"/>'
        yield _text(left - _BAR - 6, y + count * scale / 2 + 4, f"{shape} {count}", "end")
        for state in State:
            part = flows.get((shape, state), 0) * scale
            if part:
                yield _band(left, y, right, tops[state], part, COLOURS[state], page, shape, state)
                y += part
                tops[state] += part
        y += gap


def _band(
    x: float, y: float, x2: float, y2: float, high: float, colour: str, page: str,
    shape: Topology, state: State,
) -> str:  # fmt: skip
    middle = (x + x2) / 2
    path = (
        f"M{x:.1f},{y:.1f} C{middle:.1f},{y:.1f} {middle:.1f},{y2:.1f} {x2:.1f},{y2:.1f} "
        f"V{y2 + high:.1f} C{middle:.1f},{y2 + high:.1f} {middle:.1f},{y + high:.1f} "
        f"{x:.1f},{y + high:.1f} Z"
    )
    mark = (
        f'<path d="{path}" fill="{colour}" fill-opacity="0.45">'
        f"<title>{shape} to {state}</title></path>"
    )
    return _linked(mark, f"{page}#{shape}-{state}")


def curves_svg(
    lines: Mapping[str, Mapping[int, float]],
    title: str,
    links: Mapping[tuple[str, int], str] = MappingProxyType({}),
) -> str:
    """Return shares by depth, one line a name.

    Args:
        lines: by name, share of 1 by depth.
        title: what it shows.
        links: page of the runs behind a point, by its line and depth.
    """
    return _svg(_WIDE, _HIGH, title, _curves(lines, links))


_DASHES = ("", "6 3", "2 3", "8 3 2 3")
_STROKES = ("#1d5fbf", "#c2570c", "#7d5a00", "#57606a")


def _curves(
    lines: Mapping[str, Mapping[int, float]], links: Mapping[tuple[str, int], str]
) -> Iterator[str]:
    depths = sorted({depth for line in lines.values() for depth in line})
    left, top, wide, high = 50.0, 15.0, _WIDE - 190.0, _HIGH - 55.0
    step = wide / max(1, len(depths) - 1)
    places = {depth: left + at * step for at, depth in enumerate(depths)}
    yield from _grid(left, top, wide, high)
    for depth, x in places.items():
        yield _text(x, top + high + 18, str(depth), "middle")
    yield _text(left + wide / 2, top + high + 35, "depth", "middle")
    ends: list[float] = []
    for at, (name, line) in enumerate(lines.items()):
        points = [(places[depth], top + high * (1 - line[depth])) for depth in sorted(line)]
        if not points:
            continue
        told = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
        stroke = f'stroke="{_STROKES[at % len(_STROKES)]}" stroke-width="2" fill="none"'
        yield f'<polyline points="{told}" {stroke} stroke-dasharray="{_DASHES[at % 4]}"/>'
        for depth, (x, y) in zip(sorted(line), points, strict=True):
            said = f"<title>{escape(shown(name))}, depth {depth}: {100 * line[depth]:.1f}</title>"
            fill = _STROKES[at % len(_STROKES)]
            mark = f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4" fill="{fill}">{said}</circle>'
            yield _linked(mark, links.get((name, depth), ""))
        x, y = points[-1]
        while any(abs(y - other) < 13 for other in ends):
            y += 13
        ends.append(y)
        yield _text(x + 8, y + 4, f"{name} {100 * line[max(line)]:.1f}")


def _grid(left: float, top: float, wide: float, high: float) -> Iterator[str]:
    for share in (0, 25, 50, 75, 100):
        y = top + high * (1 - share / 100)
        yield f'<path d="M{left:g},{y:g} H{left + wide:g}" stroke="{_LINE}"/>'
        yield _text(left - 6, y + 4, f"{share}", "end")


def heat_svg(
    rows: Sequence[str],
    columns: Sequence[str],
    cells: Mapping[tuple[str, str], float],
    title: str,
    links: Mapping[tuple[str, str], str] = MappingProxyType({}),
) -> str:
    """Return a table of shares whose cells are the darker the greater they are.

    Args:
        rows: names of the rows.
        columns: names of the columns.
        cells: share of 1 by row and column; what is not defined is left out.
        title: what it shows.
        links: page of the runs behind a cell.
    """
    width = 260 + 90 * len(columns)
    return _svg(width, 30 + 28 * len(rows), title, _heat(rows, columns, cells, links))


def _heat(
    rows: Sequence[str],
    columns: Sequence[str],
    cells: Mapping[tuple[str, str], float],
    links: Mapping[tuple[str, str], str],
) -> Iterator[str]:
    for at, column in enumerate(columns):
        yield _text(255 + 90 * at + 42, 16, column, "middle")
    for down, row in enumerate(rows):
        y = 24 + 28 * down
        yield _text(245, y + 17, row if len(row) <= 36 else f"{row[:35]}…", "end")
        for at, column in enumerate(columns):
            share = cells.get((row, column))
            x = 255 + 90 * at
            fill = f'fill="#1d5fbf" fill-opacity="{0.75 * (share or 0):.3f}"'
            mark = f'<rect x="{x}" y="{y}" width="84" height="26" {fill} stroke="{_LINE}"/>'
            told = "-" if share is None else f"{100 * share:.1f}"
            mark += _text(x + 42, y + 17, told, "middle")
            yield _linked(mark, links.get((row, column), ""))


def scatter_svg(points: Sequence[Point], x_name: str, y_name: str, title: str) -> str:
    """Return points that bear their names, both axes from 0 to 100 %."""
    return _svg(_WIDE, _HIGH + 60, title, _scatter(points, x_name, y_name))


def _scatter(points: Sequence[Point], x_name: str, y_name: str) -> Iterator[str]:
    left, top, wide, high = 60.0, 15.0, _WIDE - 200.0, float(_HIGH - 20)
    yield from _grid(left, top, wide, high)
    for share in (0, 25, 50, 75, 100):
        yield _text(left + wide * share / 100, top + high + 18, str(share), "middle")
    yield _text(left + wide / 2, top + high + 38, f"{x_name} (%)", "middle")
    yield _text(left, top + high + 56, f"upwards: {y_name} (%)")
    for point in points:
        x, y = left + wide * point.x, top + high * (1 - point.y)
        mark = f'<circle cx="{x:.1f}" cy="{y:.1f}" r="5" fill="#c2570c" fill-opacity="0.7"/>'
        yield _linked(mark, point.link)
        yield _text(x + 8, y + 4, point.name)
