from __future__ import annotations

import random
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from realhop_kg.construct.hosts import propose_route
from realhop_kg.contracts.check import check_item
from realhop_kg.errors import Refusal
from realhop_kg.graph.dependency import terminal
from realhop_kg.graph.operators import route
from realhop_kg.graph.reasoning import ReasoningGraph
from realhop_kg.graph.schema import (
    EdgeKind,
    FactNode,
    FactStatus,
    PassageNode,
    PathKind,
    PathNode,
)
from realhop_kg.model.finding import Code
from tests.graph.dags import DAGS
from tests.graph.operators.plans import PARENTS, Plans

Deps = dict[int, tuple[int, ...]]


def with_passages(plans: Plans, spare: int, bare: set[int]) -> ReasoningGraph:
    """Return the branched graph with some spare passages, of which the bare ones have no text."""
    graph = plans.branched()
    size = len(plans.deps)
    for passage in graph.nodes(PassageNode):
        if passage.index >= size + spare:
            graph.remove(passage.id)
        elif passage.index in bare:
            graph.add(passage.model_copy(update={"text": " "}))
    return graph


def allowed(
    graph: ReasoningGraph, path: PathNode, deps: Deps, hosts: dict[str, int], usable: set[int]
) -> bool:
    """Say whether the hosts of a competitor path are as the router's documentation wants them.

    The first near-miss of a hop that is not the terminal one is in the protected support; all else
    that competes for a hop is outside it, and no continuation is with its near-miss.
    """
    support = path.protected_hop - 1
    inside = (
        path.path_kind is PathKind.STRICT
        and path.candidate == 1
        and path.protected_hop != terminal(deps)
    )
    near = f"f:{path.id.removeprefix('path:')}.h{path.protected_hop}"
    for fact in Plans.own(graph, path.id):
        host = hosts[fact]
        if host not in usable:
            return False
        if fact == near:
            if (host == support) != inside:
                return False
        elif host in (support, hosts[near]):
            return False
    return True


def can_be_hosted(graph: ReasoningGraph, path: PathNode, deps: Deps, usable: set[int]) -> bool:
    """Try every way to host one path; paths do not stand in each other's way."""
    own = Plans.own(graph, path.id)
    return any(
        allowed(graph, path, deps, dict(zip(own, hosts, strict=True)), usable)
        for hosts in product(sorted(usable), repeat=len(own))
    )


@given(
    st.sampled_from(sorted(DAGS)),
    st.integers(0, 3),
    st.sets(st.integers(0, 6), max_size=2),
    st.integers(),
)
@settings(max_examples=80, deadline=None, derandomize=True)
def test_hosts_are_found_whenever_there_are_some(
    shape: str, spare: int, bare: set[int], seed: int
) -> None:
    plans = Plans(DAGS[shape])
    size = len(plans.deps)
    graph = with_passages(plans, spare, bare)
    usable = set(range(size + spare)) - bare
    competitors = [p for p in graph.nodes(PathNode) if p.path_kind is not PathKind.GOLD]
    if bare & set(range(size)):
        with pytest.raises(Refusal, match=rf"^H1: support passage {min(bare)} has no text"):
            propose_route(graph, random.Random(seed))
        return
    if not all(can_be_hosted(graph, path, plans.deps, usable) for path in competitors):
        with pytest.raises(Refusal, match=r"^H3: too few passages can host"):
            propose_route(graph, random.Random(seed))
        return
    plan = propose_route(graph, random.Random(seed))
    assert set(plan.hosts) == {fact.id for fact in graph.nodes(FactNode)}
    for fact in graph.nodes(FactNode):
        if fact.status is FactStatus.GOLD:
            assert plan.hosts[fact.id] == fact.hop - 1
    for path in competitors:
        assert allowed(graph, path, plans.deps, plan.hosts, usable)
    routed = route(graph, plan)  # H1 to H5 hold, or this raises
    assert check_item(routed, plans.predicates, PARENTS, codes={Code.H2, Code.H3, Code.V1}) == []


@pytest.mark.parametrize("shape", DAGS)
def test_with_passages_enough_every_drop_leaves_competitors_and_orphans(shape: str) -> None:
    plans = Plans(DAGS[shape])
    for seed in range(3):
        graph = plans.branched()
        routed = route(graph, propose_route(graph, random.Random(seed)))
        assert check_item(routed, plans.predicates, PARENTS, codes={Code.V1, Code.V2}) == []


def test_a_continuation_is_spread_over_passages() -> None:
    graph = Plans(DAGS["4hop1"]).branched()
    hosts = propose_route(graph, random.Random(1)).hosts
    for stem in ("s1a", "s1b", "f1a"):
        later = [hosts[f"f:{stem}.h{hop}"] for hop in (2, 3, 4)]
        assert len(set(later)) == 3


def test_hosts_are_given_out_evenly() -> None:
    graph = Plans(DAGS["4hop1"]).branched()
    plan = propose_route(graph, random.Random(1))
    counts = [list(plan.hosts.values()).count(index) for index in range(8)]
    assert sum(counts) == len(graph.nodes(FactNode))
    assert max(counts) - min(counts) <= 3


def test_hosts_are_drawn_from_the_seed() -> None:
    graph = Plans(DAGS["3hop1"]).branched()
    first, again, other = (propose_route(graph, random.Random(seed)) for seed in (1, 1, 2))
    assert first == again
    assert first != other


def test_a_flexible_path_never_stands_in_the_support_that_is_forbidden_to_it() -> None:
    graph = Plans(DAGS["diamond"]).branched()
    for seed in range(5):
        hosts = propose_route(graph, random.Random(seed)).hosts
        for fact, host in hosts.items():
            assert f"p{host}" not in graph.targets(fact, EdgeKind.FORBIDS)
