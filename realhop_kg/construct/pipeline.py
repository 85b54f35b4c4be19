"""From a source item to a constructed graph, in the order of the paper's method section.

Construct evidence: read and rebind (4.1), split into premises (I.1), add competing paths (I.2).
Realize in context: route, write, check and prune (4.2, I.3). What cannot be done in full is an
exclusion with its code; an item's outcome depends on its source, the seed and the catalogue only.
"""

from __future__ import annotations

from realhop_kg.construct.coining import ItemCoiner
from realhop_kg.construct.compete import propose_branches
from realhop_kg.construct.free.relations import extended_for
from realhop_kg.construct.hosts import propose_route
from realhop_kg.construct.outcome import (
    Constructed,
    Stage,
    as_finding,
    excluded,
    rejected,
)
from realhop_kg.construct.plan import propose_plan
from realhop_kg.construct.premises import propose_splits
from realhop_kg.construct.realize import propose_sentences
from realhop_kg.contracts.check import check_item
from realhop_kg.errors import ContractError
from realhop_kg.graph.build import CONSTRUCTED, source_graph
from realhop_kg.graph.operators import (
    branch_flexible,
    branch_strict,
    factorize,
    prune,
    rebind,
    route,
    write,
)
from realhop_kg.graph.reasoning import ReasoningGraph
from realhop_kg.graph.schema import EdgeKind, ItemNode, PathKind, PathNode
from realhop_kg.ids import rng
from realhop_kg.model.finding import Finding, Severity
from realhop_kg.model.frozen import ExcludedItem
from realhop_kg.model.item import SourceItem
from realhop_kg.model.plan import RebindPlan
from realhop_kg.relations.catalogue import Catalogue

__all__ = [
    "PRUNING_ROUNDS",
    "build_evidence",
    "checked",
    "competitors_of",
    "construct_item",
    "evidence_of",
    "realize_evidence",
]

PRUNING_ROUNDS = 2
"""Rounds of pruning before an item is given up (Appendix I.3)."""


def construct_item(item: SourceItem, catalogue: Catalogue, seed: int) -> Constructed | ExcludedItem:
    """Construct one item by rules, or say why it is excluded.

    Args:
        item: the source item.
        catalogue: the relation catalogue.
        seed: the run's seed.
    """
    stage: Stage = "plan"
    catalogue = extended_for(item, catalogue)
    try:
        graph = build_evidence(item, catalogue, seed)
        stage = "realize"
        graph = realize_evidence(graph, catalogue, seed)
    except ContractError as error:
        return excluded(item, stage, error)
    return checked(item, graph, catalogue)


def build_evidence(item: SourceItem, catalogue: Catalogue, seed: int) -> ReasoningGraph:
    """Return the graph with gold path, premises and competing paths (section 4.1).

    Raises:
        ContractError: with the code of what stands in the way.
    """
    coiner = ItemCoiner(seed, item)
    return evidence_of(item, propose_plan(item, catalogue, coiner), catalogue, coiner, seed)


def evidence_of(
    item: SourceItem, plan: RebindPlan, catalogue: Catalogue, coiner: ItemCoiner, seed: int
) -> ReasoningGraph:
    """Return the graph of a plan with gold path, premises and competing paths.

    Args:
        item: the source item.
        plan: its gold plan.
        catalogue: where premises and near-misses come from.
        coiner: coins keys and the values of competitors.
        seed: the run's seed.

    Raises:
        ContractError: with the code of what stands in the way.
    """
    predicates = catalogue.predicates
    graph = rebind(source_graph(item), plan)
    splits = propose_splits(graph, catalogue, coiner, rng(seed, item.key, "premises"))
    graph = factorize(graph, splits, predicates)
    registry = {entity.ref: entity for entity in plan.entities}
    strict, flexible = propose_branches(
        graph, registry, splits, catalogue, coiner, rng(seed, item.key, "competitors")
    )
    return branch_flexible(branch_strict(graph, strict, predicates), flexible, predicates)


def realize_evidence(graph: ReasoningGraph, catalogue: Catalogue, seed: int) -> ReasoningGraph:
    """Return the graph with hosts, insertions and spans (section 4.2).

    Raises:
        ContractError: with the code of what stands in the way.
    """
    key = graph.get(CONSTRUCTED, ItemNode).item_key
    graph = route(graph, propose_route(graph, rng(seed, key, "hosts")))
    sentences = propose_sentences(graph, catalogue.predicates, rng(seed, key, "places"))
    return write(graph, sentences)


def checked(
    item: SourceItem, graph: ReasoningGraph, catalogue: Catalogue
) -> Constructed | ExcludedItem:
    """Return the item once nothing blocks it, after at most two rounds of pruning."""
    for rounds in range(PRUNING_ROUNDS + 1):
        findings = check_item(
            graph, catalogue.predicates, catalogue.types.parents, plan_time=rounds == 0
        )
        blocking = [f for f in findings if f.severity is Severity.BLOCKING]
        if not blocking:
            return Constructed(graph, tuple(findings), catalogue)
        unsafe = competitors_of(graph, blocking)
        if rounds == PRUNING_ROUNDS or not unsafe:
            break
        try:
            graph = prune(graph, unsafe)
        except ContractError as error:
            # What no pruning mends is the reason, if there is any; else it is the lost coverage.
            lasting = [f for f in blocking if not competitors_of(graph, [f])]
            rest = [f for f in blocking if f not in lasting]
            blocking = [*lasting, as_finding(item, error), *rest]
            break
    return rejected(item, blocking)


def competitors_of(graph: ReasoningGraph, findings: list[Finding]) -> dict[str, str]:
    """Return the competitor facts that the findings name, with the first reason of each.

    A path is named itself only where no finding says which of its facts is unsafe.
    """
    unsafe: dict[str, str] = {}
    for path in graph.nodes(PathNode):
        if path.path_kind is PathKind.GOLD:
            continue
        own = [f for f, held in graph.edges(path.id, EdgeKind.CONTAINS) if not held["inherited"]]
        owner = {fact: fact for fact in own}
        owner |= {unit: fact for fact in own for unit in graph.sources(fact, EdgeKind.COMPOSES)}
        reasons: dict[str, str] = {}
        whole = ""
        for finding in findings:
            reason = f"{finding.code} {finding.message}"
            for node in finding.nodes:
                if node in owner:
                    reasons.setdefault(owner[node], reason)
            whole = whole or (reason if path.id in finding.nodes else "")
        unsafe |= reasons or ({path.id: whole} if whole else {})
    return unsafe
