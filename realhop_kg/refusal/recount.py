"""Counts again, from the final wording alone, which steps a question expresses.

Nothing of the chain's annotations is used but the seed and the entity that is named, so that depth
and position are those of the words and not of hidden metadata (HopRefusalBench, surface audit).
"""

from __future__ import annotations

import re
from functools import cache, lru_cache
from typing import NamedTuple

from realhop_kg.model.refusal_item import SeedVoice
from realhop_kg.refusal.frames import frames
from realhop_kg.refusal.kinds import nouns

__all__ = ["Expressed", "expressed"]

_ROLE_WORD = r"(?!(?:of|that|who|whose|where|by|to|the|at|on|is|married)\b)[\w-]+"
_ROLE = rf"{_ROLE_WORD}(?: {_ROLE_WORD})*?"
_SLOT = re.compile(r"\{\w+\}")
_MOST = 8
"""Steps that are looked for."""


class Expressed(NamedTuple):
    """How many links a question voices."""

    before: int
    """Before the unanswerable step."""
    after: int


class _Said(NamedTuple):
    """One way in which hops are voiced."""

    literals: tuple[str, ...]
    """Words that stand in whatever is voiced so."""
    pattern: re.Pattern[str]

    def held(self, words: str) -> str | None:
        """Return what stands for the page that links, or None where this is not said."""
        if not all(literal in words for literal in self.literals):
            return None
        match = self.pattern.fullmatch(words)
        if match is None or match.groupdict().get("type", "person") not in _kinds():
            return None
        return match["S"]


@cache
def _kinds() -> frozenset[str]:
    return frozenset((*(kind.noun for kind in nouns().values()), "person", "constituent country"))


@cache
def _ways(ask: bool) -> list[_Said]:
    ways = [way for frame in frames().values() for way in (frame, *frame.others)]
    templates = dict.fromkeys(way.ask if ask else way.phrase for way in ways)
    return [
        _Said(tuple(filter(None, _SLOT.split(template))), re.compile(_pattern(template)))
        for template in templates
    ]


def _pattern(template: str) -> str:
    slots = {
        "{S}": "(?P<S>.+)",
        # One of the kinds; which they are is looked up, because hundreds of them compile slowly.
        "{type}": r"(?P<type>[\w'-]+(?: [\w'-]+){0,2}?)",
        "{dir}": "(?:north|south)?(?:east|west)?",
        "{other}": "(?:north|south)?(?:east|west)?",
    }
    parts = re.split(rf"({_SLOT.pattern})", template)
    # A role or part: `second largest city`.
    return "".join(slots.get(part, _ROLE) if part[:1] == "{" else re.escape(part) for part in parts)


def _around(template: str) -> re.Pattern[str]:
    before, _, after = template.partition("{A}")
    return re.compile(rf"{re.escape(before)}(?P<A>.+){re.escape(after)}")


def expressed(question: str, voice: SeedVoice, start: str) -> list[Expressed]:
    """Return every way in which a question can be read as steps around its seed.

    Args:
        question: the final wording.
        voice: the seed's own words.
        start: the entity that the question names, as it names it.

    Returns:
        One entry per reading that differs; a sound question has exactly one, a question that does
        not hold the seed or the entity has none.
    """
    return list(_read(question, voice, start))


@lru_cache(maxsize=1024)
def _read(question: str, voice: SeedVoice, start: str) -> tuple[Expressed, ...]:
    found = set()
    for said in dict.fromkeys((question, question[:1].lower() + question[1:])):
        if match := _around(voice.question).fullmatch(said):
            found |= {Expressed(before, 0) for before in _before(match["A"], start)}
        # Asking forms begin with a capital as they stand.
        for way in _ways(True) if voice.nominal else ():
            if (held := way.held(said)) is not None:
                found |= {Expressed(one, other + 1) for one, other in _after(held, voice, start)}
    return tuple(sorted(found))


@lru_cache(maxsize=4096)
def _before(words: str, start: str, left: int = _MOST) -> frozenset[int]:
    """Return how many hops words may say that lead from the entity that is named."""
    found = {0} if words == start else set()
    for way in _ways(False) if left else ():
        if (held := way.held(words)) is not None:
            found |= {1 + hops for hops in _before(held, start, left - 1)}
    return frozenset(found)


@lru_cache(maxsize=4096)
def _after(words: str, voice: SeedVoice, start: str, left: int = _MOST) -> frozenset[Expressed]:
    """Return how many hops words may say before what the seed asks for, and behind it."""
    found = set()
    if match := _around(voice.nominal).fullmatch(words):
        found |= {Expressed(before, 0) for before in _before(match["A"], start)}
    for way in _ways(False) if left else ():
        if (held := way.held(words)) is not None:
            found |= {Expressed(one, 1 + n) for one, n in _after(held, voice, start, left - 1)}
    return frozenset(found)
