"""Extends the catalogue, for one item, by free relations for the steps it does not read."""

from __future__ import annotations

from pydantic import ValidationError

from realhop_kg.construct.definitions import defined_type, looks_like_person
from realhop_kg.construct.free.forms import FORMS
from realhop_kg.construct.free.segments import Segmented, cut_step
from realhop_kg.construct.steps import read_step
from realhop_kg.model.item import REFERENCE, SourceHop, SourceItem
from realhop_kg.relations.catalogue import Catalogue, Relation

__all__ = ["extended_for"]


def extended_for(item: SourceItem, catalogue: Catalogue) -> Catalogue:
    """Return the catalogue with a free relation for every step that it does not read itself.

    A step whose answer does not have the type that its form gives stays unread.
    """
    made: dict[str, Relation] = {}
    for hop in item.hops:
        if ">>" in hop.question or read_step(hop, catalogue):
            continue
        relation = _free_relation(item, hop, catalogue)
        if relation is not None:
            made.setdefault(relation.id, relation)
    return catalogue.extended(made.values()) if made else catalogue


def _free_relation(item: SourceItem, hop: SourceHop, catalogue: Catalogue) -> Relation | None:
    cut = cut_step(item, hop)
    if cut is None:
        return None
    subject = defined_type(_filler_name(item, cut), item.passages, catalogue.types)
    for form in FORMS:
        try:
            relation = form(cut, subject)
        except (ValidationError, ValueError):
            continue  # words that break a template, such as a brace
        if relation is not None:
            return _typed(relation, cut, item, hop, catalogue)
    return None


def _filler_name(item: SourceItem, cut: Segmented) -> str:
    text = cut.fillers[0][1]
    match = REFERENCE.fullmatch(text)
    return item.hops[int(match.group(1)) - 1].answer if match else text


def _typed(
    relation: Relation, cut: Segmented, item: SourceItem, hop: SourceHop, catalogue: Catalogue
) -> Relation | None:
    """Return the relation with the types that its names have, or None if its value's differ."""
    types = catalogue.types
    if relation.value == "person":
        answer = defined_type(hop.answer, item.passages, types)
        person = answer in (None, "person") and looks_like_person(hop.answer)
        if not person:
            return None
    arguments = dict(relation.arguments)
    for slot, text in cut.fillers:
        match = REFERENCE.fullmatch(text)
        name = item.hops[int(match.group(1)) - 1].answer if match else text
        defined = defined_type(name, item.passages, types)
        if defined is None and looks_like_person(name) and not match:
            return None  # a name of no known type cannot be renamed to one of the same type
        arguments[slot] = defined or "thing"
    return relation.model_copy(update={"arguments": arguments})
