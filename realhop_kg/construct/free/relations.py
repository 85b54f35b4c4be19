"""Extends the catalogue, for one item, by free relations for the steps it does not read."""

from __future__ import annotations

from realhop_kg.construct.definitions import define, looks_like_person
from realhop_kg.construct.free.families import Family, specs
from realhop_kg.construct.free.forms import relation_of
from realhop_kg.construct.steps import Ref, read_step
from realhop_kg.model.item import SourceHop, SourceItem
from realhop_kg.relations.catalogue import Catalogue
from realhop_kg.relations.relation import Relation
from realhop_kg.relations.templates import tokenize
from realhop_kg.relations.types import Types

__all__ = ["extended_for"]


def extended_for(item: SourceItem, catalogue: Catalogue) -> Catalogue:
    """Return the catalogue with the free relations that read a step more closely than it does.

    A relation that needs another type than the item's text gives its names stays out.
    """
    made: dict[str, Relation] = {}
    for hop in item.hops:
        if ">>" not in hop.question:
            made |= {relation.id: relation for relation in _free(hop, item, catalogue)}
    return catalogue.extended(made.values()) if made else catalogue


def _free(hop: SourceHop, item: SourceItem, catalogue: Catalogue) -> list[Relation]:
    """Return the relations that read a step and whose types its names have."""
    words = frozenset(token.key for token in tokenize(hop.question))
    families = {relation_of(spec).id: spec.family for spec in specs(words)}
    own = Catalogue((relation_of(spec) for spec in specs(words)), catalogue.types)
    found: dict[str, Relation] = {}
    # `where was {x}` reads `where was Night Tide filmed` too, for a thing called Night Tide filmed.
    closest = max((reading.literals for reading in read_step(hop, catalogue)), default=0)
    for reading in read_step(hop, own):
        if reading.literals <= closest:
            continue
        family = families[reading.relation.id]
        ((_, filler),) = reading.fillers
        earlier = item.hops[filler.hop - 1] if isinstance(filler, Ref) else None
        name = filler.text if not isinstance(filler, Ref) else item.hops[filler.hop - 1].answer
        if _subject_fits(name, earlier, family, item, catalogue) and _answer_fits(
            hop.answer, family, reading.relation, item, catalogue.types
        ):
            found[reading.relation.id] = reading.relation
    # A name that nothing tells apart would be renamed to one of a type of our choice.
    return list(found.values()) if len(found) == 1 else []


def _subject_fits(
    name: str, earlier: SourceHop | None, family: Family, item: SourceItem, catalogue: Catalogue
) -> bool:
    """Return whether a subject is of a type of the family, by the text or by the step it is of."""
    types = catalogue.types
    known = define(name, item.passages, types).types
    if not known and earlier is not None:
        known = tuple({reading.relation.value for reading in read_step(earlier, catalogue)})
    return not known or any(
        types.narrower(found, subject) is not None for found in known for subject in family.subjects
    )


def _answer_fits(
    answer: str, family: Family, relation: Relation, item: SourceItem, types: Types
) -> bool:
    if relation.value != "person":
        return True
    known = define(answer, item.passages, types).types
    if known:
        return known[0] == "person"
    return not family.defined and looks_like_person(answer)
