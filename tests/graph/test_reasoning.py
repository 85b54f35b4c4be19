from __future__ import annotations

import json
from typing import Any, Literal, get_args, get_origin

import networkx as nx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from realhop_kg.errors import InputError
from realhop_kg.graph.reasoning import ReasoningGraph
from realhop_kg.graph.schema import (
    EDGES,
    NODES,
    EdgeKind,
    EntityNode,
    FactNode,
    FactStatus,
    HopNode,
    Node,
    NodeKind,
    PassageNode,
)
from realhop_kg.model.entity import EntityRole, Origin
from realhop_kg.model.record import SCHEMA_VERSION

TEXTS = st.text(max_size=8)


def values(annotation: Any) -> st.SearchStrategy[Any]:
    """Return a strategy for the values of a property."""
    if get_origin(annotation) is Literal:
        return st.sampled_from(get_args(annotation))
    known = {str: TEXTS, int: st.integers(-5, 10**6), bool: st.booleans()}
    if annotation in known:
        return known[annotation]
    return st.lists(TEXTS, max_size=3) if annotation == list[str] else st.sampled_from(annotation)


@st.composite
def random_nodes(draw: st.DrawFn, kind: NodeKind, number: int) -> Node:
    fields = {
        name: draw(values(info.annotation)) for name, info in NODES[kind].model_fields.items()
    }
    return NODES[kind](**{**fields, "id": f"{draw(TEXTS)}{number}"})


@st.composite
def graphs(draw: st.DrawFn) -> ReasoningGraph:
    """Draw a graph of nodes of all kinds and of whatever edges the table allows between them."""
    graph = ReasoningGraph()
    kinds = draw(st.lists(st.sampled_from(NodeKind), max_size=8))
    for number, kind in enumerate(kinds):
        graph.add(draw(random_nodes(kind, number)))
    ids = list(graph.nx)
    for _ in range(draw(st.integers(0, 12)) if ids else 0):
        source, target = draw(st.sampled_from(ids)), draw(st.sampled_from(ids))
        allowed = [
            kind
            for kind, spec in EDGES.items()
            if graph[source].kind in spec.sources and graph[target].kind in spec.targets
        ]
        if allowed:
            kind = draw(st.sampled_from(allowed))
            properties = {name: draw(values(of)) for name, of in EDGES[kind].properties.items()}
            graph.connect(source, kind, target, **properties)
    return graph


def edges_of(graph: ReasoningGraph) -> list[tuple[str, str, EdgeKind, dict[str, Any]]]:
    return [(a, b, data["kind"], data) for a, b, data in graph.nx.edges(data=True)]


def fact(node_id: str = "f1", hop: int = 1) -> FactNode:
    return FactNode(id=node_id, predicate="mayor", hop=hop, status=FactStatus.GOLD)


def entity(node_id: str = "e1", surface: str = "Calder") -> EntityNode:
    return EntityNode(
        id=node_id,
        surface=surface,
        entity_type="town",
        asked_kind="town",
        role=EntityRole.BRIDGE,
        origin=Origin.VIRTUAL,
    )


def small() -> ReasoningGraph:
    graph = ReasoningGraph()
    graph.add(fact())
    graph.add(entity())
    graph.add(entity("e2", "Wexmoor"))
    graph.connect("f1", EdgeKind.SUBJECT, "e1", slot="x")
    graph.connect("f1", EdgeKind.OBJECT, "e2")
    return graph


# --- node-link JSON


@given(graphs())
@settings(max_examples=120, deadline=None, derandomize=True)
def test_a_graph_survives_its_node_link_json_without_loss(graph: ReasoningGraph) -> None:
    text = json.dumps(graph.to_node_link(), ensure_ascii=False)
    back = ReasoningGraph.from_node_link(json.loads(text))
    assert back == graph
    assert json.dumps(back.to_node_link(), ensure_ascii=False) == text
    assert {node: back[node] for node in back.nx} == {node: graph[node] for node in graph.nx}
    assert all(type(back[node]) is type(graph[node]) for node in graph.nx)
    for model in NODES.values():
        assert {n.id for n in back.nodes(model)} == {n.id for n in graph.nodes(model)}


