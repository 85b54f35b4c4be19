from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from realhop_kg.graph.derivation import answers
from realhop_kg.graph.operators import drop
from realhop_kg.graph.operators.drop import lost_with_passage
from realhop_kg.graph.schema import EdgeKind, EvidenceUnit, FactNode, HopNode
from tests.graph.dags import DAGS, random_dags
from tests.graph.operators.plans import Plans

Deps = dict[int, tuple[int, ...]]


@given(random_dags(most=4), st.data())
@settings(max_examples=20, deadline=None, derandomize=True)
def test_without_the_passage_only_the_gold_fact_and_its_premises_go(
    deps: Deps, data: st.DataObject
) -> None:
    graph = Plans(deps).routed()
    hop = data.draw(st.sampled_from(sorted(deps)))
    gold = {f"f:g.h{hop}", *graph.sources(f"f:g.h{hop}", EdgeKind.COMPOSES)}
    assert set(graph.nx) - set(drop(graph, hop).nx) == gold


@given(random_dags(most=4), st.data())
@settings(max_examples=20, deadline=None, derandomize=True)
def test_with_the_passage_everything_that_it_hosts_goes(deps: Deps, data: st.DataObject) -> None:
    graph = Plans(deps).routed()
    hop = data.draw(st.sampled_from(sorted(deps)))
    support = f"p{graph.get(f'h{hop}', HopNode).support}"
    hosted = set(graph.sources(support, EdgeKind.ROUTED_TO))
    assert lost_with_passage(graph, hop) == hosted
    assert set(graph.nx) - set(drop(graph, hop, passage=True).nx) == hosted


def test_competitors_that_share_the_support_passage_are_lost_with_it() -> None:
    plans = Plans(DAGS["2hop"])
    graph = plans.branched()
    for node in ("f:g.h1", "f:s1a.h1", "f:s2a.h2", "u:s2a.h2.1", "u:s2a.h2.2"):
        graph.connect(node, EdgeKind.ROUTED_TO, "p0")
    after = drop(graph, 1, passage=True)
    assert {"f:s1a.h1", "f:s2a.h2", "u:s2a.h2.1"}.isdisjoint(after.nx)
    assert "f:s1b.h1" in after
    assert "f:s1a.h1" in drop(graph, 1)


def test_the_gold_answer_follows_no_longer() -> None:
    plans = Plans(DAGS["diamond"])
    graph = plans.written()
    assert answers(graph, plans.predicates)
    for hop in (1, 2, 3, 4):
        assert not answers(graph, plans.predicates, set(drop(graph, hop).nx))


def test_the_rest_of_the_graph_stays() -> None:
    graph = Plans(DAGS["2hop"]).routed()
    after = drop(graph, 2, passage=True)
    assert {fact.id for fact in after.nodes(FactNode)} < {fact.id for fact in graph.nodes(FactNode)}
    assert len(after.nodes(EvidenceUnit)) == len(graph.nodes(EvidenceUnit)) - 2
    assert "h2" in after
    assert "p1" in after


def test_an_unknown_hop_is_an_error() -> None:
    with pytest.raises(KeyError, match="h7"):
        drop(Plans(DAGS["2hop"]).routed(), 7, passage=True)
