"""A query for one item is asked by an index, and says what the file says."""

from __future__ import annotations

from typing import Any

import pytest

from realhop_kg.stores.address import open_store
from realhop_kg.stores.load import load_graphs
from realhop_kg.stores.narrowing import all_scopes, narrowed
from realhop_kg.stores.queries import bound, load_query, query_names
from realhop_kg.stores.rows import graph_id
from realhop_kg.stores.store import Store
from tests.stores.conftest import NEO4J, Graphs, needs_neo4j

OF_ITEMS = [n for n in query_names() if "item" in {p.name for p in load_query(n).params}]


@pytest.mark.parametrize("name", OF_ITEMS)
def test_the_filters_of_every_file_are_narrowed(name: str) -> None:
    query = load_query(name)
    with open_store("memory") as store:
        cypher, params = narrowed(store, query.cypher, bound(query, {"scope": "s", "item": "i"}))
        assert "$item IS NULL" not in cypher
        assert "$scope IS NULL" not in cypher
        assert params["item_gids"] == [graph_id("s", "i")]
        plain = narrowed(store, query.cypher, bound(query, {}))
        assert plain.cypher == query.cypher
        assert "item_gids" not in plain.params


def test_without_a_scope_every_dataset_is_asked(store: Store, scope: str, some: Graphs) -> None:
    names = [scope, f"{scope}-other"]
    for name in names:
        load_graphs(store, name, some.items())
    assert set(names) <= set(all_scopes(store))
    query = load_query("gold_chain")
    _, params = narrowed(store, query.cypher, bound(query, {"item": "i"}))
    assert {graph_id(name, "i") for name in names} <= set(params["item_gids"])


@pytest.fixture(scope="module")
def filled(some: Graphs) -> None:
    """Items in Neo4j for the length of these tests: an empty database is scanned, rightly."""
    with open_store(NEO4J) as store:
        store.prepare()
        load_graphs(store, "narrowing", some.items())


@needs_neo4j
@pytest.mark.usefixtures("filled")
@pytest.mark.parametrize("name", OF_ITEMS)
def test_neo4j_finds_one_item_by_an_index(name: str) -> None:
    import neo4j

    query = load_query(name)
    with open_store(NEO4J) as store:
        store.prepare()
        cypher, params = narrowed(store, query.cypher, bound(query, {"scope": "s", "item": "i"}))
    with neo4j.GraphDatabase.driver(NEO4J) as driver, driver.session() as session:
        # Other tests fill and empty the database: a plan of another moment says nothing.
        plan = session.run(f"EXPLAIN CYPHER replan=force {cypher}", params).consume().plan
    found = _operators(plan)
    assert any(one.startswith(("NodeIndexSeek", "NodeUniqueIndexSeek")) for one in found)
    assert not any(one.startswith(("AllNodesScan", "NodeByLabelScan")) for one in found)


def _operators(plan: dict[str, Any]) -> list[str]:
    return [
        plan["operatorType"],
        *(o for child in plan.get("children", ()) for o in _operators(child)),
    ]
