"""Item-macro means: over targets within a question, then over the questions that count."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from realhop_kg.audit.estimand import Estimand, Ratio, Term, common_scale
from realhop_kg.audit.panel import Panel
from realhop_kg.model.run import Condition

__all__ = ["all_judged", "item_macro"]


def item_macro(
    panel: Panel,
    condition: Condition,
    targets: Mapping[str, Sequence[str]],
    *,
    counts: Callable[[str, int], bool] | None = None,
    wrong: bool = False,
    population: str = "Full-correct",
) -> Estimand:
    """Return the mean over questions of the mean over their targets of being right.

    Longer questions weigh no more than short ones. Trials are averaged last.

    Args:
        panel: the scores.
        condition: which contexts.
        targets: for every question of the population, its judged targets, at least one.
        counts: whether a question counts in a trial (such as Full-correct); None for always.
        wrong: count answers that are not correct instead.
        population: what `counts` selects, in words.
    """
    items = tuple(targets)
    scale = common_scale(len(found) for found in targets.values())
    used: set[str] = set()
    terms = []
    for trial in panel.trials:
        shares, weights = [], []
        for item in items:
            taken = counts is None or counts(item, trial)
            found = targets[item] if taken else ()
            if taken:
                used.add(item)
            met = sum(panel.correct(item, trial, condition, each) is not wrong for each in found)
            shares.append(met * scale // len(targets[item]))
            weights.append(scale if taken else 0)
        terms.append(Term(1, Ratio(tuple(shares), tuple(weights)), f"trial {trial}"))
    notes = _few(len(used), len(items), population) if counts else ()
    return Estimand(items, tuple(terms), divisor=len(panel.trials), n=len(used), notes=notes)


def _few(used: int, of: int, population: str) -> tuple[str, ...]:
    """Say that a rate rests on no question or on one."""
    if used > 1 or not of:
        return ()
    return (f"{used or 'none'} of {of} questions is {population}",)


def all_judged(panel: Panel, condition: Condition) -> dict[str, list[str]]:
    """Return the questions whose every asked target of a condition is judged in every trial."""
    asked: dict[str, list[str]] = {}
    for item, target in panel.asked(condition):
        asked.setdefault(item, []).append(target)
    return {
        item: targets
        for item, targets in asked.items()
        if all(
            panel.verdict(item, trial, condition, target) is not None
            for trial in panel.trials
            for target in targets
        )
    }
