"""Writes the passages of a fictional world: one per hop, its look-alikes, and some that fill up."""

from __future__ import annotations

import random
from collections.abc import Mapping
from functools import cache

from pydantic import TypeAdapter

from realhop_kg.construct.coining import ItemCoiner
from realhop_kg.model.entity import written
from realhop_kg.model.plan import PlannedEntity, PlannedHop, PlannedName, RebindPlan
from realhop_kg.model.text import Passage
from realhop_kg.relations.catalogue import Catalogue
from realhop_kg.relations.wording import dated, render
from realhop_kg.resources import load_yaml

__all__ = ["write_passages"]

_SENTENCES = 4
"""Sentences of a passage beside its fact."""


@cache
def _material() -> dict[str, list[str]]:
    found = load_yaml("construct/worlds", "background.yaml")
    return TypeAdapter(dict[str, list[str]]).validate_python(found)


def write_passages(
    plan: RebindPlan,
    catalogue: Catalogue,
    coiner: ItemCoiner,
    rng: random.Random,
    *,
    ambiguity: int,
    least: int,
) -> tuple[tuple[Passage, ...], dict[int, int]]:
    """Return passages in a drawn order, and the support by hop.

    Args:
        plan: the hops with their names.
        catalogue: how relations are stated.
        coiner: coins the names of look-alikes and of the background.
        rng: seeded generator.
        ambiguity: look-alikes per hop.
        least: passages at least.
    """
    writer = _Writer(catalogue, coiner, rng)
    entities = {entity.ref: entity for entity in plan.entities}
    drafts: list[tuple[str, str, int]] = []
    for hop in plan.hops:
        drafts.append((*writer.about(hop, entities), hop.index))
        for _ in range(ambiguity):
            drafts.append((*writer.about(hop, writer.others(hop, entities)), 0))
    while len(drafts) < least:
        drafts.append((*writer.filler(), 0))
    rng.shuffle(drafts)
    passages = tuple(
        Passage(index=at, title=title, text=text, is_support=hop > 0)
        for at, (title, text, hop) in enumerate(drafts)
    )
    return passages, {hop: at for at, (_, _, hop) in enumerate(drafts) if hop}


class _Writer:
    def __init__(self, catalogue: Catalogue, coiner: ItemCoiner, rng: random.Random) -> None:
        self.catalogue = catalogue
        self.types = catalogue.types
        self.coiner = coiner
        self.rng = rng

    def about(self, hop: PlannedHop, entities: Mapping[str, PlannedEntity]) -> tuple[str, str]:
        """Return title and text of a passage that states a hop's fact of some entities."""
        value = entities[f"h{hop.index}"]
        names = {slot: _written(entities[ref].virtual) for slot, ref in hop.slots.items()}
        names["y"] = _written(value.virtual)
        wording = dated(
            self.catalogue.relations[hop.relation].statement_of(None),
            self.types.unit_of(value.entity_type),
        )
        subject = entities[hop.slots["x"]]
        sentences = self.background(subject.virtual, subject.entity_type)
        fact = render(wording, names, value.asked_kind)
        sentences.insert(self.rng.randint(1, len(sentences)), fact)
        return subject.virtual.surface, " ".join(sentences)

    def others(
        self, hop: PlannedHop, entities: Mapping[str, PlannedEntity]
    ) -> dict[str, PlannedEntity]:
        """Return other entities of the same types for a hop: another subject, another value."""
        found = {}
        for ref in (*hop.slots.values(), f"h{hop.index}"):
            entity = entities[ref]
            fresh = self.coiner.coin(
                entity.entity_type, entity.hint, entity.virtual.surface, kind=entity.asked_kind
            )
            found[ref] = entity.model_copy(update={"virtual": fresh})
        return found

    def filler(self) -> tuple[str, str]:
        """Return title and text of a passage that states no fact."""
        type_id = self.rng.choice(("town", "person", "company", "book", "river", "school"))
        name = self.coiner.coin(type_id, "", "", kind="", subject=True)
        return name.surface, " ".join(self.background(name, type_id))

    def background(self, name: PlannedName, type_id: str) -> list[str]:
        """Return sentences about something, the first of which says what it is."""
        kind = next(
            kind
            for kind in ("person", "place", "organization", "work", "thing", "value")
            if self.types.is_a(type_id, kind)
        )
        lines = _material()["thing" if kind == "value" else kind]
        drawn = self.rng.sample(lines, _SENTENCES)
        sentences = [self._defined(name, type_id)] if kind != "value" else []
        for line in drawn:
            slots = {"x": _written(name), "year": str(self.rng.randint(1820, 1990))}
            slots |= {
                slot: _written(self.coiner.coin(wanted, "", "", subject=True))
                for slot, wanted in (("person", "person"), ("place", "town"))
                if f"{{{slot}}}" in line
            }
            sentences.append(render(line, slots, ""))
        return sentences

    def _defined(self, name: PlannedName, type_id: str) -> str:
        noun = self.types[type_id].noun
        if type_id == "person":
            noun = self.rng.choice(_material()["professions"])
        article = "an" if noun[0] in "aeiou" else "a"
        return render(f"{{x}} is {article} {noun}.", {"x": _written(name)}, "")


def _written(name: PlannedName) -> str:
    return written(name.surface, name.article)
