"""The area under the ROC curve, exactly, with ties and under resampling of whole items."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import groupby
from operator import add, mul

from realhop_kg.quality.resamples import ONCE, unpacked

__all__ = ["Ranking", "SideBySide"]

_Cells = list[tuple[int, int]]
"""Items, each with its number of sentences."""


class Ranking:
    """How well scores tell gold from the rest over all sentences of all items.

    The area is the chance that a gold sentence scores above another one, a tie counting half.
    It is computed in integers, so its value does not depend on order or machine.
    """

    def __init__(self, scores: Sequence[int], gold: Sequence[int], items: Sequence[int]) -> None:
        """Sort what there is to compare.

        Args:
            scores: score of each sentence; higher means more like gold.
            gold: 1 for a gold sentence, else 0.
            items: number of the item of each sentence, from 0.
        """
        self._items = max(items, default=-1) + 1
        self._levels: list[tuple[_Cells, _Cells]] = []
        counted = Counter(zip(scores, items, gold, strict=True))
        cells = sorted((-score, item, kind, n) for (score, item, kind), n in counted.items())
        for _, level in groupby(cells, key=lambda cell: cell[0]):
            self._append(level)

    def _append(self, level: Iterable[tuple[int, int, int, int]]) -> None:
        """Add a level of equal scores, to the one above it where both are of the same one class."""
        right: _Cells = []
        wrong: _Cells = []
        for _, item, is_gold, times in level:
            (right if is_gold else wrong).append((item, times))
        last = self._levels[-1] if self._levels else ([], [])
        if not (right and wrong) and (bool(right), bool(wrong)) == tuple(map(bool, last)):
            last[0].extend(right)
            last[1].extend(wrong)
        else:
            self._levels.append((right, wrong))

    def auc(self) -> float | None:
        """Return the area, or None if one of the two classes is absent."""
        return self.aucs([ONCE] * self._items, 1)[0]

    def aucs(self, lanes: Sequence[int], count: int) -> list[float | None]:
        """Return the area in each resample.

        Args:
            lanes: how often each item was drawn, as `resamples.drawn` gives it.
            count: number of resamples.
        """
        above, others, twice = 0, 0, [0] * count
        for right, wrong in self._levels:
            gold = _total(right, lanes)
            if wrong:
                rest = _total(wrong, lanes)
                others += rest
                # Gold above counts for two halves, gold of the same score for one.
                beaten = unpacked(2 * above + gold, count)
                twice = list(map(add, twice, map(mul, unpacked(rest, count), beaten)))
            above += gold
        pairs = map(mul, unpacked(above, count), unpacked(others, count))
        return [_share(wins, 2 * of) for wins, of in zip(twice, pairs, strict=True)]


def _total(cells: _Cells, lanes: Sequence[int]) -> int:
    """Return the sum over some sentences, in lanes."""
    return sum(lanes[item] * times for item, times in cells)


def _share(part: int, whole: int) -> float | None:
    return part / whole if whole else None


class SideBySide:
    """How often gold scores above a competitor of its own item, hop and part; ties count half."""

    def __init__(
        self,
        scores: Sequence[int],
        gold: Sequence[int],
        items: Sequence[int],
        sets: Sequence[int],
    ) -> None:
        """Count the pairs of each item; arguments as for `Ranking`.

        Args:
            scores: score of each sentence.
            gold: 1 for a gold sentence, else 0.
            items: number of the item of each sentence, from 0.
            sets: number of its hop and part: sentences that could stand for each other share it.
        """
        count = max(items, default=-1) + 1
        self._twice, self._pairs = [0] * count, [0] * count
        rivals: dict[tuple[int, int], tuple[list[int], list[int]]] = {}
        for score, is_gold, item, part in zip(scores, gold, items, sets, strict=True):
            rivals.setdefault((item, part), ([], []))[1 - is_gold].append(score)
        for (item, _), (right, wrong) in rivals.items():
            self._twice[item] += sum(
                (one > other) + (one >= other) for one in right for other in wrong
            )
            self._pairs[item] += len(right) * len(wrong)

    def auc(self) -> float | None:
        """Return the share of pairs, or None if there is no pair."""
        return self.aucs([ONCE] * len(self._pairs), 1)[0]

    def aucs(self, lanes: Sequence[int], count: int) -> list[float | None]:
        """Return the share in each resample; arguments as for `Ranking.aucs`."""
        wins = unpacked(sum(map(mul, lanes, self._twice)), count)
        pairs = unpacked(sum(map(mul, lanes, self._pairs)), count)
        return [_share(won, 2 * of) for won, of in zip(wins, pairs, strict=True)]
