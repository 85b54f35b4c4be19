"""Renders passages as one context, and cuts ranges out of it without leaving a visible gap."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from realhop_kg.audit.tokens import TokenPlaces
from realhop_kg.model.item import TextRange
from realhop_kg.model.text import Passage

__all__ = ["Context", "Cut", "Range", "closed", "cut", "merged", "render", "without"]

_BETWEEN = "\n\n"

Range = tuple[int, int]
"""(start, end) in code points of a rendered context."""


class Cut(NamedTuple):
    """Where one passage stands in a rendered context."""

    start: int
    """Start of its title."""
    text: int
    """Start of its text."""
    end: int


@dataclass(frozen=True)
class Context:
    """A rendered context: every passage as title, newline, text, without a number.

    Attributes:
        text: what a model sees under Full.
        places: where each passage stands, in order.
        order: position in `places` by passage index.
    """

    text: str
    places: tuple[Cut, ...]
    order: dict[int, int]

    @cached_property
    def tokens(self) -> TokenPlaces:
        """Where the tokens stand."""
        return TokenPlaces(self.text)

    def ranges(self, parts: Iterable[TextRange]) -> list[Range]:
        """Return ranges of passage texts as ranges of the context.

        Raises:
            KeyError: if a part names a passage that is not there.
        """
        found = []
        for part in parts:
            place = self.places[self.order[part.passage]]
            start = min(place.text + part.start, place.end)
            found.append((start, min(place.text + part.end, place.end)))
        return found

    def parts(self, ranges: Sequence[Range]) -> list[TextRange]:
        """Return what ranges of the context cover of each passage's text; titles are left out."""
        found = []
        for passage, position in self.order.items():
            _, text, end = self.places[position]
            for low, high in ranges:
                start, stop = max(low, text), min(high, end)
                if start < stop:
                    found.append(TextRange(passage=passage, start=start - text, end=stop - text))
        return found

    def passage_at(self, position: int) -> int:
        """Return the place in `places` of the passage that holds a position (or precedes it)."""
        low, high = 0, len(self.places)
        while high - low > 1:
            middle = (low + high) // 2
            if self.places[middle].start <= position:
                low = middle
            else:
                high = middle
        return low


def render(passages: Sequence[Passage]) -> Context:
    """Return the context of passages, in their order."""
    pieces: list[str] = []
    places: list[Cut] = []
    at = 0
    for number, passage in enumerate(passages):
        head = f"{passage.title}\n" if passage.title else ""
        before = _BETWEEN if number else ""
        pieces += (before, head, passage.text)
        start = at + len(before)
        body = start + len(head)
        at = body + len(passage.text)
        places.append(Cut(start, body, at))
    order = {passage.index: position for position, passage in enumerate(passages)}
    return Context("".join(pieces), tuple(places), order)


def merged(ranges: Iterable[Range]) -> list[Range]:
    """Return the union of ranges, sorted, without overlaps and empty ones."""
    found: list[Range] = []
    for start, end in sorted(ranges):
        if end <= start:
            continue
        if found and start <= found[-1][1]:
            found[-1] = (found[-1][0], max(found[-1][1], end))
        else:
            found.append((start, end))
    return found


def without(ranges: Iterable[Range], taken: Sequence[Range]) -> list[Range]:
    """Return what is left of ranges when others are taken away."""
    left: list[Range] = []
    for start, end in merged(ranges):
        at = start
        for first, last in merged(taken):
            if last <= at or first >= end:
                continue
            if first > at:
                left.append((at, first))
            at = max(at, last)
        if at < end:
            left.append((at, end))
    return left


def cut(text: str, ranges: Sequence[Range]) -> str:
    """Return a text without some ranges.

    Args:
        text: any text.
        ranges: sorted and without overlaps, as `merged` gives them.
    """
    pieces: list[str] = []
    last = 0
    for start, end in ranges:
        pieces.append(text[last:start])
        last = end
    pieces.append(text[last:])
    return "".join(pieces)


def closed(context: Context, ranges: Iterable[Range]) -> list[Range]:
    """Return ranges widened so that their removal leaves no gap to be seen.

    A passage without text loses its title and the blank line with it; a sentence takes one of the
    blanks beside it. Ranges stay within what else would stand there alone, so nothing that tells
    anything is lost.
    """
    text = context.text
    wide = merged(ranges)
    for _ in range(2):  # what one range takes may leave a blank to the one before it
        wide = merged(_with_blank(context, start, end) for start, end in wide)
    wide = merged([*wide, *_emptied(context, wide)])
    if wide and wide[-1][1] == len(text):
        start = wide[-1][0]
        while start and text[start - 1].isspace():
            start -= 1
        wide = merged([*wide, (start, len(text))])
    return wide


def _emptied(context: Context, ranges: Sequence[Range]) -> Iterable[Range]:
    """Yield the whole place of every passage whose text is gone."""
    last = len(context.places) - 1
    for start, end in ranges:
        for at in range(context.passage_at(start), len(context.places)):
            place = context.places[at]
            if place.start >= end:
                break
            if _blank(context.text, place.text, start) and _blank(context.text, end, place.end):
                until = context.places[at + 1].start if at < last else place.end
                yield place.start, until


def _blank(text: str, start: int, end: int) -> bool:
    """Return whether a range holds nothing but white space, looking no further than needed."""
    return all(text[at].isspace() for at in range(start, end))


def _with_blank(context: Context, start: int, end: int) -> Range:
    """Return a range with one of the blanks that would meet where it was."""
    text = context.text
    place = context.places[context.passage_at(start)] if context.places else Cut(0, 0, 0)
    at_start = start in (0, place.text, place.start) or text[start - 1 : start].isspace()
    if at_start and end < len(text) and end < place.end:
        while end < place.end and text[end] in " \t":
            end += 1
    elif end == place.end or text[end : end + 1] == "\n":
        while start > place.text and text[start - 1] in " \t":
            start -= 1
    return start, end
