"""Interventions: what is removed from a context, as ranges of its rendered text.

Every function is pure and returns what it removes; `Removal.apply` gives the text that a model
sees. Sources: REALHOP, section 3.2, Appendices A, B, H and I.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from realhop_kg.audit.auditable import Auditable
from realhop_kg.audit.context import Context, Range, closed, cut, merged, without
from realhop_kg.ids import rng
from realhop_kg.model.item import DeletionUnit, TextRange
from realhop_kg.model.run import Ablation, Condition, ConditionRecord, Removed
from realhop_kg.model.sentences import boundaries

__all__ = [
    "MASKS",
    "MASK_SHARE",
    "Removal",
    "ablate",
    "closed_book",
    "drop",
    "drop_premise",
    "full",
    "mask",
]

MASKS = 3
MASK_SHARE = 0.2
"""Share of the tokens that one window of a mask removes."""


@dataclass(frozen=True)
class Removal:
    """What one condition removes from the Full context of an item.

    Attributes:
        condition: its name.
        target: which hop, premise or window; empty where there is but one.
        ranges: everything that is removed, the ablation's ranges too, closed and sorted.
        ablation: which competitor families are kept.
        ablated: the ranges among them that the ablation alone removes.
        feasible: whether the condition can be asked at all.
        reason: why not.
        budget: what a control was to match.
        whole_sentences: whether it removes whole sentences only.
    """

    condition: Condition
    target: str
    ranges: tuple[Range, ...]
    ablation: Ablation = "both"
    ablated: tuple[Range, ...] = ()
    feasible: bool = True
    reason: str = ""
    budget: int = 0
    whole_sentences: bool = True

    def apply(self, context: Context) -> str:
        """Return the context without what is removed."""
        return cut(context.text, self.ranges)

    def record(self, item: Auditable) -> ConditionRecord:
        """Return what a run stores of it; lengths are those beyond the ablation."""
        context = item.context
        own = without(self.ranges, self.ablated)
        return ConditionRecord(
            item=item.item,
            side=item.side,
            ablation=self.ablation,
            condition=self.condition,
            target=self.target,
            feasible=self.feasible,
            reason=self.reason,
            removed=tuple(_removed(context, start, end) for start, end in self.ranges),
            characters=sum(end - start for start, end in own),
            tokens=sum(context.tokens.between(start, end) for start, end in own),
            budget=self.budget,
            whole_sentences=self.whole_sentences,
        )


def _removed(context: Context, start: int, end: int) -> Removed:
    if not context.places:
        return Removed(start=start, end=end)
    first = context.passage_at(start)
    if context.passage_at(max(start, end - 1)) != first:
        return Removed(start=start, end=end)
    index = next(index for index, place in context.order.items() if place == first)
    return Removed(start=start, end=end, passage=index)


def ablate(item: Auditable, ablation: Ablation) -> tuple[Range, ...]:
    """Return the ranges that an ablation removes: the sentences of the families it leaves out.

    A sentence that serves a kept family as well stays.
    """
    kept = {
        "both": {"strict", "flexible"},
        "strict_only": {"strict"},
        "flexible_only": {"flexible"},
        "gold_only": set(),
    }[ablation]
    parts = [each.part for each in item.competitors if kept.isdisjoint(each.families)]
    return tuple(closed(item.context, item.context.ranges(parts)))


def full(item: Auditable, ablation: Ablation = "both") -> Removal:
    """Return the Full condition: nothing is removed but what the ablation removes."""
    ranges = ablate(item, ablation)
    return Removal(Condition.FULL, "", ranges, ablation, ranges)


def drop(
    item: Auditable, unit: DeletionUnit, ablation: Ablation = "both", *, closure: bool = False
) -> Removal:
    """Return the Drop of one target.

    Args:
        item: the question.
        unit: one of its units.
        ablation: which competitor families stand in the context.
        closure: whether sentences in which all endpoints of the unit occur go too (FRAMES).
    """
    parts = [*unit.parts, *(_cooccurring(item, unit.endpoints) if closure else ())]
    return _removal(item, Condition.DROP, unit.target, parts, ablation)


def drop_premise(item: Auditable, premise: DeletionUnit, ablation: Ablation = "both") -> Removal:
    """Return the removal of one premise of a split fact, all else left (ours)."""
    return _removal(item, Condition.DROP_PREMISE, premise.target, premise.parts, ablation)


def _removal(
    item: Auditable,
    condition: Condition,
    target: str,
    parts: Sequence[TextRange],
    ablation: Ablation,
) -> Removal:
    ablated = ablate(item, ablation) if ablation != "both" else ()
    own = item.context.ranges(parts)
    ranges = tuple(closed(item.context, [*own, *ablated]))
    return Removal(condition, target, ranges, ablation, ablated)


def _cooccurring(item: Auditable, endpoints: Sequence[str]) -> list[TextRange]:
    """Return the sentences that name every endpoint."""
    wanted = [endpoint.casefold() for endpoint in endpoints if endpoint.strip()]
    if len(wanted) < 2:
        return []
    found = []
    for passage in item.passages:
        if not all(name in passage.text.casefold() for name in wanted):
            continue
        start = 0
        for end in boundaries(passage.text):
            sentence = passage.text[start:end].casefold()
            if all(name in sentence for name in wanted):
                found.append(TextRange(passage=passage.index, start=start, end=end))
            start = end
    return found


def closed_book(item: Auditable) -> Removal:
    """Return the condition in which the question stands alone (ours)."""
    end = len(item.context.text)
    return Removal(Condition.CLOSED_BOOK, "", ((0, end),) if end else ())


def mask(item: Auditable, number: int, *, circular: bool = True) -> Removal:
    """Return one of the frozen windows of 20 % of the tokens.

    Where it lies is drawn by (item, number) alone, so all models see the same window, and both
    sides draw the same share of their own text.

    Args:
        item: the question.
        number: which window, from 1.
        circular: whether a window may run over the end and go on at the start, so that every
            place is as likely; otherwise it lies wholly inside.
    """
    context = item.context
    starts = context.tokens.starts
    width = round(len(starts) * MASK_SHARE)
    if not width:
        return Removal(
            Condition.MASK, str(number), (), feasible=False, reason="the context is too short"
        )
    drawn = rng(0, item.item, "mask", number).random()
    first = int(drawn * (len(starts) if circular else len(starts) - width + 1))
    edges = [*starts, len(context.text)]
    last = first + width
    ranges = [(edges[first], edges[min(last, len(starts))])]
    if last > len(starts):
        ranges.append((0, edges[last - len(starts)]))
    return Removal(
        Condition.MASK, str(number), tuple(merged(ranges)), budget=width, whole_sentences=False
    )
