"""Words one link as a step of a question, by the frame that its clause fits; or refuses to."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

from pydantic import Field

from realhop_kg.model.record import Record
from realhop_kg.model.refusal_item import StepWording
from realhop_kg.refusal.clauses import TARGET
from realhop_kg.refusal.kinds import Kind, kind_of_noun
from realhop_kg.resources import load_yaml

__all__ = ["Frame", "frames", "word_clause"]

_HEDGES = re.compile(
    r"\b(?:not|never|no|nor|may|might|could|would|possibly|probably|perhaps|allegedly|claim\w*|"
    r"disput\w*|believed|thought|said|reportedly|sometimes|often|usually|various|several|many|"
    r"other|fictional|mythical|if|planned|proposed|adopted|formerly|former|unrecogni[sz]ed|except|besides|"
    r"either|partly|self-proclaimed|de facto)\b",
    re.IGNORECASE,
)
# What may follow the target: no longer name, no second target beside it.
_FOLLOWS = re.compile(
    r"(?:[.;:]|$|,? (?:in|on|at|with|which|that|who|where|when|as|is|was|during|after|before|"
    r"until|since|from|to|by|under|along|about|near|between|situated|located|lying|extending|"
    r"bordering|bordered|including|comprising|north|south|east|west|according|reigning|over|once|"
    r"every|most|best|known|famous|facing|off)\b|,? and with\b|"
    r",? and (?:is|was|has|had|lies|its|it|one|also|an?|died|served|flows|\w+ed|the (?:city|"
    r"country|town|state|region|second|third|fourth|fifth|\w+th|largest|oldest|most|capital|"
    r"provincial|smallest))\b|,? and (?:of|also)\b|"
    r",(?! (?:the )?[A-ZÀ-Ý][^,;.]*(?:,[^,;.]*)*,? (?:and|or) (?:the )?[A-ZÀ-Ý])(?! (?:and|or)\b))"
)
_OFFICES = re.compile(
    r"\b(?:President|Prime Minister|Emperor|King|Queen|Tsar|Chancellor|Governor-General)\b"
)
# After these a clause may speak of something else than its page.
_OTHER_SUBJECT = re.compile(r"\b(?:whose|who|where|, which)\b")
_SIDES = ("north", "south", "")
_DIRECTIONS = {f"{a}{b}" for a in _SIDES for b in ("east", "west", "")} - {""}


class Way(Record):
    """One way to say what a clause says."""

    phrase: str
    ask: str


class Frame(Way):
    """One entry of `frames.yaml`."""

    match: tuple[str, ...]
    source: tuple[str, ...] = Field(alias="from")
    target: tuple[str, ...] = Field(alias="to")
    others: tuple[Way, ...] = ()
    """Said so where the first way would give a name away."""
    alike: str = ""
    """Group of frames that sound the same; a chain holds few of one group."""
    relation: str = ""
    """Kind of relation, of which a dataset holds no more than its share."""
    onward: bool = False
    beside: bool = Field(default=False, alias="list")
    """Whether other targets may stand beside this one, because the pattern tells them apart."""


@cache
def frames() -> dict[str, Frame]:
    """Return the frames by id, in the order in which they are tried."""
    data = load_yaml("refusal", "frames.yaml")
    return {name: Frame.model_validate(entry) for name, entry in data["frames"].items()}


@cache
def _patterns() -> list[tuple[str, Frame, re.Pattern[str]]]:
    macros = load_yaml("refusal", "frames.yaml")["macros"]
    return [
        (name, frame, re.compile(_spelled(pattern, macros)))
        for name, frame in frames().items()
        for pattern in frame.match
    ]


def _spelled(pattern: str, macros: Mapping[str, Any]) -> str:
    for _ in range(2):
        pattern = re.sub(r"<([A-Z]+)>", lambda found: str(macros[found[1]]), pattern)
    return pattern


def word_clause(clause: str, source: Kind, target: Kind) -> Iterator[StepWording]:
    """Yield how a clause can be voiced, the best way first; nothing where no frame says it safely.

    Args:
        clause: the sentence behind a link, its subject and target marked.
        source: what the page is.
        target: what its target is.
    """
    before, _, after = clause.partition(TARGET)
    if _HEDGES.search(before) or TARGET in after:
        return
    closed = _FOLLOWS.match(after) is not None
    for name, frame, pattern in _patterns():
        if source.family not in frame.source or target.family not in frame.target:
            continue
        found = pattern.search(_lowered(clause))
        if found is None:
            continue
        # A pattern that reads on behind the target has seen to what follows it.
        if not frame.beside and not closed and found.end() <= len(before) + len(TARGET):
            continue
        groups = {key: _group(value) for key, value in found.groupdict().items() if value}
        if name == "rank-of" and not _is_of(groups["role"], source):
            continue
        if not frame.beside and _OTHER_SUBJECT.search(before):
            continue
        if frame.beside and not all(
            _alone(clause, groups[name]) for name in ("dir", "other") if name in groups
        ):
            continue
        # `{S}` stays for the page, whatever it will be called.
        said = {"S": "{S}", "type": target.noun, **groups}
        for way in (frame, *frame.others):
            yield StepWording(
                frame=name,
                phrase=way.phrase.format(**said),
                ask=way.ask.format(**said),
                noun=target.noun,
                family=target.family,
                onward=frame.onward,
                clause=clause,
                source_family=source.family,
            )
        return


def _is_of(role: str, source: Kind) -> bool:
    """Return whether what is ranked is of the page's own kind, and no other thing beside it."""
    ranked = kind_of_noun(role)
    return ranked is not None and ranked.family == source.family


def _lowered(clause: str) -> str:
    return _OFFICES.sub(lambda found: found[0].lower(), clause)


def _group(text: str) -> str:
    joined = text.replace("-", "")
    return joined if joined in _DIRECTIONS else text


def _alone(clause: str, direction: str) -> bool:
    """Return whether a clause speaks of a direction once, so that it tells one thing."""
    loose = "-?".join(re.findall(r"north|south|east|west", direction))
    return len(re.findall(rf"(?<![\w-]){loose}(?![\w-])", clause)) == 1
