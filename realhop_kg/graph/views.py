"""Questions a reader asks a graph, as plain functions, and the graph as networkx and back.

Examples:
    >>> from realhop_kg.graph.reasoning import ReasoningGraph
    >>> graph = ReasoningGraph()
    >>> from_networkx(to_networkx(graph)) == graph
    True
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

import networkx as nx

from realhop_kg.errors import InputError
from realhop_kg.graph.dependency import dependencies, descendants, regenerated
from realhop_kg.graph.reasoning import ReasoningGraph
from realhop_kg.graph.schema import (
    EdgeKind,
    EntityNode,
    FactNode,
    FactStatus,
    HopNode,
    PassageNode,
    PathKind,
    PathNode,
    SpanNode,
)
from realhop_kg.model.answers import normalize_answer

__all__ = [
    "FactLine",
    "PathLine",
    "Relates",
    "SharedHost",
    "competitor_paths",
    "evidence_for_hop",
    "from_networkx",
    "gold_chain",
    "hop_descendants",
    "planned_endpoints",
    "regenerated_hops",
    "relates",
    "shared_hosts",
    "to_networkx",
    "with_relates",
]


class Relates(NamedTuple):
    """One derived edge between two entities."""

    source: str
    target: str
    predicate: str
    fact: str


class FactLine(NamedTuple):
    """One fact of a path, as a line of a table."""

    hop: int
    fact: str
    predicate: str
    subjects: tuple[str, ...]
    """Surfaces, in the order of slot names."""
    value: str
    inherited: bool


class PathLine(NamedTuple):
    """One path with its facts in hop order."""

    path: PathNode
    facts: tuple[FactLine, ...]


class SharedHost(NamedTuple):
    """A passage that holds facts of the gold path and of a competitor path."""

    passage: int
    path: str
    gold: tuple[str, ...]
    """Ids of the gold facts there."""
    competing: tuple[str, ...]
    """Ids of the path's own facts there."""


def relates(graph: ReasoningGraph) -> Iterator[Relates]:
    """Yield the derived RELATES edges: for each fact, one per subject, in the order of facts.

    An entity that fills two slots of a fact gives one edge. Premises give none: they relate
    their subject to a key, which says nothing about the question.
    """
    for fact in graph.nodes(FactNode):
        for value in graph.targets(fact.id, EdgeKind.OBJECT):
            for subject in dict.fromkeys(graph.targets(fact.id, EdgeKind.SUBJECT)):
                yield Relates(subject, value, fact.predicate, fact.id)


def with_relates(graph: ReasoningGraph) -> ReasoningGraph:
    """Return a copy of a graph with its RELATES edges."""
    grown = graph.copy()
    for edge in relates(graph):
        grown.connect(
            edge.source,
            EdgeKind.RELATES,
            edge.target,
            predicate=edge.predicate,
            fact=edge.fact,
        )
    return grown


def to_networkx(graph: ReasoningGraph) -> nx.MultiDiGraph:
    """Return a graph as a plain networkx graph: attributes are `kind` and the node's fields.

    Everything in it is a scalar or a list of strings, so networkx writers can take it.
    """
    data = graph.to_node_link()
    plain: nx.MultiDiGraph = nx.MultiDiGraph(**data["graph"])
    for node in data["nodes"]:
        plain.add_node(node["id"], **{key: node[key] for key in node if key != "id"})
    for edge in data["edges"]:
        ends = ("source", "target", "key")
        fields = {key: value for key, value in edge.items() if key not in ends}
        plain.add_edge(edge["source"], edge["target"], key=edge["key"], **fields)
    return plain


def from_networkx(plain: nx.MultiDiGraph) -> ReasoningGraph:
    """Return the typed graph of a networkx graph that has the form of `to_networkx`.

    Raises:
        InputError: if it is no directed multigraph, or breaks the schema table.
    """
    if not (plain.is_directed() and plain.is_multigraph()):
        raise InputError("not a reasoning graph: networkx.MultiDiGraph expected")
    nodes: list[dict[str, Any]] = [{"id": node, **data} for node, data in plain.nodes(data=True)]
    edges = [
        {"source": source, "target": target, "key": key, **data}
        for source, target, key, data in plain.edges(keys=True, data=True)
    ]
    return ReasoningGraph.from_node_link(
        {"graph": dict(plain.graph), "nodes": nodes, "edges": edges}
    )


def hop_descendants(graph: ReasoningGraph, hop: int) -> tuple[int, ...]:
    """Return Desc(h): the hops that depend on a hop, directly or not, in order."""
    return tuple(sorted(descendants(dependencies(graph), hop)))


