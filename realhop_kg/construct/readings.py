"""Weeds out readings of steps whose types do not fit their neighbours or the names they fill.

Several relations may share a label or a wording (`located in ...` of a lake, of a school). Which
one a step means is settled by types: what a name shows of itself (`Redan High School`), and what
the steps before and after it take and give.
"""

from __future__ import annotations

from realhop_kg.construct.names import shown_type
from realhop_kg.construct.steps import Anchor, Reading, Ref
from realhop_kg.model.item import SourceHop
from realhop_kg.relations.catalogue import Catalogue

__all__ = ["fitting_readings"]

Readings = dict[int, list[Reading]]


def fitting_readings(
    readings: Readings, hops: tuple[SourceHop, ...], catalogue: Catalogue
) -> Readings:
    """Return the readings that fit; a hop of which none would be left keeps all of them.

    Args:
        readings: every reading of each hop.
        hops: the hops, for their answers.
        catalogue: the type tree.
    """
    answers = {hop.index: hop.answer for hop in hops}
    kept = {
        index: _or_all([r for r in found if _fits_names(r, answers[index], catalogue)], found)
        for index, found in readings.items()
    }
    while True:
        narrowed = {
            index: _or_all([r for r in found if _fits_neighbours(r, kept, catalogue)], found)
            for index, found in kept.items()
        }
        if narrowed == kept:
            return kept
        kept = narrowed


def _or_all(fitting: list[Reading], found: list[Reading]) -> list[Reading]:
    return fitting or found


def _compatible(left: str, right: str, catalogue: Catalogue) -> bool:
    return catalogue.types.narrower(left, right) is not None


def _fits_names(reading: Reading, answer: str, catalogue: Catalogue) -> bool:
    wanted = [
        (filler.text, reading.relation.arguments[slot])
        for slot, filler in reading.fillers
        if isinstance(filler, Anchor)
    ]
    for name, type_id in (*wanted, (answer, reading.relation.value)):
        shown = shown_type(name)
        if shown and not _compatible(shown, type_id, catalogue):
            return False
    return True


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
