"""Random-window masks: whether an answer survives the loss of any fifth of the context.

Source: REALHOP, Appendix H (Tables 11 and 12).
"""

from __future__ import annotations

from realhop_kg.audit.estimand import Estimand, Ratio, Term
from realhop_kg.audit.panel import Panel
from realhop_kg.model.run import Condition

__all__ = ["SINGLE_LOCATION", "masks"]

SINGLE_LOCATION = 0.8**3
"""All-mask survival of a question that depends on one location, under three 20 % windows."""


def masks(panel: Panel) -> dict[str, Estimand]:
    """Return the figures of the mask probe.

    Fixed figures divide by all masked questions and take a missing answer as not correct, which
    the report says beside them; paired ones use questions with Full and every mask judged.

    Returns:
        `mask_full_fixed`, `mask_fixed`, `mask_difference_fixed` (masked minus Full),
        `mask_full_paired`, `mask_paired`, `mask_difference` (paired), `all_mask_survival` (of
        Full-correct questions), `flips_to_wrong` (of masks of Full-correct questions) and
        `flips_to_right` (over all masks); empty where nothing was masked.
    """
    windows: dict[str, list[str]] = {}
    for item, target in panel.asked(Condition.MASK):
        windows.setdefault(item, []).append(target)
    if not windows:
        return {}
    sizes = {len(found) for found in windows.values()}
    if len(sizes) > 1:
        raise ValueError("every question of a mask probe has the same number of windows")
    complete = {
        item: found
        for item, found in windows.items()
        if all(
            panel.verdict(item, trial, Condition.FULL) is not None
            and all(panel.verdict(item, trial, Condition.MASK, mask) is not None for mask in found)
            for trial in panel.trials
        )
    }
    fixed, paired = _Masked(panel, windows), _Masked(panel, complete)
    return {
        "mask_full_fixed": fixed.full(),
        "mask_fixed": fixed.masked(),
        "mask_difference_fixed": fixed.difference(),
        "mask_full_paired": paired.full(),
        "mask_paired": paired.masked(),
        "mask_difference": paired.difference(),
        "all_mask_survival": paired.survival(),
        "flips_to_wrong": paired.to_wrong(),
        "flips_to_right": paired.to_right(),
    }


class _Masked:
    """Counts over one population of masked questions."""

    def __init__(self, panel: Panel, windows: dict[str, list[str]]) -> None:
        self._items = tuple(windows)
        self._trials = panel.trials
        self._each = (1,) * len(windows)
        size = max((len(found) for found in windows.values()), default=1)
        self._size = (size,) * len(windows)
        self._full = [
            tuple(int(panel.correct(item, trial, Condition.FULL)) for item in windows)
            for trial in panel.trials
        ]
        self._right = [
            tuple(
                sum(panel.correct(item, trial, Condition.MASK, mask) for mask in found)
                for item, found in windows.items()
            )
            for trial in panel.trials
        ]

    def _mean(self, ratios: list[Ratio], n: int | None = None) -> Estimand:
        terms = tuple(
            Term(1, each, f"trial {trial}")
            for trial, each in zip(self._trials, ratios, strict=True)
        )
        return Estimand(self._items, terms, len(self._trials), n=n)

    def full(self) -> Estimand:
        return self._mean([Ratio(full, self._each) for full in self._full])

    def masked(self) -> Estimand:
        return self._mean([Ratio(right, self._size) for right in self._right])

    def difference(self) -> Estimand:
        return self.masked().called("masked").minus(self.full().called("Full"))

    def _answered(self) -> int:
        return sum(map(any, zip(*self._full, strict=True)))

    def survival(self) -> Estimand:
        ratios = [
            Ratio(
                tuple(int(f and r == s) for f, r, s in zip(full, right, self._size, strict=True)),
                full,
            )
            for full, right in zip(self._full, self._right, strict=True)
        ]
        return self._mean(ratios, self._answered())

    def to_wrong(self) -> Estimand:
        ratios = [
            Ratio(
                tuple(f * (s - r) for f, r, s in zip(full, right, self._size, strict=True)),
                tuple(f * s for f, s in zip(full, self._size, strict=True)),
            )
            for full, right in zip(self._full, self._right, strict=True)
        ]
        return self._mean(ratios, self._answered())

    def to_right(self) -> Estimand:
        ratios = [
            Ratio(tuple((1 - f) * r for f, r in zip(full, right, strict=True)), self._size)
            for full, right in zip(self._full, self._right, strict=True)
        ]
        return self._mean(ratios)
