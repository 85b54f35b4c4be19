"""Ranks of models: competition ranking on unrounded scores, and the change between two boards."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

__all__ = ["rank_changes", "ranks"]


def ranks(scores: Mapping[str, float | Fraction]) -> dict[str, int]:
    """Return the rank of each model, the best 1; equal scores share the better rank (1, 2, 2, 4).

    Give unrounded scores, as fractions where they come from counts.

    Examples:
        >>> ranks({"a": 0.5, "b": 0.9, "c": 0.5, "d": 0.1})
        {'a': 2, 'b': 1, 'c': 2, 'd': 4}
    """
    return {
        model: 1 + sum(other > score for other in scores.values())
        for model, score in scores.items()
    }


def rank_changes(before: Mapping[str, int], after: Mapping[str, int]) -> dict[str, int]:
    """Return how many ranks each model gains (positive) or loses, for models on both boards."""
    return {model: before[model] - after[model] for model in before if model in after}
