"""What a picture of an item shows: its paths, and each fact with ends, premises and spans."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from realhop_kg.graph.dependency import dependencies
from realhop_kg.graph.reasoning import ReasoningGraph
from realhop_kg.graph.schema import (
    EdgeKind,
    EntityNode,
    EvidenceUnit,
    FactNode,
    FactStatus,
    HopNode,
    PathKind,
    PathNode,
    SpanNode,
)
from realhop_kg.model.finding import Code
from realhop_kg.relations.predicates import Predicates

__all__ = ["Chains", "Fact", "Part", "Path", "path_name", "read_chains", "relation_words"]

_CONTRACTS: dict[tuple[PathKind, FactStatus], tuple[Code, ...]] = {
    (PathKind.GOLD, FactStatus.GOLD): (Code.G1, Code.H5),
    (PathKind.STRICT, FactStatus.BREAK): (Code.S1, Code.S4),
    (PathKind.STRICT, FactStatus.CONTINUATION): (Code.S2,),
    (PathKind.FLEXIBLE, FactStatus.BREAK): (Code.F1, Code.S4, Code.F3),
    (PathKind.FLEXIBLE, FactStatus.CONTINUATION): (Code.F1, Code.F3),
}
"""The contracts that say what a fact must be, by path and part in it."""


@dataclass(frozen=True, slots=True)
class Part:
    """A fact that is stated whole, or one premise of a split one."""

    id: str
    subjects: tuple[str, ...]
    """Entity ids, in the order of slot names."""
    value: str
    spans: tuple[SpanNode, ...]


@dataclass(frozen=True, slots=True)
class Fact:
    """A fact as a path brought it in."""

    id: str
    hop: int
    path: str
    """Name of the path that it belongs to."""
    kind: PathKind
    status: FactStatus
    predicate: str
    words: str
    """The relation in words."""
    subjects: tuple[str, ...]
    """Entity ids, in the order of slot names."""
    value: str
    parts: tuple[Part, ...]
    contracts: tuple[Code, ...]

    @property
    def keys(self) -> tuple[str, ...]:
        """The key entities that join its premises, in order."""
        return tuple(part.value for part in self.parts[:-1])


@dataclass(frozen=True, slots=True)
class Path:
    """The gold path or a competitor path."""

    name: str
    kind: PathKind
    protected: int
    break_hop: int
    endpoint: str
    own: tuple[str, ...]
    """Ids of its own facts, in hop order."""
    inherited: tuple[str, ...]
    """Ids of the gold facts that it shares."""
    hops: int
    """How many hops it has a fact for."""


@dataclass(frozen=True, slots=True)
class Chains:
    """An item, read for drawing."""

    hops: dict[int, HopNode]
    depends_on: dict[int, tuple[int, ...]]
    entities: dict[str, EntityNode]
    paths: tuple[Path, ...]
    """Gold first, then by kind, protected hop and candidate."""
    facts: dict[str, Fact]
    sources: dict[str, str]
    """Id of the source entity by id of the virtual one."""

    @property
    def gold(self) -> Path:
        """The gold path."""
        return self.paths[0]

    def facts_of(self, path: Path) -> tuple[Fact, ...]:
        """Return the facts of a path, its own and shared ones, in hop order."""
        held = (self.facts[fact] for fact in (*path.own, *path.inherited))
        return tuple(sorted(held, key=lambda fact: (fact.hop, fact.id)))

    def sharing(self, fact_id: str) -> tuple[str, ...]:
        """Return the names of the paths that inherit a fact."""
        return tuple(path.name for path in self.paths if fact_id in path.inherited)


def path_name(path_id: str) -> str:
    """Return how people call a path: `s1a` for `path:s1a`."""
    return path_id.removeprefix("path:")


def relation_words(predicate: str, predicates: Predicates) -> str:
    """Return a relation in words, such as `was written by` or `the mayor of …`."""
    known = predicates.get(predicate)
    for wording in known.wordings if known else ():
        words = wording.rstrip(".").removesuffix("{y}").removeprefix("{x} ")
        for slot in known.arguments if known else ():
            words = words.replace(f"{{{slot}}}", "…")
        if words.strip() and "{" not in words:
            return _shortened(words.strip())
    return predicate.replace("_", " ").replace(".", ": ")


def _shortened(words: str) -> str:
    """Drop what says nothing on a line from subject to value: `The mayor of … was`."""
    for verb in (" … is", " … was"):
        words = words.removesuffix(verb) + " …" if words.endswith(verb) else words
    if words.count("…") == 1:
        words = words.removesuffix(" …")
    return f"the{words[3:]}" if words.startswith("The ") else words


def read_chains(graph: ReasoningGraph, predicates: Predicates) -> Chains:
    """Read what a picture shows of a constructed graph.

    Args:
        graph: the graph of one item.
        predicates: its predicates, for their wordings.

    Raises:
        KeyError: if the graph has no gold path, or a fact without value.
    """
    nodes = sorted(graph.nodes(PathNode), key=_rank)
    if not nodes or nodes[0].path_kind is not PathKind.GOLD:
        raise KeyError("the graph has no gold path")
    facts: dict[str, Fact] = {}
    paths = []
    for node in nodes:
        held = sorted(graph.edges(node.id, EdgeKind.CONTAINS), key=lambda edge: edge[1]["order"])
        own = [fact for fact, data in held if not data["inherited"]]
        facts |= {fact: _fact(graph, fact, node, predicates) for fact in own}
        paths.append(
            Path(
                name=path_name(node.id),
                kind=node.path_kind,
                protected=node.protected_hop,
                break_hop=node.break_hop,
                endpoint=node.endpoint,
                own=tuple(own),
                inherited=tuple(fact for fact, data in held if data["inherited"]),
                hops=len({graph.get(fact, FactNode).hop for fact, _ in held}),
            )
        )
    return Chains(
        hops={hop.index: hop for hop in sorted(graph.nodes(HopNode), key=lambda hop: hop.index)},
        depends_on={hop: tuple(earlier) for hop, earlier in dependencies(graph).items()},
        entities={entity.id: entity for entity in graph.nodes(EntityNode)},
        paths=tuple(paths),
        facts=facts,
        sources=dict(_rebound(graph)),
    )


def _rank(path: PathNode) -> tuple[int, int, int, str]:
    return list(PathKind).index(path.path_kind), path.protected_hop, path.candidate, path.id


def _rebound(graph: ReasoningGraph) -> Iterator[tuple[str, str]]:
    for entity in graph.nodes(EntityNode):
        for source in graph.targets(entity.id, EdgeKind.REBINDS):
            yield entity.id, source


def _fact(graph: ReasoningGraph, fact_id: str, path: PathNode, predicates: Predicates) -> Fact:
    fact = graph.get(fact_id, FactNode)
    units = [graph.get(unit, EvidenceUnit) for unit in graph.sources(fact_id, EdgeKind.COMPOSES)]
    stated = [unit.id for unit in sorted(units, key=lambda unit: unit.order)] or [fact_id]
    contracts = _CONTRACTS[path.path_kind, fact.status]
    return Fact(
        id=fact_id,
        hop=fact.hop,
        path=path_name(path.id),
        kind=path.path_kind,
        status=fact.status,
        predicate=fact.predicate,
        words=relation_words(fact.predicate, predicates),
        subjects=_subjects(graph, fact_id),
        value=graph.target(fact_id, EdgeKind.OBJECT).id,
        parts=tuple(_part(graph, part) for part in stated),
        contracts=(*contracts, Code.G3) if units else contracts,
    )


def _subjects(graph: ReasoningGraph, stated: str) -> tuple[str, ...]:
    filled = sorted((data["slot"], end) for end, data in graph.edges(stated, EdgeKind.SUBJECT))
    return tuple(dict.fromkeys(end for _, end in filled))


def _part(graph: ReasoningGraph, stated: str) -> Part:
    spans = [graph.get(span, SpanNode) for span in graph.targets(stated, EdgeKind.WRITTEN_AT)]
    return Part(
        id=stated,
        subjects=_subjects(graph, stated),
        value=graph.target(stated, EdgeKind.OBJECT).id,
        spans=tuple(sorted(spans, key=lambda span: (span.passage, span.start))),
    )
