"""Proposes competitor paths: near-misses of the catalogue with fresh values from there on."""

from __future__ import annotations

import random
from collections.abc import Mapping

from realhop_kg.construct.coining import ItemCoiner
from realhop_kg.construct.values import year_in
from realhop_kg.errors import Refusal
from realhop_kg.graph.dependency import dependencies, regenerated
from realhop_kg.graph.operators.rebind import gold_fact_id
from realhop_kg.graph.reasoning import ReasoningGraph
from realhop_kg.graph.schema import EdgeKind, EntityNode, HopNode
from realhop_kg.model.entity import EntityRole
from realhop_kg.model.plan import BranchPlan, PlannedEntity, PlannedName, Split
from realhop_kg.relations.catalogue import Catalogue
from realhop_kg.relations.relation import NearMiss

__all__ = ["STRICT_CANDIDATES", "propose_branches"]

STRICT_CANDIDATES = 2
"""Independent Strict candidates per hop (Appendix I.2)."""

BORROWED = 2
"""Near-misses of a hop that are stated in the words of relations, where there are as many."""

BORROWED_IN_PREMISES = 1
"""The same for a split hop: the second premise of its other near-misses says what gold's says."""


def propose_branches(
    graph: ReasoningGraph,
    entities: Mapping[str, PlannedEntity],
    splits: Mapping[int, Split],
    catalogue: Catalogue,
    coiner: ItemCoiner,
    rng: random.Random,
) -> tuple[list[BranchPlan], list[BranchPlan]]:
    """Return the Strict plans, two per hop, and the Flexible ones, one per hop where possible.

    Every path states another near-miss of its hop. A Flexible break at a later hop needs a
    many-valued relation to which the question refers by no definite singular, and then makes the
    question's referent open; the rules propose none (contract F1).

    Args:
        graph: a factorised graph.
        entities: the registry by `ref`, for types and formats of fresh values.
        splits: the split hops of the gold path.
        catalogue: where near-misses come from.
        coiner: coins values and keys.
        rng: seeded generator.

    Raises:
        Refusal: Q5 if a hop has too few near-misses for its types.
    """
    strict: list[BranchPlan] = []
    flexible: list[BranchPlan] = []
    deps = dependencies(graph)
    for hop in sorted(graph.nodes(HopNode), key=lambda node: node.index):
        misses = _applicable(graph, hop, catalogue)
        if len(misses) < STRICT_CANDIDATES:
            raise Refusal(
                "Q5", f"relation {hop.relation} has {len(misses)} near-misses for these types"
            )
        drawn = _drawn(misses, hop.index in splits, rng)
        for candidate, miss in enumerate(drawn, start=1):
            is_strict = candidate <= STRICT_CANDIDATES
            plan = BranchPlan(
                hop=hop.index,
                candidate=candidate if is_strict else 1,
                near_miss=catalogue.relations[hop.relation].miss_id(miss),
                values={
                    later: _value(
                        entities[f"h{later}"], miss.when if later == hop.index else "", coiner
                    )
                    for later in sorted(regenerated(deps, hop.index))
                },
                splits=_splits(graph, hop.index, miss, splits, catalogue, coiner),
            )
            (strict if is_strict else flexible).append(plan)
    return strict, flexible


def _value(entity: PlannedEntity, when: str, coiner: ItemCoiner) -> PlannedName:
    """Return a fresh value; plans are dated before the deed, and anniversaries after it.

    What a competitor says of a century is of a later one than gold's: people translate and follow
    works of earlier days.
    """
    if entity.entity_type == "century":
        when = "after"
    year = year_in(entity.virtual.surface) if when else None

    def fits(value: str) -> bool:
        other = year_in(value)
        return year is None or (
            other is not None and (other < year if when == "before" else other > year)
        )

    return coiner.coin(
        entity.entity_type,
        entity.hint,
        entity.source if year is None else entity.virtual.surface,
        kind=entity.asked_kind,
        subject=entity.role is not EntityRole.ANSWER,
        fits=fits,
    )


def _applicable(graph: ReasoningGraph, hop: HopNode, catalogue: Catalogue) -> list[NearMiss]:
    fact = gold_fact_id(hop.index)
    value: EntityNode = graph.target(fact, EdgeKind.OBJECT)
    types = {"y": value.entity_type} | {
        properties["slot"]: graph.get(subject, EntityNode).entity_type
        for subject, properties in graph.edges(fact, EdgeKind.SUBJECT)
    }
    others = {node.relation for node in graph.nodes(HopNode) if node.index != hop.index}
    return [
        miss
        for miss in catalogue.relations[hop.relation].near_misses
        if others.isdisjoint(miss.unsaid)
        and all(catalogue.types.is_a(types[slot], wanted) for slot, wanted in miss.only.items())
    ]


def _drawn(misses: list[NearMiss], split: bool, rng: random.Random) -> list[NearMiss]:
    """Return three near-misses, or two if there are no more.

    Some are in the words of relations, since words that only near-misses have would give them away
    (A1), and some in words of their own, since those of relations become telling if used too often.
    """
    borrowed = [miss for miss in misses if miss.like]
    own = [miss for miss in misses if not miss.like]
    rng.shuffle(borrowed)
    rng.shuffle(own)
    first = BORROWED_IN_PREMISES if split else BORROWED
    chosen = [*borrowed[:first], *own, *borrowed[first:]][: STRICT_CANDIDATES + 1]
    rng.shuffle(chosen)
    return chosen


def _splits(
    graph: ReasoningGraph,
    hop: int,
    miss: NearMiss,
    splits: Mapping[int, Split],
    catalogue: Catalogue,
    coiner: ItemCoiner,
) -> dict[int, Split]:
    own: dict[int, Split] = {}
    for later in sorted(regenerated(dependencies(graph), hop) & splits.keys()):
        relation = catalogue.relations[graph.get(f"h{later}", HopNode).relation]
        frame = splits[later].frame
        pattern = relation.key_of(miss if later == hop else None, frame)
        own[later] = Split(frame=frame, key=coiner.key(pattern))
    return own
