"""Naive Bayes on integer counts, cross-validated: the same scores on every machine."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Hashable, Mapping, Sequence

__all__ = ["SCALE", "Feature", "Signature", "fold_scores", "weights"]

Feature = tuple[str, Hashable]
"""Field and value."""

Signature = tuple[Feature, ...]
"""What is seen of a sentence; a field may have several values."""

SCALE = 1000
"""Units of a score per natural-log unit: sums of integers do not depend on order or machine."""

Counts = Mapping[Feature, int]


def weights(gold: Counts, others: Counts) -> dict[Feature, int]:
    """Return the log odds of every feature that was counted, smoothed, in 1/SCALE.

    Each field is a multinomial of its own, so that one with many values does not drown others.
    One more sight of each feature is assumed, shared out as the classes are: so a feature that is
    as common in both says nothing, and a rare one says little.

    Args:
        gold: how often each feature stands with gold.
        others: how often it stands with the rest.
    """
    right, wrong = _totals(gold), _totals(others)
    found = {}
    for feature in {**gold, **others}:
        here, there = right[feature[0]], wrong[feature[0]]
        up = (gold.get(feature, 0) * (here + there) + here) * there
        down = (others.get(feature, 0) * (here + there) + there) * here
        # A field that one class lacks altogether says nothing.
        found[feature] = round(SCALE * math.log(up / down)) if up and down else 0
    return found


def _totals(counts: Counts) -> Counter[str]:
    """Return the sights of each field."""
    total: Counter[str] = Counter()
    for (field, _), times in counts.items():
        total[field] += times
    return total


def fold_scores(
    signatures: Sequence[Signature],
    seen: Mapping[tuple[int, int, int], int],
    folds: int,
) -> dict[tuple[int, int], int]:
    """Return the score of each signature in each fold, by what the other folds hold.

    Args:
        signatures: the distinct signatures.
        seen: number of sentences by (signature, fold, 1 if gold).
        folds: number of folds.
    """
    counts = [(Counter[Feature](), Counter[Feature]()) for _ in range(folds)]
    for (signature, fold, is_gold), times in seen.items():
        for feature in signatures[signature]:
            counts[fold][1 - is_gold][feature] += times
    whole = [sum((fold[side] for fold in counts), Counter()) for side in (0, 1)]
    scores: dict[tuple[int, int], int] = {}
    for fold in range(folds):
        rest = [whole[side] - counts[fold][side] for side in (0, 1)]
        odds = weights(rest[0], rest[1])
        for signature in {signature for signature, at, _ in seen if at == fold}:
            features = signatures[signature]
            # What the other folds do not hold says nothing.
            scores[signature, fold] = sum(odds.get(feature, 0) for feature in features)
    return scores
