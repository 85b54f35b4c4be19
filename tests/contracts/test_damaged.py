"""Damaged graphs give findings, never exceptions: a verifier must be able to read anything."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from hypothesis import given, settings
from hypothesis import strategies as st

from realhop_kg.contracts.check import CHECKS
from realhop_kg.graph.reasoning import ReasoningGraph
from realhop_kg.graph.schema import EdgeKind
from realhop_kg.model.finding import Finding
from tests.contracts.items import branches, chain
from tests.contracts.world import World


@cache
def _built(item: Callable[[], World]) -> tuple[World, ReasoningGraph]:
    world = item()
    return world, world.build()


def test_a_graph_without_any_one_node_is_found() -> None:
    world, graph = _built(chain)
    for node in list(graph.nx):
        damaged = graph.copy()
        damaged.remove(node)
        assert world.check(damaged), node


def test_a_graph_without_any_one_edge_is_found() -> None:
    world, graph = _built(branches)
    for source, target, key in list(graph.nx.edges(keys=True)):
        damaged = graph.copy()
        damaged.nx.remove_edge(source, target, key=key)
        findings = world.check(damaged)
        assert findings, (source, target, key)
        assert all(isinstance(finding, Finding) for finding in findings)


@settings(max_examples=150, deadline=None, derandomize=True)
@given(st.data())
def test_a_graph_with_other_values_and_edges_can_be_checked(data: st.DataObject) -> None:
    world, graph = _built(data.draw(st.sampled_from([chain, branches])))
    damaged = graph.copy()
    for _ in range(data.draw(st.integers(1, 3))):
        node = damaged[data.draw(st.sampled_from(sorted(damaged.nx)))]
        field = data.draw(st.sampled_from(sorted(set(type(node).model_fields) - {"id"})))
        value = getattr(node, field)
        other: object = {
            int: st.integers(-2, 12),
            str: st.sampled_from(["", " ", "x", "Calder", "{x}", "architect", "f:g.h1"]),
            bool: st.booleans(),
            list: st.just([""]),
        }.get(type(value), st.just(value))
        changed = node.model_copy(update={field: data.draw(other)})  # type: ignore[arg-type]
        damaged.add(changed)  # type: ignore[arg-type]
    source, target = (data.draw(st.sampled_from(sorted(damaged.nx))) for _ in range(2))
    for kind in EdgeKind:
        try:
            damaged.connect(source, kind, target)
        except ValueError:
            continue
    codes = [finding.code for finding in world.check(damaged, plan_time=True)]
    assert codes == sorted(codes, key=list(CHECKS).index)
