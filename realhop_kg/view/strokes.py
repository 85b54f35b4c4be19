"""A scene as plain shapes in drawing order, legend included: what SVG, PNG and PDF draw."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from realhop_kg.view.lettering import LINE, text_width
from realhop_kg.view.palette import BREAK, INK, KINDS, MUTED, PAPER, STRIPE
from realhop_kg.view.scene import SOURCE, Box, Label, Line, Mark, Point, Scene

__all__ = ["Drawing", "Polygon", "Polyline", "Rectangle", "Shape", "Text", "drawing"]


@dataclass(frozen=True, slots=True)
class Rectangle:
    """A box with rounded corners."""

    x: float
    y: float
    width: float
    height: float
    fill: str
    stroke: str = ""
    line: float = 0.0
    dash: tuple[float, float] | None = None
    radius: float = 0.0


@dataclass(frozen=True, slots=True)
class Polyline:
    """A line with bends."""

    points: tuple[Point, ...]
    stroke: str
    line: float
    dash: tuple[float, float] | None = None


@dataclass(frozen=True, slots=True)
class Polygon:
    """A filled shape."""

    points: tuple[Point, ...]
    fill: str
    stroke: str = ""
    line: float = 0.0


@dataclass(frozen=True, slots=True)
class Text:
    """One line of text."""

    text: str
    x: float
    y: float
    """Middle of the line."""
    size: float
    fill: str
    anchor: str = "middle"
    """`middle` or `start`."""
    bold: bool = False


Shape = Rectangle | Polyline | Polygon | Text


@dataclass(frozen=True, slots=True)
class Drawing:
    """Shapes on a sheet."""

    width: float
    height: float
    shapes: tuple[Shape, ...]


def drawing(scene: Scene) -> Drawing:
    """Return a scene as shapes, with a legend below it."""
    legend, deep = _legend(scene)
    height = scene.height + deep
    shapes: list[Shape] = [Rectangle(0, 0, scene.width, height, PAPER)]
    shapes += [Rectangle(b.x, b.y, b.width, b.height, STRIPE) for b in scene.bands]
    # Gold last, so that the lines of competitors that share its way lie below it.
    for line in sorted(scene.lines, key=lambda line: line.kind == "gold"):
        shapes += _line(scene, line)
    for box in scene.boxes:
        shapes += _box(scene, box)
    for key in scene.keys:
        shapes.append(_diamond(key.x, key.y, scene.font * 0.42, key.kind, scene.font))
    for mark in scene.marks:
        shapes += _cross(scene, mark)
    for label in scene.labels:
        shapes += _label(scene, label)
    return Drawing(scene.width, height, (*shapes, *legend))


def _dash(kind: str, font: float) -> tuple[float, float] | None:
    dash = KINDS[kind].dash
    return dash and (dash[0] * font, dash[1] * font)


def _line(scene: Scene, line: Line) -> Iterator[Shape]:
    font, kind = scene.font, KINDS[line.kind]
    width = kind.width * font / 10
    if line.shared:
        yield Polyline(line.points, KINDS["strict"].stroke, width * 2.4)
        yield Polyline(line.points, PAPER, width * 1.7)
    dash = (font * 0.1, font * 0.25) if line.id.startswith("rebinds:") else _dash(line.kind, font)
    yield Polyline(line.points, kind.stroke, width, dash)
    if line.arrow and not line.joins:
        x, y = line.points[-1]
        long, half = font * 0.6, font * 0.3
        yield Polygon(((x, y), (x - long, y - half), (x - long, y + half)), kind.stroke)


def _box(scene: Scene, box: Box) -> Iterator[Shape]:
    font, kind = scene.font, KINDS[box.kind]
    yield Rectangle(
        box.x - box.width / 2,
        box.y - box.height / 2,
        box.width,
        box.height,
        kind.fill,
        kind.stroke,
        kind.width * font / 10,
        _dash(box.kind, font),
        font * 0.3,
    )
    bold = box.is_answer and box.kind != SOURCE
    yield from _block(box.lines, box.x, box.y, font, kind.text, bold=bold)


def _diamond(x: float, y: float, half: float, kind: str, font: float) -> Polygon:
    points = ((x - half, y), (x, y - half), (x + half, y), (x, y + half))
    return Polygon(points, PAPER, KINDS[kind].stroke, KINDS[kind].width * font / 10)


def _cross(scene: Scene, mark: Mark) -> Iterator[Shape]:
    half, kind = scene.font * 0.5, KINDS[mark.kind]
    corner = (mark.x - half, mark.y - half, 2 * half, 2 * half)
    yield Rectangle(*corner, PAPER, kind.stroke, scene.font / 12, None, half)
    yield Text(BREAK, mark.x, mark.y, scene.font * 1.1, kind.stroke, bold=True)


def _label(scene: Scene, label: Label) -> Iterator[Shape]:
    size = scene.font if label.role == "column" else scene.font * 0.85
    fill = KINDS[label.kind].text if label.kind else INK
    if label.role == "key":
        fill = MUTED
    anchor = "middle" if label.centred else "start"
    bold = label.role in ("column", "path")
    yield from _block(label.lines, label.x, label.y, size, fill, anchor, bold=bold)


def _block(
    lines: tuple[str, ...],
    x: float,
    y: float,
    size: float,
    fill: str,
    anchor: str = "middle",
    *,
    bold: bool = False,
) -> Iterator[Text]:
    for at, line in enumerate(lines):
        middle = y + (at - (len(lines) - 1) / 2) * size * LINE
        yield Text(line, x, middle, size, fill, anchor, bold)


_LEGEND = (
    ("source", "source question"),
    ("gold", "gold path"),
    ("strict", "Strict competitor"),
    ("flexible", "Flexible competitor"),
    ("shared", "gold fact shared with competitors"),
    ("cross", "near-miss: the relation is another"),
    ("key", "key that joins two premises"),
    ("lean", "without words: the relation of the gold fact in its column"),
    ("prefix", "leads to one page"),
    ("defect", "unanswerable step"),
    ("suffix", "depends on it"),
)


def _legend(scene: Scene) -> tuple[list[Shape], float]:
    """Return the shapes that say what lines and signs mean, and the height they take."""
    font, small = scene.font, scene.font * 0.85
    present = {box.kind for box in scene.boxes}
    present |= {"shared"} if any(line.shared for line in scene.lines) else set()
    present |= {"cross"} if scene.marks and "defect" not in present else set()
    present |= {"key"} if scene.keys else set()
    present |= {"lean"} if scene.lean else set()
    sample, gap = font * 2.4, font * 0.5
    x, y = gap, scene.height + font * 1.2
    shapes: list[Shape] = []
    for kind, words in _LEGEND:
        if kind not in present:
            continue
        width = sample + gap + text_width(words, small)
        if x > gap and x + width > scene.width:
            x, y = gap, y + font * 1.5
        shapes += _sample(scene, kind, x, y, sample)
        shapes.append(Text(words, x + sample + gap, y, small, INK, "start"))
        x += width + 2 * gap
    return shapes, y + font * 1.2 - scene.height


def _sample(scene: Scene, kind: str, x: float, y: float, width: float) -> Iterator[Shape]:
    font = scene.font
    if kind == "cross":
        yield from _cross(scene, Mark("", "", "strict", x + width / 2, y))
    elif kind == "key":
        yield _diamond(x + width / 2, y, font * 0.42, "strict", font)
    else:
        shown = {"shared": "gold", "lean": "strict"}.get(kind, kind)
        shared = ("",) if kind == "shared" else ()
        ends = ((x, y), (x + width, y))
        line = Line("", "", "", "", shown, "", "", ends, kind != "shared", False, shared)
        yield from _line(scene, line)
