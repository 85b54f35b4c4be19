"""`prune`: unsafe competitors leave, Strict paths whole and Flexible ones fact by fact."""

from __future__ import annotations

from collections.abc import Mapping

from realhop_kg.errors import ContractError
from realhop_kg.graph.build import CONSTRUCTED
from realhop_kg.graph.operators.write import insertions_of
from realhop_kg.graph.reasoning import ReasoningGraph
from realhop_kg.graph.schema import (
    EdgeKind,
    EntityNode,
    FactNode,
    FactStatus,
    HopNode,
    ItemNode,
    PathKind,
    PathNode,
    SpanNode,
)
from realhop_kg.model.entity import EntityRole
from realhop_kg.model.text import insertion_starts

__all__ = ["prune", "strict_coverage"]


def strict_coverage(graph: ReasoningGraph) -> dict[int, int]:
    """Return how many complete Strict paths protect each hop."""
    count = {hop.index: 0 for hop in graph.nodes(HopNode)}
    for path in graph.nodes(PathNode):
        held = sum(1 for _ in graph.edges(path.id, EdgeKind.CONTAINS))
        if path.path_kind is PathKind.STRICT and held == len(count):
            count[path.protected_hop] += 1
    return count


def prune(graph: ReasoningGraph, unsafe: Mapping[str, str]) -> ReasoningGraph:
    """Return the graph without the unsafe facts, and without Strict paths that held one.

    Args:
        graph: a graph with competitor paths, routed and written or not.
        unsafe: facts or paths to remove, each with the reason, which the item keeps; a Strict
            path leaves whole, a Flexible path loses the fact alone.

    Raises:
        ContractError: S6 if a hop is left without a complete Strict path; G1 if a gold fact was
            to be removed.

    Source: REALHOP, Appendix I.2 and I.3.
    """
    new = graph.copy()
    for path in graph.nodes(PathNode):
        own = [
            fact for fact, held in graph.edges(path.id, EdgeKind.CONTAINS) if not held["inherited"]
        ]
        hit = [fact for fact in own if fact in unsafe]
        if path.path_kind is PathKind.GOLD:
            if hit or path.id in unsafe:
                raise ContractError("G1", "gold facts cannot be pruned", tuple(hit))
            continue
        whole = path.id in unsafe or (bool(hit) and path.path_kind is PathKind.STRICT)
        for fact in own if whole else hit:
            _remove_fact(new, fact)
        if whole or len(hit) == len(own):
            new.remove(path.id)
    _remove_orphans(new)
    item = new.get(CONSTRUCTED, ItemNode)
    reasons = [f"{node}: {reason}" for node, reason in sorted(unsafe.items())]
    new.add(item.model_copy(update={"pruned": [*item.pruned, *reasons]}))
    bare = [hop for hop, paths in strict_coverage(new).items() if not paths]
    if bare:
        raise ContractError("S6", f"no complete Strict path is left for hop {bare[0]}")
    return _moved_spans(new)


def _remove_fact(graph: ReasoningGraph, fact: str) -> None:
    if graph.get(fact, FactNode).status is FactStatus.GOLD:
        raise ContractError("G1", "gold facts cannot be pruned", (fact,))
    units = graph.sources(fact, EdgeKind.COMPOSES)
    for node in (*units, fact):
        for span in graph.targets(node, EdgeKind.WRITTEN_AT):
            if span in graph:
                for insertion in graph.targets(span, EdgeKind.IN):
                    graph.remove(insertion)
                graph.remove(span)
    for node in (*units, fact):
        graph.remove(node)


def _remove_orphans(graph: ReasoningGraph) -> None:
    """Remove competitors and keys that no fact or premise names any more."""
    for entity in graph.nodes(EntityNode):
        if entity.role in (EntityRole.COMPETITOR, EntityRole.KEY) and not (
            graph.sources(entity.id, EdgeKind.SUBJECT) or graph.sources(entity.id, EdgeKind.OBJECT)
        ):
            graph.remove(entity.id)


def _moved_spans(graph: ReasoningGraph) -> ReasoningGraph:
    """Shift the spans that followed a removed insertion."""
    for insertions in insertions_of(graph).values():
        starts = insertion_starts(insertions)
        for insertion in insertions:
            span = graph.get(insertion.id.replace("i:", "t:", 1), SpanNode)
            start = starts[insertion.id] + 1
            graph.add(span.model_copy(update={"start": start, "end": start + len(span.exact)}))
    return graph
