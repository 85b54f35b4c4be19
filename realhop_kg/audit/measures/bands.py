"""Matched-length sensitivity: Control against Drop and Full on the 0 / 0.5 / 1 score.

Source: REALHOP, Appendix I.5 and Table 15.
"""

from __future__ import annotations

from collections.abc import Mapping

from realhop_kg.audit.estimand import Estimand, Ratio, Term, common_scale
from realhop_kg.audit.panel import Panel
from realhop_kg.model.run import Condition, Verdict

__all__ = ["BANDS", "banded", "within"]

BANDS: Mapping[str, float | None] = {"all": None, "25%": 0.25, "10%": 0.10, "5%": 0.05}
"""How far Control's removed length may differ from Drop's; `all` takes every feasible pair."""


def within(panel: Panel, item: str, target: str, band: float | None) -> bool:
    """Return whether a pair lies in a band: whole sentences, |L_control / L_drop - 1| <= band.

    L_drop is what the Drop removed in fact, closure included, in code points.
    """
    if band is None:
        return True
    control = panel.conditions.get((item, Condition.CONTROL, target))
    drop = panel.conditions.get((item, Condition.DROP, target))
    if control is None or drop is None or not control.whole_sentences or not drop.characters:
        return False
    # |c / d - 1| <= b without division, so that a pair on the edge counts on every machine.
    return 100 * abs(control.characters - drop.characters) <= round(100 * band) * drop.characters


def banded(panel: Panel, band: float | None = None) -> tuple[dict[str, Estimand], int]:
    """Return mean scores and differences over the pairs of a band, and the number of pairs.

    Condition means are averaged within a question and then over questions; scores of several
    trials are averaged per condition. A missing control is left out with its Drop.

    Returns:
        `band_full`, `band_control`, `band_drop`, `control_minus_drop`, `control_minus_full`.
    """
    judged = set(panel.full_judged(panel.trials))
    pairs = {
        item: tuple(
            target
            for target in panel.controlled(item, panel.trials)
            if within(panel, item, target, band)
        )
        for item in panel.items
        if item in judged
    }
    items = tuple(item for item, targets in pairs.items() if targets)
    # Scores are counted in halves, so a mean over t targets and k trials has denominator 2tk.
    scale = common_scale(len(pairs[item]) for item in items) * 2 * len(panel.trials)
    full = tuple(
        scale
        // (2 * len(panel.trials))
        * sum(_halves(panel.verdict(item, trial, Condition.FULL)) for trial in panel.trials)
        for item in items
    )

    def column(condition: Condition) -> tuple[int, ...]:
        return tuple(
            scale
            // (2 * len(panel.trials) * len(pairs[item]))
            * sum(
                _halves(panel.verdict(item, trial, condition, target))
                for trial in panel.trials
                for target in pairs[item]
            )
            for item in items
        )

    def mean(values: tuple[int, ...]) -> Estimand:
        return Estimand(items, (Term(1, Ratio(values, (scale,) * len(items))),))

    control, drop = mean(column(Condition.CONTROL)), mean(column(Condition.DROP))
    found = {
        "band_full": mean(full),
        "band_control": control,
        "band_drop": drop,
        "control_minus_drop": control.called("Control").minus(drop.called("Drop")),
        "control_minus_full": control.called("Control").minus(mean(full).called("Full")),
    }
    return found, sum(len(pairs[item]) for item in items)


def _halves(verdict: Verdict | None) -> int:
    return 0 if verdict is None else verdict.halves
