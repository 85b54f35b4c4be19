"""Passages, insertions and spans, and the arithmetic between original and realized text.

Offsets count Unicode code points, as Python strings do. An insertion carries its separator, so
that deleting the inserted text gives the original back byte for byte (contract T1).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from pydantic import Field

from realhop_kg.model.record import Record

__all__ = ["Insertion", "Passage", "Span", "insertion_starts", "realize", "restore"]


class Passage(Record):
    """One passage of a source context."""

    index: int = Field(ge=0)
    """Position in the context, counted from 0."""
    title: str
    text: str
    is_support: bool = False
    """Whether the dataset marks it as supporting."""


class Insertion(Record):
    """Text added to one passage."""

    id: str
    passage: int = Field(ge=0)
    """Index of the host passage."""
    offset: int = Field(ge=0)
    """Where in the original text it stands, in code points."""
    order: int = Field(ge=0)
    """Rank among the insertions of the same host and offset."""
    text: str = Field(min_length=2)
    """Separator and sentence."""


class Span(Record):
    """Where something is written in a realized passage."""

    passage: int = Field(ge=0)
    start: int = Field(ge=0)
    """First code point in the realized text."""
    end: int
    """One past the last code point in the realized text."""
    exact: str
    """The text between them, kept so that a shifted span is noticed."""


def _ordered(insertions: Iterable[Insertion]) -> list[Insertion]:
    return sorted(insertions, key=lambda added: (added.offset, added.order, added.id))


def insertion_starts(insertions: Iterable[Insertion]) -> dict[str, int]:
    """Return where each insertion of one passage begins in the realized text.

    Args:
        insertions: all insertions of one passage, in any order.

    Returns:
        Start offset in code points by insertion id.
    """
    starts: dict[str, int] = {}
    shift = 0
    for added in _ordered(insertions):
        starts[added.id] = added.offset + shift
        shift += len(added.text)
    return starts


def realize(original: str, insertions: Sequence[Insertion]) -> str:
    """Return the passage text with every insertion in its place.

    Raises:
        ValueError: if an insertion lies outside the original text.
    """
    pieces: list[str] = []
    last = 0
    for added in _ordered(insertions):
        if added.offset > len(original):
            raise ValueError(
                f"insertion {added.id} at {added.offset} lies outside a text of {len(original)}"
            )
        pieces += (original[last : added.offset], added.text)
        last = added.offset
    pieces.append(original[last:])
    return "".join(pieces)


def restore(realized: str, insertions: Sequence[Insertion]) -> str:
    """Return the original text of a realized passage by deleting its insertions.

    Raises:
        ValueError: if the realized text does not hold an insertion where it should.
    """
    pieces: list[str] = []
    starts = insertion_starts(insertions)
    last = 0
    for added in _ordered(insertions):
        start = starts[added.id]
        end = start + len(added.text)
        if realized[start:end] != added.text:
            raise ValueError(f"insertion {added.id} is not at {start}..{end} of the text")
        pieces.append(realized[last:start])
        last = end
    pieces.append(realized[last:])
    return "".join(pieces)
