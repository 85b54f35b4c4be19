"""Panels from a few letters: `C` correct, `P` partial, `I` incorrect, `-` no verdict."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from realhop_kg.audit.panel import Missing, Panel, panels
from realhop_kg.model.run import (
    Ablation,
    AuditedItem,
    AuditedSide,
    Condition,
    ConditionRecord,
    TrialRecord,
    Verdict,
)

VERDICTS = {"C": Verdict.CORRECT, "P": Verdict.PARTIAL, "I": Verdict.INCORRECT, "-": None}

Row = Mapping[str, str]
"""Letters by condition: `full`, `drop`, `control`, `mask`: one letter per target."""


def targets(count: int) -> tuple[str, ...]:
    return tuple(f"h{number}" for number in range(1, count + 1))


def records(
    trials: Sequence[Mapping[str, Row]],
    side: AuditedSide = "constructed",
    ablation: Ablation = "both",
    model: str = "m",
) -> tuple[list[AuditedItem], list[ConditionRecord], list[TrialRecord]]:
    """Return the records of one panel, one mapping of item to letters per trial."""
    items, conditions, answers = [], [], []
    for key, row in trials[0].items():
        hops = targets(len(row.get("drop", "")))
        items.append(
            AuditedItem(
                item=key,
                side=side,
                question=f"{key}?",
                answer="gold",
                targets=hops,
                endpoints=("Trap",),
            )
        )
        for condition, letters in row.items():
            for target, _ in zip(names(condition, letters), letters, strict=True):
                conditions.append(
                    ConditionRecord(
                        item=key,
                        side=side,
                        ablation=ablation,
                        condition=Condition(condition),
                        target=target,
                        characters=100,
                    )
                )
    for number, trial in enumerate(trials, 1):
        for key, row in trial.items():
            for condition, letters in row.items():
                for target, letter in zip(names(condition, letters), letters, strict=True):
                    verdict = VERDICTS[letter]
                    answers.append(
                        TrialRecord(
                            item=key,
                            side=side,
                            ablation=ablation,
                            condition=Condition(condition),
                            target=target,
                            model=model,
                            trial=number,
                            response=None if verdict is None else letter,
                            verdict=verdict,
                            failure="" if verdict else "timed out",
                        )
                    )
    return items, conditions, answers


def names(condition: str, letters: str) -> tuple[str, ...]:
    if condition in ("full", "closed_book"):
        return ("",)
    return targets(len(letters))


def panel(
    *trials: Mapping[str, Row],
    side: AuditedSide = "constructed",
    ablation: Ablation = "both",
) -> Panel:
    """Return one panel."""
    [found], _ = panel_and_missing(*trials, side=side, ablation=ablation)
    return found


def panel_and_missing(
    *trials: Mapping[str, Row],
    side: AuditedSide = "constructed",
    ablation: Ablation = "both",
) -> tuple[list[Panel], list[Missing]]:
    items, conditions, answers = records(trials, side, ablation)
    return panels(items, conditions, answers, ["m"], range(1, len(trials) + 1))
