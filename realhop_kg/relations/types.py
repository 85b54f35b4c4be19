"""Entity types: which is a kind of which, and which kind nouns ask for them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache

from pydantic import TypeAdapter

from realhop_kg.model.record import Record
from realhop_kg.resources import load_yaml

__all__ = ["EntityType", "Types", "entity_types"]


_INHABITED = (
    ("settlement", "district"),
    ("county", "district", "region"),
    ("region", "province", "state"),
    ("state", "province", "country", "region"),
)
"""Kinds of place that texts do not keep apart: a city or town, a district or municipality."""

_ABBREVIATED = {"us": "US", "u.s.": "U.S.", "tv": "TV"}


class EntityType(Record):
    """One type of entity or value."""

    parent: str = ""
    noun: str
    """What a sentence calls it where the question names no kind."""
    kinds: tuple[str, ...] = ()
    """Kind nouns by which questions ask for it."""
    evident: bool = False
    """Whether its coined names say what it is, so that the text must show that the source is one:
    a battle and a television show both have winners."""


class Types:
    """The type tree.

    Examples:
        >>> types = entity_types()
        >>> types.is_a("county", "place"), types.is_a("place", "county")
        (True, False)
        >>> types.narrower("place", "county"), types.narrower("city", "county")
        ('county', None)
        >>> types.of_kind("alma mater")
        'school'
    """

    def __init__(self, types: Mapping[str, EntityType]) -> None:
        self._types = dict(types)
        self._kinds: dict[str, str] = {}
        for type_id, entity_type in self._types.items():
            if entity_type.parent and entity_type.parent not in self._types:
                raise ValueError(f"type {type_id!r} has unknown parent {entity_type.parent!r}")
            for kind in entity_type.kinds:
                if kind in self._kinds:
                    raise ValueError(f"kind {kind!r} belongs to {self._kinds[kind]} and {type_id}")
                self._kinds[kind] = type_id
        for type_id in self._types:
            self._check_root(type_id)

    def _check_root(self, type_id: str) -> None:
        above = {type_id}
        current = self._types[type_id].parent
        while current:
            if current in above:
                raise ValueError(f"type {current!r} is above itself")
            above.add(current)
            current = self._types[current].parent

    def __contains__(self, type_id: str) -> bool:
        return type_id in self._types

    def __getitem__(self, type_id: str) -> EntityType:
        return self._types[type_id]

    @property
    def parents(self) -> dict[str, str]:
        """Parent by type."""
        return {type_id: entity_type.parent for type_id, entity_type in self._types.items()}

    @property
    def kinds(self) -> Mapping[str, str]:
        """Type by kind noun."""
        return self._kinds

    def of_kind(self, kind: str) -> str | None:
        """Return the type that a kind noun (singular, any case) asks for."""
        return self._kinds.get(kind.casefold())

    def is_a(self, type_id: str, ancestor: str) -> bool:
        """Return whether a type is `ancestor` or below it."""
        current = type_id
        while current and current != ancestor:
            current = self._types[current].parent
        return current == ancestor

    def narrower(self, first: str, second: str) -> str | None:
        """Return the narrower of two types, or None if neither is a kind of the other."""
        if self.is_a(first, second):
            return first
        return second if self.is_a(second, first) else None

    def common(self, type_ids: Sequence[str]) -> str:
        """Return the narrowest type that all of some types are kinds of.

        Examples:
            >>> entity_types().common(["city", "county"])
            'place'
        """
        current = type_ids[0]
        while not all(self.is_a(type_id, current) for type_id in type_ids):
            current = self._types[current].parent
        return current

    def unit_of(self, type_id: str) -> str:
        """Return `year` or `month` where a value is no more exact than that, else `date`."""
        return type_id if type_id in ("year", "month") else "date"

    def agree(self, first: str, second: str) -> bool:
        """Return whether one thing may be called both: a city is often called a town."""
        return self.narrower(first, second) is not None or any(
            any(self.is_a(first, kind) for kind in kinds)
            and any(self.is_a(second, kind) for kind in kinds)
            for kinds in _INHABITED
        )

    def may_be(self, shown: str, type_id: str) -> bool:
        """Return whether a name that shows a type may be of another: `Green Bay`, a city."""
        if self.narrower(shown, type_id):
            return True
        natural = self.is_a(shown, "place") and not self._ground(shown)
        return natural and self.narrower(type_id, "settlement") is not None

    def _ground(self, type_id: str) -> bool:
        return any(self.is_a(type_id, kind) for kinds in _INHABITED for kind in kinds)

    @staticmethod
    def spoken(kind: str) -> str:
        """Return a kind noun as a sentence writes it.

        Examples:
            >>> Types.spoken("u.s. state"), Types.spoken("tv show"), Types.spoken("county")
            ('U.S. state', 'TV show', 'county')
        """
        first, space, rest = kind.partition(" ")
        return f"{_ABBREVIATED.get(first.casefold(), first)}{space}{rest}"

    def is_value(self, type_id: str) -> bool:
        """Return whether the type is a date, number or other value rather than an entity."""
        return self.is_a(type_id, "value")


@cache
def entity_types() -> Types:
    """Return the bundled type tree."""
    adapter = TypeAdapter(dict[str, EntityType])
    return Types(adapter.validate_python(load_yaml("relations", "types.yaml")))
