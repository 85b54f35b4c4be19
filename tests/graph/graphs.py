"""Small hand-made reasoning graphs: a sketcher for them, and an example item."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import pairwise

from realhop_kg.graph.reasoning import ReasoningGraph
from realhop_kg.graph.schema import (
    EdgeKind,
    EntityNode,
    EvidenceUnit,
    FactNode,
    FactStatus,
    HopNode,
    ItemNode,
    PassageNode,
    PathKind,
    PathNode,
    Side,
)
from realhop_kg.model.entity import EntityRole, Origin
from realhop_kg.relations.predicates import Family, Predicate, Predicates, link_of, value_of

ITEM = "item"


class Sketch:
    """Builds a graph from short statements; an entity exists once a statement names it."""

    def __init__(self) -> None:
        self.graph = ReasoningGraph()
        self.graph.add(
            ItemNode(
                id=ITEM,
                item_key="sketch/1",
                dataset="sketch",
                source_id="1",
                side=Side.CONSTRUCTED,
                question="",
                answer="",
                topology="dag",
            )
        )

    def entity(
        self, entity_id: str, entity_type: str = "thing", role: EntityRole = EntityRole.BRIDGE
    ) -> str:
        if entity_id not in self.graph:
            self.graph.add(
                EntityNode(
                    id=entity_id,
                    surface=entity_id.title(),
                    entity_type=entity_type,
                    asked_kind=entity_type,
                    role=role,
                    origin=Origin.VIRTUAL,
                )
            )
        return entity_id

    def hop(
        self,
        index: int,
        required: str,
        depends: Mapping[str, int] | None = None,
        slots: Iterable[str] = ("x",),
        relation: str = "",
        terminal: bool = False,
    ) -> str:
        """Add hop `h{index}`, whose slots in `depends` are filled by hops added before."""
        hop_id = f"h{index}"
        self.graph.add(
            HopNode(
                id=hop_id,
                index=index,
                relation=relation or required,
                required=required,
                wording="",
                source_step="",
                source_answer="",
                support=index - 1,
                asked_kind="thing",
                slots=list(slots),
                terminal=terminal,
                multi_valued=False,
                definite=True,
            )
        )
        self.graph.connect(ITEM, EdgeKind.HAS_HOP, hop_id)
        for slot, earlier in (depends or {}).items():
            self.graph.connect(hop_id, EdgeKind.DEPENDS_ON, f"h{earlier}", slot=slot)
        return hop_id

    def fact(
        self,
        fact_id: str,
        predicate: str,
        hop: int,
        value: str,
        status: FactStatus = FactStatus.GOLD,
        **subjects: str,
    ) -> str:
        self.graph.add(FactNode(id=fact_id, predicate=predicate, hop=hop, status=status))
        self._ends(fact_id, subjects, value)
        if status is not FactStatus.BREAK:
            self.graph.connect(fact_id, EdgeKind.REALIZES, f"h{hop}")
        return fact_id

    def unit(self, fact_id: str, order: int, predicate: str, value: str, **subjects: str) -> str:
        """Add premise `{fact_id}.{order}`."""
        unit_id = f"{fact_id}.{order}"
        hop = self.graph.get(fact_id, FactNode).hop
        self.graph.add(EvidenceUnit(id=unit_id, predicate=predicate, hop=hop, order=order))
        self._ends(unit_id, subjects, value)
        self.graph.connect(unit_id, EdgeKind.COMPOSES, fact_id, rule="join")
        return unit_id

    def split(self, fact_id: str, *keys: str, frame: int = 1) -> list[str]:
        """Split a fact into a chain of premises over keys: one more premise than keys."""
        predicate = self.graph.get(fact_id, FactNode).predicate
        subjects = {
            edge["slot"]: entity for entity, edge in self.graph.edges(fact_id, EdgeKind.SUBJECT)
        }
        value = self.graph.target(fact_id, EdgeKind.OBJECT).id
        units = [self.unit(fact_id, 1, link_of(predicate, frame), keys[0], **subjects)]
        for order, (key, following) in enumerate(pairwise(keys), start=2):
            units.append(self.unit(fact_id, order, middle_of(predicate, frame), following, k=key))
        last = self.unit(fact_id, len(keys) + 1, value_of(predicate, frame), value, k=keys[-1])
        return [*units, last]

    def path(
        self, path_id: str, kind: PathKind, facts: Iterable[str], protects: int = 0, breaks: int = 0
    ) -> str:
        """Add a path; gold facts on a competitor path are inherited."""
        last = list(facts)
        endpoint = self.graph.target(last[-1], EdgeKind.OBJECT).surface
        self.graph.add(
            PathNode(
                id=path_id,
                path_kind=kind,
                protected_hop=protects,
                break_hop=breaks,
                endpoint=endpoint,
                candidate=1,
            )
        )
        self.graph.connect(ITEM, EdgeKind.HAS_PATH, path_id)
        for order, fact_id in enumerate(last, start=1):
            gold = self.graph.get(fact_id, FactNode).status is FactStatus.GOLD
            inherited = gold and kind is not PathKind.GOLD
            self.graph.connect(
                path_id, EdgeKind.CONTAINS, fact_id, order=order, inherited=inherited
            )
        if protects:
            self.graph.connect(path_id, EdgeKind.PROTECTS, f"h{protects}")
            self.graph.connect(path_id, EdgeKind.BREAKS_AT, f"h{breaks}")
        return path_id

    def route(self, passage: int, *stated: str) -> str:
        """Route facts and premises to passage `p{passage}`."""
        passage_id = f"p{passage}"
        if passage_id not in self.graph:
            self.graph.add(
                PassageNode(
                    id=passage_id,
                    index=passage,
                    page_title=f"Page {passage}",
                    text="A plain sentence.",
                    origin="distractor",
                )
            )
            self.graph.connect(ITEM, EdgeKind.HAS_PASSAGE, passage_id)
        for node_id in stated:
            self.graph.connect(node_id, EdgeKind.ROUTED_TO, passage_id)
        return passage_id

    def _ends(self, node_id: str, subjects: Mapping[str, str], value: str) -> None:
        for slot, entity in subjects.items():
            self.graph.connect(node_id, EdgeKind.SUBJECT, self.entity(entity), slot=slot)
        self.graph.connect(node_id, EdgeKind.OBJECT, self.entity(value))


def middle_of(predicate: str, frame: int) -> str:
    """Return the id of a premise between link and value."""
    return f"{predicate}/middle{frame}"


def predicate(
    predicate_id: str,
    slots: Iterable[str] = ("x",),
    entails: tuple[str, ...] = (),
    inverse: str = "",
    symmetric: bool = False,
    transitive: bool = False,
) -> Predicate:
    return Predicate(
        id=predicate_id,
        family=Family.RELATION,
        arguments=dict.fromkeys(slots, "thing"),
        value="thing",
        entails=entails,
        inverse=inverse,
        symmetric=symmetric,
        transitive=transitive,
    )


COUNTY_PREDICATES = Predicates(
    [
        predicate("located_in", transitive=True),
        predicate("capital_of", entails=("located_in",), inverse="capital"),
        predicate("capital", inverse="capital_of"),
        predicate("schools_in"),
        predicate("fairground_town"),
        predicate("borders", symmetric=True),
    ]
)


def county_item() -> Sketch:
    """Sketch a routed two-hop item: which town is the capital of the county that Brenholt is in?

    Gold stands in p0 (hop 1) and p1 (hop 2, split). Two Strict paths protect each hop; the
    near-miss of `s1a` is in p0, so that Drop(1) leaves its continuation without a prefix.
    """
    sketch = Sketch()
    sketch.hop(1, "located_in")
    sketch.hop(2, "capital", {"x": 1}, terminal=True)
    sketch.fact("g1", "located_in", 1, "castor", x="brenholt")
    sketch.fact("g2", "capital", 2, "ellery", x="castor")
    sketch.split("g2", "entry 58")
    sketch.path("gold", PathKind.GOLD, ["g1", "g2"])
    for name, county, town in (("s1a", "wexmoor", "dunmore"), ("s1b", "tolmer", "averil")):
        sketch.fact(f"{name}.1", "schools_in", 1, county, FactStatus.BREAK, x="brenholt")
        sketch.fact(f"{name}.2", "capital", 2, town, FactStatus.CONTINUATION, x=county)
        sketch.split(f"{name}.2", f"entry {town}")
        sketch.path(name, PathKind.STRICT, [f"{name}.1", f"{name}.2"], protects=1, breaks=1)
    for name, town in (("s2a", "harlan"), ("s2b", "hesk")):
        sketch.fact(f"{name}.2", "fairground_town", 2, town, FactStatus.BREAK, x="castor")
        sketch.split(f"{name}.2", f"entry {town}")
        sketch.path(name, PathKind.STRICT, ["g1", f"{name}.2"], protects=2, breaks=2)
    sketch.route(0, "g1", "s1a.1")
    sketch.route(1, "g2.1", "g2.2", "s2a.2.1", "s2a.2.2")
    sketch.route(2, "s1b.1", "s1a.2.1", "s1a.2.2", "s2b.2.1", "s2b.2.2")
    sketch.route(3, "s1b.2.1", "s1b.2.2")
    return sketch
