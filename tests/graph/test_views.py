"""Graph questions as plain functions, and the graph as networkx and back."""

from __future__ import annotations

import networkx as nx
import pytest

from realhop_kg.errors import InputError
from realhop_kg.graph.dependency import dependencies, descendants
from realhop_kg.graph.reasoning import ReasoningGraph
from realhop_kg.graph.schema import EdgeKind, EntityNode, FactNode, PathKind
from realhop_kg.graph.views import (
    competitor_paths,
    evidence_for_hop,
    from_networkx,
    gold_chain,
    hop_descendants,
    planned_endpoints,
    regenerated_hops,
    relates,
    shared_hosts,
    to_networkx,
    with_relates,
)
from tests.contracts.items import branches, chain


@pytest.fixture(scope="module")
def graph() -> ReasoningGraph:
    return chain().build()


def test_networkx_and_back_keeps_everything(graph: ReasoningGraph) -> None:
    plain = to_networkx(graph)
    assert from_networkx(plain) == graph
    assert plain.nodes["h1"]["kind"] == "Hop"
    assert plain.nodes["e:h1"]["surface"] == graph.get("e:h1", EntityNode).surface
    assert all(
        isinstance(v, str | int | list) for _, d in plain.nodes(data=True) for v in d.values()
    )
    assert nx.has_path(plain, "item", "e:h1")


def test_a_networkx_graph_of_another_form_is_refused(graph: ReasoningGraph) -> None:
    with pytest.raises(InputError, match="MultiDiGraph"):
        from_networkx(nx.Graph(to_networkx(graph)))
    plain = to_networkx(graph)
    plain.add_edge("h1", "e:h1", key="x", kind="HAS_HOP")
    with pytest.raises(InputError, match="not a reasoning graph"):
        from_networkx(plain)


def test_gold_comes_hop_by_hop(graph: ReasoningGraph) -> None:
    lines = gold_chain(graph)
    assert [line.hop for line in lines] == sorted(dependencies(graph))
    assert lines[-1].value == graph["item"].answer
    assert not any(line.inherited for line in lines)
    assert lines[0].value in lines[1].subjects


def test_competitors_come_by_hop_and_kind() -> None:
    graph = branches().build()
    every = competitor_paths(graph)
    strict = competitor_paths(graph, PathKind.STRICT)
    assert {line.path.path_kind for line in strict} == {PathKind.STRICT}
    assert len(strict) < len(every)
    assert [line.path.protected_hop for line in every] == sorted(
        line.path.protected_hop for line in every
    )
    for line in strict:
        assert {fact.hop for fact in line.facts} == set(dependencies(graph))
        own = {fact.hop for fact in line.facts if not fact.inherited}
        assert own == set(regenerated_hops(graph, line.path.protected_hop))


def test_descendants_are_sorted() -> None:
    graph = branches().build()
    deps = dependencies(graph)
    for hop in deps:
        assert hop_descendants(graph, hop) == tuple(sorted(descendants(deps, hop)))
        assert regenerated_hops(graph, hop) == tuple(sorted({hop, *hop_descendants(graph, hop)}))


def test_shared_hosts_agree_with_a_search_by_hand(graph: ReasoningGraph) -> None:
    def hosts(fact: str) -> set[str]:
        parts = [fact, *graph.sources(fact, EdgeKind.COMPOSES)]
        return {host for part in parts for host in graph.targets(part, EdgeKind.ROUTED_TO)}

    gold = {line.fact: hosts(line.fact) for line in gold_chain(graph)}
    wanted = set()
    for path, lines in competitor_paths(graph):
        for line in lines:
            if not line.inherited:
                wanted |= {
                    (graph[host].index, path.id)
                    for held in gold.values()
                    for host in held & hosts(line.fact)
                }
    assert {(shared.passage, shared.path) for shared in shared_hosts(graph)} == wanted


def test_the_evidence_of_a_hop_is_where_its_premises_are_written(graph: ReasoningGraph) -> None:
    found = evidence_for_hop(graph, 1)
    fact = next(line.fact for line in gold_chain(graph) if line.hop == 1)
    parts = graph.sources(fact, EdgeKind.COMPOSES) or [fact]
    assert {part for part, _ in found} == set(parts)
    assert [span.start for _, span in found] == sorted(span.start for _, span in found)
    assert evidence_for_hop(graph, 99) == ()


def test_relates_has_one_edge_per_subject_of_a_fact(graph: ReasoningGraph) -> None:
    edges = list(relates(graph))
    count = sum(
        len(set(graph.targets(fact.id, EdgeKind.SUBJECT))) for fact in graph.nodes(FactNode)
    )
    assert len(edges) == count == len({(e.source, e.target, e.fact) for e in edges})
    grown = with_relates(graph)
    assert list(relates(grown)) == edges
    assert with_relates(grown) == grown
    assert graph != grown


def test_a_response_that_equals_a_planned_endpoint_hits_its_entity(graph: ReasoningGraph) -> None:
    path = competitor_paths(graph, PathKind.STRICT)[0].path
    hits = planned_endpoints(graph, f"The {path.endpoint.upper()}.")
    assert path.id in {hit for hit, _ in hits}
    assert {graph.get(entity, EntityNode).surface for _, entity in hits} == {path.endpoint}
    assert planned_endpoints(graph, graph["item"].answer) == ()
    assert planned_endpoints(graph, "") == ()
    assert planned_endpoints(graph, "nowhere") == ()
