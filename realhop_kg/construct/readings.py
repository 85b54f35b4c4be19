"""Weeds out readings of steps whose types do not fit their neighbours or the names they fill.

Several relations may share a label or a wording (`located in ...` of a lake, of a school). Which
one a step means is settled by types: what a name shows of itself (`Redan High School`), what the
passages say of it, and what the steps before and after it take and give.
"""

from __future__ import annotations

from realhop_kg.construct.definitions import Definition, define
from realhop_kg.construct.steps import Anchor, Reading, Ref
from realhop_kg.errors import Refusal
from realhop_kg.model.item import SourceItem
from realhop_kg.relations.catalogue import Catalogue

__all__ = ["fitting_readings"]

Readings = dict[int, list[Reading]]


def fitting_readings(readings: Readings, item: SourceItem, catalogue: Catalogue) -> Readings:
    """Return the readings that fit.

    Args:
        readings: every reading of each hop.
        item: the source item, for what its passages say of names and for its answers.
        catalogue: the type tree.

    Raises:
        Refusal: R1 if a hop is left without a reading.
    """
    answers = {hop.index: hop.answer for hop in item.hops}
    defined: dict[str, Definition] = {}

    def misfit(reading: Reading) -> str:
        return _misfit(reading, answers[reading.hop], item, catalogue, defined)

    kept: Readings = {}
    for index, found in readings.items():
        kept[index] = [reading for reading in found if not misfit(reading)]
        if found and not kept[index]:
            raise Refusal("R1", misfit(found[0]))
    while True:
        narrowed = {
            index: [r for r in found if _fits_neighbours(r, kept, catalogue)]
            for index, found in kept.items()
        }
        for index, found in narrowed.items():
            if not found:
                relation = kept[index][0].relation.id
                raise Refusal("R1", f"hop {index} as {relation} does not fit the hops beside it")
        if narrowed == kept:
            return kept
        kept = narrowed


def _compatible(left: str, right: str, catalogue: Catalogue) -> bool:
    return catalogue.types.narrower(left, right) is not None


def _misfit(
    reading: Reading,
    answer: str,
    item: SourceItem,
    catalogue: Catalogue,
    defined: dict[str, Definition],
) -> str:
    """Return what speaks against a reading, or an empty text; `defined` keeps what was read."""
    relation = reading.relation
    wanted = [
        (filler.text, relation.arguments[slot])
        for slot, filler in reading.fillers
        if isinstance(filler, Anchor)
    ]
    for name, type_id in (*wanted, (answer, relation.value)):
        if name not in defined:
            defined[name] = define(name, item.passages, catalogue.types)
        other = defined[name].contradicts(type_id, catalogue.types)
        if other:
            return f"{name!r} is a {other} by its text, and {relation.id} needs a {type_id}"
    return ""


def _fits_neighbours(reading: Reading, readings: Readings, catalogue: Catalogue) -> bool:
    """Return whether some reading of each neighbour gives, or takes, a type that fits."""
    takes = reading.relation.arguments
    for slot, filler in reading.fillers:
        if isinstance(filler, Ref) and not any(
            _compatible(earlier.relation.value, takes[slot], catalogue)
            for earlier in readings[filler.hop]
        ):
            return False
    for later in readings.values():
        uses = [
            _compatible(reading.relation.value, user.relation.arguments[slot], catalogue)
            for user in later
            for slot, filler in user.fillers
            if filler == Ref(reading.hop)
        ]
        if uses and not any(uses):
            return False
    return True
