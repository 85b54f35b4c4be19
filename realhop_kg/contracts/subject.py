"""`ItemView`: one constructed graph as checks read it, with its registry and its text."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from functools import cached_property

from realhop_kg.contracts.occurrence import Haystack
from realhop_kg.contracts.structure import COMPETITORS, GraphView, PathView
from realhop_kg.contracts.variants import surface_variants
from realhop_kg.errors import ContractError
from realhop_kg.graph.schema import EdgeKind, EntityNode, InsertionNode
from realhop_kg.model.entity import Origin
from realhop_kg.model.sentences import boundaries
from realhop_kg.model.text import Insertion, realize

__all__ = ["COMPETITORS", "ItemView", "PathView"]


class ItemView(GraphView):
    """One constructed graph with everything that checks look up; nothing here judges."""

    def is_a(self, entity_type: str, ancestor: str) -> bool:
        """Return whether a type is `ancestor` or below it."""
        return ancestor in self._ancestors(entity_type)

    def _ancestors(self, entity_type: str) -> dict[str, None]:
        """Return a type and those above it."""
        found = self._lines.get(entity_type)
        if found is None:
            found = self._lines[entity_type] = {}
            current = entity_type
            while current and current not in found:  # parents in a circle must not hang a check
                found[current] = None
                current = self.parents.get(current, "")
        return found

    @cached_property
    def _lines(self) -> dict[str, dict[str, None]]:
        return {}

    def fits(self, first: str, second: str) -> bool:
        """Return whether one of two types is a kind of the other."""
        return self.is_a(first, second) or self.is_a(second, first)

    def is_value(self, entity: EntityNode) -> bool:
        """Return whether an entity is a date, number or other value."""
        return self.is_a(entity.entity_type, "value")

    def forms(self, entity: EntityNode) -> tuple[str, ...]:
        """Return every form of an entity, and every way to write a value."""
        return self._forms[entity.id]

    @cached_property
    def _forms(self) -> dict[str, tuple[str, ...]]:
        forms = {entity.id: entity.forms for entity in self.entities.values()}
        for entity in filter(self.is_value, self.entities.values()):
            every = (surface_variants(form, entity.entity_type) for form in entity.forms)
            forms[entity.id] = tuple(dict.fromkeys(form for some in every for form in some))
        return forms

    @cached_property
    def virtual(self) -> list[EntityNode]:
        """All virtual entities."""
        return [entity for entity in self.entities.values() if entity.origin is Origin.VIRTUAL]

    @cached_property
    def gold_values(self) -> dict[int, EntityNode]:
        """Value of the gold fact by hop."""
        return {hop: self.entities[fact.value] for hop, fact in self.evidence.gold.items()}

    @cached_property
    def owners(self) -> dict[str, list[str]]:
        """Facts and premises that bring an entity in as their value, by entity."""
        owners: dict[str, list[str]] = defaultdict(list)
        for stated in (*self.evidence.facts.values(), *self.evidence.units.values()):
            owners[stated.value].append(stated.id)
        return owners

    def named(self, *entities: EntityNode) -> Iterator[str]:
        """Yield the ids of entities and of what brings them in, so that pruning finds those."""
        for entity in entities:
            yield entity.id
            yield from self.owners.get(entity.id, ())

    @cached_property
    def original(self) -> Haystack:
        """Titles, original text and the source question."""
        texts = (text for p in self.passages.values() for text in (p.page_title, p.text))
        return Haystack(self.source.question, *texts)

    @cached_property
    def question(self) -> Haystack:
        """The constructed question."""
        return Haystack(self.item.question)

    def stops(self, passage: int) -> list[int]:
        """Return the sentence boundaries of a passage."""
        if passage not in self._stops:
            self._stops[passage] = boundaries(self.passages[passage].text)
        return self._stops[passage]

    @cached_property
    def _stops(self) -> dict[int, list[int]]:
        return {}

    @cached_property
    def insertions(self) -> dict[int, list[Insertion]]:
        """Insertions by passage index, as text records."""
        found: dict[int, list[Insertion]] = {}
        for node in self.graph.nodes(InsertionNode):
            fields = node.model_dump()
            found.setdefault(node.passage, []).append(Insertion.model_construct(**fields))
        return found

    @cached_property
    def writers(self) -> dict[str, list[str]]:
        """Ids of the whole facts and premises written at a span or in an insertion, by its id."""
        writers: dict[str, list[str]] = defaultdict(list)
        for stated in self.written:
            for span in self.targets(stated.id, EdgeKind.WRITTEN_AT):
                for place in (span, *self.targets(span, EdgeKind.IN)):
                    writers[place].append(stated.id)
        return writers

    @cached_property
    def realized(self) -> dict[int, str]:
        """Realized text by passage index; raises ContractError T1 where it cannot be made."""
        texts = {}
        for index, passage in self.passages.items():
            added = self.insertions.get(index, [])
            if any(not 0 <= insertion.offset <= len(passage.text) for insertion in added):
                raise ContractError("T1", f"{passage.id} has an insertion outside its text")
            texts[index] = realize(passage.text, added)
        return texts
