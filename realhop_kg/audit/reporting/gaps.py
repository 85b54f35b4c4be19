"""What a run lacks: cells without a verdict by reason, incomplete panels by question."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from realhop_kg.audit.panel import Missing
from realhop_kg.model.record import Record
from realhop_kg.model.run import Condition

__all__ = ["Gap", "Incomplete", "gaps_of", "incomplete_of"]

_PANEL = (Condition.FULL, Condition.DROP)
"""What a complete panel has, in every trial (REALHOP, Appendix I.4)."""


class Gap(Record):
    """Cells without a verdict, counted by reason."""

    model: str
    side: str
    ablation: str
    condition: str
    reason: str
    count: int


class Incomplete(Record):
    """A question that is out of BNR because its panel is incomplete, and why."""

    model: str
    side: str
    ablation: str
    item: str
    lacks: str
    """Conditions, targets and trials, such as `drop h1 in trial 2`."""
    reason: str


def gaps_of(missing: Iterable[Missing]) -> Iterator[Gap]:
    """Yield the cells without a verdict, counted by reason."""
    counts = Counter(
        (each.model, each.side, each.ablation, each.condition.value, each.reason)
        for each in missing
    )
    for (model, side, kept, condition, reason), count in counts.items():
        yield Gap(
            model=model, side=side, ablation=kept, condition=condition, reason=reason, count=count
        )


def incomplete_of(missing: Iterable[Missing]) -> Iterator[Incomplete]:
    """Yield every incomplete panel: a question that lacks Full or a Drop in some trial."""
    panels: dict[tuple[str, str, str, str], list[Missing]] = {}
    for each in missing:
        if each.condition in _PANEL:
            key = (each.model, each.side, each.ablation, each.item)
            panels.setdefault(key, []).append(each)
    for (model, side, kept, item), lacking in panels.items():
        yield Incomplete(
            model=model,
            side=side,
            ablation=kept,
            item=item,
            lacks=", ".join(map(_said, lacking)),
            reason="; ".join(dict.fromkeys(each.reason for each in lacking)),
        )


def _said(lack: Missing) -> str:
    place = f"{lack.condition.value} {lack.target}".strip()
    return f"{place} in trial {lack.trial}"
