"""Places the chain of a question without an answer: pages and the broken step as columns."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import pairwise

from realhop_kg.model.refusal import Cause
from realhop_kg.model.refusal_item import RefusalItem
from realhop_kg.view.decks import one_below_other
from realhop_kg.view.lettering import BOLD, LINE, text_width, wrap
from realhop_kg.view.scene import Band, Box, Label, Line, Mark, Point, Scene

__all__ = ["CAUSES", "chain_scene", "step_id", "voiced"]

CAUSES = {
    Cause.AU: "answer unknown",
    Cause.FP: "false premise",
    Cause.UC: "underspecified context",
}
"""What each cause is called."""

_LINES = 12
"""Most lines of a name, a relation or the seed question."""


@dataclass(frozen=True, slots=True)
class _Stop:
    """One box of the chain, with what leads to it."""

    step: int
    """Number of the step that leads to it; 0 for what the question names."""
    kind: str
    text: str
    words: str
    """What stands above it: how the question voices the step."""
    below: str
    head: str


def step_id(step: int) -> str:
    """Return what the page calls a step; 0 is what the question starts from."""
    return f"step:{step}"


def voiced(phrase: str) -> str:
    """Return the wording of a link without the page that it starts from."""
    return phrase.replace("{S}", "…").removesuffix(" …")


def chain_scene(
    item: RefusalItem, *, font: float = 13.0, box: float = 11.0, most: int = 0
) -> Scene:
    """Return the picture of a chain, from the page that the question names to its last one.

    Args:
        item: the question.
        font: font size.
        box: width of text in a box, in font sizes.
        most: boxes of one row, where it is drawn in several; 0 for one row.
    """
    stops = tuple(_stops(item))
    rows = -(-len(stops) // most) if most else 1
    ends = [round(len(stops) * at / rows) for at in range(rows + 1)]
    placed = [_Placed(stops[start:end], font, box, start) for start, end in pairwise(ends)]
    gap, aside = font * 0.8, font * 0.8 if len(placed) > 1 else 0.0
    whole = one_below_other([row.scene() for row in placed], gap)
    turns = _turns(placed, whole.width + aside, gap)
    return replace(whole, width=whole.width + aside, lines=(*whole.lines, *turns))


def _turns(placed: list[_Placed], width: float, gap: float) -> Iterator[Line]:
    """Yield the lines from the end of each row down to the beginning of the next."""
    top = 0.0
    for above, below in pairwise(placed):
        bottom = top + above.height
        start, middle = above.end(), top + above.middle
        stop, there = below.begin(), bottom + gap + below.middle
        out, back = width - above.font * 0.3, below.font * 0.3
        between = bottom + gap / 2
        corners = ((out, middle), (out, between), (back, between), (back, there))
        source = above.box_id(len(above.stops) - 1)
        yield below.line_to(0, source, ((start, middle), *corners, (stop, there)))
        top = bottom + gap


def _stops(item: RefusalItem) -> Iterator[_Stop]:
    chain, broken = item.chain, len(item.chain.prefix) + 1
    yield _Stop(0, "prefix", chain.start, "", "named in the question", "Question")
    for step, (link, said) in enumerate(zip(chain.prefix, item.steps, strict=False), 1):
        yield _Stop(step, "prefix", link.target, voiced(said.phrase), "hidden", f"Step {step}")
    cause = f"{chain.defect.cause}: {CAUSES[chain.defect.cause]}"
    yield _Stop(broken, "defect", chain.defect.question, cause, "", f"Step {broken} breaks")
    if not chain.suffix:
        return
    noun = chain.defect.voice.noun or "page"
    head = f"in place of step {broken}"
    yield _Stop(broken, "suffix", chain.defect.bridge, f"a {noun} to go on from", "hidden", head)
    later = item.steps[len(chain.prefix) :]
    for step, (link, said) in enumerate(zip(chain.suffix, later, strict=False), broken + 1):
        is_last = link is chain.suffix[-1]
        words = voiced(said.ask if is_last else said.phrase)
        yield _Stop(step, "suffix", link.target, words, "hidden", f"Step {step}")


class _Placed:
    """The chain with its texts wrapped and its boxes put beside one another."""

    def __init__(self, stops: tuple[_Stop, ...], font: float, box: float, first: int) -> None:
        self.stops, self.font, self.small, self.first = stops, font, font * 0.85, first
        self.pad, self.gap = font * 0.6, font * 3.4
        inside = box * font
        self.texts = [
            wrap(each.text, inside * (1.5 if each.kind == "defect" else 1) / BOLD, font, _LINES)
            for each in stops
        ]
        self.width = [
            max([font * 6, *(text_width(line, font) * BOLD for line in lines)]) + 2 * self.pad
            for lines in self.texts
        ]
        room = [max(width, inside) for width in self.width]
        self.words = [
            wrap(each.words, wide, self.small, _LINES)
            for each, wide in zip(stops, room, strict=True)
        ]
        self.heads = [
            wrap(each.head, wide / BOLD, font, 3) for each, wide in zip(stops, room, strict=True)
        ]
        # The cross and the arrow need room before a box; a wider relation takes its own.
        self.room = [
            max(wide, *(text_width(line, self.small) for line in (*lines, each.below)))
            for each, wide, lines in zip(stops, room, self.words, strict=True)
        ]
        self.centre: list[float] = []
        # A line that comes from the row above enters from the left.
        x = self.pad + (self.gap if first else 0)
        for wide in self.room:
            self.centre.append(x + wide / 2)
            x += wide + self.gap
        self.right = x - self.gap + self.pad
        top = max(self._high(lines, font) for lines in self.heads) + 2 * self.pad
        words = max(self._high(lines, self.small) for lines in self.words)
        high = max(map(self._box_height, range(len(stops))))
        self.top = top
        self.middle = top + words + self.pad + high / 2
        self.height = self.middle + high / 2 + self.small * LINE + 2 * self.pad

    def _high(self, lines: tuple[str, ...], size: float) -> float:
        return len(lines) * size * LINE

    def _box_height(self, at: int) -> float:
        return self._high(self.texts[at], self.font) + self.pad * 1.4

    def box_id(self, at: int) -> str:
        """Return the id of a box."""
        return f"{self.first + at}|{self.stops[at].kind}"

    def scene(self) -> Scene:
        """Return the picture."""
        return Scene(
            width=self.right,
            height=self.height,
            font=self.font,
            bands=tuple(self._bands()),
            boxes=tuple(self._box(at) for at in range(len(self.stops))),
            keys=(),
            lines=tuple(map(self._line, range(1, len(self.stops)))),
            marks=tuple(self._marks()),
            labels=tuple(self._labels()),
        )

    def _bands(self) -> Iterator[Band]:
        for centre, wide in zip(self.centre, self.room, strict=True):
            yield Band(centre - wide / 2 - self.pad / 2, 0, wide + self.pad, self.height)

    def _box(self, at: int) -> Box:
        stop = self.stops[at]
        return Box(
            id=self.box_id(at),
            entity=stop.text,
            fact=step_id(stop.step),
            path=stop.kind,
            kind=stop.kind,
            x=self.centre[at],
            y=self.middle,
            width=self.width[at],
            height=self._box_height(at),
            lines=self.texts[at],
            is_answer=stop.kind == "defect",
        )

    def begin(self) -> float:
        """Return where a line enters the first box."""
        return self.centre[0] - self.width[0] / 2

    def end(self) -> float:
        """Return where a line leaves the last box."""
        return self.centre[-1] + self.width[-1] / 2

    def _line(self, at: int) -> Line:
        start = self.centre[at - 1] + self.width[at - 1] / 2
        end = self.centre[at] - self.width[at] / 2
        return self.line_to(at, self.box_id(at - 1), ((start, self.middle), (end, self.middle)))

    def line_to(self, at: int, source: str, points: tuple[Point, ...]) -> Line:
        """Return the line from one box to another."""
        stop = self.stops[at]
        return Line(
            id=f"link:{self.first + at}",
            fact=step_id(stop.step),
            part=step_id(stop.step),
            path=stop.kind,
            kind=stop.kind,
            source=source,
            target=self.box_id(at),
            points=points,
            arrow=True,
            broken=stop.kind == "defect",
        )

    def _marks(self) -> Iterator[Mark]:
        for at, stop in enumerate(self.stops):
            if stop.kind == "defect":
                x = self.centre[at] - self.width[at] / 2 - self.gap / 2 - self.font * 0.2
                yield Mark(step_id(stop.step), stop.kind, stop.kind, x, self.middle)

    def _labels(self) -> Iterator[Label]:
        for at, stop in enumerate(self.stops):
            fact, half = step_id(stop.step), self._box_height(at) / 2
            x, wide = self.centre[at], self.room[at]
            own = (fact, stop.kind, stop.kind)
            yield Label("column", self.heads[at], x, self.top / 2, wide)
            if self.words[at]:
                deep = self._high(self.words[at], self.small)
                y = self.middle - half - self.small * 0.4 - deep / 2
                role = "path" if stop.kind == "defect" else "relation"
                yield Label(role, self.words[at], x, y, wide, True, *own)
            if stop.below:
                y = self.middle + half + self.small * 0.9
                yield Label("key", (stop.below,), x, y, wide, True, *own)
