"""Areas under the ROC curve with their intervals, one for each group of features."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from realhop_kg.model.record import Record
from realhop_kg.quality.features import GROUPS, PARTS
from realhop_kg.quality.ranking import Ranking, SideBySide
from realhop_kg.quality.resamples import drawn, percentile

__all__ = ["DIGITS", "RESAMPLES", "Figure", "figures"]

RESAMPLES = 1000

_Measure = Ranking | SideBySide

_INTERVAL = (0.025, 0.975)
DIGITS = 4


class Figure(Record):
    """How well one group of features tells gold from competitors: 0.5 is not at all."""

    auc: float | None
    """Over all sentences: the chance that a gold one ranks above a competitor; ties half."""
    low: float | None
    """Lower end of the 95 % interval: percentile bootstrap over whole items."""
    high: float | None
    side_by_side: float | None
    """The same over pairs of one item, hop and part only: what stands for each other there."""
    side_by_side_low: float | None
    side_by_side_high: float | None


def figures(
    scores: Mapping[str, Sequence[int]],
    gold: Sequence[int],
    items: Sequence[int],
    sets: Sequence[int],
    seed: int,
) -> dict[str, Figure]:
    """Return the figures of each group of features.

    Args:
        scores: score of each sentence, by part of the features.
        gold: 1 for a gold sentence, else 0.
        items: number of the item of each sentence, from 0 without gaps.
        sets: number of its hop and part.
        seed: of the resamples, which all groups share.
    """
    measures: dict[str, tuple[_Measure, _Measure]] = {}
    for group, parts in GROUPS.items():
        columns = ([PARTS[part] * score for score in scores[part]] for part in parts)
        summed = [sum(some) for some in zip(*columns, strict=True)]
        measures[group] = Ranking(summed, gold, items), SideBySide(summed, gold, items, sets)
    areas: dict[str, tuple[list[float], list[float]]] = {group: ([], []) for group in measures}
    for count, lanes in drawn(max(items) + 1, RESAMPLES, seed):
        for group, pair in measures.items():
            for kept, measure in zip(areas[group], pair, strict=True):
                # A resample without one of the classes has no area.
                kept += (area for area in measure.aucs(lanes, count) if area is not None)
    return {group: _figure(*pair, *areas[group]) for group, pair in measures.items()}


def _figure(overall: _Measure, beside: _Measure, areas: list[float], shares: list[float]) -> Figure:
    auc, low, high = _rounded(overall.auc(), areas)
    share, share_low, share_high = _rounded(beside.auc(), shares)
    return Figure(
        auc=auc,
        low=low,
        high=high,
        side_by_side=share,
        side_by_side_low=share_low,
        side_by_side_high=share_high,
    )


def _rounded(
    value: float | None, resampled: list[float]
) -> tuple[float | None, float | None, float | None]:
    if value is None or not resampled:
        return None, None, None
    ordered = sorted(resampled)
    low, high = (round(percentile(ordered, share), DIGITS) for share in _INTERVAL)
    return round(value, DIGITS), low, high
