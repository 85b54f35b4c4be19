"""`rebind`: entities of question and hops become virtual ones; each hop gets its gold fact."""

from __future__ import annotations

from realhop_kg.errors import ContractError
from realhop_kg.graph.build import CONSTRUCTED, SOURCE, hop_id
from realhop_kg.graph.dependency import dependencies
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
    Side,
)
from realhop_kg.model.answers import normalize_answer
from realhop_kg.model.entity import Origin
from realhop_kg.model.plan import PlannedEntity, PlannedHop, RebindPlan

__all__ = ["GOLD_PATH", "entity_id", "gold_fact_id", "rebind"]

GOLD_PATH = "path:g"


def entity_id(ref: str) -> str:
    """Return the node id of the virtual entity of a planned one."""
    return f"e:{ref}"


def gold_fact_id(hop: int) -> str:
    """Return the node id of a hop's gold fact."""
    return f"f:g.h{hop}"


def rebind(graph: ReasoningGraph, plan: RebindPlan) -> ReasoningGraph:
    """Return the graph with the constructed item, its registry and its gold path.

    Args:
        graph: a source graph.
        plan: registry, substitutions and one fact per hop.

    Raises:
        ContractError: G1 if the plan has not one fact per hop; R1 if a slot names an entity that
            is not in the registry; R2 if two entities share a source or a virtual name; R6 if a
            hop answer keeps its source name.

    Source: REALHOP, section 4.1 and Appendix I.1.
    """
    _check_registry(plan)
    _check_hops(graph, plan)
    new = graph.copy()
    source = new.get(SOURCE, ItemNode)
    refs = {entity.ref: entity for entity in plan.entities}
    answer = next(
        refs[f"h{hop.index}"] for hop in plan.hops if new.get(hop_id(hop.index), HopNode).terminal
    )
    new.add(
        source.model_copy(
            update={
                "id": CONSTRUCTED,
                "side": Side.CONSTRUCTED,
                "question": plan.question,
                "answer": answer.virtual.surface,
                "aliases": list(answer.virtual.aliases),
                "kept": list(plan.kept),
            }
        )
    )
    for kind in (EdgeKind.HAS_HOP, EdgeKind.HAS_PASSAGE):
        for target in graph.targets(SOURCE, kind):
            new.connect(CONSTRUCTED, kind, target)
    for entity in plan.entities:
        _add_entity(new, entity)
    new.add(
        PathNode(
            id=GOLD_PATH,
            path_kind=PathKind.GOLD,
            protected_hop=0,
            break_hop=0,
            endpoint=answer.virtual.surface,
            candidate=1,
        )
    )
    new.connect(CONSTRUCTED, EdgeKind.HAS_PATH, GOLD_PATH)
    for hop in plan.hops:
        _add_gold_fact(new, hop)
    return new


def _check_registry(plan: RebindPlan) -> None:
    for side in ("source", "virtual"):
        seen: dict[str, str] = {}
        for entity in plan.entities:
            surface = entity.source if side == "source" else entity.virtual.surface
            other = seen.setdefault(normalize_answer(surface), entity.ref)
            if other != entity.ref:
                raise ContractError(
                    "R2", f"{other} and {entity.ref} have one {side} name, {surface!r}"
                )
    for entity in plan.entities:
        if entity.ref.startswith("h") and normalize_answer(entity.source) == normalize_answer(
            entity.virtual.surface
        ):
            raise ContractError("R6", f"the answer of {entity.ref} keeps its name")


def _check_hops(graph: ReasoningGraph, plan: RebindPlan) -> None:
    deps = dependencies(graph)
    if sorted(hop.index for hop in plan.hops) != sorted(deps):
        raise ContractError("G1", "the plan does not have one fact per hop")
    refs = {entity.ref for entity in plan.entities}
    for hop in plan.hops:
        unknown = sorted({*hop.slots.values(), f"h{hop.index}"} - refs)
        if unknown:
            raise ContractError("R1", f"hop {hop.index} uses {unknown[0]}, not in the registry")
        used = {f"h{earlier}" for earlier in deps[hop.index]}
        if used != {ref for ref in hop.slots.values() if ref.startswith("h")}:
            raise ContractError(
                "G1", f"the fact of hop {hop.index} does not use the hops it depends on"
            )


def _add_entity(graph: ReasoningGraph, entity: PlannedEntity) -> None:
    source = EntityNode(
        id=f"s:{entity.ref}",
        surface=entity.source,
        entity_type=entity.entity_type,
        asked_kind=entity.asked_kind,
        role=entity.role,
        origin=Origin.SOURCE,
    )
    virtual = source.model_copy(
        update={
            "id": entity_id(entity.ref),
            "surface": entity.virtual.surface,
            "article": entity.virtual.article,
            "aliases": list(entity.virtual.aliases),
            "origin": Origin.VIRTUAL,
        }
    )
    graph.add(source)
    graph.add(virtual)
    graph.connect(virtual.id, EdgeKind.REBINDS, source.id)


def _add_gold_fact(graph: ReasoningGraph, hop: PlannedHop) -> None:
    node = graph.get(hop_id(hop.index), HopNode)
    graph.add(
        node.model_copy(
            update={
                "relation": hop.relation,
                "required": hop.required,
                "wording": hop.wording,
                "asked_kind": hop.asked_kind,
                "slots": list(hop.slots),
                "multi_valued": hop.multi_valued,
                "definite": hop.definite,
            }
        )
    )
    graph.disconnect(node.id, EdgeKind.DEPENDS_ON)
    fact = gold_fact_id(hop.index)
    graph.add(FactNode(id=fact, predicate=hop.relation, hop=hop.index, status=FactStatus.GOLD))
    for slot, ref in hop.slots.items():
        graph.connect(fact, EdgeKind.SUBJECT, entity_id(ref), slot=slot)
        if ref.startswith("h"):
            graph.connect(node.id, EdgeKind.DEPENDS_ON, hop_id(int(ref[1:])), slot=slot)
    graph.connect(fact, EdgeKind.OBJECT, entity_id(f"h{hop.index}"))
    graph.connect(fact, EdgeKind.REALIZES, node.id)
    graph.connect(GOLD_PATH, EdgeKind.CONTAINS, fact, order=hop.index, inherited=False)
