"""Ranks the pages that a walk may go to next by how well they go on from where it is."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Protocol

__all__ = ["Bm25Coherence", "Coherence", "EmbeddingCoherence", "PageText"]

_WORD = re.compile(r"[^\W_]{2,}")
_COMMON_WORDS = (
    "the of and in to is was as for by on with that are it from at an or which his her its be were "
    "has this also not have he she they their been one but other had can"
)
_COMMON = frozenset(_COMMON_WORDS.split())
_K1, _B = 1.2, 0.75


class PageText(Protocol):
    """A page as a ranking sees it."""

    @property
    def title(self) -> str:
        """Title of the page."""
        ...

    @property
    def lead(self) -> str:
        """Its opening paragraphs."""
        ...


class Coherence(Protocol):
    """Orders candidates, the most coherent first; a model's ranking is one more of these."""

    @property
    def name(self) -> str:
        """What a manifest calls it."""
        ...

    def rank(self, page: PageText, candidates: Sequence[PageText], top: int) -> list[int]:
        """Return the places of the most coherent candidates, best first.

        Args:
            page: where the walk is.
            candidates: where it may go.
            top: how many to return at most.
        """
        ...


class Bm25Coherence:
    """Similarity of opening paragraphs by BM25 over the candidates of the step.

    Robertson and Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond", 2009.
    """

    name = "bm25"

    def rank(self, page: PageText, candidates: Sequence[PageText], top: int) -> list[int]:
        """Return the places of the most similar candidates; equal ones in the order given."""
        texts = [_words(candidate) for candidate in candidates]
        mean = sum(text.total() for text in texts) / (len(texts) or 1) or 1.0
        holding = Counter(word for text in texts for word in text)
        query = sorted(_words(page).keys() & holding.keys())
        weights = {
            word: math.log(1 + (len(texts) - holding[word] + 0.5) / (holding[word] + 0.5))
            for word in query
        }

        def score(text: Counter[str]) -> float:
            norm = _K1 * (1 - _B + _B * text.total() / mean)
            found = (word for word in query if word in text)
            # Rounded, so that the last bits of a sum never decide.
            return round(
                sum(weights[word] * text[word] * (_K1 + 1) / (text[word] + norm) for word in found),
                9,
            )

        return _best([score(text) for text in texts], top)


def _words(page: PageText) -> Counter[str]:
    words = _WORD.findall(f"{page.title} {page.lead}".casefold())
    return Counter(word for word in words if word not in _COMMON)


class EmbeddingCoherence:
    """Inner product of vectors that a function of the user's gives for texts."""

    def __init__(self, encode: Callable[[list[str]], Sequence[Sequence[float]]], name: str) -> None:
        self._encode = encode
        self.name = name

    def rank(self, page: PageText, candidates: Sequence[PageText], top: int) -> list[int]:
        """Return the places of the nearest candidates; equal ones in the order given."""
        texts = [f"{one.title}. {one.lead}" for one in (page, *candidates)]
        own, *others = self._encode(texts)
        products = [math.fsum(a * b for a, b in zip(own, other, strict=True)) for other in others]
        return _best([round(product, 6) for product in products], top)


def _best(scores: Sequence[float], top: int) -> list[int]:
    return sorted(range(len(scores)), key=lambda place: (-scores[place], place))[:top]
