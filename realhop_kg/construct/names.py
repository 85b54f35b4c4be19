"""Coins virtual names: natural for their type, seeded, and used nowhere in the item's own text."""

from __future__ import annotations

import random
import re
from collections.abc import Iterable, Sequence
from functools import cache

from pydantic import BaseModel, ConfigDict

from realhop_kg.errors import Refusal
from realhop_kg.relations.types import Types, entity_types
from realhop_kg.resources import load_yaml

__all__ = ["Coined", "Coiner", "gender_hint", "shown_type"]

_TRIES = 400
_WORD = re.compile(r"\w+", re.UNICODE)
_PLACEHOLDER = re.compile(r"\{(\w+)\}")


class _Material(BaseModel):
    """The word lists of `names.yaml`."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    male: tuple[str, ...]
    female: tuple[str, ...]
    surname_starts: tuple[str, ...]
    surname_ends: tuple[str, ...]
    place_starts: tuple[str, ...]
    place_ends: tuple[str, ...]
    country_ends: tuple[str, ...]
    avoid: frozenset[str]
    brands: tuple[str, ...]
    adjectives: tuple[str, ...]
    nouns: tuple[str, ...]
    plurals: tuple[str, ...]
    nicknames: tuple[str, ...]
    tongue_ends: tuple[str, ...]
    creed_ends: tuple[str, ...]
    patterns: dict[str, tuple[str, ...]]
    singular: dict[str, tuple[str, ...]]
    endings: dict[str, str]
    beginnings: dict[str, str]
    male_kinds: frozenset[str]
    female_kinds: frozenset[str]
    shared_words: frozenset[str]


@cache
def _material() -> _Material:
    return _Material.model_validate(load_yaml("construct", "names.yaml"))


class Coined(BaseModel):
    """A coined name."""

    model_config = ConfigDict(frozen=True)
    surface: str
    article: str = ""


def shown_type(surface: str) -> str | None:
    """Return the type that a source name shows by its last or first word, if any.

    Examples:
        >>> shown_type("Mountrail County"), shown_type("Lake Ontario"), shown_type("Paris")
        ('county', 'lake', None)
    """
    words = _words(surface.split(",")[0])
    if words[:1] == ["the"]:
        words = words[1:]
    if len(words) < 2:
        return None
    material = _material()
    if words[1] == "of" and words[0] in material.beginnings:
        return material.beginnings[words[0]]
    return material.endings.get(words[-1]) or material.beginnings.get(words[0])


class Coiner:
    """Coins the names of one item; no two share a word of their own.

    Args:
        rng: seeded by (seed, item key).
        texts: the item's question, titles and passages, none of whose words a name may use.
    """

    def __init__(self, rng: random.Random, texts: Iterable[str]) -> None:
        self._rng = rng
        folded = [_words(text) for text in texts]
        self._taken = {word for words in folded for word in words}
        self._text = " | ".join(["", *(" ".join(words) for words in folded), ""])
        self._used: set[str] = set()
        self._surfaces: list[str] = []

    def name(self, type_id: str, hint: str, *, singular: bool = False) -> Coined:
        """Return a fresh name of a type.

        Args:
            type_id: entity type.
            hint: a noun for the entity, which may tell a person's gender.
            singular: whether the name must suit a singular verb, which those of some types do not.

        Raises:
            Refusal: Q6 if the type has no pattern, or no fresh name could be found.
        """
        patterns = self._patterns(type_id, entity_types())
        if singular:
            patterns = _material().singular.get(type_id, patterns)
        for _ in range(_TRIES):
            article, _, text = self._rng.choice(patterns).rpartition("|")
            surface = _PLACEHOLDER.sub(lambda slot: self._part(slot.group(1), hint), text)
            if self._take_words(surface):
                return Coined(surface=surface, article=article)
        raise Refusal("Q6", f"no fresh name of type {type_id} in {_TRIES} tries")

    def is_free(self, surface: str) -> bool:
        """Return whether a surface occurs in no text and is no part of a name or the reverse."""
        padded = f" {' '.join(_words(surface))} "
        return padded not in self._text and not any(
            padded in other or other in padded for other in self._surfaces
        )

    def reserve(self, surface: str) -> bool:
        """Take a surface that something else coined (a key, a value) unless it is not free."""
        if not self.is_free(surface):
            return False
        self._surfaces.append(f" {' '.join(_words(surface))} ")
        return True

    @staticmethod
    def _patterns(type_id: str, types: Types) -> tuple[str, ...]:
        patterns = _material().patterns
        current = type_id
        # A brand suits a thing of no known type, but no genre, event or office.
        while current and (current != "thing" or type_id == "thing"):
            if current in patterns:
                return patterns[current]
            current = types[current].parent
        raise Refusal("Q6", f"names of type {type_id} cannot be coined")

    def _take_words(self, surface: str) -> bool:
        """Take a name whose own words are new to the item; plain words may be in its text."""
        own = [word for word in _words(surface) if word not in _material().shared_words]
        plain = _plain_words()
        if (
            not own
            or any(word in self._used for word in own)
            or any(word in self._taken and word not in plain for word in own)
            or not self.reserve(surface)
        ):
            return False
        self._used.update(own)
        return True

    def _part(self, part: str, hint: str) -> str:
        material, draw = _material(), self._rng.choice
        if part == "given":
            if hint in material.male_kinds:
                return draw(material.male)
            if hint in material.female_kinds:
                return draw(material.female)
            return draw(material.male + material.female)
        if part == "surname":
            return self._joined(material.surname_starts, material.surname_ends)
        if part == "place":
            return self._joined(material.place_starts, material.place_ends)
        ends = {
            "country": material.country_ends,
            "tongue": material.tongue_ends,
            "creed": material.creed_ends,
        }
        if part in ends:
            return self._joined(material.place_starts, ends[part])
        pools = {
            "brand": material.brands,
            "adjective": material.adjectives,
            "noun": material.nouns,
            "plural": material.plurals,
            "nickname": material.nicknames,
        }
        return draw(pools[part])

    def _joined(self, starts: Sequence[str], ends: Sequence[str]) -> str:
        """Return a word of a start and an end that is no plain English word."""
        while True:
            word = _join(self._rng.choice(starts), self._rng.choice(ends))
            if word.casefold() not in _material().avoid:
                return word


def gender_hint(words: Iterable[str]) -> str:
    """Return the first word that tells a person's gender, or an empty text.

    Examples:
        >>> gender_hint(["the", "husband", "of"])
        'husband'
    """
    material = _material()
    gendered = material.male_kinds | material.female_kinds
    return next((word for word in words if word in gendered), "")


@cache
def _plain_words() -> frozenset[str]:
    """Return the dictionary words, folded, of which titles and nicknames are made."""
    material = _material()
    return frozenset(
        word.casefold()
        for word in (*material.adjectives, *material.nouns, *material.plurals, *material.nicknames)
    )


def _words(text: str) -> list[str]:
    return _WORD.findall(text.casefold())


def _join(start: str, end: str) -> str:
    """Return start and end as one word, without a letter three times in a row."""
    return start + (end[1:] if start[-1] == end[0] and start[-2:-1] == end[0] else end)
