"""Prints what catalogue entries make people read.

`python -m realhop_kg.relations.preview [ID ...]` shows, for each relation, the sentences of gold
and of every near-miss, whole and split, with a sample name for each type, so that a contributor
can read them aloud before committing.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator

from realhop_kg.relations.catalogue import catalogue
from realhop_kg.relations.relation import NearMiss, Relation
from realhop_kg.relations.types import entity_types

__all__ = ["preview"]

_SAMPLES = {
    "person": ("Mirela Castane", "Dorian Hask", "Joren Vale", "Tamsin Orrel"),
    "place": ("Calder", "Wexmoor", "Tessaro", "Ostrey"),
    "county": ("Castor County", "Wexmoor County", "Tolmer County", "Bessan County"),
    "river": ("the Tolmer River", "the Ask River", "the Brenne River", "the Ullow River"),
    "work": ("Lumen Gratum", "Winter Letters", "The Salt Ledger", "Hollow Season"),
    "organization": ("Halberg", "Brask", "Vandor", "Tavano"),
    "team": ("the Ardmere Falcons", "the Tolland Rovers", "the Selby Harriers", "the Orrin Kites"),
    "battle": ("the Battle of Varn Hill", "the Siege of Osk", "the Battle of Lome", "the Tarn War"),
    "date": ("23 October 1874", "4 May 1861", "9 March 1902", "17 June 1888"),
    "year": ("1967", "1954", "1961", "1948"),
    "value": ("31", "12", "47", "19"),
    "thing": ("Corvane", "Lumeno", "Sabrell", "Ondrak"),
}


def _sample(type_id: str, turn: int) -> str:
    types = entity_types()
    while type_id not in _SAMPLES:
        type_id = types[type_id].parent
    return _SAMPLES[type_id][turn % 4]


def _read(template: str, relation: Relation, turn: int) -> str:
    names = {
        slot: _sample(type_id, position)
        for position, (slot, type_id) in enumerate(relation.arguments.items())
    }
    noun = entity_types()[relation.value].noun
    text = template.format(**names, y=_sample(relation.value, turn), k=f"KEY {turn}", kind=noun)
    return text[0].upper() + text[1:]


def preview(relation: Relation) -> Iterator[str]:
    """Yield the lines that show one relation."""
    slots = ", ".join(f"{slot}: {type_id}" for slot, type_id in relation.arguments.items())
    yield f"{relation.id}({slots}) -> {relation.value}"
    misses: tuple[NearMiss | None, ...] = (None, *relation.near_misses)
    for turn, miss in enumerate(misses, start=1):
        name = f"near-miss {miss.id}" if miss else "gold"
        only = f" only {miss.only}" if miss and miss.only else ""
        yield f"  {name}{only}: {_read(relation.statement_of(miss), relation, turn)}"
        for frame in range(len(relation.frames)):
            link, value = relation.premises_of(miss, frame)
            key = relation.key_of(miss, frame)
            yield f"      [{key}] {_read(link, relation, turn)} + {_read(value, relation, turn)}"


def main(wanted: list[str]) -> int:
    """Print the relations with the given ids, or all of them."""
    for relation in catalogue().relations.values():
        if not wanted or relation.id in wanted:
            sys.stdout.write("\n".join(preview(relation)) + "\n\n")
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
