"""Measures how far apart and how deep in its carrier an item's evidence stands.

Distances and depths count words and punctuation marks, as budgets and masks do.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from statistics import median

from realhop_kg.audit.tokens import count_tokens, token_ends
from realhop_kg.model.frozen import FrozenItem
from realhop_kg.model.record import Record
from realhop_kg.model.text import Passage, Span

__all__ = ["ItemSpread", "Summary", "spread_of", "summarize"]


class ItemSpread(Record):
    """Where the evidence of one item stands."""

    item: str
    hops: int
    tokens: int
    """Words and marks of the whole context."""
    chunks: int
    hop_distances: tuple[int, ...]
    """Tokens between the evidence of a hop and that of each hop it depends on, at the closest."""
    premise_distances: tuple[int, ...]
    """Tokens between neighbouring premises of one gold fact."""
    gold_depths: tuple[float, ...]
    """Share of the context before each written piece of gold evidence, in hop order."""
    competitor_depths: tuple[float, ...]
    """The same of each written piece of competitors."""


class Summary(Record):
    """The spread over a dataset."""

    items: int
    least_tokens: int
    median_tokens: float
    most_tokens: int
    least_hop_distance: int
    """Smallest distance between two dependent hops of any item."""
    median_hop_distance: float
    least_premise_distance: int
    median_premise_distance: float
    gold_quarters: tuple[float, ...]
    """Share of gold pieces in each quarter of their context."""
    competitor_quarters: tuple[float, ...]
    gold_depth: float
    """Mean depth of gold pieces; 0.5 where they are spread evenly."""
    competitor_depth: float


class _Places:
    """Token positions in the context of one item, counted once per passage."""

    def __init__(self, passages: Sequence[Passage]) -> None:
        self._texts = {passage.index: passage.text for passage in passages}
        self._before: dict[int, int] = {}
        self._ends: dict[int, list[int]] = {}
        self.total = 0
        for passage in passages:
            self.total += count_tokens(passage.title)
            self._before[passage.index] = self.total
            self.total += count_tokens(passage.text)

    def at(self, passage: int, offset: int) -> int:
        if passage not in self._ends:
            self._ends[passage] = token_ends(self._texts[passage])
        return self._before[passage] + bisect_right(self._ends[passage], offset)

    def range(self, span: Span) -> tuple[int, int]:
        return self.at(span.passage, span.start), self.at(span.passage, span.end)


def spread_of(item: FrozenItem) -> ItemSpread:
    """Return where the evidence of a constructed item stands."""
    places = _Places(item.passages)
    gold = {
        hop.index: [places.range(premise.span) for premise in hop.evidence] for hop in item.hops
    }
    total = max(places.total, 1)
    competitors = sorted({places.range(span) for path in item.competitors for span in path.spans})
    return ItemSpread(
        item=item.id,
        hops=len(item.hops),
        tokens=places.total,
        chunks=len(item.passages),
        hop_distances=tuple(
            _closest(gold[hop.index], gold[earlier])
            for hop in item.hops
            for earlier in hop.depends_on
        ),
        premise_distances=tuple(
            max(0, later[0] - earlier[1])
            for ranges in gold.values()
            for earlier, later in zip(sorted(ranges), sorted(ranges)[1:], strict=False)
        ),
        gold_depths=tuple(start / total for ranges in gold.values() for start, _ in ranges),
        competitor_depths=tuple(start / total for start, _ in competitors),
    )


def _closest(left: Iterable[tuple[int, int]], right: Sequence[tuple[int, int]]) -> int:
    return min(
        max(0, first[0] - second[1], second[0] - first[1]) for first in left for second in right
    )


def summarize(spreads: Iterable[ItemSpread]) -> Summary | None:
    """Return the spread over some items, or None if there is none."""
    found = list(spreads)
    if not found:
        return None
    hops = [distance for each in found for distance in each.hop_distances]
    premises = [distance for each in found for distance in each.premise_distances] or [0]
    gold = [depth for each in found for depth in each.gold_depths]
    others = [depth for each in found for depth in each.competitor_depths] or [0.0]
    sizes = [each.tokens for each in found]
    return Summary(
        items=len(found),
        least_tokens=min(sizes),
        median_tokens=median(sizes),
        most_tokens=max(sizes),
        least_hop_distance=min(hops),
        median_hop_distance=median(hops),
        least_premise_distance=min(premises),
        median_premise_distance=median(premises),
        gold_quarters=_quarters(gold),
        competitor_quarters=_quarters(others),
        gold_depth=sum(gold) / len(gold),
        competitor_depth=sum(others) / len(others),
    )


def _quarters(depths: Sequence[float]) -> tuple[float, ...]:
    counts = [0, 0, 0, 0]
    for depth in depths:
        counts[min(3, int(4 * depth))] += 1
    return tuple(count / len(depths) for count in counts)
