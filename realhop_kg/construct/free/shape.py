"""The common shape of free relations: `the date on which {x} ...`, recorded under a key."""

from __future__ import annotations

import re
from collections.abc import Sequence

from realhop_kg.construct.free.bank import Near
from realhop_kg.construct.free.segments import Segmented
from realhop_kg.ids import digest
from realhop_kg.relations.catalogue import Frame, NearMiss, Relation, Voice

__all__ = ["Subject", "opening", "shaped"]

Subject = str | None
"""Entity type of the first slot, where it is known."""

_SLUG = re.compile(r"[^a-z0-9]+")

_KEYS = {
    "date": ("almanac entry {nnn}-{L}", "calendar sheet {nn}-{nn}"),
    "person": ("register note {nnn}-{L}", "index card {nn}-{nnn}"),
    "place": ("gazetteer line {nnn}-{n}", "map note {nn}-{LL}"),
    "number": ("table row {nnn}-{L}", "survey sheet {nn}-{nn}"),
}
_OTHER_KEYS = ("folder {nnn}-{L}", "inventory line {nn}-{nnn}")


def shaped(
    form: str,
    cut: Segmented,
    value: str,
    head: str,
    noun: str,
    gold: str,
    near: Sequence[Near],
    questions: Sequence[str],
    nouns: Sequence[str] = (),
    clauses: Sequence[str] = (),
) -> Relation:
    """Build a free relation that states `The HEAD ROLE is {y}`.

    Args:
        form: name of the form.
        cut: the step.
        value: type of the value.
        head: noun before the role, with its article's place: `date`, `number of bells`, or empty.
        noun: what the second premise calls the value: `date`, `person`.
        gold: the role of gold, which completes the head.
        near: the near-misses, whose roles complete it too.
        questions: question templates.
        nouns: noun phrases that name the value.
        clauses: clauses with a place gap.

    Raises:
        ValueError: if the words of the step break a template.
    """
    own = " ".join(cut.parts)
    slug = "_".join(_SLUG.split(own))[:40].strip("_")
    named = f"the {head} {{role}}" if head else "the {role}"
    return Relation(
        id=f"free.{form}.{slug}.{digest(form, own, gold, length=6)}",
        arguments={slot: "thing" for slot, _ in cut.fillers},
        value=value,
        role=gold,
        statement=f"T{named[1:]} is {{y}}.",
        frames=tuple(
            Frame(
                key=key,
                link=f"{{k}} records {named}.",
                value=f"The {noun} recorded in {{k}} is {{y}}.",
            )
            for key in _KEYS.get(noun, _OTHER_KEYS)
        ),
        near_misses=tuple(
            NearMiss(id=miss, role=role, because=because) for miss, role, because in near
        ),
        questions=tuple(Voice(text=text) for text in questions),
        nouns=tuple(Voice(text=text) for text in nouns),
        clauses=tuple(Voice(text=text) for text in clauses),
    )


def opening(parts: Sequence[str], openings: Sequence[tuple[str, ...]]) -> int:
    """Return the length of the longest opening that a step begins with, or 0."""
    return max((len(first) for first in openings if tuple(parts[: len(first)]) == first), default=0)
