"""Draws the figures of a report: Full and BNR bars, masks, and ranks from one board to another."""

from __future__ import annotations

import io
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from realhop_kg.audit.figures import Figure
from realhop_kg.audit.measures.masks import SINGLE_LOCATION
from realhop_kg.audit.measures.ranks import ranks
from realhop_kg.audit.reporting.boards import Board, Line
from realhop_kg.audit.reporting.report import Report

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Canvas

__all__ = ["Drawing", "draw"]

_SIDES = ("source", "constructed")
_COLOURS = {"source": "#9aa5b1", "constructed": "#2563a6"}
_SETTINGS: Any = {
    # Text stays text, and ids come from content: the same report gives the same file.
    "svg.fonttype": "none",
    "svg.hashsalt": "realhop",
    "font.family": "DejaVu Sans",
    "font.size": 9,
    "axes.spines.top": False,
    "axes.spines.right": False,
    # A model may be called `a_$b$`: no name is mathematics.
    "text.parse_math": False,
}


class Drawing:
    """One figure in two formats.

    Attributes:
        name: of its files.
        caption: what it shows.
        svg: text of the SVG, without an XML head, as it goes into a page.
        png: bytes of the PNG.
    """

    def __init__(self, name: str, caption: str, svg: str, png: bytes) -> None:
        self.name = name
        self.caption = caption
        self.svg = svg
        self.png = png


def draw(report: Report) -> list[Drawing]:
    """Return the figures for which a report has numbers.

    Each colour goes with a position or a mark of its own, so that none is told by colour alone.
    """
    found: list[Drawing] = []
    named = {
        (figure.measure, figure.model, figure.side): figure
        for figure in report.figures
        if not figure.cohort and figure.ablation == "both" and figure.value is not None
    }
    models = [m for m in report.settings.models if any(key[1] == m for key in named)]
    if any(key[0] in ("full", "bnr") for key in named):
        found.append(
            _drawn(
                "full_bnr",
                "Full accuracy and Behavioral Necessity Rate with 95 % intervals",
                lambda canvas: _bars(canvas, named, models),
                (max(5.0, 2.0 + 2.0 * len(models)), 3.4),
            )
        )
    if any(key[0] == "mask_fixed" for key in named):
        found.append(
            _drawn(
                "masks",
                "Accuracy that 20 % windows leave (dark) and take (light), and the difference",
                lambda canvas: _masks(canvas, named, models),
                (max(4.5, 1.4 + 1.2 * len(models)), 3.4),
            )
        )
    if len(report.boards) == 2:
        before, after = report.boards
        found.append(
            _drawn(
                "ranks",
                "Ranks from the source board to the constructed one",
                lambda canvas: _ranks(canvas, before, after),
                (5.4, 1.2 + 0.35 * len(after.lines)),
            )
        )
    return found


def _drawn(
    name: str, caption: str, paint: Callable[[Canvas], None], size: tuple[float, float]
) -> Drawing:
    import matplotlib as mpl
    from matplotlib.figure import Figure as Canvas

    with mpl.rc_context(_SETTINGS):
        canvas = Canvas(figsize=size, layout="constrained")
        paint(canvas)
        vector, pixels = io.StringIO(), io.BytesIO()
        canvas.savefig(vector, format="svg", metadata={"Date": None, "Creator": None})
        canvas.savefig(pixels, format="png", dpi=160, metadata={"Software": None})
    text = vector.getvalue()
    return Drawing(name, caption, text[text.index("<svg") :], pixels.getvalue())


Named = dict[tuple[str, str, str], Figure]


