"""`branch_strict` and `branch_flexible`: complete paths to other answers, with one mismatch."""

from __future__ import annotations

from collections.abc import Iterable

from realhop_kg.errors import ContractError
from realhop_kg.graph.build import CONSTRUCTED, hop_id, passage_id
from realhop_kg.graph.dependency import dependencies, regenerated, terminal
from realhop_kg.graph.operators.factorize import add_premises
from realhop_kg.graph.operators.rebind import gold_fact_id
from realhop_kg.graph.reasoning import ReasoningGraph
from realhop_kg.graph.schema import (
    EdgeKind,
    EntityNode,
    FactNode,
    FactStatus,
    HopNode,
    PathKind,
    PathNode,
)
from realhop_kg.model.answers import normalize_answer
from realhop_kg.model.entity import EntityRole, Origin
from realhop_kg.model.plan import BranchPlan, PlannedName
from realhop_kg.relations.predicates import Family, Predicates

__all__ = ["branch_flexible", "branch_strict", "path_id"]

_PREFIX = {PathKind.STRICT: "s", PathKind.FLEXIBLE: "f"}


def path_id(kind: PathKind, hop: int, candidate: int) -> str:
    """Return the node id of a competitor path: `path:s1a` is Strict, hop 1, first candidate."""
    return f"path:{_PREFIX[kind]}{hop}{chr(ord('a') + candidate - 1)}"


def branch_strict(
    graph: ReasoningGraph, plans: Iterable[BranchPlan], predicates: Predicates
) -> ReasoningGraph:
    """Return the graph with Strict competitor paths.

    A path states a near-miss at its hop, regenerates every descendant with the required
    relations and fresh values, and inherits gold at every other hop.

    Args:
        graph: a factorised graph.
        plans: near-miss, fresh values and keys of each path.
        predicates: the declared predicates.

    Raises:
        ContractError: S2 if the values are not those of R(h); S4 if the near-miss is undeclared,
            unaudited, of another relation, or entails what the hop requires; S5a if two plans are
            one candidate; S5b if a value is in use; G3 if a key is in use or the splits differ
            from gold's.

    Source: REALHOP, Appendix I.2.
    """
    new = graph.copy()
    for plan in plans:
        _branch(new, plan, predicates, PathKind.STRICT)
    return new


def branch_flexible(
    graph: ReasoningGraph, plans: Iterable[BranchPlan], predicates: Predicates
) -> ReasoningGraph:
    """Return the graph with Flexible competitor paths that break at their own hop.

    They differ from Strict ones in routing: the protected support is forbidden to each of their
    facts (F3). Breaks at a later hop are not offered; see contract F1.

    Args:
        graph: a factorised graph.
        plans: near-miss, fresh values and keys of each path.
        predicates: the declared predicates.

    Raises:
        ContractError: F1 if the continuation is not complete; F2 if the near-miss would give
            another valid answer; S5a, S5b, G3 as for a Strict path.

    Source: REALHOP, Appendix I.2.
    """
    new = graph.copy()
    for plan in plans:
        try:
            path = _branch(new, plan, predicates, PathKind.FLEXIBLE)
        except ContractError as error:
            code = {"S2": "F1", "S4": "F2"}.get(error.code, error.code)
            raise ContractError(code, error.message, error.nodes) from error
        support = passage_id(new.get(hop_id(plan.hop), HopNode).support)
        own = [fact for fact, held in new.edges(path, EdgeKind.CONTAINS) if not held["inherited"]]
        for node in (path, *own):
            new.connect(node, EdgeKind.FORBIDS, support)
    return new


def _branch(new: ReasoningGraph, plan: BranchPlan, predicates: Predicates, kind: PathKind) -> str:
    """Add one path to a copy, in place, and return its id; an error spoils the copy alone."""
    deps = dependencies(new)
    anew = regenerated(deps, plan.hop)
    path = path_id(kind, plan.hop, plan.candidate)
    if path in new:
        raise ContractError("S5a", f"{path} is planned twice", (path,))
    if set(plan.values) != anew:
        raise ContractError(
            "S2", f"{path} gives values for hops {sorted(plan.values)}, R(h) is {sorted(anew)}"
        )
    _check_near_miss(new, plan, predicates)
    _check_splits(new, plan, anew)
    new.add(
        PathNode(
            id=path,
            path_kind=kind,
            protected_hop=plan.hop,
            break_hop=plan.hop,
            endpoint=plan.values[terminal(deps)].surface,
            candidate=plan.candidate,
        )
    )
    new.connect(CONSTRUCTED, EdgeKind.HAS_PATH, path)
    new.connect(path, EdgeKind.PROTECTS, hop_id(plan.hop))
    new.connect(path, EdgeKind.BREAKS_AT, hop_id(plan.hop))
    stem = path.removeprefix("path:")
    _add_values(new, plan, stem)
    for hop in sorted(deps):
        if hop in anew:
            fact = _add_fact(new, hop, plan, stem, anew)
            if hop in plan.splits:
                add_premises(new, fact, plan.splits[hop], predicates)
        else:
            fact = gold_fact_id(hop)
        new.connect(path, EdgeKind.CONTAINS, fact, order=hop, inherited=hop not in anew)
    return path


