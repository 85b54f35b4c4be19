"""Spearman's rank correlation with average ranks for ties."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import sqrt

__all__ = ["spearman"]


def spearman(first: Sequence[float | Fraction], second: Sequence[float | Fraction]) -> float | None:
    """Return the correlation of two scorings of the same models, or None if one is constant.

    Raises:
        ValueError: if the lengths differ.

    Examples:
        >>> spearman([1, 2, 3], [10, 30, 20])
        0.5
    """
    if len(first) != len(second):
        raise ValueError(f"{len(first)} scores on one board and {len(second)} on the other")
    one, two = _average_ranks(first), _average_ranks(second)
    middle = Fraction(len(one) + 1, 2)
    a = [rank - middle for rank in one]
    b = [rank - middle for rank in two]
    spread = sum((x * x for x in a), Fraction()) * sum((y * y for y in b), Fraction())
    if not spread:
        return None
    return float(sum((x * y for x, y in zip(a, b, strict=True)), Fraction())) / sqrt(spread)


def _average_ranks(scores: Sequence[float | Fraction]) -> list[Fraction]:
    below = [sum(other < score for other in scores) for score in scores]
    same = [sum(other == score for other in scores) for score in scores]
    return [Fraction(2 * b + s + 1, 2) for b, s in zip(below, same, strict=True)]
