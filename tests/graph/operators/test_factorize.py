from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from realhop_kg.errors import ContractError
from realhop_kg.graph.operators import factorize
from realhop_kg.graph.operators.factorize import required_splits
from realhop_kg.graph.schema import EdgeKind, EntityNode, EvidenceUnit
from realhop_kg.model.entity import EntityRole
from realhop_kg.model.plan import Split
from tests.graph.dags import DAGS, random_dags
from tests.graph.operators.plans import Plans

Deps = dict[int, tuple[int, ...]]


@pytest.mark.parametrize(("hops", "splits"), [(1, 1), (2, 1), (3, 2), (4, 2), (5, 3)])
def test_half_of_the_hops_are_split_and_the_odd_one_too(hops: int, splits: int) -> None:
    assert required_splits(hops) == splits


@given(random_dags(), st.data())
@settings(max_examples=30, deadline=None, derandomize=True)
def test_a_split_fact_is_joined_from_two_premises_by_a_key_of_its_own(
    deps: Deps, data: st.DataObject
) -> None:
    plans = Plans(deps)
    more = data.draw(st.sets(st.sampled_from(sorted(deps))))
    splits = plans.splits | {hop: Split(frame=0, key=f"ledger {hop}") for hop in more}
    before = plans.rebound()
    graph = factorize(before, splits, plans.predicates)
    for hop in deps:
        fact, link, value, key = (f"f:g.h{hop}", f"u:g.h{hop}.1", f"u:g.h{hop}.2", f"k:g.h{hop}")
        if hop not in splits:
            assert graph.sources(fact, EdgeKind.COMPOSES) == []
            continue
        assert graph.sources(fact, EdgeKind.COMPOSES) == [link, value]
        subjects = [(to, edge["slot"]) for to, edge in graph.edges(fact, EdgeKind.SUBJECT)]
        assert [(to, e["slot"]) for to, e in graph.edges(link, EdgeKind.SUBJECT)] == subjects
        assert graph.targets(link, EdgeKind.OBJECT) == [key]
        assert [(to, e["slot"]) for to, e in graph.edges(value, EdgeKind.SUBJECT)] == [(key, "k")]
        assert graph.targets(value, EdgeKind.OBJECT) == [f"e:h{hop}"]
        assert graph.get(key, EntityNode).surface == splits[hop].key
        orders = [graph.get(unit, EvidenceUnit).order for unit in (link, value)]
        assert orders == [1, 2]
        assert graph.get(link, EvidenceUnit).predicate == f"r{hop}/link0"
    keys = [node for node in graph.nodes(EntityNode) if node.role is EntityRole.KEY]
    assert len(keys) == len(splits)


SPLIT = Split(frame=0, key="ledger one")
OTHER = Split(frame=0, key="ledger two")


@pytest.mark.parametrize(
    ("code", "message", "splits"),
    [
        ("G2", "0 of 3 hops are split, terminal hop 3 not among them", {}),
        ("G2", "1 of 3 hops are split, terminal hop 3 among them", {3: SPLIT}),
        ("G2", "2 of 3 hops are split, terminal hop 3 not among them", {1: SPLIT, 2: OTHER}),
        ("G3", "key 'ledger one' joins two facts", {1: SPLIT, 3: SPLIT}),
        ("G3", "premise r3/link5 is not declared", {1: SPLIT, 3: Split(frame=5, key="ledger")}),
    ],
)
def test_a_plan_that_breaks_a_contract_is_refused_by_its_code(
    code: str, message: str, splits: dict[int, Split]
) -> None:
    plans = Plans(DAGS["3hop2"])
    graph = plans.rebound()
    before = graph.to_node_link()
    with pytest.raises(ContractError, match=message) as caught:
        factorize(graph, splits, plans.predicates)
    assert caught.value.code == code
    assert graph.to_node_link() == before
