"""Paired Full accuracy of one model on both sides, on the questions judged on both."""

from __future__ import annotations

from realhop_kg.audit.estimand import Estimand
from realhop_kg.audit.measures.full import full
from realhop_kg.audit.panel import Panel

__all__ = ["paired_accuracy"]


def paired_accuracy(source: Panel, constructed: Panel) -> dict[str, Estimand]:
    """Return accuracy on either side and constructed minus source, on the model's own paired n.

    Source: REALHOP, Appendix E and Table 8.
    """
    there = set(constructed.full_judged(constructed.trials))
    items = tuple(item for item in source.full_judged(source.trials) if item in there)
    before, after = full(source, items), full(constructed, items)
    return {
        "paired_source": before,
        "paired_constructed": after,
        "paired_difference": after.called("constructed").minus(before.called("source")),
    }
