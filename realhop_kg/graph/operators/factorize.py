"""`factorize`: a fact becomes two premises that only a key entity joins."""

from __future__ import annotations

from collections.abc import Mapping
from math import ceil

from realhop_kg.errors import ContractError
from realhop_kg.graph.operators.rebind import gold_fact_id
from realhop_kg.graph.reasoning import ReasoningGraph
from realhop_kg.graph.schema import EdgeKind, EntityNode, EvidenceUnit, FactNode, HopNode
from realhop_kg.model.entity import EntityRole, Origin
from realhop_kg.model.plan import Split
from realhop_kg.relations.predicates import Predicates, link_of, value_of

__all__ = ["JOIN", "add_premises", "factorize", "required_splits"]

JOIN = "join"
"""Composition rule: link(x, k) and value(k, y) give r(x, y)."""


def required_splits(hops: int) -> int:
    """Return how many of an item's hops must be split at least (Appendix I.1)."""
    return ceil(hops / 2)


def factorize(
    graph: ReasoningGraph, splits: Mapping[int, Split], predicates: Predicates
) -> ReasoningGraph:
    """Return the graph with the gold facts of some hops split into premises.

    Args:
        graph: a rebound graph.
        splits: frame and key by hop index.
        predicates: must hold the premises of each split predicate.

    Raises:
        ContractError: G2 if too few hops are split or the terminal one is not; G3 if two facts
            share a key or a premise is not declared.

    Source: REALHOP, Appendix I.1.
    """
    hops = graph.nodes(HopNode)
    last = next(hop.index for hop in hops if hop.terminal)
    if len(splits) < required_splits(len(hops)) or last not in splits:
        raise ContractError(
            "G2",
            f"{len(splits)} of {len(hops)} hops are split, terminal hop {last} "
            f"{'among' if last in splits else 'not among'} them",
        )
    new = graph.copy()
    for hop, split in sorted(splits.items()):
        add_premises(new, gold_fact_id(hop), split, predicates)
    return new


def add_premises(graph: ReasoningGraph, fact_id: str, split: Split, predicates: Predicates) -> None:
    """Add the two premises of a fact and their key to a graph, in place.

    Raises:
        ContractError: G3 if the key is in use or a premise is not declared.
    """
    fact = graph.get(fact_id, FactNode)
    stem = fact_id.removeprefix("f:")
    link, value = link_of(fact.predicate, split.frame), value_of(fact.predicate, split.frame)
    for premise in (link, value):
        if premise not in predicates:
            raise ContractError("G3", f"premise {premise} is not declared", (fact_id,))
    if any(
        entity.role is EntityRole.KEY and entity.surface == split.key
        for entity in graph.nodes(EntityNode)
    ):
        raise ContractError("G3", f"key {split.key!r} joins two facts", (fact_id,))
    key, first, second = f"k:{stem}", f"u:{stem}.1", f"u:{stem}.2"
    graph.add(
        EntityNode(
            id=key,
            surface=split.key,
            entity_type="key",
            asked_kind="entry",
            role=EntityRole.KEY,
            origin=Origin.VIRTUAL,
        )
    )
    graph.add(EvidenceUnit(id=first, predicate=link, hop=fact.hop, order=1))
    graph.add(EvidenceUnit(id=second, predicate=value, hop=fact.hop, order=2))
    for subject, properties in list(graph.edges(fact_id, EdgeKind.SUBJECT)):
        graph.connect(first, EdgeKind.SUBJECT, subject, slot=properties["slot"])
    graph.connect(first, EdgeKind.OBJECT, key)
    graph.connect(second, EdgeKind.SUBJECT, key, slot="k")
    graph.connect(second, EdgeKind.OBJECT, graph.target(fact_id, EdgeKind.OBJECT).id)
    for unit in (first, second):
        graph.connect(unit, EdgeKind.COMPOSES, fact_id, rule=JOIN)
