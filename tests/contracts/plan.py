"""The plan of a constructed item, in a form that a test can change in one place."""

from __future__ import annotations

from dataclasses import dataclass, field

from realhop_kg.graph.dependency import terminal
from realhop_kg.graph.schema import EntityNode, FactStatus, HopNode, PathKind, PathNode
from realhop_kg.model.entity import EntityRole, Origin
from realhop_kg.relations.predicates import Family, Predicate, link_of, value_of


@dataclass
class Fact:
    """The plan of one fact."""

    path: str
    hop: int
    predicate: str
    status: FactStatus
    subjects: dict[str, str]
    value: str
    host: int
    key: str = ""
    """Entity id of the key that joins its premises; empty for a whole fact."""


@dataclass
class Plan:
    """Hops, registry, paths and facts of one item, before they are a graph."""

    question: str
    source_question: str
    passages: list[tuple[str, str]]
    hops: dict[int, HopNode]
    depends: dict[int, dict[str, int]]
    predicates: dict[str, Predicate] = field(default_factory=dict)
    entities: dict[str, EntityNode] = field(default_factory=dict)
    rebinds: dict[str, str] = field(default_factory=dict)
    paths: dict[str, PathNode] = field(default_factory=dict)
    facts: dict[str, Fact] = field(default_factory=dict)
    offsets: dict[str, int] = field(default_factory=dict)
    """Where a sentence goes in its host, by fact or premise; elsewhere at the end."""
    answer: str = ""
    aliases: tuple[str, ...] = ()
    kept: tuple[str, ...] = ()

    @property
    def deps(self) -> dict[int, tuple[int, ...]]:
        return {hop: tuple(slots.values()) for hop, slots in self.depends.items()}

    def relation(
        self,
        relation_id: str,
        arguments: dict[str, str],
        value: str,
        forms: dict[str, tuple[str, str, str]],
    ) -> None:
        """Declare a relation and its near-misses: whole wording, link and value by name."""
        for name, (whole, link, end) in forms.items():
            miss = f"{relation_id}.{name}" if name else relation_id
            self.predicates[miss] = Predicate(
                id=miss,
                family=Family.NEAR_MISS if name else Family.RELATION,
                parent=relation_id if name else "",
                arguments=arguments,
                value=value,
                wordings=(whole,),
                audit="read by hand: another relation" if name else "",
            )
            self.predicates[link_of(miss, 0)] = Predicate(
                id=link_of(miss, 0),
                family=Family.LINK,
                parent=miss,
                arguments=arguments,
                value="key",
                wordings=(link,),
            )
            self.predicates[value_of(miss, 0)] = Predicate(
                id=value_of(miss, 0),
                family=Family.VALUE,
                parent=miss,
                arguments={"k": "key"},
                value=value,
                wordings=(end,),
            )

    def entity(
        self,
        entity_id: str,
        surface: str,
        entity_type: str,
        role: EntityRole,
        source: str = "",
        article: str = "",
    ) -> None:
        """Add a virtual entity, and the source entity that it replaces."""
        node = EntityNode(
            id=entity_id,
            surface=surface,
            article=article,
            entity_type=entity_type,
            asked_kind="entry" if entity_type == "key" else entity_type,
            role=role,
            origin=Origin.VIRTUAL,
        )
        self.entities[entity_id] = node
        if source:
            twin = entity_id.replace("e:", "s:", 1)
            self.entities[twin] = node.model_copy(
                update={"id": twin, "surface": source, "article": "", "origin": Origin.SOURCE}
            )
            self.rebinds[entity_id] = twin

    def gold(self, hop: int, constants: dict[str, str], key: str = "") -> None:
        """Add the gold fact of a hop, whose value is `e:h{hop}`."""
        subjects = constants | {slot: f"e:h{at}" for slot, at in self.depends[hop].items()}
        if key:
            self.entity(f"k:g.h{hop}", key, "key", EntityRole.KEY)
        node = self.hops[hop]
        self.facts[f"f:g.h{hop}"] = Fact(
            "path:g",
            hop,
            node.relation,
            FactStatus.GOLD,
            subjects,
            f"e:h{hop}",
            node.support,
            f"k:g.h{hop}" if key else "",
        )

    def branch(
        self,
        kind: PathKind,
        hop: int,
        candidate: int,
        miss: str,
        steps: dict[int, tuple[str, str, int]],
    ) -> None:
        """Add a competitor path: name, key (if the hop is split) and host by hop of R(h)."""
        stem = f"{'s' if kind is PathKind.STRICT else 'f'}{hop}{'ab'[candidate - 1]}"
        self.paths[f"path:{stem}"] = PathNode(
            id=f"path:{stem}",
            path_kind=kind,
            protected_hop=hop,
            break_hop=hop,
            endpoint=steps[terminal(self.deps)][0],
            candidate=candidate,
        )
        for at, (name, key, host) in steps.items():
            gold = self.facts[f"f:g.h{at}"]
            value = f"e:{stem}.h{at}"
            self.entity(value, name, self.entities[gold.value].entity_type, EntityRole.COMPETITOR)
            if key:
                self.entity(f"k:{stem}.h{at}", key, "key", EntityRole.KEY)
            own = {s: f"e:{stem}.h{e}" for s, e in self.depends[at].items() if e in steps}
            self.facts[f"f:{stem}.h{at}"] = Fact(
                f"path:{stem}",
                at,
                f"{self.hops[at].relation}.{miss}" if at == hop else self.hops[at].relation,
                FactStatus.BREAK if at == hop else FactStatus.CONTINUATION,
                gold.subjects | own,
                value,
                host,
                f"k:{stem}.h{at}" if key else "",
            )

    def remove_path(self, path_id: str) -> None:
        """Take a competitor path out of the plan, with all that is its own."""
        del self.paths[path_id]
        for fact_id in [f for f, fact in self.facts.items() if fact.path == path_id]:
            self.remove_fact(fact_id)

    def remove_fact(self, fact_id: str) -> None:
        fact = self.facts.pop(fact_id)
        if all(fact.value not in other.subjects.values() for other in self.facts.values()):
            del self.entities[fact.value]
        if fact.key:
            del self.entities[fact.key]

    def rename(self, entity_id: str, **fields: object) -> None:
        self.entities[entity_id] = self.entities[entity_id].model_copy(update=fields)

    def reword(self, predicate_id: str, **fields: object) -> None:
        self.predicates[predicate_id] = self.predicates[predicate_id].model_copy(update=fields)

    def ask(self, hop: int, **fields: object) -> None:
        self.hops[hop] = self.hops[hop].model_copy(update=fields)

    def move(self, path_id: str, **fields: object) -> None:
        self.paths[path_id] = self.paths[path_id].model_copy(update=fields)
