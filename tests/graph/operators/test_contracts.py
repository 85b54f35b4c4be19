"""What all operators keep together, on any dependency graph."""

from __future__ import annotations

import pytest
from hypothesis import given, settings

from realhop_kg.contracts.check import PLANNED, check_item
from realhop_kg.graph.build import source_graph
from realhop_kg.graph.operators import (
    branch_flexible,
    branch_strict,
    drop,
    factorize,
    prune,
    rebind,
    route,
    write,
)
from realhop_kg.graph.reasoning import ReasoningGraph
from realhop_kg.model.finding import Severity
from tests.graph.dags import DAGS, random_dags
from tests.graph.operators.plans import PARENTS, Plans

Deps = dict[int, tuple[int, ...]]


def blocking(plans: Plans, graph: ReasoningGraph, **options: object) -> list[str]:
    findings = check_item(graph, plans.predicates, PARENTS, plan_time=True, **options)  # type: ignore[arg-type]
    return [f"{f.code} {f.message}" for f in findings if f.severity is Severity.BLOCKING]


@pytest.mark.parametrize("shape", DAGS)
def test_a_valid_plan_of_every_named_shape_breaks_no_contract(shape: str) -> None:
    plans = Plans(DAGS[shape])
    assert blocking(plans, plans.branched(), codes=PLANNED) == []
    assert blocking(plans, plans.written()) == []


@given(random_dags(most=5))
@settings(max_examples=12, deadline=None, derandomize=True)
def test_a_valid_plan_of_any_graph_breaks_no_contract(deps: Deps) -> None:
    plans = Plans(deps)
    assert blocking(plans, plans.written()) == []


@given(random_dags(most=5))
@settings(max_examples=12, deadline=None, derandomize=True)
def test_no_operator_changes_the_graph_it_was_given(deps: Deps) -> None:
    plans = Plans(deps)
    graph = source_graph(plans.item)
    stages = [
        lambda g: rebind(g, plans.gold),
        lambda g: factorize(g, plans.splits, plans.predicates),
        lambda g: branch_strict(g, plans.strict, plans.predicates),
        lambda g: branch_flexible(g, plans.flexible, plans.predicates),
        lambda g: route(g, plans.hosts(g)),
        lambda g: write(g, plans.sentences(g)),
        lambda g: prune(g, {"path:s1a": "S4 test", "f:f1a.h1": "S4 test"}),
        lambda g: drop(g, 1, passage=True),
    ]
    for stage in stages:
        before = graph.to_node_link()
        after = stage(graph)
        assert graph.to_node_link() == before
        assert after != graph
        graph = after
