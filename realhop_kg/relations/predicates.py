"""Predicates as records, and the entailments between them (contracts S4, T4, U1 rest on these)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from enum import StrEnum

from pydantic import Field

from realhop_kg.model.record import Record

__all__ = ["Family", "Predicate", "Predicates", "link_of", "value_of"]


class Family(StrEnum):
    """What a predicate is for."""

    RELATION = "relation"
    """A relation that questions ask for."""
    NEAR_MISS = "near_miss"
    """Of the same types as its relation, and not entailing it."""
    LINK = "link"
    """First premise of a split fact: subject slots and key."""
    VALUE = "value"
    """Second premise of a split fact: key and value."""


class Predicate(Record):
    """One predicate with everything that checks need to know of it."""

    id: str
    family: Family
    parent: str = ""
    """The relation that a near-miss misses, or the predicate that a premise belongs to."""
    arguments: dict[str, str]
    """Entity type by argument slot, in order; the first slot is `x`."""
    value: str
    """Entity type of the value."""
    single_valued: bool = True
    entails: tuple[str, ...] = ()
    """Predicates with the same slots that hold whenever this one does."""
    inverse: str = ""
    """Predicate that holds with subject and value exchanged (one slot only)."""
    symmetric: bool = False
    transitive: bool = False
    wordings: tuple[str, ...] = ()
    """Sentences that state it, with `{slot}`, `{y}` and `{k}` where names stand."""
    audit: str = ""
    """Who found that a near-miss does not entail its relation, and why."""


def link_of(predicate: str, frame: int) -> str:
    """Return the id of the first premise of a predicate's n-th wording frame."""
    return f"{predicate}/link{frame}"


def value_of(predicate: str, frame: int) -> str:
    """Return the id of the second premise of a predicate's n-th wording frame."""
    return f"{predicate}/value{frame}"


class Predicates(Mapping[str, Predicate]):
    """A closed set of predicates, with the closure of what each entails."""

    def __init__(
        self, predicates: Iterable[Predicate], parents: Mapping[str, str] | None = None
    ) -> None:
        """Take the predicates.

        Args:
            predicates: the predicates; a later one replaces an earlier one of the same id.
            parents: parent by entity type; without it every two types count as compatible.
        """
        self._by_id = {predicate.id: predicate for predicate in predicates}
        self._parents = dict(parents or {})
        self._entailed: dict[str, frozenset[str]] = {}

    def __getitem__(self, predicate_id: str) -> Predicate:
        return self._by_id[predicate_id]

    def __iter__(self) -> Iterator[str]:
        return iter(self._by_id)

    def __len__(self) -> int:
        return len(self._by_id)

    def entailed(self, predicate_id: str) -> frozenset[str]:
        """Return the predicate and all that it entails directly or not, slots unchanged.

        Unknown predicates entail themselves only.
        """
        if predicate_id not in self._entailed:
            found: set[str] = set()
            frontier = [predicate_id]
            while frontier:
                current = frontier.pop()
                if current not in found:
                    found.add(current)
                    known = self._by_id.get(current)
                    frontier += known.entails if known else ()
            self._entailed[predicate_id] = frozenset(found)
        return self._entailed[predicate_id]

    def extended(self, predicates: Iterable[Predicate]) -> Predicates:
        """Return a set with these predicates too; none of the others may name them."""
        new = Predicates((), self._parents)
        new._by_id = self._by_id | {predicate.id: predicate for predicate in predicates}
        new._entailed = dict(self._entailed)
        return new

    def compatible(self, left: str, right: str) -> bool:
        """Return whether one entity may be of both types: one is the other or above it."""
        return not self._parents or self._below(left, right) or self._below(right, left)

    def _below(self, type_id: str, ancestor: str) -> bool:
        seen = 0
        while type_id and type_id != ancestor and seen <= len(self._parents):
            type_id = self._parents.get(type_id, "")
            seen += 1  # a damaged file may hold a cycle
        return type_id == ancestor

    def entails(self, stronger: str, weaker: str) -> bool:
        """Return whether `stronger` with the same slots makes `weaker` true."""
        return weaker in self.entailed(stronger)


class RelationsFile(Record):
    """The `relations.json` of a frozen dataset."""

    schema_version: int
    predicates: tuple[Predicate, ...] = Field(default_factory=tuple)
    types: dict[str, str] = Field(default_factory=dict)
    """Parent type by entity type, so that type checks need no catalogue."""
