"""Exact McNemar test: whether two conditions differ on the same questions."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import comb

from realhop_kg.model.record import Record

__all__ = ["McNemar", "mcnemar"]


class McNemar(Record):
    """Discordant pairs and the exact two-sided p-value."""

    only_first: int
    """Right under the first condition only."""
    only_second: int
    p: float


def mcnemar(first: Sequence[bool], second: Sequence[bool]) -> McNemar:
    """Compare two paired outcomes by the exact binomial test on discordant pairs.

    Args:
        first: whether each question was right under the first condition.
        second: the same questions under the second.

    Source: McNemar, Psychometrika 1947; REALHOP, Appendix F.

    Examples:
        >>> mcnemar([True] * 6 + [False], [False] * 6 + [True]).p
        0.125
    """
    pairs = list(zip(first, second, strict=True))
    one = sum(a and not b for a, b in pairs)
    two = sum(b and not a for a, b in pairs)
    n = one + two
    tail = sum(comb(n, k) for k in range(min(one, two) + 1))
    p = min(Fraction(1), Fraction(2 * tail, 2**n))
    return McNemar(only_first=one, only_second=two, p=float(p))
