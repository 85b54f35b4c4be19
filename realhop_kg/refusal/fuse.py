"""Fuses a chain into one question: only its first entity is named, the rest is said by its links.

HopRefusalBench, query synthesis. The rules put wordings inside one another; the seed's own words
are not touched, so a false premise stays false, an unknown unknown and a missing context missing.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import Protocol

from realhop_kg.errors import ContractError
from realhop_kg.model.refusal_item import RefusalChain, RefusalCode, StepWording

__all__ = ["Fuser", "RuleFuser"]

_GOES_ON = re.compile(
    r"(?:in|on|at|during|for|from|to|by|with|after|before|until|since|yesterday|today|that|last)\b"
)
_OPENS = re.compile(r"\b(?:that|which|who|whom|where) $")
# A participle opens one, too: `the country governed from Oslo in 1971` may be a country of 1971.
_CLAUSE = re.compile(r" (?:that|which|who|whom|whose|where|governed|attended|orbited|married) ")
_OPPOSITE = {"north": "south", "south": "north", "east": "west", "west": "east"}


class Fuser(Protocol):
    """Turns a chain into a question; a model's is one more of these."""

    @property
    def name(self) -> str:
        """What a manifest calls it."""
        ...

    def fuse(self, chain: RefusalChain, steps: Sequence[StepWording], start: str) -> str:
        """Return the question.

        Args:
            chain: the chain.
            steps: wordings of its links, in reading order.
            start: the first entity as it stands in a sentence.

        Raises:
            ContractError: L3 or L4, if it cannot be worded well.
        """
        ...


class RuleFuser:
    """Fuses by putting each wording into the next."""

    name = "rules"

    def fuse(self, chain: RefusalChain, steps: Sequence[StepWording], start: str) -> str:
        """Return the question.

        Raises:
            ContractError: L3, if the chain goes on and what its seed asks for cannot be named; L4,
                if a link has no wording.
        """
        if len(steps) != chain.hops:
            raise ContractError(
                RefusalCode.L4, "a link has no wording; walk again", (chain.defect.seed,)
            )
        voice = chain.defect.voice
        prefix, suffix = steps[: len(chain.prefix)], steps[len(chain.prefix) :]
        problem = ""
        if _misleading(voice.nominal if suffix else voice.question, prefix):
            problem = "what stands around its anchor could belong to the words that describe it"
        elif _turns_back(prefix) or _turns_back(suffix):
            problem = "a step goes back the way that the step before it came"
        if problem:
            raise ContractError(RefusalCode.L4, f"{problem}; walk again", (chain.defect.seed,))
        named = start
        for step in prefix:
            named = _put(step.phrase, "{S}", named)
        if not suffix:
            return _opened(_put(voice.question, "{A}", named))
        if not voice.nominal:
            raise ContractError(
                RefusalCode.L3,
                "what the seed asks for cannot be named; use it at the end of a chain",
                (chain.defect.seed,),
            )
        named = _put(voice.nominal, "{A}", named)
        for step in suffix[:-1]:
            named = _put(step.phrase, "{S}", named)
        return _opened(_put(suffix[-1].ask, "{S}", named))


def _misleading(template: str, prefix: Sequence[StepWording]) -> bool:
    """Return whether clauses that describe the anchor would run into those of the seed.

    `Which country drained {A} in 1846?` is not to become `... the country whose capital is Oslo in
    1846?`, nor `the country that {A} fought` `the country that the country whose ... fought`.
    """
    before, _, after = template.partition("{A}")
    runs_on = _GOES_ON.match(after.lstrip()) or _OPENS.search(before)
    return runs_on is not None and any(_CLAUSE.search(step.phrase) for step in prefix)


def _turns_back(steps: Sequence[StepWording]) -> bool:
    """Return whether a step leads east behind one that led west, and the like.

    Whoever goes to `the eastern neighbour of the western neighbour` may think of the start itself.
    """
    ways = [_sides(step) for step in steps]
    return any(one and other == {_OPPOSITE[side] for side in one} for one, other in pairwise(ways))


def _sides(step: StepWording) -> set[str]:
    return set(re.findall("north|south|east|west", step.phrase.partition("{S}")[0]))


def _put(template: str, slot: str, words: str) -> str:
    # No str.format: words of a page may hold braces.
    return template.replace(slot, words)


def _opened(question: str) -> str:
    return question[:1].upper() + question[1:]
