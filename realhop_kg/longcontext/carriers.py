"""Puts documents together to carriers of a wanted length, and cuts them into chunks.

Lengths are in words and punctuation marks, as everywhere in this package: the same on any machine,
without a tokenizer to download. The tokenizer of a model counts about a third more.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from realhop_kg.errors import InputError
from realhop_kg.longcontext.documents import Document
from realhop_kg.model.sentences import boundaries
from realhop_kg.model.text import Passage

__all__ = ["CHUNK", "Carrier", "Target", "chunks_of", "fit", "parse_target"]

CHUNK = 4_000
"""Code points of a chunk at most, where paragraphs and sentences allow it."""

_LEAST_CHUNKS = 40
"""A short carrier is cut into smaller chunks, so that every hop finds one of its own."""

_SLACK = 0.05
"""Share by which a carrier may miss its wanted length, since documents stay whole."""

_TARGET = re.compile(r"(\d+)(k?)(?:\s*[-:]\s*(\d+)(k?))?")


@dataclass(frozen=True, slots=True)
class Target:
    """The wanted length of carriers: between two numbers of tokens, drawn for each item."""

    least: int
    most: int

    def draw(self, rng: random.Random) -> int:
        """Return a length, drawn so that each doubling is as likely as any other."""
        return round(self.least * float((self.most / self.least) ** rng.random()))


def parse_target(text: str) -> Target:
    """Return the lengths that a text names: `50000`, `50k-500k`.

    Raises:
        InputError: if it is no number or range of numbers above zero.

    Examples:
        >>> parse_target("11k-575k")
        Target(least=11000, most=575000)
    """
    match = _TARGET.fullmatch(text.strip().casefold())
    if match is None:
        raise InputError(f"--target-tokens {text!r}: write a number or a range, as 50k or 50k-500k")
    least = int(match[1]) * (1000 if match[2] else 1)
    most = int(match[3]) * (1000 if match[4] else 1) if match[3] else least
    if not 0 < least <= most:
        raise InputError(f"--target-tokens {text!r}: the smaller number comes first, above zero")
    return Target(least, most)


@dataclass(frozen=True, slots=True)
class Carrier:
    """Documents that make one context.

    Attributes:
        documents: in their order.
        tokens: their sum.
    """

    documents: tuple[Document, ...]
    tokens: int


def fit(pool: Sequence[Document], target: int | None, rng: random.Random) -> Carrier | None:
    """Return documents of about a number of tokens, or None where the pool gives too few.

    Documents are taken in a drawn order, each whole: one that would make the carrier too long is
    passed over, so that it is trimmed and extended at the boundaries of documents only.

    Args:
        pool: all documents.
        target: wanted tokens; None takes the pool as it is, in its order.
        rng: seeded generator.
    """
    if target is None:
        return Carrier(tuple(pool), sum(each.tokens for each in pool))
    order = list(range(len(pool)))
    rng.shuffle(order)
    taken: list[Document] = []
    tokens = 0
    for at in order:
        if tokens + pool[at].tokens <= target * (1 + _SLACK):
            taken.append(pool[at])
            tokens += pool[at].tokens
            if tokens >= target * (1 - _SLACK):
                return Carrier(tuple(taken), tokens)
    return None


def chunks_of(carrier: Carrier, size: int = CHUNK) -> tuple[Passage, ...]:
    """Return a carrier as passages of about a size, a document's title above its first one.

    Chunks end where paragraphs do; a paragraph that is longer than a chunk is cut at the end of a
    sentence, and one without any stays whole. Joined by blank lines, chunks give the documents back
    but for those cuts inside paragraphs.

    Args:
        carrier: the documents.
        size: code points of a chunk at most, where the text allows it.
    """
    total = sum(len(each.text) for each in carrier.documents)
    size = max(200, min(size, total // _LEAST_CHUNKS))
    passages: list[Passage] = []
    for each in carrier.documents:
        title = each.title
        for text in _cut(each.text, size):
            passages.append(Passage(index=len(passages), title=title, text=text))
            title = ""
    return tuple(passages)


def _cut(text: str, size: int) -> Iterator[str]:
    held: list[str] = []
    length = 0
    for piece in _pieces(text, size):
        if held and length + len(piece) > size:
            yield "\n\n".join(held)
            held, length = [], 0
        held.append(piece)
        length += len(piece) + 2
    if held:
        yield "\n\n".join(held)


def _pieces(text: str, size: int) -> Iterator[str]:
    """Yield the paragraphs of a text, long ones cut after sentences."""
    for paragraph in text.split("\n\n"):
        if len(paragraph) <= size:
            yield paragraph
            continue
        start = last = 0
        for stop in boundaries(paragraph):
            if stop - start > size and last > start:
                yield paragraph[start:last].strip()
                start = last
            last = stop
        yield paragraph[start:].strip()
