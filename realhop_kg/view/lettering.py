"""How wide text is on a picture, and where it wraps; no font is opened for it.

Widths are those of DejaVu Sans, the widest of the common sans-serif fonts, so that text fits its
box in whichever of them a viewer has.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache

__all__ = ["BOLD", "LINE", "pieces_of", "text_width", "wrap"]

LINE = 1.25
"""Height of a line of text, in font sizes."""

BOLD = 1.13
"""How much wider bold text is."""

_LONGEST = 1200
"""Characters of a text that a picture looks at."""

_HYPHEN = re.compile(r"(?<=\w-)(?=\w)")

_GAP = re.compile(r"(?<=[^ …]) …(?= |$)")
_BOUND = "\N{NO-BREAK SPACE}"

_FIRST = 32
_WIDTHS = (
    "32 40 46 84 64 95 78 27 39 39 50 84 32 36 32 34 64 64 64 64 64 64 64 64 64 64 34 34 84 84 84 "
    "53 100 68 69 70 77 63 58 77 75 29 29 66 56 86 75 79 60 79 69 63 61 73 68 99 69 61 69 39 34 39 "
    "84 50 50 61 63 55 63 62 35 63 63 28 28 58 28 97 63 61 63 63 41 52 39 63 59 82 59 59 52 64 34 "
    "64 84"
)
"""Advance widths of the printable ASCII characters, in hundredths of the font size."""

_ASCII = tuple(int(width) / 100 for width in _WIDTHS.split())
_OTHER, _WIDE = 0.7, 1.0


@lru_cache(maxsize=4096)
def text_width(text: str, size: float) -> float:
    """Return the width of a line of text, in the unit of `size`."""
    return size * sum(map(_advance, text))


def _advance(char: str) -> float:
    at = ord(char) - _FIRST
    if 0 <= at < len(_ASCII):
        return _ASCII[at]
    if unicodedata.combining(char):
        return 0.0
    return _WIDE if unicodedata.east_asian_width(char) in "WF" or ord(char) > 0xFFFF else _OTHER


@lru_cache(maxsize=1024)
def wrap(text: str, width: float, size: float, most: int) -> tuple[str, ...]:
    """Return text as lines that fit a width; a word that does not fit is cut.

    Args:
        text: any text; white space and control characters count as one space.
        width: what a line may take, in the unit of `size`.
        size: font size.
        most: number of lines; where the text needs more, the last one ends with an ellipsis.
    """
    lines: list[str] = []
    for word, space in _breakable(_plain(text)):
        joined = f"{lines[-1]}{space}{word}" if lines else word
        if lines and text_width(joined, size) <= width:
            lines[-1] = joined
            continue
        rest = word
        while text_width(rest, size) > width and len(rest) > 1:
            cut = _fitting(rest, width, size)
            lines.append(rest[:cut])
            rest = rest[cut:]
        lines.append(rest)
    if len(lines) > most:
        last = lines[most - 1]
        while last and text_width(f"{last}…", size) > width:
            last = last[:-1]
        lines = [*lines[: most - 1], f"{last}…"]
    return tuple(lines)


def _breakable(text: str) -> Iterator[tuple[str, str]]:
    """Yield each piece that stays on one line, with what separates it from the one before.

    The gap of a relation (`linking … and …`) stays with the word before it.
    """
    for word in filter(None, _GAP.sub(f"{_BOUND}…", text).split(" ")):
        for at, piece in enumerate(pieces_of(word)):
            yield piece.replace(_BOUND, " "), "" if at else " "


def pieces_of(word: str) -> list[str]:
    """Return a word in the pieces into which it may be broken: after a hyphen."""
    return [piece for piece in _HYPHEN.split(word) if piece]


def _plain(text: str) -> str:
    """Return the beginning of a text without what moves a reading direction or a cursor."""
    shown = text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"
    kept = (" " if unicodedata.category(char)[0] == "C" else char for char in shown)
    return " ".join("".join(kept).split())


def _fitting(word: str, width: float, size: float) -> int:
    """Return how many characters of a word fit, at least one."""
    taken = 0.0
    for at, char in enumerate(word):
        taken += size * _advance(char)
        if taken > width:
            return max(1, at)
    return len(word)
