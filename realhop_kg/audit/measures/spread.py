"""Spread: how far the best and the worst model of a panel lie apart."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

__all__ = ["displayed", "spread"]


def displayed(percent: float | Fraction) -> Fraction:
    """Return a percentage as tables show it, with one decimal, as an exact number."""
    return Fraction(f"{float(percent):.1f}")


def spread(percents: Sequence[float | Fraction]) -> float:
    """Return the range of the displayed scores, in points.

    Args:
        percents: one score per model, in percent.

    Raises:
        ValueError: if there are none.

    Source: REALHOP, Table 2 ("the range of displayed scores across models").

    Examples:
        >>> spread([58.32, 72.24, 70.4])
        13.9
    """
    shown = [displayed(percent) for percent in percents]
    if not shown:
        raise ValueError("a spread needs at least one score")
    return float(max(shown) - min(shown))
