"""Drop-one and Control accuracy over all audited questions, not conditioned on Full.

Source: REALHOP, Table 1.
"""

from __future__ import annotations

from realhop_kg.audit.estimand import Estimand
from realhop_kg.audit.itemmacro import item_macro
from realhop_kg.audit.panel import Panel
from realhop_kg.model.run import Condition

__all__ = ["control", "drop_one"]


def drop_one(panel: Panel) -> Estimand:
    """Return accuracy after the removal of one target, over all items with complete Drops."""
    targets = {item: panel.targets[item] for item in panel.complete(panel.trials)}
    return item_macro(panel, Condition.DROP, targets)


def control(panel: Panel) -> Estimand:
    """Return accuracy after the removal of matched background, over all items that have one."""
    targets = {item: panel.controlled(item, panel.trials) for item in panel.items}
    there = {item: found for item, found in targets.items() if found}
    return item_macro(panel, Condition.CONTROL, there)
