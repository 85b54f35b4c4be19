"""Counts tokens the same way on any machine: words and single punctuation marks.

Budgets of controls and windows of masks are counted so, whatever model is asked: they must be the
same for all models, and frozen.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from functools import cached_property

__all__ = ["TokenPlaces", "count_tokens", "token_ends"]

_TOKEN = re.compile(r"\w+|[^\w\s]")


def count_tokens(text: str) -> int:
    """Return the number of tokens of a text.

    Examples:
        >>> count_tokens("St. Orm's mill (1911)")
        9
    """
    return sum(1 for _ in _TOKEN.finditer(text))


def token_ends(text: str) -> list[int]:
    """Return where each token of a text ends, in code points."""
    return [match.end() for match in _TOKEN.finditer(text)]


class TokenPlaces:
    """Where the tokens of one text stand, found once for all questions about it."""

    def __init__(self, text: str) -> None:
        self._text = text

    @cached_property
    def starts(self) -> list[int]:
        """Start of each token, in code points."""
        return [match.start() for match in _TOKEN.finditer(self._text)]

    def between(self, start: int, end: int) -> int:
        """Return how many tokens begin in a range; of adjoining ranges the numbers add up."""
        return bisect_left(self.starts, end) - bisect_left(self.starts, start)
