"""Where a link stands, packed into 64 bits, and what is known of a page, in 8.

From the top: 1 bit that is set outside the opening paragraphs, 19 bits paragraph, 28 bits first
code point, 16 bits length. So the least of several places is the one to keep: the first of the
opening paragraphs, or else the first of all.
"""

from __future__ import annotations

from typing import NamedTuple

__all__ = [
    "DISAMBIGUATION",
    "ELSEWHERE",
    "NO_LEAD",
    "NO_TEXT",
    "REPEATED",
    "Place",
    "pack",
    "unpack",
]

ELSEWHERE = 1 << 63
"""The bit of a place outside the opening paragraphs."""

DISAMBIGUATION, NO_TEXT, NO_LEAD, REPEATED = 1, 2, 4, 8
"""Flags of a page; `REPEATED` where an earlier page has its title."""

_PARAGRAPHS, _STARTS, _LENGTHS = 1 << 19, 1 << 28, 1 << 16


class Place(NamedTuple):
    """Where a link stands."""

    lead: bool
    paragraph: int
    start: int
    end: int


def pack(lead: bool, paragraph: int, start: int, end: int) -> int | None:
    """Return a place as a number, or None where a page is too large for it."""
    length = end - start
    if paragraph >= _PARAGRAPHS or start >= _STARTS or length >= _LENGTHS:
        return None
    return (0 if lead else ELSEWHERE) | paragraph << 44 | start << 16 | length


def unpack(place: int) -> Place:
    """Return the place that a number stands for."""
    start = place >> 16 & _STARTS - 1
    paragraph = place >> 44 & _PARAGRAPHS - 1
    return Place(not place & ELSEWHERE, paragraph, start, start + (place & _LENGTHS - 1))
