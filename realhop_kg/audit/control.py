"""Matched background controls: as much text as a Drop removes, from where no evidence stands.

Source: REALHOP, Appendix B (token budget: within five tokens or 5 %, spans verbatim on both
sides, outside gold supports and insertions) and Appendix I.5 (character budget within 25 %,
lexical protection, the Drop's own passages first, fragments flagged).
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

from realhop_kg.audit.auditable import Auditable
from realhop_kg.audit.context import Range, closed, without
from realhop_kg.audit.intervene import Removal
from realhop_kg.audit.tokens import count_tokens, token_ends
from realhop_kg.ids import rng
from realhop_kg.model.item import TextRange
from realhop_kg.model.run import Condition
from realhop_kg.model.sentences import boundaries
from realhop_kg.model.text import Insertion

__all__ = ["Background", "Budget", "background", "control"]

Budget = Literal["tokens", "characters"]

_NOT_ENOUGH = "too little background of that size outside gold supports and inserted text"


class Sentence(NamedTuple):
    """A background sentence, in the text of this side."""

    passage: int
    start: int
    end: int
    text: str
    size: int
    """Tokens or code points, as the budget counts."""


@dataclass(frozen=True)
class Background:
    """The candidates of one item and side, found once for all its targets.

    Attributes:
        budget: what is matched.
        sentences: candidates in text order; the same on both sides of a pair.
        per_passage: original sentences by passage, of which one stays.
    """

    budget: Budget
    sentences: tuple[Sentence, ...]
    per_passage: dict[int, int]


def background(
    item: Auditable, budget: Budget = "tokens", protect: Sequence[str] = ()
) -> Background:
    """Return the sentences that a control may remove.

    Args:
        item: the question on its side.
        budget: `tokens` takes passages that are neither gold nor false chain; `characters` takes
            all passages, but no sentence that holds evidence or names something protected.
        protect: names (subjects, answers, competitors) for the lexical protection.
    """
    added: dict[int, list[Insertion]] = {}
    for insertion in item.insertions:
        added.setdefault(insertion.passage, []).append(insertion)
    evidence = [part for unit in (*item.units, *item.premises) for part in unit.parts]
    names = [name.casefold() for name in (*protect, *item.answers) if name.strip()]
    found: list[Sentence] = []
    per_passage: Counter[int] = Counter()
    for passage in item.original:
        if budget == "tokens" and passage.index in item.protected:
            continue
        here = [part for part in evidence if part.passage == passage.index]
        for start, end in _placed(passage.text, added.get(passage.index, ())):
            per_passage[passage.index] += 1
            text = item.realized[passage.index].text[start:end]
            if budget == "characters" and (
                any(part.start < end and start < part.end for part in here)
                or any(name in text.casefold() for name in names)
            ):
                continue
            size = count_tokens(text) if budget == "tokens" else len(text)
            if size:
                found.append(Sentence(passage.index, start, end, text, size))
    return Background(budget, tuple(found), dict(per_passage))


def _placed(original: str, insertions: Iterable[Insertion]) -> Iterable[Range]:
    """Yield each sentence of an original text where it stands in the realized one.

    One that an insertion parts is left out: it is not verbatim on both sides.
    """
    added = sorted((each.offset, len(each.text)) for each in insertions)
    offsets = [offset for offset, _ in added]
    shifts = [0]
    for _, length in added:
        shifts.append(shifts[-1] + length)
    start = 0
    for end in boundaries(original):
        # Insertions at its start stand before it, those at its end behind it.
        before, inside = bisect_left(offsets, start + 1), bisect_left(offsets, end)
        if before == inside or start == end:
            yield start + shifts[before], end + shifts[before]
        start = end


def control(item: Auditable, dropped: Removal, candidates: Background, seed: int = 0) -> Removal:
    """Return the Control that matches a Drop, or an infeasible one with its reason.

    Whole sentences first, drawn in an order that depends on seed, item and target alone, so that
    both sides of a pair draw the same sentences as far as their budgets go; a part of a sentence
    only where no whole ones fit, and then flagged.

    Args:
        item: the question on its side.
        dropped: the Drop of the same side, target and ablation.
        candidates: its background.
        seed: of the draw.
    """
    own = without(dropped.ranges, dropped.ablated)
    if candidates.budget == "tokens":
        budget = sum(item.context.tokens.between(start, end) for start, end in own)
        slack = max(5, budget * 5 // 100)
    else:
        unit = next(unit for unit in item.units if unit.target == dropped.target)
        budget = sum(part.end - part.start for part in unit.parts)
        slack = budget // 4
    order = _order(item, dropped.target, candidates, seed)
    chosen, total = _fitting(order, candidates.per_passage, budget, slack)
    parts = [TextRange(passage=one.passage, start=one.start, end=one.end) for one in chosen]
    whole = True
    if total < _least(budget, slack):
        fragment = _fragment(order, chosen, candidates.budget, budget - total)
        if fragment is None:
            return _infeasible(dropped, budget)
        parts.append(fragment)
        whole = False
    ranges = closed(item.context, [*item.context.ranges(parts), *dropped.ablated])
    return Removal(
        Condition.CONTROL,
        dropped.target,
        tuple(ranges),
        dropped.ablation,
        dropped.ablated,
        budget=budget,
        whole_sentences=whole,
    )


def _infeasible(dropped: Removal, budget: int) -> Removal:
    return Removal(
        Condition.CONTROL,
        dropped.target,
        dropped.ablated,
        dropped.ablation,
        dropped.ablated,
        feasible=False,
        reason=_NOT_ENOUGH,
        budget=budget,
    )


def _order(item: Auditable, target: str, candidates: Background, seed: int) -> list[Sentence]:
    order = list(candidates.sentences)
    rng(seed, item.item, "control", target).shuffle(order)
    if candidates.budget == "characters":
        unit = next(unit for unit in item.units if unit.target == target)
        own = {part.passage for part in unit.parts}
        order.sort(key=lambda one: one.passage not in own)
    return order


def _fitting(
    order: Sequence[Sentence], per_passage: dict[int, int], budget: int, slack: int
) -> tuple[list[Sentence], int]:
    """Take sentences in order while they fit; then exchange one if that meets the budget.

    The last sentence of a passage stays, so that no bare title shows where text was.
    """
    left = dict(per_passage)
    chosen: list[Sentence] = []
    total = 0
    for one in order:
        nearer = abs(total + one.size - budget) < abs(total - budget)
        if nearer and total + one.size <= budget + slack and left[one.passage] > 1:
            chosen.append(one)
            left[one.passage] -= 1
            total += one.size
    if total >= _least(budget, slack):
        return chosen, total
    taken = set(chosen)
    for at, old in enumerate(chosen):
        for new in order:
            fits = _least(budget, slack) <= total - old.size + new.size <= budget + slack
            room = left[new.passage] > 1 or new.passage == old.passage
            if fits and room and new not in taken:
                return [*chosen[:at], *chosen[at + 1 :], new], total - old.size + new.size
    return chosen, total


def _least(budget: int, slack: int) -> int:
    """Return the least that counts as matched: a control always removes something."""
    return max(1, budget - slack)


def _fragment(
    order: Sequence[Sentence], chosen: Sequence[Sentence], budget: Budget, gap: int
) -> TextRange | None:
    """Return the first words of a sentence not taken, as many as lack."""
    taken = set(chosen)
    for one in order:
        if one in taken or one.size <= gap:
            continue
        ends = token_ends(one.text)
        if budget == "tokens":
            end = ends[gap - 1]
        else:
            end = next((each for each in ends if each >= gap), ends[-1])
        return TextRange(passage=one.passage, start=one.start, end=one.start + end)
    return None
