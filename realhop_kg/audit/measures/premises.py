"""Premise necessity: how often removing one premise of a split fact prevents the answer (ours)."""

from __future__ import annotations

from realhop_kg.audit.estimand import Estimand
from realhop_kg.audit.itemmacro import all_judged, item_macro
from realhop_kg.audit.panel import Panel
from realhop_kg.model.run import Condition

__all__ = ["premise_necessity"]


def premise_necessity(panel: Panel) -> Estimand | None:
    """Return Equation 1 with premises in the place of hops, or None where none was dropped."""
    if not panel.asked(Condition.DROP_PREMISE):
        return None
    judged = all_judged(panel, Condition.DROP_PREMISE)
    there = set(panel.full_judged(panel.trials))
    return item_macro(
        panel,
        Condition.DROP_PREMISE,
        {item: targets for item, targets in judged.items() if item in there},
        counts=lambda item, trial: panel.correct(item, trial, Condition.FULL),
        wrong=True,
    )
