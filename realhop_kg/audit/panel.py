"""The scores of one model on one side, and what of its panel is missing.

Records are deduplicated (the latest of a cell wins) before completeness is judged.
Source: REALHOP, Appendices I.4 and I.5.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from realhop_kg.audit.solvers import answers_side
from realhop_kg.model.run import (
    Ablation,
    AuditedItem,
    AuditedSide,
    Condition,
    ConditionRecord,
    TrialRecord,
    Verdict,
)

__all__ = ["Missing", "Panel", "Place", "latest", "panels"]

Place = tuple[str, int, Condition, str]
"""(item, trial, condition, target) within one panel."""


@dataclass(frozen=True, slots=True)
class Missing:
    """A cell of a panel without a verdict, and why."""

    model: str
    side: AuditedSide
    ablation: Ablation
    item: str
    trial: int
    condition: Condition
    target: str
    reason: str


@dataclass(frozen=True)
class Panel:
    """All scores of one model on one side under one ablation.

    Attributes:
        model: who answered.
        side: which question.
        ablation: which competitor families stood in the context.
        trials: numbers of the trials that were asked for.
        items: keys of all audited items, in their order.
        targets: deletion targets by item, in their order.
        verdicts: verdict by place, where there is one.
        responses: answer by place, where there is one; of multiple choice, the option named.
        conditions: what was removed, by (item, condition, target).
        endpoints: planned competitor endpoints by item.
        repeats: by item that asks an earlier item's question in another context, that item; both
            are one question to the bootstrap.
    """

    model: str
    side: AuditedSide
    ablation: Ablation
    trials: tuple[int, ...]
    items: tuple[str, ...]
    targets: Mapping[str, tuple[str, ...]]
    verdicts: Mapping[Place, Verdict]
    responses: Mapping[Place, str]
    conditions: Mapping[tuple[str, Condition, str], ConditionRecord]
    endpoints: Mapping[str, tuple[str, ...]]
    repeats: Mapping[str, str] = field(default_factory=dict)

    def verdict(
        self, item: str, trial: int, condition: Condition, target: str = ""
    ) -> Verdict | None:
        """Return what was judged, or None."""
        return self.verdicts.get((item, trial, condition, target))

    def correct(self, item: str, trial: int, condition: Condition, target: str = "") -> bool:
        """Return whether the answer is there and was judged correct; partial is not."""
        return self.verdict(item, trial, condition, target) is Verdict.CORRECT

    def full_judged(self, trials: Sequence[int]) -> tuple[str, ...]:
        """Return the items whose Full has a verdict in every one of the trials."""
        return tuple(
            item
            for item in self.items
            if all(self.verdict(item, trial, Condition.FULL) is not None for trial in trials)
        )

    def complete(self, trials: Sequence[int]) -> tuple[str, ...]:
        """Return the items with Full and every Drop judged in every one of the trials."""
        return tuple(
            item
            for item in self.full_judged(trials)
            if self.targets[item]
            and all(
                self.verdict(item, trial, Condition.DROP, target) is not None
                for trial in trials
                for target in self.targets[item]
            )
        )

    def population(self) -> tuple[str, ...]:
        """Return the items of Full: all judged ones, or the complete ones of a trial panel."""
        return (
            self.full_judged(self.trials) if len(self.trials) == 1 else self.complete(self.trials)
        )

    def controlled(self, item: str, trials: Sequence[int]) -> tuple[str, ...]:
        """Return the targets of an item whose Control and Drop both have verdicts.

        An infeasible or missing control is left out together with its paired Drop.
        """
        return tuple(
            target
            for target in self.targets[item]
            if all(
                self.verdict(item, trial, condition, target) is not None
                for trial in trials
                for condition in (Condition.CONTROL, Condition.DROP)
            )
        )

    def asked(self, condition: Condition) -> tuple[tuple[str, str], ...]:
        """Return (item, target) of every feasible context of a condition, in item order."""
        found: dict[str, list[str]] = {}
        for (item, kind, target), record in self.conditions.items():
            if kind is condition and record.feasible:
                found.setdefault(item, []).append(target)
        return tuple((item, target) for item in self.items for target in found.get(item, ()))


def latest(records: Iterable[TrialRecord]) -> list[TrialRecord]:
    """Return one record per cell: the last one, in the order in which cells first came."""
    return list({record.cell: record for record in records}.values())


def panels(
    items: Iterable[AuditedItem],
    conditions: Iterable[ConditionRecord],
    records: Iterable[TrialRecord],
    models: Iterable[str],
    trials: Sequence[int],
) -> tuple[list[Panel], list[Missing]]:
    """Sort the records of a run into panels, and list the cells that have no verdict.

    Args:
        items: what was audited, on each side.
        conditions: every context that was to be asked about.
        records: the answers, in the order in which they were stored.
        models: who was asked; one without any answer is missing in all its cells.
        trials: numbers of the trials that every cell should have.

    Returns:
        Panels in the order (model, side, ablation), and what is missing in the same order.
    """
    audited = {side: list(items_of) for side, items_of in _by_side(items).items()}
    contexts: dict[tuple[AuditedSide, Ablation], dict[tuple[str, Condition, str], ConditionRecord]]
    contexts = {}
    for context in conditions:
        key = (context.item, context.condition, context.target)
        contexts.setdefault((context.side, context.ablation), {})[key] = context
    answers: dict[str, dict[tuple[AuditedSide, Ablation], list[TrialRecord]]] = {}
    for record in latest(records):
        group = answers.setdefault(record.model, {})
        group.setdefault((record.side, record.ablation), []).append(record)
    found: list[Panel] = []
    missing: list[Missing] = []
    for model in sorted(set(models)):
        for side, ablation in sorted(contexts):
            if not answers_side(model, side):
                continue
            given = answers.get(model, {}).get((side, ablation), [])
            panel = _panel(
                model, side, ablation, tuple(trials), audited[side], contexts[side, ablation], given
            )
            found.append(panel)
            missing += _missing(panel, given)
    return found, missing


def _by_side(items: Iterable[AuditedItem]) -> dict[AuditedSide, list[AuditedItem]]:
    found: dict[AuditedSide, list[AuditedItem]] = {}
    for item in items:
        found.setdefault(item.side, []).append(item)
    return found


def _panel(
    model: str,
    side: AuditedSide,
    ablation: Ablation,
    trials: tuple[int, ...],
    audited: Sequence[AuditedItem],
    contexts: Mapping[tuple[str, Condition, str], ConditionRecord],
    given: Sequence[TrialRecord],
) -> Panel:
    verdicts: dict[Place, Verdict] = {}
    responses: dict[Place, str] = {}
    for record in given:
        place = (record.item, record.trial, record.condition, record.target)
        if record.verdict is not None:
            verdicts[place] = record.verdict
        if record.response is not None:
            responses[place] = record.read_as or record.response
    return Panel(
        model=model,
        side=side,
        ablation=ablation,
        trials=trials,
        items=tuple(item.item for item in audited),
        targets={item.item: item.targets for item in audited},
        verdicts=verdicts,
        responses=responses,
        conditions=contexts,
        endpoints={item.item: item.endpoints for item in audited},
        repeats=_repeats(audited),
    )


def _repeats(audited: Sequence[AuditedItem]) -> dict[str, str]:
    """Return the items that ask what an earlier one asks, as in files with several contexts."""
    first: dict[str, str] = {}
    found = {}
    for item in audited:
        earlier = first.setdefault(item.question, item.item)
        if earlier != item.item:
            found[item.item] = earlier
    return found


def _missing(panel: Panel, given: Sequence[TrialRecord]) -> list[Missing]:
    failures = {
        (record.item, record.trial, record.condition, record.target): record.failure
        for record in given
        if record.verdict is None
    }
    found = []
    for (item, condition, target), context in panel.conditions.items():
        for trial in panel.trials:
            place = (item, trial, condition, target)
            if place in panel.verdicts:
                continue
            if not context.feasible:
                reason = f"not feasible: {context.reason}"
            else:
                reason = failures.get(place) or "no answer stored"
            found.append(
                Missing(
                    panel.model, panel.side, panel.ablation, item, trial, condition, target, reason
                )
            )
    return found
