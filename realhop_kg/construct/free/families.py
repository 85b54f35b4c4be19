"""The allowed phrases of free forms and their banks of near-misses, as the YAML files have them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import product
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter

from realhop_kg.construct.free.verbs import inflect
from realhop_kg.relations.templates import expand
from realhop_kg.resources import load_yaml, resource_folder

__all__ = [
    "Family",
    "FormName",
    "Spec",
    "all_specs",
    "bank",
    "families",
    "first_reading",
    "passive_voices",
    "specs",
]

FormName = Literal[
    "when_did",
    "when_was",
    "when_first",
    "where_did",
    "where_was",
    "who_did",
    "whom_did",
    "who_role",
    "superlative",
    "how_many",
]

_NO_PASSIVE = frozenset({"bring", "give", "grant", "allow", "start"})
"""Verbs whose object does not follow them at once."""

_FILL = re.compile(r"<(\w+)>")
_INNER = re.compile(r"\(([^()\[\]|]*)\|?[^()\[\]]*\)")
_OPTIONAL = re.compile(r"\s*\[[^\[\]]*\]")


class Family(BaseModel):
    """Phrases of one form and one class of meaning, which share subjects and near-misses."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    id: str
    form: FormName
    subjects: tuple[str, ...] = Field(min_length=1)
    """Entity types that the subject may have, the more special first."""
    near: str
    """Bank of near-misses."""
    phrases: tuple[str, ...] = Field(min_length=1)
    """Templates without slots; the first alternative of each is the one that statements use."""
    fill: dict[str, tuple[str, ...]] = Field(default_factory=dict)
    """What `<name>` in a phrase stands for; each combination makes a phrase."""
    questions: tuple[str, ...] = ()
    """Question templates of counts; `<name>` is filled."""
    also: tuple[str, ...] = ()
    """Further question templates."""
    role: str = ""
    """Role of a count, with `{x}`."""
    agents: dict[str, str] = Field(default_factory=dict)
    """Agent noun by phrase, as in `the discoverer of {x}`."""
    passive: bool = False
    """Whether questions turn the phrase round: `when was slavery abolished in {x}`."""
    defined: bool = False
    """Whether the item's text must say that the answer is a person: groups do such deeds too."""


@dataclass(frozen=True, slots=True, eq=False)
class Spec:
    """One phrase of a family."""

    family: Family
    phrase: str
    """The phrase as a template, filled."""
    filled: tuple[tuple[str, str], ...]
    """What each `<name>` stands for."""

    def fill(self, template: str) -> str:
        """Return a template of the family with this phrase's fillings."""
        return _filled(template, dict(self.filled))


def first_reading(template: str) -> str:
    """Return the text that a template stands for with every first alternative and no option.

    Examples:
        >>> first_reading("(abolish|end) slavery [for good]")
        'abolish slavery'
    """
    text = _OPTIONAL.sub("", template)
    while "(" in text:
        text = _INNER.sub(lambda match: match.group(1), text)
    return " ".join(text.split())


@cache
def _banks() -> dict[str, dict[str, tuple[str, str]]]:
    adapter = TypeAdapter(dict[str, dict[str, tuple[str, str]]])
    return adapter.validate_python(load_yaml("construct/free", "banks.yaml"))


def bank(name: str) -> dict[str, tuple[str, str]]:
    """Return a bank: words and reason of each near-miss by id."""
    return _banks()[name]


@cache
def families() -> tuple[Family, ...]:
    """Return the bundled families."""
    adapter = TypeAdapter(list[Family])
    found: list[Family] = []
    for path in sorted((resource_folder("construct") / "free" / "phrases").glob("*.yaml")):
        found += adapter.validate_python(load_yaml("construct/free/phrases", path.name))
    return tuple(found)


def specs(words: frozenset[str]) -> Iterator[Spec]:
    """Yield the specs of which all words of some reading are among the words of a step."""
    seen: set[int] = set()
    for word in sorted(words):
        for order, literals in _by_word().get(word, ()):
            if literals <= words:
                seen.add(order)
    every = all_specs()
    yield from (every[order] for order in sorted(seen))


@cache
def all_specs() -> tuple[Spec, ...]:
    """Return the phrases of all families, in the order of the files."""
    return tuple(spec for family in families() for spec in _of_family(family))


def _of_family(family: Family) -> Iterator[Spec]:
    names = tuple(family.fill)
    for phrase in family.phrases:
        used = tuple(name for name in names if f"<{name}>" in phrase)
        for values in product(*(family.fill[name] for name in used)):
            filled = tuple(zip(used, values, strict=True))
            yield Spec(family, _filled(phrase, dict(filled)), filled)


def _filled(template: str, values: dict[str, str]) -> str:
    return _FILL.sub(lambda match: values[match.group(1)], template)


@cache
def _by_word() -> dict[str, list[tuple[int, frozenset[str]]]]:
    """Specs by the longest word of each reading of their phrase."""
    found: dict[str, list[tuple[int, frozenset[str]]]] = {}
    for order, spec in enumerate(all_specs()):
        for reading in _readings(spec):
            literals = frozenset(reading)
            longest = max(literals, key=lambda word: (len(word), word))
            found.setdefault(longest, []).append((order, literals))
    return found


def _readings(spec: Spec) -> Iterator[tuple[str, ...]]:
    if spec.family.form != "who_did":  # whose questions inflect the verb
        yield from _words(spec.phrase)
        for question in (*spec.family.also, *passive_voices(spec)):
            yield from _words(spec.fill(question))
        return
    for verb in spec.phrase.split("|"):
        yield (inflect(verb, "VBD") or verb,)
        yield (inflect(verb, "VBN") or verb,)
    agent = spec.family.agents.get(spec.phrase)
    if agent:
        yield from _words(agent)


def passive_voices(spec: Spec) -> list[str]:
    """Return the questions that make the phrase's object their subject, if its family has such."""
    if not spec.family.passive:
        return []
    found: dict[str, None] = {}
    for verb, *thing in _words(spec.phrase):
        done = inflect(verb, "VBN") or inflect(verb, "VBD")
        if done and verb not in _NO_PASSIVE and thing:
            found[f"when (was|were) {' '.join(thing)} {done} in {{x}}"] = None
    return list(found)


def _words(template: str) -> Iterator[tuple[str, ...]]:
    for pattern in expand(template):
        yield tuple(part for part in pattern if isinstance(part, str))
