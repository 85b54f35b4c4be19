"""Draws relations along a shape, so that each hop's value fits what the later hops take."""

from __future__ import annotations

import random
import re
from collections.abc import Collection
from dataclasses import dataclass

from realhop_kg.construct.worlds.voices import names_our_world, said, slots_in
from realhop_kg.graph.dependency import Dependencies, terminal, topological
from realhop_kg.relations.catalogue import Catalogue
from realhop_kg.relations.relation import Relation, Voice
from realhop_kg.relations.types import Types

__all__ = ["Step", "draw_steps"]

_PLACES = (
    "city",
    "town",
    "village",
    "county",
    "state",
    "province",
    "country",
    "region",
    "district",
)
"""Kinds by which a place is asked for: somebody may be born in each, and a river begin there."""

_TIMES = ("year",)
_PAIRS = (
    ("follows", "followed_by"),
    ("capital", "capital_of"),
    ("county_seat", "county_seat_of"),
    ("airport_of", "airport_serves"),
    ("parent_company", "subsidiary"),
    ("tributary_of", "has_tributary"),
    ("student_of", "student"),
    ("located_in", "contains_place"),
    ("home_venue", "occupant"),
    ("character_in", "present_in_work"),
)
"""Relations that lead back to where they came from, which the catalogue need not call inverse."""

_BARE = re.compile(r"(?:\}|the \w+) \{")
"""Where a name would stand bare behind another one or a noun, which is hard to read."""
_HEAVY = (
    r"\b(?:old|young|the|that|which|where|when|whom) {{{slot}}}"
    r"|{{{slot}}}'s|\b(?:is|was) {{{slot}}} "
)
"""Where a name may stand but a clause is hard to read: "old {x}", "the {x} publisher", "{x}'s",
"the town that {x} belongs to", "is {x} set in"."""
_ASKS = re.compile(r"(?:(?:in|on|at|to|from|by|for|with) )?(?:who|what|which|when|where|how)\b")
_PERSONAL = re.compile(r"the (?:artist|author|creator|designer|man|person|singer|woman|writer)\b")
_OPEN = frozenset({"thing", "agent", "value"})
"""Types that say too little for a name to be coined."""


@dataclass(slots=True)
class Step:
    """One hop: its relation, what fills its slots, and how it is voiced."""

    index: int
    relation: Relation
    sources: dict[str, int]
    """The earlier hop that fills a slot; the other slots take names."""
    text: str
    """Its wording in the question, with slots."""
    kind: str
    """Kind noun put for `{kind}`, or empty."""
    value: str
    """Type of its value."""


def draw_steps(
    deps: Dependencies, catalogue: Catalogue, rng: random.Random, *, names_only: bool
) -> dict[int, Step] | None:
    """Return a step for every hop, or None where this draw led nowhere; then draw again.

    No relation comes twice, and none that makes the near-misses of another say too much is kept
    out here: the planner refuses such a question.

    Args:
        deps: the dependencies, with one terminal hop.
        catalogue: the relations.
        rng: seeded generator.
        names_only: whether no hop may ask for a date, a number or another value.
    """
    last = terminal(deps)
    wanted: dict[int, list[str]] = {hop: [] for hop in deps}
    steps: dict[int, Step] = {}
    used: set[str] = set()
    for hop in reversed(topological(deps)):
        relations = [relation for key, relation in catalogue.relations.items() if key not in used]
        rng.shuffle(relations)
        for relation in relations:
            if relation.inverse in used or _back(relation.id) in used:
                continue  # the work that followed the work that x follows is x
            step = _step(hop, relation, deps[hop], wanted[hop], hop == last, catalogue.types, rng)
            if step and not (names_only and _takes_values(step, catalogue.types)):
                break
        else:
            return None
        steps[hop] = step
        used.add(relation.id)
        for slot, earlier in step.sources.items():
            wanted[earlier].append(relation.arguments[slot])
    return steps


def _back(relation: str) -> str:
    return next((a if b == relation else b for a, b in _PAIRS if relation in (a, b)), "")


def _takes_values(step: Step, types: Types) -> bool:
    return any(map(types.is_value, (step.value, *step.relation.arguments.values())))


def _step(
    hop: int,
    relation: Relation,
    before: tuple[int, ...],
    wanted: list[str],
    is_last: bool,
    types: Types,
    rng: random.Random,
) -> Step | None:
    slots = list(relation.arguments)
    if len(slots) < len(before) or (not before and len(slots) > 2):
        return None
    voices = relation.questions if is_last else relation.nouns
    rng.shuffle(slots)
    sources = dict(zip(slots, before, strict=False))
    plain = [v for v in voices if not (v.weaker or v.plain or v.step_only)]
    worded = _worded(plain, set(slots), sources, rng)
    if worded is None or (is_last and not _ASKS.match(worded)):
        return None
    kinds = _kinds(relation, types) if "{kind}" in worded else [""]
    rng.shuffle(kinds)
    for kind in kinds:
        own = [relation.value, types.of_kind(kind) or relation.value]
        value = _narrowest([*own, *wanted], types)
        if value and _PERSONAL.match(worded) and not types.is_a(value, "person"):
            continue  # no company merges with an artist
        if value and _tells(value, relation, is_last, types) and _fits(value, wanted, types):
            return Step(hop, relation, sources, worded, kind, value)
    return None


def _worded(
    voices: list[Voice], slots: set[str], sources: Collection[str], rng: random.Random
) -> str | None:
    """Return a wording that names every slot, possessives and adjectives by names alone."""
    order = list(voices)
    rng.shuffle(order)
    for voice in order:
        text = said(voice.text, rng)
        if text.startswith(("a ", "an ")):
            continue  # "a character in {x}" asks for none in particular
        nested = any(re.search(_HEAVY.format(slot=slot), text) for slot in sources)
        # "the lake {x} flows into" is hard to read where x is a clause itself.
        whole = set(slots_in(text)) - {"kind"} == slots
        if whole and not (nested or _BARE.search(text) or names_our_world(text)):
            return text
    return None


def _kinds(relation: Relation, types: Types) -> list[str]:
    """Return the kind nouns by which a relation's value may be asked for."""
    if relation.value == "place":
        return [kind for kind in _PLACES if types.of_kind(kind)]
    if types.is_a(relation.value, "time"):
        return list(_TIMES) if types.narrower("year", relation.value) else []
    noun = types[relation.value].noun
    return (
        [noun] if types.of_kind(noun) == relation.value else list(types[relation.value].kinds[:1])
    )


def _narrowest(found: list[str], types: Types) -> str | None:
    """Return the narrowest of some types, or None unless all are kinds of each other."""
    current = found[0]
    for other in found[1:]:
        narrower = types.narrower(current, other) if other in types else None
        if narrower is None:
            return None
        current = narrower
    return current


def _fits(value: str, wanted: list[str], types: Types) -> bool:
    """Return whether a value suits later hops: no museum is in a bridge, no river has a mayor."""
    return "place" not in wanted or value == "place" or types.is_a(value, "territory")


def _tells(value: str, relation: Relation, is_last: bool, types: Types) -> bool:
    """Return whether names can be coined for a value and the arguments of a relation."""
    named = [value, *relation.arguments.values()]
    if any(types[each].evident for each in named) or value in _OPEN:
        return False
    if relation.value == "place" and value not in ("place", *_PLACES):
        return False  # nobody is born in a river or buried in a range
    if relation.value == "agent" and value == "character":
        return False
    return is_last or not types.is_value(value) or value == "year"
