"""Plain-networkx peers: what one would write without this package."""

from __future__ import annotations

from collections.abc import Iterable

import networkx as nx

from realhop_kg.graph.reasoning import ReasoningGraph
from realhop_kg.graph.schema import EdgeKind, FactNode, FactStatus, HopNode

__all__ = ["deletion_targets", "evidence_digraph", "necessary_by_deletion", "untyped_copy"]


def evidence_digraph(graph: ReasoningGraph) -> nx.DiGraph:
    """Return an AND/OR graph: premises -> fact -> value, and the facts that values lead on to.

    A node needs all its `all_of` predecessors, or one of its others.
    """
    evidence: nx.DiGraph = nx.DiGraph()
    for fact in graph.nodes(FactNode):
        units = graph.sources(fact.id, EdgeKind.COMPOSES)
        evidence.add_node(fact.id, needs="all")
        for unit in units:
            evidence.add_node(unit, needs="none")
            evidence.add_edge(unit, fact.id)
        value = graph.targets(fact.id, EdgeKind.OBJECT)[0]
        # Only the required relation counts: a near-miss leads to no value.
        if fact.status is not FactStatus.BREAK:
            evidence.add_node(value, needs="one")
            evidence.add_edge(fact.id, value)
        for subject in graph.targets(fact.id, EdgeKind.SUBJECT):
            evidence.add_node(subject, needs="one")
            evidence.add_edge(subject, fact.id)
    for node, data in evidence.nodes(data=True):
        data["given"] = evidence.in_degree(node) == 0
        data["of"] = evidence.in_degree(node)
    return evidence


def deletion_targets(graph: ReasoningGraph) -> list[tuple[str, frozenset[str]]]:
    """Return every hop and every gold premise, with the nodes that its deletion removes."""
    targets: list[tuple[str, frozenset[str]]] = []
    for hop in graph.nodes(HopNode):
        gold = f"f:g.h{hop.index}"
        units = graph.sources(gold, EdgeKind.COMPOSES)
        targets.append((hop.id, frozenset({gold, *units})))
        targets += [(unit, frozenset({unit})) for unit in units]
    return targets


def _holds(evidence: nx.DiGraph, answer: str) -> bool:
    """Remove what lacks support until nothing changes, and look whether the answer is left."""
    while True:
        unsupported = [
            node
            for node, data in evidence.nodes(data=True)
            if not data["given"]
            and data["needs"] != "none"
            and (
                evidence.in_degree(node) < data["of"]
                if data["needs"] == "all"
                else evidence.in_degree(node) == 0
            )
        ]
        if not unsupported:
            return answer in evidence
        evidence.remove_nodes_from(unsupported)


def necessary_by_deletion(
    evidence: nx.DiGraph, targets: Iterable[tuple[str, frozenset[str]]], answer: str
) -> dict[str, bool]:
    """Return whether the answer is lost without each target: copy, delete, look again."""
    verdicts: dict[str, bool] = {}
    for name, removed in targets:
        left = evidence.copy()
        left.remove_nodes_from(removed)
        verdicts[name] = not _holds(left, answer)
    return verdicts


def untyped_copy(graph: ReasoningGraph) -> nx.MultiDiGraph:
    """Return the same nodes and edges with plain attributes, its hops checked to form a DAG."""
    plain: nx.MultiDiGraph = nx.MultiDiGraph()
    for node, payload in graph.nx.nodes(data="payload"):
        plain.add_node(node, **vars(payload))
    for source, target, key, data in graph.nx.edges(keys=True, data=True):
        plain.add_edge(source, target, key=key, **data)
    hops = nx.DiGraph()
    hops.add_nodes_from(hop.id for hop in graph.nodes(HopNode))
    for hop in graph.nodes(HopNode):
        hops.add_edges_from(
            (hop.id, earlier) for earlier in graph.targets(hop.id, EdgeKind.DEPENDS_ON)
        )
    if not nx.is_directed_acyclic_graph(hops):
        raise ValueError("hops form a cycle")
    for hop in graph.nodes(HopNode):
        nx.ancestors(hops, hop.id)
    return plain
