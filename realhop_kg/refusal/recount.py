"""Counts again, from the final wording alone, which steps a question expresses.

Nothing of the chain's annotations is used but the seed and the entity that is named, so that depth
and position are those of the words and not of hidden metadata (HopRefusalBench, surface audit).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from realhop_kg.model.refusal_item import SeedVoice
from realhop_kg.refusal.frames import frames
from realhop_kg.refusal.kinds import nouns

__all__ = ["Expressed", "expressed"]

_ROLE = r"(?:(?!(?:of|that|who|whose|where|by|to|the|at|on|is|married)\b)[\w-]+ ?)+?(?<! )"
_MOST = 8
"""Steps that are looked for."""


class Expressed(NamedTuple):
    """How many links a question voices."""

    before: int
    """Before the unanswerable step."""
    after: int


@cache
def _patterns(ask: bool) -> list[re.Pattern[str]]:
    ways = [way for frame in frames().values() for way in (frame, *frame.others)]
    templates = dict.fromkeys(way.ask if ask else way.phrase for way in ways)
    return [re.compile(_pattern(template)) for template in templates]


def _pattern(template: str) -> str:
    kinds = "|".join(sorted({re.escape(kind.noun) for kind in nouns().values()}))
    slots = {
        "{S}": "(?P<S>.+)",
        "{type}": f"(?:{kinds}|person|constituent country)",
        "{dir}": "(?:north|south)?(?:east|west)?",
        "{other}": "(?:north|south)?(?:east|west)?",
    }
    parts = re.split(r"(\{\w+\})", template)
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
    found = set()
    for said in dict.fromkeys((question, question[:1].lower() + question[1:])):
        if match := _around(voice.question).fullmatch(said):
            found |= {Expressed(before, 0) for before in _before(match["A"], start, 0)}
        for pattern in _patterns(True):
            # Asking forms begin with a capital as they stand.
            if voice.nominal and (match := pattern.fullmatch(said)):
                found |= set(_after(match["S"], voice, start, 1))
    return sorted(found)


def _before(words: str, start: str, count: int) -> Iterator[int]:
    if words == start:
        yield count
    if count >= _MOST:
        return
    for pattern in _patterns(False):
        if match := pattern.fullmatch(words):
            yield from _before(match["S"], start, count + 1)


def _after(words: str, voice: SeedVoice, start: str, count: int) -> Iterator[Expressed]:
    if match := _around(voice.nominal).fullmatch(words):
        yield from (Expressed(before, count) for before in _before(match["A"], start, 0))
    if count >= _MOST:
        return
    for pattern in _patterns(False):
        if match := pattern.fullmatch(words):
            yield from _after(match["S"], voice, start, count + 1)
