"""Keeps one kind of relation, or one link, from crowding out the others in the hops of a dataset.

Pages of countries say first what lies to their north and south: drawn evenly, every other hop would
be such a one. HopRefusalBench does not ask for this; it is ours.
"""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple, TypeVar

from realhop_kg.model.refusal_item import RefusalItem, StepWording
from realhop_kg.refusal.frames import frames

__all__ = ["CROWDED", "Balance", "Spare", "relation_of"]

CROWDED = "crowded"
"""Outcome of a draw that holds, but whose relations have their share of hops already."""
_RELATIONS, _LINKS = 3, 40
"""A relation is to have at most one hop of so many, and so is a single link."""
_FREE_RELATIONS, _FREE_LINKS = 2, 4
"""Hops that it may have in any case, while there are few."""

Key = TypeVar("Key")
Link = tuple[str, str]
"""Titles of the two pages of a link."""


def relation_of(step: StepWording) -> str:
    """Return the kind of relation by which a step leads on."""
    frame = frames()[step.frame]
    return frame.relation or frame.alike or step.frame


class Spare(NamedTuple):
    """A question that holds, and how far it leans on what is used enough."""

    excess: int
    """Hops beyond the share of their relation or their link."""
    item: RefusalItem


class Balance:
    """Counts the relations and links of the hops that were taken."""

    def __init__(self) -> None:
        self._relations: Counter[str] = Counter()
        self._links: Counter[Link] = Counter()

    def crowded(self) -> tuple[frozenset[str], frozenset[Link]]:
        """Return the relations and the links that have their share, so that walks avoid them."""
        total = self._relations.total() + 1
        relations, links = total // _RELATIONS, total // _LINKS
        return (
            _over(self._relations, max(_FREE_RELATIONS, relations)),
            _over(self._links, max(_FREE_LINKS, links)),
        )

    def excess(self, item: RefusalItem) -> int:
        """Return how many hops of a question would be beyond the share of what they are."""
        relations, links = _relations_of(item), _links_of(item)
        total = self._relations.total() + relations.total()
        return _beyond(
            self._relations, relations, max(_FREE_RELATIONS, total // _RELATIONS)
        ) + _beyond(self._links, links, max(_FREE_LINKS, total // _LINKS))

    def take(self, item: RefusalItem) -> None:
        """Count the hops of a question that is kept."""
        self._relations.update(_relations_of(item))
        self._links.update(_links_of(item))


def _relations_of(item: RefusalItem) -> Counter[str]:
    return Counter(map(relation_of, item.steps))


def _links_of(item: RefusalItem) -> Counter[Link]:
    hops = (*item.chain.prefix, *item.chain.suffix)
    return Counter((hop.source, hop.target) for hop in hops)


def _over(taken: Counter[Key], most: int) -> frozenset[Key]:
    return frozenset(key for key, count in taken.items() if count >= most)


def _beyond(taken: Counter[Key], added: Counter[Key], most: int) -> int:
    return sum(min(count, max(0, taken[key] + count - most)) for key, count in added.items())