@given(graphs())
@settings(max_examples=50, deadline=None, derandomize=True)
def test_networkx_reads_the_node_link_data_too(graph: ReasoningGraph) -> None:
    read = nx.node_link_graph(graph.to_node_link(), edges="edges")
    assert sorted(read.nodes) == sorted(graph.nx.nodes)
    assert sorted(read.edges(keys=True)) == sorted(graph.nx.edges(keys=True))


def test_equal_graphs_give_equal_data_in_whatever_order_they_were_built() -> None:
    other = ReasoningGraph()
    for node in (entity("e2", "Wexmoor"), entity(), fact()):
        other.add(node)
    other.connect("f1", EdgeKind.OBJECT, "e2")
    other.connect("f1", EdgeKind.SUBJECT, "e1", slot="x")
    assert other == small()
    assert json.dumps(other.to_node_link()) == json.dumps(small().to_node_link())
    assert other != ReasoningGraph()
    assert other != "graph"


def damaged(change: Any) -> dict[str, Any]:
    data = small().to_node_link()
    change(data)
    return data


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda data: data["graph"].update(schema_version=SCHEMA_VERSION + 1), "schema version 2"),
        (lambda data: data.pop("graph"), "'graph'"),
        (lambda data: data.update(graph=None), "NoneType"),
        (lambda data: data.pop("nodes"), "'nodes'"),
        (lambda data: data.update(nodes=[3]), "int"),
        (lambda data: data["nodes"][0].update(kind="Moon"), "'Moon' is not a valid NodeKind"),
        (lambda data: data["nodes"][0].pop("kind"), "'kind'"),
        (lambda data: data["nodes"][0].pop("surface"), "surface"),
        (lambda data: data["nodes"][0].update(moon=1), "moon"),
        (lambda data: data["nodes"][0].update(role="king"), "role"),
        (lambda data: data["nodes"][0].update(id="f1"), "is taken by a"),
        (lambda data: data["edges"][0].update(kind="KNOWS"), "'KNOWS' is not a valid EdgeKind"),
        (lambda data: data["edges"][0].update(kind="ROUTED_TO"), "may not lead"),
        (lambda data: data["edges"][0].update(target="e9"), "no node 'e9'"),
        (lambda data: data["edges"][0].pop("slot"), "carries"),
        (lambda data: data["edges"][0].update(slot=1), "carries"),
        (lambda data: data["edges"][0].pop("key"), "'key'"),
        (lambda data: data["edges"][0].update(source=["f1"]), "unhashable"),
    ],
)
def test_data_that_breaks_the_table_is_refused(change: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        ReasoningGraph.from_node_link(damaged(change))


# --- adding, connecting, removing


def test_a_node_of_the_same_id_and_kind_replaces_the_payload_and_keeps_its_edges() -> None:
    graph = small()
    graph.add(entity("e1", "Ostrey"))
    assert graph.target("f1", EdgeKind.SUBJECT).surface == "Ostrey"
    assert [node.surface for node in graph.nodes(EntityNode)] == ["Ostrey", "Wexmoor"]


def test_an_id_belongs_to_one_kind() -> None:
    graph = small()
    with pytest.raises(ValueError, match="node id 'e1' is taken by a Entity"):
        graph.add(fact("e1"))
    assert graph == small()


@pytest.mark.parametrize("kind", EdgeKind)
@pytest.mark.parametrize("source", ["f1", "e1"])
@pytest.mark.parametrize("target", ["f1", "e1"])
def test_an_edge_leads_only_where_the_table_says(kind: EdgeKind, source: str, target: str) -> None:
    graph, spec = small(), EDGES[kind]
    properties = {name: of() for name, of in spec.properties.items()}
    if graph[source].kind in spec.sources and graph[target].kind in spec.targets:
        graph.connect(source, kind, target, **properties)
        assert target in graph.targets(source, kind)
        return
    with pytest.raises(ValueError, match=f"{kind} may not lead from"):
        graph.connect(source, kind, target, **properties)
    assert graph == small()


@pytest.mark.parametrize("properties", [{}, {"slot": 1}, {"slot": True}, {"slot": "x", "order": 1}])
def test_an_edge_carries_exactly_its_properties(properties: dict[str, object]) -> None:
    graph = small()
    with pytest.raises(ValueError, match="SUBJECT carries"):
        graph.connect("f1", EdgeKind.SUBJECT, "e2", **properties)
    assert graph == small()


def test_an_edge_needs_both_ends() -> None:
    graph = small()
    with pytest.raises(KeyError, match="no node 'e9'"):
        graph.connect("f1", EdgeKind.OBJECT, "e9")
    assert "e9" not in graph


def test_one_entity_may_fill_two_slots_and_a_repeated_edge_counts_once() -> None:
    graph = small()
    graph.connect("f1", EdgeKind.SUBJECT, "e1", slot="w")
    graph.connect("f1", EdgeKind.SUBJECT, "e1", slot="w")
    slots = [data["slot"] for _, data in graph.edges("f1", EdgeKind.SUBJECT)]
    assert slots == ["x", "w"]


def test_disconnecting_removes_the_edges_of_one_kind() -> None:
    graph = small()
    graph.connect("f1", EdgeKind.SUBJECT, "e2", slot="w")
    graph.disconnect("f1", EdgeKind.SUBJECT)
    assert graph.targets("f1", EdgeKind.SUBJECT) == []
    assert graph.targets("f1", EdgeKind.OBJECT) == ["e2"]
    assert graph.sources("e2", EdgeKind.SUBJECT) == []


def test_removing_a_node_removes_its_edges() -> None:
    graph = small()
    graph.remove("e1")
    assert "e1" not in graph
    assert graph.targets("f1", EdgeKind.SUBJECT) == []
    assert [node.id for node in graph.nodes(EntityNode)] == ["e2"]
    with pytest.raises(KeyError, match="no node 'e1'"):
        graph.remove("e1")


# --- looking up


@given(graphs())
@settings(max_examples=80, deadline=None, derandomize=True)
def test_look_ups_agree_with_the_list_of_edges(graph: ReasoningGraph) -> None:
    every = edges_of(graph)
    for node in graph.nx:
        for kind in EdgeKind:
            out = [(b, data) for a, b, of, data in every if a == node and of is kind]
            assert list(graph.edges(node, kind)) == out
            assert graph.targets(node, kind) == [b for b, _ in out]
            into = [a for a, b, of, _ in every if b == node and of is kind]
            assert sorted(graph.sources(node, kind)) == sorted(into)


def test_a_node_is_found_by_id_and_checked_for_its_kind() -> None:
    graph = small()
    assert graph["e1"] == entity()
    assert graph.get("f1", FactNode).hop == 1
    with pytest.raises(TypeError, match="node 'e1' is a Entity, not a FactNode"):
        graph.get("e1", FactNode)
    with pytest.raises(KeyError, match="no node 'h1'"):
        graph.get("h1", HopNode)
    assert graph.nodes(PassageNode) == []


def test_the_only_target_must_be_the_only_one() -> None:
    graph = small()
    assert graph.target("f1", EdgeKind.OBJECT).surface == "Wexmoor"
    with pytest.raises(KeyError, match="'e1' has 0 OBJECT edges"):
        graph.target("e1", EdgeKind.OBJECT)
    graph.connect("f1", EdgeKind.OBJECT, "e1")
    with pytest.raises(KeyError, match="'f1' has 2 OBJECT edges"):
        graph.target("f1", EdgeKind.OBJECT)


def test_nodes_of_a_kind_come_in_the_order_in_which_they_were_added() -> None:
    graph = small()
    graph.add(entity("a0", "Ostrey"))
    assert [node.id for node in graph.nodes(EntityNode)] == ["e1", "e2", "a0"]


# --- copying


@given(graphs(), st.data())
@settings(max_examples=80, deadline=None, derandomize=True)
def test_a_copy_is_equal_and_changes_alone(graph: ReasoningGraph, data: st.DataObject) -> None:
    before = graph.to_node_link()
    twin = graph.copy()
    assert twin == graph
    assert list(twin.nx.edges(keys=True)) == list(graph.nx.edges(keys=True))
    twin.add(fact("new fact"))
    twin.add(entity("new entity"))
    twin.connect("new fact", EdgeKind.OBJECT, "new entity")
    for node in data.draw(st.lists(st.sampled_from([*graph.nx, "new fact"]), unique=True)):
        twin.remove(node)
    assert graph.to_node_link() == before
    assert nx.is_directed(twin.nx)
    assert "new fact" not in graph
