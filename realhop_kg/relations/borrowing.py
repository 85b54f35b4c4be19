"""Near-misses in the words of other relations, so that words alone do not give them away.

A near-miss whose words no question ever asks for is known as one without reading the question. So
many are stated as another relation is: of the same things (`Aurel Voss died in Calder` where the
place of birth is asked), or of something that belongs to them (`The founder of Calder was born in
Wexmoor County` where the county of Calder is asked).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from realhop_kg.errors import InputError

if TYPE_CHECKING:
    from realhop_kg.relations.relation import NearMiss, Relation
    from realhop_kg.relations.types import Types

__all__ = ["in_borrowed_words"]

_FIRST = "{x}"


def in_borrowed_words(relation: Relation, known: Mapping[str, Relation], types: Types) -> Relation:
    """Return a relation whose near-misses are all worded: those that borrow their words, too.

    A near-miss that states another relation of the same things entails it, so that derivation
    knows what its sentences say.

    Args:
        relation: the relation as declared.
        known: every relation by id.
        types: the type tree.

    Raises:
        InputError: if a near-miss borrows from no relation, or from one of other types.
    """
    if not any(miss.like for miss in relation.near_misses):
        return relation
    worded = tuple(
        _worded(miss, relation, known, types) if miss.like else miss
        for miss in relation.near_misses
    )
    return type(relation).model_validate({**dict(relation), "near_misses": worded})


def _worded(
    miss: NearMiss, relation: Relation, known: Mapping[str, Relation], types: Types
) -> NearMiss:
    lender = known.get(miss.like)
    if lender is None:
        raise InputError(
            f"relation {relation.id}: near-miss {miss.id} borrows from unknown {miss.like!r}"
        )
    if len(lender.frames) != len(relation.frames):
        raise InputError(
            f"relation {relation.id}: near-miss {miss.id} needs {len(relation.frames)} frames, "
            f"{lender.id} has {len(lender.frames)}"
        )
    _check_types(miss, relation, lender, types)
    role = miss.role or lender.role

    def worded(template: str) -> str:
        # A role may name `{x}` itself.
        told = template.replace("{role}", role)
        return told.replace(_FIRST, miss.of) if miss.of else told

    frames = [
        frame.model_copy(
            update={
                "link": miss.links[index] if miss.links else worded(frame.link),
                "value": miss.values[index] if miss.values else worded(frame.value),
            }
        )
        for index, frame in enumerate(lender.frames)
    ]
    plain = not (miss.of or miss.role or miss.statement)
    return miss.model_copy(
        update={
            "statement": miss.statement or worded(lender.statement),
            "frames": tuple(frames),
            "links": (),
            "values": (),
            "entails": (*miss.entails, lender.id) if plain else miss.entails,
        }
    )


def _check_types(miss: NearMiss, relation: Relation, lender: Relation, types: Types) -> None:
    """Refuse what could not be said of the same things; what `of` names is the author's care.

    Raises:
        InputError: if slots or types do not fit.
    """
    ours, theirs = {"y": relation.value}, {"y": lender.value}
    if not (miss.of or miss.statement):
        ours |= relation.arguments
        theirs |= lender.arguments
    wanted = {slot: miss.only.get(slot, type_id) for slot, type_id in ours.items()}
    if wanted.keys() != theirs.keys() or any(
        types.narrower(wanted[slot], theirs[slot]) is None for slot in theirs
    ):
        raise InputError(
            f"relation {relation.id}: near-miss {miss.id} takes {wanted}, but {lender.id}, from "
            f"which it borrows, takes {theirs}"
        )
