"""Passages cut into pieces, so that a page can mark what was inserted."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import pairwise

from realhop_kg.model.text import Passage
from realhop_kg.view.chains import Chains, Fact, Part

__all__ = ["Marked", "Piece", "marked_passages"]


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of a passage."""

    text: str
    parts: tuple[str, ...] = ()
    """Ids of the facts and premises written here; none for original text."""
    fact: Fact | None = None
    """The first fact written here."""


@dataclass(frozen=True, slots=True)
class Marked:
    """A passage, in pieces."""

    index: int
    title: str
    is_support: bool
    hops: tuple[int, ...]
    """Hops whose Drop removes it."""
    pieces: tuple[Piece, ...] = field(default_factory=tuple)

    @property
    def is_host(self) -> bool:
        """Whether something was inserted."""
        return any(piece.parts for piece in self.pieces)


def marked_passages(
    passages: Iterable[Passage], chains: Chains, dropped: dict[int, tuple[str, ...]]
) -> tuple[Marked, ...]:
    """Return the passages of an item with the spans of its facts.

    Args:
        passages: as they are realized.
        chains: its facts and their spans.
        dropped: by hop, the ids of the passages that its Drop removes.
    """
    spans: dict[int, list[tuple[int, int, Fact, Part]]] = {}
    for fact in chains.facts.values():
        for part in fact.parts:
            for span in part.spans:
                spans.setdefault(span.passage, []).append((span.start, span.end, fact, part))
    return tuple(
        Marked(
            index=passage.index,
            title=passage.title,
            is_support=passage.is_support,
            hops=tuple(hop for hop, ids in dropped.items() if f"p{passage.index}" in ids),
            pieces=tuple(_pieces(passage.text, spans.get(passage.index, ()))),
        )
        for passage in passages
    )


def _pieces(text: str, spans: Iterable[tuple[int, int, Fact, Part]]) -> Iterable[Piece]:
    """Yield the text cut wherever a span begins or ends; spans may overlap."""
    spans = [span for span in spans if 0 <= span[0] < span[1] <= len(text)]
    cuts = sorted({0, len(text), *(at for start, end, _, _ in spans for at in (start, end))})
    for start, end in pairwise(cuts):
        over = [(fact, part) for low, high, fact, part in spans if low <= start and end <= high]
        fact = over[0][0] if over else None
        yield Piece(text[start:end], tuple(part.id for _, part in over), fact)
