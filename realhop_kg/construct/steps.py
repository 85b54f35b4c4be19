"""Reads one step of a decomposition as a relation of the catalogue with filled slots."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from realhop_kg.model.item import REFERENCE, SourceHop
from realhop_kg.relations.catalogue import Catalogue
from realhop_kg.relations.relation import Relation
from realhop_kg.relations.templates import matches, tokenize
from realhop_kg.relations.types import Types

__all__ = ["Anchor", "Filler", "Reading", "Ref", "read_step"]

_LABELLED = 100
"""Literal count of a labelled step: no question template reads it more closely."""

_BESIDE = re.compile(
    r"(?:the )?(?:(?P<before>[a-z][a-z ]*?)(?P<of> of)? )?(?:the )?#(?P<hop>\d+)"
    r"(?: (?P<after>[a-z][a-z ]*))?",
    re.IGNORECASE,
)
"""A reference with its kind beside it: `the band #1`, `#1 river`, `the city of #1`."""


@dataclass(frozen=True, slots=True)
class Ref:
    """A slot filled by the answer of an earlier hop."""

    hop: int


@dataclass(frozen=True, slots=True)
class Anchor:
    """A slot filled by a name that the step spells out."""

    text: str


Filler = Ref | Anchor


@dataclass(frozen=True, slots=True)
class Reading:
    """One way to read a step."""

    hop: int
    relation: Relation
    fillers: tuple[tuple[str, Filler], ...]
    """What fills each slot of the relation, in slot order."""
    kind: str
    """The kind noun by which the step asks, folded, or empty."""
    literals: int
    """How many words of the step are the relation's own, to prefer the closer reading."""
    beside: tuple[tuple[int, str], ...] = ()
    """Kind nouns that stand beside references, with the hops: `the band #1`."""

    @property
    def references(self) -> frozenset[int]:
        """The hops whose answers fill slots."""
        return frozenset(filler.hop for _, filler in self.fillers if isinstance(filler, Ref))


def read_step(hop: SourceHop, catalogue: Catalogue) -> list[Reading]:
    """Return every reading of a step, the closest first.

    A labelled step (`subject >> relation`) is read by its label, any other by the question
    templates of the catalogue. A reading fills its slots with all the references of the step.
    """
    found = _by_label(hop, catalogue) if ">>" in hop.question else _by_questions(hop, catalogue)
    closest: dict[tuple[object, ...], Reading] = {}
    for reading in found:
        key = (reading.relation.id, reading.fillers, reading.kind)
        if reading.references == set(hop.depends_on) and (
            key not in closest or closest[key].literals < reading.literals
        ):
            closest[key] = reading
    return sorted(closest.values(), key=lambda reading: (-reading.literals, reading.relation.id))


def _by_label(hop: SourceHop, catalogue: Catalogue) -> Iterator[Reading]:
    subject, label = hop.question.rsplit(">>", 1)
    filler = _filler(subject)
    for relation in catalogue.labelled(label):
        if list(relation.arguments) == ["x"] and filler is not None:
            yield Reading(hop.index, relation, (("x", filler),), "", _LABELLED)


def _by_questions(hop: SourceHop, catalogue: Catalogue) -> Iterator[Reading]:
    tokens = tokenize(hop.question)
    for relation, pattern in catalogue.asked({token.key for token in tokens}):
        for ranges in matches(pattern, tokens, 0, len(tokens)):
            texts = {
                slot.name: hop.question[tokens[first].start : tokens[last - 1].end]
                for slot, (first, last) in ranges.items()
            }
            literals = sum(isinstance(part, str) for part in pattern)
            yield from _reading(hop, relation, texts, literals, catalogue)


def _reading(
    hop: SourceHop,
    relation: Relation,
    texts: dict[str, str],
    literals: int,
    catalogue: Catalogue,
) -> Iterator[Reading]:
    kind = texts.pop("kind", "").casefold()
    asked = catalogue.types.of_kind(kind)
    if kind and (asked is None or catalogue.types.narrower(asked, relation.value) is None):
        return
    fillers: list[tuple[str, Filler]] = []
    beside: list[tuple[int, str]] = []
    for slot, wanted in relation.arguments.items():
        text = texts.get(slot, "").strip()
        filler = _filler(text) or _described(text, wanted, catalogue.types, beside)
        if filler is None:
            return
        fillers.append((slot, filler))
    yield Reading(hop.index, relation, tuple(fillers), kind, literals, tuple(beside))


def _filler(text: str) -> Filler | None:
    """Return what a slot's text stands for; None where a reference has other words beside it."""
    match = REFERENCE.fullmatch(text.strip())
    if match:
        return Ref(int(match.group(1)))
    return None if REFERENCE.search(text) or not text.strip() else Anchor(text.strip())


def _described(text: str, wanted: str, types: Types, beside: list[tuple[int, str]]) -> Ref | None:
    """Return the reference that has nothing but its kind beside it, and note the kind."""
    match = _BESIDE.fullmatch(text)
    if match is None or bool(match["before"]) == bool(match["after"]):
        return None
    kind = (match["before"] or match["after"]).casefold()
    found = types.of_kind(kind)
    # `the Munich airport` is not Munich, and the people of a town are not the town.
    areas = ("territory", "water", "team") if match["after"] else ("territory",)
    loose = bool(match["after"] or match["of"])
    if (
        found is None
        or types.narrower(found, wanted) is None
        or (loose and not any(types.is_a(found, area) for area in areas))
    ):
        return None
    beside.append((int(match["hop"]), kind))
    return Ref(int(match["hop"]))
