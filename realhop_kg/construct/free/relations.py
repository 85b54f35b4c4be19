"""Extends the catalogue, for one item, by free relations for the steps it does not read."""

from __future__ import annotations

from collections.abc import Iterator

from realhop_kg.construct.definitions import defined_type, defined_types, looks_like_person
from realhop_kg.construct.free.families import families, specs
from realhop_kg.construct.free.forms import relation_of
from realhop_kg.construct.names import shown_type
from realhop_kg.construct.steps import Anchor, Reading, read_step
from realhop_kg.model.item import SourceHop, SourceItem
from realhop_kg.relations.catalogue import Catalogue, Relation
from realhop_kg.relations.templates import tokenize

__all__ = ["extended_for"]


def extended_for(item: SourceItem, catalogue: Catalogue) -> Catalogue:
    """Return the catalogue with the free relations that read a step which it does not read itself.

    A relation that needs another type than the item's text gives its names stays out.
    """
    made: dict[str, Relation] = {}
    for hop in item.hops:
        if ">>" in hop.question or read_step(hop, catalogue):
            continue
        for relation in _candidates(hop):
            made.setdefault(relation.id, relation)
    if not made:
        return catalogue
    own = Catalogue(made.values(), catalogue.types)
    kept = {
        reading.relation.id: reading.relation
        for hop in item.hops
        for reading in _read(hop, item, own)
    }
    return catalogue.extended(kept.values()) if kept else catalogue


def _candidates(hop: SourceHop) -> Iterator[Relation]:
    words = frozenset(token.key for token in tokenize(hop.question))
    for spec in specs(words):
        for subject in spec.family.subjects:
            yield relation_of(spec, subject)


def _read(hop: SourceHop, item: SourceItem, own: Catalogue) -> list[Reading]:
    """Return the readings of a step whose names are of the types that they need."""
    if ">>" in hop.question:
        return []
    found = [reading for reading in read_step(hop, own) if _answer_fits(reading, hop, item, own)]
    anchors = [
        filler.text
        for reading in found
        for _, filler in reading.fillers
        if isinstance(filler, Anchor)
    ]
    subjects = {reading.relation.arguments["x"] for reading in found}
    told = all(defined_types(name, item.passages, own.types) for name in anchors)
    # A name that nothing tells apart would be renamed to one of a type of our choice.
    return found if told or len(subjects) == 1 else []


def _answer_fits(reading: Reading, hop: SourceHop, item: SourceItem, own: Catalogue) -> bool:
    relation = reading.relation
    if relation.value != "person":
        return True
    known = defined_type(hop.answer, item.passages, own.types)
    if known is not None:
        return known == "person"
    shaped = looks_like_person(hop.answer) and shown_type(hop.answer) is None
    return shaped and not relation.id.startswith(_groups())


def _groups() -> tuple[str, ...]:
    """Return the beginnings of the ids of relations whose value must be defined as a person."""
    return tuple(f"free.{family.id}." for family in families() if family.defined)
