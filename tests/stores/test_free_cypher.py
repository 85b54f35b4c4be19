"""Cypher that users type: the same rows on both engines, or a word about it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from realhop_kg.cli.graph import graph_app
from realhop_kg.errors import InputError
from realhop_kg.graph.schema import SpanNode
from realhop_kg.stores.load import load_graphs
from realhop_kg.stores.schema import LABELS
from realhop_kg.stores.store import Statement, Store
from tests.stores.conftest import NEO4J, Graphs, needs_neo4j


@pytest.fixture
def filled(store: Store, scope: str, some: Graphs) -> Store:
    load_graphs(store, scope, some.items())
    return store


def test_every_property_of_the_schema_may_be_asked_for_without_backticks(
    filled: Store, scope: str, some: Graphs
) -> None:
    for label, spec in LABELS.items():
        for name in spec.properties:
            filled.run(f"MATCH (n:{label}) WHERE n.{name} IS NULL RETURN count(n) AS n")
            filled.run(
                f"MATCH (n:{label} {{scope: $scope, {name}: 1}}) RETURN 1 AS one", {"scope": scope}
            )
    key, graph = next(iter(some.items()))
    rows = filled.run(
        "MATCH (s:Span) WHERE s.scope = $scope AND s.item = $item AND s.end > s.start "
        "RETURN s.node AS node, s.end AS last ORDER BY node",
        {"scope": scope, "item": key},
    ).rows
    assert rows == sorted((span.id, span.end) for span in graph.nodes(SpanNode)) != []


def test_a_property_that_no_node_has_is_null(filled: Store, scope: str) -> None:
    of = "MATCH (p:Passage) WHERE p.scope = $scope"
    assert filled.run(f"{of} RETURN DISTINCT p.titel AS t", {"scope": scope}).rows == [(None,)]
    assert filled.run(f"{of} AND p.titel = 'x' RETURN p.node AS n", {"scope": scope}).rows == []


def test_a_reserved_property_may_be_written(filled: Store, scope: str) -> None:
    params = {"scope": scope, "id": f"{scope} mine"}
    new = "CREATE (s:Span {id: $id, scope: $scope, end: 7}) SET s.end = s.end + 1 RETURN s.end AS e"
    assert filled.write([Statement(new, params)])[0].rows == [(8,)]
    filled.write([Statement("MATCH (s:Span {id: $id, end: 8}) DELETE s", params)])
    assert filled.run("MATCH (s:Span {id: $id}) RETURN s.end AS e", params).rows == []


def test_a_statement_that_is_refused_says_where_and_what(filled: Store) -> None:
    with pytest.raises(InputError, match=r"Cypher refused: .*line 1, col") as refused:
        filled.run("MATCH (s:Span) RETRUN s.end AS e")
    assert "\n" not in str(refused.value)


def test_other_rows_than_on_neo4j_are_told_where_they_come(tmp_path: Path) -> None:
    asked = ("cypher", "MATCH (p:Passage) RETURN p.title AS t", "--json", "--store")
    done = CliRunner().invoke(graph_app, [*asked, "memory"])
    assert (done.exit_code, json.loads(done.stdout)) == (0, [])
    assert done.stderr == (
        "note: other rows than on Neo4j: line 1: name, title, type and label are made up by the "
        "embedded engine\n"
    )
    plain = ("cypher", "MATCH (p:Passage) RETURN p.page_title AS t", "--json", "--store", "memory")
    assert CliRunner().invoke(graph_app, [*plain]).stderr == ""


@needs_neo4j
def test_of_neo4j_nothing_is_told() -> None:
    asked = ("cypher", "MATCH (p:Passage) RETURN p.title AS t LIMIT 1", "--json", "--store", NEO4J)
    done = CliRunner().invoke(graph_app, [*asked])
    assert (done.exit_code, done.stderr) == (0, "")


def test_edges_and_paths_are_the_same_on_both_engines(filled: Store, scope: str) -> None:
    of = "MATCH (h:Hop)-[d:DEPENDS_ON]->(g:Hop) WHERE h.scope = $scope WITH h, d, g LIMIT 1"
    [(edge,)] = filled.run(f"{of} RETURN d", {"scope": scope}).rows
    assert set(edge) == {"slot"}
    of = "MATCH p = (h:Hop)-[:DEPENDS_ON]->(g:Hop) WHERE h.scope = $scope WITH p LIMIT 1"
    [(path,)] = filled.run(f"{of} RETURN p", {"scope": scope}).rows
    assert len(path) == 2
    assert all(node["scope"] == scope for node in path)


def test_a_number_beyond_64_bits_is_told(filled: Store) -> None:
    with pytest.raises(InputError, match="beyond 64 bits"):
        filled.run("RETURN $x AS x", {"x": 2**70})
    with pytest.raises(InputError, match="beyond 64 bits"):
        filled.write([Statement("CREATE (n:Hop {id: 'x', index: $x})", {"x": 2**70})])


@pytest.mark.parametrize("form", ["--json", "--csv", ""])
@pytest.mark.parametrize("engine", [pytest.param(NEO4J, marks=needs_neo4j), "memory"])
def test_times_and_numbers_that_are_none_are_printed(engine: str, form: str) -> None:
    text = "RETURN date('2020-01-02') AS d, 0.0 / 0 AS n, [1.5] AS few"
    words = ["cypher", text, "--store", engine, *filter(None, [form])]
    result = CliRunner().invoke(graph_app, words)
    assert result.exit_code == 0, result.output
    assert "2020-01-02" in result.output
    if form == "--json":
        [row] = json.loads(result.stdout, parse_constant=pytest.fail)
        assert row["few"] == [1.5]
