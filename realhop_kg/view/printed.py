"""Writes a drawing as PNG or PDF, by matplotlib, the same bytes every time."""

from __future__ import annotations

import io
import warnings
from typing import TYPE_CHECKING, Literal

from realhop_kg.errors import InputError
from realhop_kg.view.strokes import Drawing, Polygon, Polyline, Rectangle, Text

if TYPE_CHECKING:
    from matplotlib.artist import Artist

__all__ = ["printed"]

_DPI = 300
_POINTS = 72
_OTHER_SCRIPTS = (
    "Noto Sans CJK SC",
    "Noto Sans Arabic",
    "Noto Sans Hebrew",
    "Noto Sans Devanagari",
)
"""Fonts that are used where DejaVu Sans, which matplotlib brings, lacks a character."""


def printed(drawn: Drawing, form: Literal["png", "pdf"]) -> bytes:
    """Return a drawing, of which the unit is a point, as a PNG of 300 dpi or a PDF.

    A character that no font here has is drawn as a box, and one warning says so.

    Raises:
        InputError: if matplotlib is not installed.
    """
    try:
        from matplotlib import font_manager, rc_context
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure
    except ImportError as error:
        raise InputError(
            "PNG and PDF need matplotlib, which cannot be loaded; take --format svg"
        ) from error
    nothing: dict[str, str | None] = {"Software": None}
    if form == "pdf":
        nothing = {"Creator": None, "Producer": None, "CreationDate": None}
    here = set(font_manager.get_font_names())
    families = ["DejaVu Sans", *(name for name in _OTHER_SCRIPTS if name in here)]
    content = io.BytesIO()
    # Fonts go into a PDF as they are, so that any printer has them.
    with rc_context({"pdf.fonttype": 42}), warnings.catch_warnings(record=True) as complaints:
        sheet = Figure(figsize=(drawn.width / _POINTS, drawn.height / _POINTS), dpi=_DPI)
        FigureCanvasAgg(sheet)
        axes = sheet.add_axes((0, 0, 1, 1))
        axes.set_xlim(0, drawn.width)
        axes.set_ylim(drawn.height, 0)
        axes.axis("off")
        for order, shape in enumerate(drawn.shapes):
            artist = _text(shape, families) if isinstance(shape, Text) else _artist(shape)
            artist.set_zorder(order)
            axes.add_artist(artist)
        sheet.savefig(content, format=form, metadata=nothing)
    if any("Glyph" in str(complaint.message) for complaint in complaints):
        warnings.warn(
            "some characters are drawn as boxes, since no font here has them; an SVG keeps them",
            stacklevel=2,
        )
    return content.getvalue()


_Style = Literal["solid"] | tuple[float, tuple[float, ...]]


def _dashes(line: float, dash: tuple[float, float] | None) -> _Style:
    """Return a line style; matplotlib counts dashes in line widths."""
    return (0, (dash[0] / line, dash[1] / line)) if dash and line else "solid"


def _artist(shape: Rectangle | Polyline | Polygon) -> Artist:
    from matplotlib.lines import Line2D
    from matplotlib.patches import FancyBboxPatch
    from matplotlib.patches import Polygon as Patch

    if isinstance(shape, Polyline):
        xs, ys = zip(*shape.points, strict=True)
        style = _dashes(shape.line, shape.dash)
        line = Line2D(xs, ys, color=shape.stroke, linewidth=shape.line, linestyle=style)
        line.set_dash_capstyle("butt")
        line.set_solid_capstyle("butt")
        return line
    edge = shape.stroke or "none"
    if isinstance(shape, Polygon):
        return Patch(shape.points, facecolor=shape.fill, edgecolor=edge, linewidth=shape.line)
    return FancyBboxPatch(
        (shape.x, shape.y),
        shape.width,
        shape.height,
        boxstyle=f"round,pad=0,rounding_size={shape.radius}" if shape.radius else "square,pad=0",
        facecolor=shape.fill,
        edgecolor=edge,
        linewidth=shape.line,
        linestyle=_dashes(shape.line, shape.dash),
    )


def _text(shape: Text, families: list[str]) -> Artist:
    from matplotlib.text import Text as Writing

    return Writing(
        shape.x,
        shape.y,
        shape.text,
        fontsize=shape.size,
        color=shape.fill,
        horizontalalignment="center" if shape.anchor == "middle" else "left",
        verticalalignment="center_baseline",
        fontfamily=families,
        fontweight="bold" if shape.bold else "normal",
        parse_math=False,  # a dollar sign in a name is a dollar sign
    )
