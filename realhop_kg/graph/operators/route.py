"""`route`: every fact and premise gets a host passage, by the host rules H1-H5."""

from __future__ import annotations

from realhop_kg.errors import ContractError
from realhop_kg.graph.build import hop_id, passage_id
from realhop_kg.graph.reasoning import ReasoningGraph
from realhop_kg.graph.schema import (
    EdgeKind,
    FactNode,
    FactStatus,
    HopNode,
    PathKind,
    PathNode,
)
from realhop_kg.model.plan import RoutePlan

__all__ = ["route"]


def route(graph: ReasoningGraph, plan: RoutePlan) -> ReasoningGraph:
    """Return the graph with every fact, and the premises with their fact, routed to a host.

    Raises:
        ContractError: H1 if a fact has no host or the host does not exist; H2 if the host is
            forbidden to it; H3, H4 or H5 if a host rule is broken.

    Source: REALHOP, Appendix I.3.
    """
    facts = graph.nodes(FactNode)
    for fact in facts:
        _check_host(graph, fact, plan)
    for path in graph.nodes(PathNode):
        _check_path(graph, path, plan)
    new = graph.copy()
    for fact in facts:
        host = passage_id(plan.hosts[fact.id])
        for node in (fact.id, *new.sources(fact.id, EdgeKind.COMPOSES)):
            new.connect(node, EdgeKind.ROUTED_TO, host)
    return new


def _check_host(graph: ReasoningGraph, fact: FactNode, plan: RoutePlan) -> None:
    host = plan.hosts.get(fact.id)
    if host is None or passage_id(host) not in graph:
        raise ContractError("H1", f"fact {fact.id} has no host", (fact.id,))
    if passage_id(host) in graph.targets(fact.id, EdgeKind.FORBIDS):
        raise ContractError("H2", f"passage {host} is forbidden to {fact.id}", (fact.id,))
    support = graph.get(hop_id(fact.hop), HopNode).support
    if fact.status is FactStatus.GOLD and host != support:
        raise ContractError(
            "H5", f"gold fact {fact.id} is routed to {host}, its support is {support}", (fact.id,)
        )


def _check_path(graph: ReasoningGraph, path: PathNode, plan: RoutePlan) -> None:
    own = [fact for fact, held in graph.edges(path.id, EdgeKind.CONTAINS) if not held["inherited"]]
    hosts = {plan.hosts[fact] for fact in own}
    if path.path_kind is PathKind.GOLD:
        if len(own) >= 3 and len(hosts) < 2:
            raise ContractError("H4", "the gold path has one host only", (path.id,))
        return
    if path.path_kind is not PathKind.STRICT or len(own) < 2:
        return
    near = next(f for f in own if graph.get(f, FactNode).status is FactStatus.BREAK)
    if any(plan.hosts[fact] == plan.hosts[near] for fact in own if fact != near):
        raise ContractError(
            "H3", f"the near-miss of {path.id} shares its host with its continuation", (near,)
        )
