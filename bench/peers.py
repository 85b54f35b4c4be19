"""Plain-networkx peers: what one would write without this package."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Any, NamedTuple

import networkx as nx

from realhop_kg.graph.reasoning import ReasoningGraph
from realhop_kg.graph.schema import EdgeKind, EntityNode, FactNode, HopNode
from realhop_kg.model.entity import EntityRole
from realhop_kg.relations.predicates import Predicates

__all__ = [
    "DELETIONS",
    "AndOr",
    "Deletion",
    "Lists",
    "and_or",
    "build_untyped",
    "lists",
    "verdicts",
]


class Lists(NamedTuple):
    """A finished item graph as the lists that networkx takes."""

    nodes: list[tuple[str, dict[str, Any]]]
    edges: list[tuple[str, str, str, dict[str, Any]]]
    hops: list[str]


def lists(graph: ReasoningGraph) -> Lists:
    """Return the nodes and edges of a graph with plain attributes."""
    return Lists(
        [(node, dict(vars(payload))) for node, payload in graph.nx.nodes(data="payload")],
        list(graph.nx.edges(keys=True, data=True)),
        [hop.id for hop in graph.nodes(HopNode)],
    )


def build_untyped(given: Lists) -> nx.MultiDiGraph:
    """Build an untyped multigraph, check that its hops form a DAG, find their descendants."""
    graph = nx.MultiDiGraph()
    graph.add_nodes_from(given.nodes)
    graph.add_edges_from(given.edges)
    hops = graph.subgraph(given.hops)
    if not nx.is_directed_acyclic_graph(hops):
        raise ValueError("the hops form a cycle")
    for hop in given.hops:
        nx.descendants(hops, hop)
    return graph


class AndOr(NamedTuple):
    """The evidence of an item as a directed graph, each node with how many inputs it needs."""

    graph: nx.DiGraph
    given: list[str]
    """What holds without evidence: the entities that nothing leads to."""


def and_or(graph: ReasoningGraph, predicates: Predicates) -> AndOr:
    """Return subjects -> premise -> key -> premise -> fact -> value.

    Facts and premises need all of their inputs, entities one of theirs. Only a fact whose
    predicate entails what its hop requires leads to its value: that is settled here, once, so
    that deciding what is derivable is plain reachability.
    """
    evidence = nx.DiGraph()
    required = {hop.index: hop.required for hop in graph.nodes(HopNode)}
    keys = {e.id for e in graph.nodes(EntityNode) if e.role is EntityRole.KEY}
    for fact in graph.nodes(FactNode):
        units = graph.sources(fact.id, EdgeKind.COMPOSES)
        evidence.add_nodes_from([fact.id, *units], all_of=True)
        for stated in (fact.id, *units):
            evidence.add_edges_from(
                (subject, stated) for subject in graph.targets(stated, EdgeKind.SUBJECT)
            )
        for unit in units:
            evidence.add_edge(unit, fact.id)
            value = graph.targets(unit, EdgeKind.OBJECT)[0]
            if value in keys:
                evidence.add_edge(unit, value)
        if predicates.entails(fact.predicate, required[fact.hop]):
            evidence.add_edge(fact.id, graph.targets(fact.id, EdgeKind.OBJECT)[0])
    for node, data in evidence.nodes(data=True):
        data["needs"] = evidence.in_degree(node) if "all_of" in data else 1
    return AndOr(evidence, [node for node, inputs in evidence.in_degree() if not inputs])


Deletion = Callable[[nx.DiGraph, Collection[str]], nx.DiGraph]
"""Gives a graph without some nodes."""


def _by_copy(graph: nx.DiGraph, removed: Collection[str]) -> nx.DiGraph:
    left = graph.copy()
    left.remove_nodes_from(removed)
    return left


def _by_subgraph(graph: nx.DiGraph, removed: Collection[str]) -> nx.DiGraph:
    return graph.subgraph(graph.nodes - set(removed))


def _by_view(graph: nx.DiGraph, removed: Collection[str]) -> nx.DiGraph:
    return nx.restricted_view(graph, removed, [])


DELETIONS: Mapping[str, Deletion] = {
    "copy and remove_nodes_from": _by_copy,
    "subgraph of the rest": _by_subgraph,
    "restricted_view": _by_view,
}
"""Ways to delete with networkx; a claim is made against the fastest in the run."""


def _derivable(graph: nx.DiGraph, given: Iterable[str]) -> set[str]:
    """Return all nodes that hold, by forward chaining; each edge is looked at once."""
    reached: set[str] = set()
    missing: dict[str, int] = {}
    agenda = [node for node in given if node in graph]
    while agenda:
        node = agenda.pop()
        if node in reached:
            continue
        reached.add(node)
        for after in graph[node]:
            if after in reached:
                continue
            if after not in missing:
                missing[after] = graph.nodes[after]["needs"]
            missing[after] -= 1
            if missing[after] == 0:
                agenda.append(after)
    return reached


def verdicts(
    evidence: AndOr, removals: Iterable[tuple[Collection[str], str]], answer: str, delete: Deletion
) -> list[tuple[bool, bool]]:
    """Return for each removal whether the answer is lost, and whether its fact is.

    Args:
        evidence: what `and_or` made.
        removals: the nodes to delete, and the fact that they state or help to state.
        answer: entity id of the gold answer.
        delete: how to delete.
    """
    found = []
    for removed, fact in removals:
        left = _derivable(delete(evidence.graph, removed), evidence.given)
        found.append((answer not in left, fact not in left))
    return found
