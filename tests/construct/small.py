"""A catalogue of three small relations, which tests change in one place."""

from __future__ import annotations

from typing import Any

from realhop_kg.relations.catalogue import Catalogue
from realhop_kg.relations.relation import Relation
from realhop_kg.relations.types import entity_types

__all__ = ["miss", "relation", "small_catalogue"]


def miss(name: str, **changes: Any) -> dict[str, Any]:
    """Return an honest near-miss, changed where a test wants it."""
    return {"id": name, "role": name, "because": f"a {name} is another", **changes}


def relation(relation_id: str, **changes: Any) -> Relation:
    """Return a relation that is worded by its id alone."""
    fields: dict[str, Any] = {
        "id": relation_id,
        "labels": [relation_id],
        "arguments": {"x": "settlement"},
        "value": "settlement",
        "role": relation_id,
        "frames": [
            {
                "key": f"{relation_id} list {{nnn}}",
                "link": "{k} names the {role} of {x}.",
                "value": "The name in {k} is {y}.",
            },
            {
                "key": f"{relation_id} book {{nn}}-{{L}}",
                "link": "{k} describes the {role} of {x}.",
                "value": "What {k} describes is {y}.",
            },
        ],
        "near_misses": [miss(name) for name in ("guest", "rival", "debtor", "patron")],
        "questions": [f"what is the {relation_id} of {{x}}"],
        "nouns": [f"the {relation_id} of {{x}}"],
    }
    return Relation.model_validate({**fields, **changes})


def small_catalogue(*relations: Relation) -> Catalogue:
    """Return a catalogue of `home`, `twin` and `seat`; the given ones replace or join them."""
    every = {
        "home": relation("home", arguments={"x": "person"}),
        "twin": relation("twin"),
        "seat": relation("seat"),
    } | {entry.id: entry for entry in relations}
    return Catalogue(every.values(), entity_types())
