"""Avg@k: the arithmetic mean of trial-level values, and the mean over models."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import TypeVar

__all__ = ["avg_at_k"]

Number = TypeVar("Number", float, Fraction)


def avg_at_k(values: Sequence[Number]) -> Number:
    """Return the arithmetic mean: no majority vote, no best trial, no threshold on an average.

    Give fractions where the result is ranked, so that ties are ties.

    Raises:
        ValueError: if there are no values.

    Source: REALHOP, Table 2 and Appendix I.4; over models, Table 1.
    """
    if not values:
        raise ValueError("a mean needs at least one value")
    total = values[0]
    for value in values[1:]:
        total += value
    return total / len(values)
