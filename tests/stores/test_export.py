"""Exports are read back by the tools that they are for."""

from __future__ import annotations

import csv
import io
import json
import shutil
import subprocess
from pathlib import Path

import networkx as nx
import pytest

from realhop_kg.errors import InputError
from realhop_kg.graph.schema import EDGES, EntityNode
from realhop_kg.graph.views import from_networkx, relates, with_relates
from realhop_kg.stores.export import ARRAY, TEXT_FORMATS, export_csv, export_text
from realhop_kg.stores.rdf_read import parse_dataset, read_graphs
from realhop_kg.stores.rows import pack_graph
from tests.stores.conftest import Graphs
from tests.stores.test_load import HOSTILE, hostile_graph
from tests.stores.test_rdf import SOURCE


def _text(form: str, graphs: Graphs) -> str:
    stream = io.StringIO()
    export_text(form, graphs.items(), SOURCE, stream)
    return stream.getvalue()


def test_json_is_read_by_networkx_and_by_us(some: Graphs) -> None:
    data = json.loads(_text("json", some))
    assert [entry["id"] for entry in data] == list(some)
    for entry, graph in zip(data, some.values(), strict=True):
        plain = nx.node_link_graph(entry, edges="edges")
        assert from_networkx(plain) == with_relates(graph)


def test_nquads_hold_the_items_and_where_they_come_from(some: Graphs) -> None:
    dataset = parse_dataset(_text("nquads", some))
    assert dict(read_graphs(dataset)) == some


def test_graphml_is_read_by_networkx(some: Graphs) -> None:
    hostile = {text: hostile_graph(text) for text in HOSTILE}
    graphs = some | hostile
    plain = nx.parse_graphml(_text("graphml", graphs), force_multigraph=True)
    grown = [with_relates(graph) for graph in graphs.values()]
    assert plain.number_of_nodes() == sum(len(graph.nx) for graph in grown)
    assert plain.number_of_edges() == sum(graph.nx.number_of_edges() for graph in grown)
    surfaces = [data["surface"] for _, data in plain.nodes(data=True) if data["kind"] == "Entity"]
    wanted = [node.surface for graph in grown for node in graph.nodes(EntityNode)]
    assert sorted(surfaces) == sorted(wanted)
    kinds = {data["kind"] for _, _, data in plain.edges(data=True)}
    assert kinds <= {str(kind) for kind in EDGES}
    inherited = {data["inherited"] for *_, data in plain.edges(data=True) if "inherited" in data}
    assert inherited == {True, False}


def test_a_character_that_xml_cannot_hold_is_refused() -> None:
    with pytest.raises(InputError, match="as json"):
        _text("graphml", {"x": hostile_graph("a\x00b")})


@pytest.mark.skipif(not shutil.which("dot"), reason="graphviz is not installed")
def test_dot_is_read_by_graphviz(some: Graphs) -> None:
    hostile = {text: hostile_graph(text) for text in HOSTILE[:-1]}
    done = subprocess.run(
        ["dot", "-Tsvg"], input=_text("dot", some | hostile).encode(), capture_output=True
    )
    assert done.returncode == 0, done.stderr


def test_dot_draws_one_edge_per_related_pair(some: Graphs) -> None:
    text = _text("dot", some)
    assert text.count(" -> ") == sum(len(list(relates(graph))) for graph in some.values())
    assert text.count("{") == text.count("}") == len(some) + 1


def test_csv_for_neo4j_admin_holds_every_node_and_edge(some: Graphs, tmp_path: Path) -> None:
    graphs = some | {text: hostile_graph(text) for text in HOSTILE[:-1]}
    export_csv(graphs.items(), SOURCE, tmp_path)
    packed = [pack_graph("set", key, graph) for key, graph in graphs.items()]
    ids: set[str] = set()
    for path in tmp_path.glob("nodes_*.csv"):
        label = path.stem.removeprefix("nodes_")
        with path.open(newline="", encoding="utf-8") as stream:
            rows = list(csv.DictReader(stream))
        stored = [row for one in packed for row in one.nodes[label]]
        assert [row["id:ID"] for row in rows] == [row["id"] for row in stored]
        ids |= {row["id:ID"] for row in rows}
        for row, known in zip(rows, stored, strict=True):
            assert row["node:string"] == known["properties"]["node"]
            if label == "Item":
                listed = row["aliases:string[]"].split(ARRAY) if row["aliases:string[]"] else []
                assert listed == known["properties"]["aliases"]
    count = 0
    for path in tmp_path.glob("edges_*.csv"):
        with path.open(newline="", encoding="utf-8") as stream:
            rows = list(csv.DictReader(stream))
        assert all(row[":START_ID"] in ids and row[":END_ID"] in ids for row in rows)
        count += len(rows)
    assert count == sum(len(rows) for one in packed for rows in one.edges.values())
    command = (tmp_path / "import.txt").read_text()
    assert all(path.name in command for path in tmp_path.glob("*.csv"))


def test_an_unknown_format_is_refused() -> None:
    with pytest.raises(InputError, match="unknown format"):
        export_text("xls", [], SOURCE, io.StringIO())


@pytest.mark.parametrize("form", sorted(TEXT_FORMATS))
def test_two_exports_are_the_same_text(form: str, some: Graphs) -> None:
    assert _text(form, some) == _text(form, {key: graph.copy() for key, graph in some.items()})
