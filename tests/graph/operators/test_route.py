from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from realhop_kg.contracts.check import check_item
from realhop_kg.errors import ContractError
from realhop_kg.graph.build import hop_id
from realhop_kg.graph.operators import route
from realhop_kg.graph.schema import EdgeKind, EvidenceUnit, FactNode, HopNode
from realhop_kg.model.finding import Code
from realhop_kg.model.plan import RoutePlan
from tests.graph.dags import DAGS, random_dags
from tests.graph.operators.plans import PARENTS, Plans

Deps = dict[int, tuple[int, ...]]
HOSTS = {Code.H1, Code.H2, Code.H3, Code.H4, Code.H5}


@given(random_dags())
@settings(max_examples=15, deadline=None, derandomize=True)
def test_every_fact_goes_to_its_host_and_its_premises_go_with_it(deps: Deps) -> None:
    plans = Plans(deps)
    branched = plans.branched()
    hosts = plans.hosts(branched)
    graph = route(branched, hosts)
    for fact in graph.nodes(FactNode):
        host = f"p{hosts.hosts[fact.id]}"
        for node in (fact.id, *graph.sources(fact.id, EdgeKind.COMPOSES)):
            assert graph.targets(node, EdgeKind.ROUTED_TO) == [host]
    assert len(graph.nodes(EvidenceUnit)) > 0


@given(random_dags(most=4), st.data())
@settings(max_examples=60, deadline=None, derandomize=True)
def test_a_random_plan_is_accepted_exactly_if_the_checks_find_no_broken_host_rule(
    deps: Deps, data: st.DataObject
) -> None:
    plans = Plans(deps)
    graph = plans.branched()
    hosts = dict(plans.hosts(graph).hosts)
    passages = st.integers(0, len(deps) + 3)
    for fact in data.draw(st.lists(st.sampled_from(sorted(hosts)), max_size=3)):
        hosts[fact] = data.draw(passages)
    routed = graph.copy()
    for fact, host in hosts.items():
        for node in (fact, *routed.sources(fact, EdgeKind.COMPOSES)):
            routed.connect(node, EdgeKind.ROUTED_TO, f"p{host}")
    findings = check_item(routed, plans.predicates, PARENTS, codes=HOSTS)
    if not findings:
        assert route(graph, RoutePlan(hosts=hosts)) == routed
        return
    with pytest.raises(ContractError) as caught:
        route(graph, RoutePlan(hosts=hosts))
    assert caught.value.code in {finding.code for finding in findings}


@pytest.mark.parametrize(
    ("code", "message", "moved"),
    [
        ("H1", "fact f:s1a.h1 has no host", {"f:s1a.h1": None}),
        ("H1", "fact f:g.h1 has no host", {"f:g.h1": None}),
        ("H1", "fact f:s1a.h1 has no host", {"f:s1a.h1": 99}),
        ("H2", "passage 0 is forbidden to f:f1a.h2", {"f:f1a.h2": 0}),
        ("H3", "the near-miss of path:s1b shares", {"f:s1b.h1": 3, "f:s1b.h3": 3}),
        ("H5", "gold fact f:g.h2 is routed to 5, its support is 1", {"f:g.h2": 5}),
    ],
)
def test_a_plan_that_breaks_a_contract_is_refused_by_its_code(
    code: str, message: str, moved: dict[str, int | None]
) -> None:
    plans = Plans(DAGS["3hop1"])
    graph = plans.branched()
    before = graph.to_node_link()
    hosts = plans.hosts(graph).hosts | moved
    plan = RoutePlan(hosts={fact: host for fact, host in hosts.items() if host is not None})
    with pytest.raises(ContractError, match=message) as caught:
        route(graph, plan)
    assert caught.value.code == code
    assert graph.to_node_link() == before


def test_a_gold_path_of_three_facts_in_one_passage_is_refused() -> None:
    plans = Plans(DAGS["3hop1"])
    graph = plans.branched()
    hosts = dict(plans.hosts(graph).hosts)
    for hop in (1, 2, 3):
        graph.add(graph.get(hop_id(hop), HopNode).model_copy(update={"support": 0}))
        hosts[f"f:g.h{hop}"] = 0
    with pytest.raises(ContractError, match=r"^H4: the gold path has one host only"):
        route(graph, RoutePlan(hosts=hosts))


def test_a_flexible_path_and_a_strict_path_of_one_fact_may_use_one_host() -> None:
    plans = Plans(DAGS["2hop"])
    graph = plans.branched()
    hosts = plans.hosts(graph).hosts | {"f:f1a.h1": 4, "f:f1a.h2": 4, "f:s2a.h2": 4}
    routed = route(graph, RoutePlan(hosts=hosts))
    assert routed.sources("p4", EdgeKind.ROUTED_TO).count("f:f1a.h1") == 1