def _check_near_miss(graph: ReasoningGraph, plan: BranchPlan, predicates: Predicates) -> None:
    hop = graph.get(hop_id(plan.hop), HopNode)
    miss = predicates.get(plan.near_miss)
    if miss is None or miss.family is not Family.NEAR_MISS or miss.parent != hop.relation:
        raise ContractError("S4", f"{plan.near_miss} is no near-miss of {hop.relation}", (hop.id,))
    if not miss.audit:
        raise ContractError("S4", f"nobody has audited near-miss {plan.near_miss}", (hop.id,))
    for needed in dict.fromkeys((hop.relation, hop.required)):
        if predicates.entails(plan.near_miss, needed):
            raise ContractError("S4", f"{plan.near_miss} entails {needed}", (hop.id,))


def _check_splits(graph: ReasoningGraph, plan: BranchPlan, anew: frozenset[int]) -> None:
    split = {
        hop.index
        for hop in graph.nodes(HopNode)
        if graph.sources(gold_fact_id(hop.index), EdgeKind.COMPOSES)
    }
    if set(plan.splits) != split & anew:
        raise ContractError(
            "G3", f"hops {sorted(plan.splits)} are split where gold's are {sorted(split & anew)}"
        )


def _add_values(graph: ReasoningGraph, plan: BranchPlan, stem: str) -> None:
    taken = {
        normalize_answer(form): entity.id
        for entity in graph.nodes(EntityNode)
        for form in entity.forms
    }
    for hop, name in sorted(plan.values.items()):
        value = _value(graph, hop, name, stem)
        for form in value.forms:
            used = taken.setdefault(normalize_answer(form), value.id)
            if used != value.id:
                raise ContractError("S5b", f"{form!r} is the name of {used} already", (used,))
        graph.add(value)


def _value(graph: ReasoningGraph, hop: int, name: PlannedName, stem: str) -> EntityNode:
    gold: EntityNode = graph.target(gold_fact_id(hop), EdgeKind.OBJECT)
    return EntityNode(
        id=f"e:{stem}.h{hop}",
        surface=name.surface,
        article=name.article,
        aliases=list(name.aliases),
        entity_type=gold.entity_type,
        asked_kind=gold.asked_kind,
        role=EntityRole.COMPETITOR,
        origin=Origin.VIRTUAL,
    )


def _add_fact(
    graph: ReasoningGraph, hop: int, plan: BranchPlan, stem: str, anew: frozenset[int]
) -> str:
    """Add the path's own fact at a hop: the near-miss at its hop, the required relation later."""
    fact = f"f:{stem}.h{hop}"
    breaks = hop == plan.hop
    gold = graph.get(gold_fact_id(hop), FactNode)
    graph.add(
        FactNode(
            id=fact,
            predicate=plan.near_miss if breaks else gold.predicate,
            hop=hop,
            status=FactStatus.BREAK if breaks else FactStatus.CONTINUATION,
        )
    )
    earlier = {
        properties["slot"]: int(target[1:])
        for target, properties in graph.edges(hop_id(hop), EdgeKind.DEPENDS_ON)
    }
    for subject, properties in list(graph.edges(gold.id, EdgeKind.SUBJECT)):
        slot = properties["slot"]
        own = earlier.get(slot) in anew
        filler = f"e:{stem}.h{earlier[slot]}" if own else subject
        graph.connect(fact, EdgeKind.SUBJECT, filler, slot=slot)
    graph.connect(fact, EdgeKind.OBJECT, f"e:{stem}.h{hop}")
    graph.connect(fact, EdgeKind.REALIZES, hop_id(hop))
    return fact
