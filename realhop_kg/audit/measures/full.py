"""Full accuracy: the share of questions answered correctly with the whole context."""

from __future__ import annotations

from collections.abc import Sequence

from realhop_kg.audit.estimand import Estimand, Ratio, Term
from realhop_kg.audit.panel import Panel
from realhop_kg.model.run import Condition

__all__ = ["full"]


def full(panel: Panel, items: Sequence[str] | None = None) -> Estimand:
    """Return Full accuracy, averaged over trials where there are several (Avg@k).

    Args:
        panel: the scores.
        items: the questions, or None for the panel's own: all judged ones of a single run, the
            complete ones of a trial panel.

    Source: REALHOP, section 3.2 and Appendix I.4.
    """
    chosen = tuple(panel.population() if items is None else items)
    each = (1,) * len(chosen)
    terms = tuple(
        Term(
            1,
            Ratio(tuple(int(panel.correct(item, trial, Condition.FULL)) for item in chosen), each),
            f"trial {trial}",
        )
        for trial in panel.trials
    )
    return Estimand(chosen, terms, divisor=len(panel.trials))
