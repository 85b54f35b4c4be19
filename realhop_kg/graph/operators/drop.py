"""`drop`: the deletion of one hop's gold evidence, on the level of the graph."""

from __future__ import annotations

from realhop_kg.graph.build import hop_id
from realhop_kg.graph.operators.rebind import gold_fact_id
from realhop_kg.graph.reasoning import ReasoningGraph
from realhop_kg.graph.schema import EdgeKind, EvidenceUnit, FactNode, HopNode

__all__ = ["drop", "lost_with_passage"]


def lost_with_passage(graph: ReasoningGraph, hop: int) -> frozenset[str]:
    """Return every fact and premise that the Drop of a hop removes with its support passage.

    That includes competitors that share the passage (REALHOP, Appendix I.3).
    """
    support = graph.get(hop_id(hop), HopNode).support
    return frozenset(
        node.id
        for model in (FactNode, EvidenceUnit)
        for node in graph.nodes(model)
        for host in graph.targets(node.id, EdgeKind.ROUTED_TO)
        if host == f"p{support}"
    )


def drop(graph: ReasoningGraph, hop: int, *, passage: bool = False) -> ReasoningGraph:
    """Return the graph without the gold evidence of a hop.

    Args:
        graph: a constructed graph.
        hop: index of the hop.
        passage: whether everything hosted in the support passage goes with it, as in the
            MuSiQue setting.

    Raises:
        KeyError: if there is no such hop.
    """
    new = graph.copy()
    gold = gold_fact_id(hop)
    lost = lost_with_passage(graph, hop) if passage else frozenset()
    for node in sorted(lost | {gold, *graph.sources(gold, EdgeKind.COMPOSES)}):
        if node in new:
            new.remove(node)
    return new
