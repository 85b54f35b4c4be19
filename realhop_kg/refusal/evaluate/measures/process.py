"""What search runs do once the evidence is there: coverage, PTOS@>0, PTTW, EIFR.

Source: HopRefusalBench: E are the search runs that are not SEH and met sufficient evidence, V the
part of E to which documents showed it first, O the part that searched on. The paper's text does
not give the denominator of EIFR; V is inferred, since what is ignored must have been shown.
"""

from __future__ import annotations

from collections.abc import Sequence

from realhop_kg.audit.estimand import Estimand
from realhop_kg.model.trajectory import State
from realhop_kg.refusal.evaluate.outcomes import Outcome, share
from realhop_kg.refusal.evaluate.timeline import MeasureSettings

__all__ = ["eifr", "evidence_coverage", "ptos", "pttw"]


def evidence_coverage(outcomes: Sequence[Outcome]) -> Estimand:
    """Return the share of runs that are not SEH in which sufficient evidence was met."""
    return share(outcomes, lambda each: each.state is not State.SEH, lambda each: each.exposed)


def ptos(outcomes: Sequence[Outcome]) -> Estimand:
    """Return the share of exposed runs with a tool call after the accounting turn (PTOS@>0)."""
    return share(outcomes, lambda each: each.exposed, lambda each: each.calls_after > 0)


def pttw(outcomes: Sequence[Outcome]) -> Estimand:
    """Return the mean number of post-trigger tokens of exposed runs, zeros kept."""
    return share(outcomes, lambda each: each.exposed, lambda each: each.tokens_after)


def eifr(outcomes: Sequence[Outcome], settings: MeasureSettings) -> Estimand:
    """Return the share of runs shown the evidence that answer all the same."""
    if settings.eifr_over == "exposed":
        return share(outcomes, lambda each: each.exposed, lambda each: each.state is State.SHD)
    return share(outcomes, lambda each: each.shown, lambda each: each.state is State.SHD)
