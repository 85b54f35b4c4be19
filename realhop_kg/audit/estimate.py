"""Counts what an audit would ask, before anything is asked."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from realhop_kg.audit.auditable import Auditable
from realhop_kg.audit.plan import AuditSettings, plan_item
from realhop_kg.audit.tokens import count_tokens
from realhop_kg.model.record import Record

__all__ = ["AuditEstimate", "estimate_audit"]


class AuditEstimate(Record):
    """Prompts of a run: (1 + drops + controls + ...) x trials x models."""

    items: int
    """Questions, each side counted."""
    contexts: dict[str, int]
    """Feasible contexts by condition, ablations counted too."""
    infeasible: int
    models: int
    trials: int
    prompts: int
    tokens: int
    """Words and punctuation marks of all contexts and questions, for all models and trials; a
    model's own tokens are about a third more in English."""


def estimate_audit(items: Iterable[Auditable], settings: AuditSettings) -> AuditEstimate:
    """Plan every context and count; nothing is asked or stored.

    Args:
        items: the questions.
        settings: of the run.
    """
    contexts: Counter[str] = Counter()
    infeasible = tokens = count = 0
    for item in items:
        count += 1
        whole = len(item.context.tokens.starts)
        asked = count_tokens(item.question)
        for removal in plan_item(item, settings):
            if not removal.feasible:
                infeasible += 1
                continue
            contexts[removal.condition.value] += 1
            gone = sum(item.context.tokens.between(*each) for each in removal.ranges)
            tokens += whole - gone + asked
    times = len(settings.models) * settings.trials
    return AuditEstimate(
        items=count,
        contexts=dict(contexts),
        infeasible=infeasible,
        models=len(settings.models),
        trials=settings.trials,
        prompts=contexts.total() * times,
        tokens=tokens * times,
    )
