"""Closed-book recall: how often the question alone is enough (ours; a probe, no part of BNR)."""

from __future__ import annotations

from realhop_kg.audit.estimand import Estimand
from realhop_kg.audit.itemmacro import all_judged, item_macro
from realhop_kg.audit.panel import Panel
from realhop_kg.model.run import Condition

__all__ = ["closed_book"]


def closed_book(panel: Panel) -> Estimand | None:
    """Return accuracy without any context, or None where it was not asked."""
    if not panel.asked(Condition.CLOSED_BOOK):
        return None
    judged = all_judged(panel, Condition.CLOSED_BOOK)
    return item_macro(panel, Condition.CLOSED_BOOK, judged)