def regenerated_hops(graph: ReasoningGraph, hop: int) -> tuple[int, ...]:
    """Return R(h), the hop and its descendants, in order."""
    return tuple(sorted(regenerated(dependencies(graph), hop)))


def _facts(graph: ReasoningGraph, path: str) -> tuple[FactLine, ...]:
    held = [
        (data["order"], graph.get(fact, FactNode), data["inherited"])
        for fact, data in graph.edges(path, EdgeKind.CONTAINS)
    ]
    return tuple(
        _line(graph, fact, inherited)
        for _, fact, inherited in sorted(held, key=lambda entry: (entry[0], entry[1].id))
    )


def _line(graph: ReasoningGraph, fact: FactNode, inherited: bool) -> FactLine:
    filled = sorted((data["slot"], end) for end, data in graph.edges(fact.id, EdgeKind.SUBJECT))
    value: EntityNode = graph.target(fact.id, EdgeKind.OBJECT)
    subjects = tuple(graph.get(end, EntityNode).surface for _, end in filled)
    return FactLine(fact.hop, fact.id, fact.predicate, subjects, value.surface, inherited)


def gold_chain(graph: ReasoningGraph) -> tuple[FactLine, ...]:
    """Return the gold facts in hop order; empty where the item has no gold path."""
    gold = [path for path in graph.nodes(PathNode) if path.path_kind is PathKind.GOLD]
    return tuple(line for path in gold for line in _facts(graph, path.id))


def competitor_paths(graph: ReasoningGraph, kind: PathKind | None = None) -> tuple[PathLine, ...]:
    """Return the competitor paths, all or of one kind, each with its facts in hop order."""
    found = (
        path
        for path in graph.nodes(PathNode)
        if path.path_kind is not PathKind.GOLD and kind in (None, path.path_kind)
    )
    ordered = sorted(found, key=lambda p: (p.protected_hop, p.path_kind, p.candidate, p.id))
    return tuple(PathLine(path, _facts(graph, path.id)) for path in ordered)


def _parts(graph: ReasoningGraph, fact: str) -> list[str]:
    """Return a fact and its premises."""
    return [fact, *graph.sources(fact, EdgeKind.COMPOSES)]


def _hosts(graph: ReasoningGraph, fact: str) -> set[int]:
    return {
        graph.get(passage, PassageNode).index
        for part in _parts(graph, fact)
        for passage in graph.targets(part, EdgeKind.ROUTED_TO)
    }


def shared_hosts(graph: ReasoningGraph) -> tuple[SharedHost, ...]:
    """Return where the gold path and a competitor path stand in one passage."""
    gold: dict[int, list[str]] = {}
    for line in gold_chain(graph):
        for host in _hosts(graph, line.fact):
            gold.setdefault(host, []).append(line.fact)
    found = []
    for path, lines in competitor_paths(graph):
        own: dict[int, list[str]] = {}
        for line in lines:
            for host in _hosts(graph, line.fact) if not line.inherited else ():
                own.setdefault(host, []).append(line.fact)
        for host in sorted(own.keys() & gold.keys()):
            found.append(
                SharedHost(host, path.id, tuple(sorted(gold[host])), tuple(sorted(own[host])))
            )
    return tuple(sorted(found))


def evidence_for_hop(graph: ReasoningGraph, hop: int) -> tuple[tuple[str, SpanNode], ...]:
    """Return where the gold fact of a hop is written: (id of fact or premise, span)."""
    facts: Iterable[str] = (
        fact.id
        for hop_node in graph.nodes(HopNode)
        if hop_node.index == hop
        for fact_id in graph.sources(hop_node.id, EdgeKind.REALIZES)
        if (fact := graph.get(fact_id, FactNode)).status is FactStatus.GOLD
    )
    found = [
        (part, graph.get(span, SpanNode))
        for fact in facts
        for part in _parts(graph, fact)
        for span in graph.targets(part, EdgeKind.WRITTEN_AT)
    ]
    return tuple(sorted(found, key=lambda entry: (entry[1].passage, entry[1].start, entry[0])))


def planned_endpoints(graph: ReasoningGraph, response: str) -> tuple[tuple[str, str], ...]:
    """Return which planned endpoints a response equals after SQuAD normalisation.

    Returns:
        (path id, entity id) of each competitor path whose answer the response is, sorted.
    """
    said = normalize_answer(response)
    found = set()
    for path, lines in competitor_paths(graph):
        for line in lines[-1:]:
            value: EntityNode = graph.target(line.fact, EdgeKind.OBJECT)
            names = {normalize_answer(form) for form in value.forms}
            if said and said in names and value.surface == path.endpoint:
                found.add((path.id, value.id))
    return tuple(sorted(found))
