"""Writes a drawing as SVG: text as text, nothing loaded, nothing that runs."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

from realhop_kg.view.strokes import Drawing, Polygon, Polyline, Rectangle, Shape, Text

__all__ = ["FONTS", "svg_text"]

FONTS = "'DejaVu Sans', Verdana, Arial, Helvetica, sans-serif"


def svg_text(drawn: Drawing, description: str, unit: str = "") -> str:
    """Return a drawing as an SVG document.

    Args:
        drawn: the shapes.
        description: what it shows, for readers who do not see it.
        unit: unit of its size (`pt`); without one, pixels.
    """
    size = f'width="{_number(drawn.width)}{unit}" height="{_number(drawn.height)}{unit}"'
    box = f'viewBox="0 0 {_number(drawn.width)} {_number(drawn.height)}"'
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} {box} role="img" font-family="{FONTS}">',
        f"<title>{_plain(description)}</title>",
        *(line for shape in drawn.shapes for line in _element(shape)),
        "</svg>",
    ]
    return "\n".join(lines) + "\n"


def _number(value: float) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".")


def _plain(text: str) -> str:
    """Return text as XML can hold it: no control characters, no lone surrogates."""
    kept = (char if char.isprintable() or char == " " else " " for char in text)
    return escape("".join(kept))


def _stroke(color: str, line: float, dash: tuple[float, float] | None) -> str:
    if not color:
        return ""
    dashed = f' stroke-dasharray="{_number(dash[0])} {_number(dash[1])}"' if dash else ""
    return f' stroke="{color}" stroke-width="{_number(line)}"{dashed}'


def _points(points: tuple[tuple[float, float], ...]) -> str:
    return " ".join(f"{_number(x)},{_number(y)}" for x, y in points)


def _element(shape: Shape) -> Iterator[str]:
    match shape:
        case Rectangle():
            place = f'x="{_number(shape.x)}" y="{_number(shape.y)}"'
            size = f'width="{_number(shape.width)}" height="{_number(shape.height)}"'
            round_ = f' rx="{_number(shape.radius)}"' if shape.radius else ""
            stroke = _stroke(shape.stroke, shape.line, shape.dash)
            yield f'<rect {place} {size}{round_} fill="{shape.fill}"{stroke}/>'
        case Polyline():
            stroke = _stroke(shape.stroke, shape.line, shape.dash)
            yield f'<polyline points="{_points(shape.points)}" fill="none"{stroke}/>'
        case Polygon():
            stroke = _stroke(shape.stroke, shape.line, None)
            yield f'<polygon points="{_points(shape.points)}" fill="{shape.fill}"{stroke}/>'
        case Text():
            place = f'x="{_number(shape.x)}" y="{_number(shape.y + shape.size * 0.36)}"'
            font = f'font-size="{_number(shape.size)}"' + (
                ' font-weight="bold"' if shape.bold else ""
            )
            anchor = f'text-anchor="{shape.anchor}" fill="{shape.fill}"'
            yield f"<text {place} {font} {anchor}>{_plain(shape.text)}</text>"