def _bars(canvas: Canvas, named: Named, models: Sequence[str]) -> None:
    heads = (("full", "(a) Full accuracy"), ("bnr", "(b) BNR"))
    for axes, (measure, head) in zip(canvas.subplots(1, 2, sharey=True), heads, strict=True):
        for shift, side in zip((-0.2, 0.2), _SIDES, strict=True):
            there = [
                (at + shift, named[measure, model, side])
                for at, model in enumerate(models)
                if (measure, model, side) in named
            ]
            places = [at for at, _ in there]
            heights = [100 * (figure.value or 0.0) for _, figure in there]
            axes.bar(
                places,
                heights,
                width=0.38,
                color=_COLOURS[side],
                hatch="//" if side == "source" else None,
                edgecolor="white",
                label=side,
                yerr=_errors([figure for _, figure in there]),
                error_kw={"lw": 1, "capsize": 2},
            )
            for (at, figure), height in zip(there, heights, strict=True):
                top = max(height, 100 * (figure.interval.high or 0.0))
                axes.text(at, top + 1.5, f"{height:.1f}", ha="center", va="bottom", fontsize=6.5)
        axes.set_title(head)
        _model_axis(axes, models)
        axes.set_ylim(0, 110)
    axes.legend(frameon=False, loc="upper left", bbox_to_anchor=(1, 1))


def _errors(figures: Sequence[Figure]) -> list[list[float]]:
    low, high = [], []
    for figure in figures:
        value, interval = figure.value or 0.0, figure.interval
        low.append(100 * (value - (value if interval.low is None else interval.low)))
        high.append(100 * ((value if interval.high is None else interval.high) - value))
    return [[max(0.0, each) for each in low], [max(0.0, each) for each in high]]


def _masks(canvas: Canvas, named: Named, models: Sequence[str]) -> None:
    axes = canvas.subplots()
    told: set[str] = set()
    for shift, side in zip((-0.2, 0.2), _SIDES, strict=True):
        for at, model in enumerate(models):
            kept = named.get(("mask_fixed", model, side))
            whole = named.get(("mask_full_fixed", model, side))
            if kept is None or whole is None:
                continue
            colour = _COLOURS[side]
            low, high = 100 * (kept.value or 0.0), 100 * (whole.value or 0.0)
            label = None if side in told else side
            told.add(side)
            axes.bar(at + shift, low, width=0.38, color=colour, label=label)
            if high > low:
                axes.bar(at + shift, high - low, bottom=low, width=0.38, color=colour, alpha=0.35)
            axes.text(at + shift, max(low, high) + 1, f"{low - high:+.1f}", ha="center", fontsize=7)
    _model_axis(axes, models)
    axes.set_ylim(0, 112)
    axes.set_title(f"one necessary place would survive {SINGLE_LOCATION:.1%}", fontsize=8)
    axes.legend(frameon=False, loc="upper left", bbox_to_anchor=(1, 1))


def _model_axis(axes: Any, models: Sequence[str]) -> None:  # noqa: ANN401 - matplotlib's own
    axes.set_xticks(range(len(models)), models, rotation=20, ha="right")
    axes.set_ylabel("%")


def _shared(board: Board, other: Board) -> list[Line]:
    there = {line.model for line in other.lines}
    return [line for line in board.lines if line.model in there]


def _ranks(canvas: Canvas, before: Board, after: Board) -> None:
    axes = canvas.subplots()
    # Among the models of both boards, as the changes of rank are.
    old, new = (_shared(board, other) for board, other in ((before, after), (after, before)))
    placed, ranked = (ranks({line.model: line.average for line in each}) for each in (old, new))
    # Placed by order, since equal ranks would write names over each other.
    earlier = {line.model: (at, line) for at, line in enumerate(old)}
    for at, line in enumerate(new):
        start, was = earlier[line.model]
        rising = (line.change or 0) > 0
        axes.plot(
            (0, 1),
            (start, at),
            marker="o",
            color=_COLOURS["constructed" if rising else "source"],
            linestyle="-" if rising else "--",
        )
        left = f"{was.model}  {100 * was.average:.1f}  {placed[line.model]}"
        axes.text(-0.04, start, left, ha="right", va="center")
        right = f"{ranked[line.model]}  {100 * line.average:.1f}  {line.model}"
        axes.text(1.04, at, right, va="center")
    axes.set_xlim(-1.1, 2.1)
    axes.invert_yaxis()
    spreads = f"{100 * before.spread:.1f}", f"{100 * after.spread:.1f}"
    axes.set_xticks((0, 1), (f"source\nspread {spreads[0]}", f"constructed\n{spreads[1]}"))
    axes.set_yticks([])
    axes.spines["left"].set_visible(False)
