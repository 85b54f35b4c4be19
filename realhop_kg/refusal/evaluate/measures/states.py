"""Shares of states, and the target-aware share of refusals.

Source: HopRefusalBench: TCHR, SHDR, SEHR and their siblings are |B_s| / N; cTCHR is
TACH / (TACH + PPH + URH + WRH).
"""

from __future__ import annotations

from collections.abc import Sequence

from realhop_kg.audit.estimand import Estimand
from realhop_kg.model.trajectory import REFUSALS, State
from realhop_kg.refusal.evaluate.outcomes import Outcome, share

__all__ = ["RATES", "conditional_tchr", "state_rate"]

RATES = {
    "tchr": State.TACH,
    "shdr": State.SHD,
    "sehr": State.SEH,
    "pphr": State.PPH,
    "wrhr": State.WRH,
    "urhr": State.URH,
}
"""State by name of its rate."""


def state_rate(outcomes: Sequence[Outcome], state: State) -> Estimand:
    """Return the share of questions that end in a state."""
    return share(outcomes, lambda each: True, lambda each: each.state is state)


def conditional_tchr(outcomes: Sequence[Outcome]) -> Estimand:
    """Return the target-aware share of refusal-like outcomes; undefined without any."""
    return share(
        outcomes, lambda each: each.state in REFUSALS, lambda each: each.state is State.TACH
    )
