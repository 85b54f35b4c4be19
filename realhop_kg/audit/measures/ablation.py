"""Component ablation: what competitors cost, and how the two families overlap.

Source: REALHOP, section 7 and Appendix F (Table 3), on each model's own complete cases.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import TypeVar

from realhop_kg.audit.estimand import Estimand, Ratio, Term
from realhop_kg.audit.panel import Panel
from realhop_kg.model.run import Ablation, Condition

__all__ = ["ABLATIONS", "ablation", "competitor_share", "interaction"]

ABLATIONS: tuple[Ablation, ...] = ("gold_only", "flexible_only", "strict_only", "both")

Number = TypeVar("Number", float, Fraction)


def competitor_share(original: Number, gold_only: Number, full: Number) -> Number:
    """Return the share of the loss from Original to Full that competitors cause.

    Args:
        original: accuracy on the source side.
        gold_only: accuracy with rebound evidence and no competitors.
        full: accuracy with both families.

    Raises:
        ZeroDivisionError: if there is no loss.
    """
    return (gold_only - full) / (original - full)


def interaction(full: Number, strict: Number, flexible: Number, gold_only: Number) -> Number:
    """Return (Full - Strict) - (Flexible - GoldOnly): positive where failures overlap."""
    return (full - strict) - (flexible - gold_only)


def ablation(original: Panel | None, variants: Mapping[Ablation, Panel]) -> dict[str, Estimand]:
    """Return accuracy under each ablation, the share due to competitors and the interaction.

    All rest on the questions whose Full is judged under every ablation, and on the source side
    where that is given.

    Args:
        original: the source side, or None where it was not audited (then no share).
        variants: the panel of every ablation.

    Raises:
        ValueError: if an ablation is missing.
    """
    lacking = [name for name in ABLATIONS if name not in variants]
    if lacking:
        raise ValueError(f"the ablation lacks {', '.join(lacking)}")
    named: dict[str, Panel] = {name: variants[name] for name in ABLATIONS}
    if original is not None:
        named["original"] = original
    first = named["both"]
    judged = [set(panel.full_judged(first.trials)) for panel in named.values()]
    items = tuple(item for item in first.items if all(item in found for found in judged))
    right = {
        name: [
            tuple(int(panel.correct(item, trial, Condition.FULL)) for item in items)
            for trial in first.trials
        ]
        for name, panel in named.items()
    }
    each = (1,) * len(items)
    k = len(first.trials)

    def mean(name: str, weight: int = 1) -> tuple[Term, ...]:
        return tuple(
            Term(weight, Ratio(column, each), f"{name} trial {trial}")
            for trial, column in zip(first.trials, right[name], strict=True)
        )

    found = {f"accuracy_{name}": Estimand(items, mean(name), divisor=k) for name in named}
    found["interaction"] = Estimand(
        items,
        mean("both") + mean("strict_only", -1) + mean("flexible_only", -1) + mean("gold_only"),
        divisor=k,
    )
    if original is not None:
        terms = tuple(
            Term(1, Ratio(_minus(gold, full), _minus(before, full)), f"trial {trial}")
            for trial, gold, before, full in zip(
                first.trials, right["gold_only"], right["original"], right["both"], strict=True
            )
        )
        found["competitor_share"] = Estimand(items, terms, divisor=k)
    return found


def _minus(first: tuple[int, ...], second: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(one - other for one, other in zip(first, second, strict=True))
