"""Behavioral Necessity Rate: how often removing one hop's evidence prevents the gold answer.

BNR = mean over items with F_i = 1 and complete Drops of the mean over h of (1 - D_ih).
Source: REALHOP, Equation 1; per trial and then the arithmetic mean over trials, Appendix I.4.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from realhop_kg.audit.estimand import Estimand
from realhop_kg.audit.itemmacro import item_macro
from realhop_kg.audit.panel import Panel
from realhop_kg.model.run import Condition

__all__ = ["bnr", "bnr_where"]


def bnr(panel: Panel, items: Sequence[str] | None = None) -> Estimand:
    """Return the BNR of a panel.

    Args:
        panel: the scores.
        items: the questions, or None for all with complete Drops in every trial.
    """
    return bnr_where(panel, lambda item, trial: panel.correct(item, trial, Condition.FULL), items)


def bnr_where(
    panel: Panel,
    counts: Callable[[str, int], bool],
    items: Sequence[str] | None = None,
    population: str = "Full-correct",
) -> Estimand:
    """Return Equation 1 over the (item, trial) for which `counts` holds."""
    chosen = panel.complete(panel.trials) if items is None else items
    targets = {item: panel.targets[item] for item in chosen}
    return item_macro(
        panel, Condition.DROP, targets, counts=counts, wrong=True, population=population
    )
