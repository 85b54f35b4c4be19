"""Drop and Control survival: how often a right Full answer survives either deletion.

Source: REALHOP, Appendix B and Table 5.
"""

from __future__ import annotations

from realhop_kg.audit.estimand import Estimand
from realhop_kg.audit.itemmacro import item_macro
from realhop_kg.audit.panel import Panel
from realhop_kg.model.run import Condition

__all__ = ["survival"]


def survival(panel: Panel, condition: Condition) -> Estimand:
    """Return survival under Drop or Control, on the same Full-correct items and targets.

    A target counts where Drop and Control both have verdicts, so that the two are compared over
    one population.
    """
    paired = {
        item: panel.controlled(item, panel.trials) for item in panel.full_judged(panel.trials)
    }
    return item_macro(
        panel,
        condition,
        {item: targets for item, targets in paired.items() if targets},
        counts=lambda item, trial: panel.correct(item, trial, Condition.FULL),
    )
