"""Many clients may prepare one database at once; a driver that nobody gets is closed."""

from __future__ import annotations

import gc
import warnings
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import TYPE_CHECKING

import pytest

from realhop_kg.stores.address import open_store
from realhop_kg.stores.schema import LABELS, schema_statements
from realhop_kg.stores.store import StoreError
from tests.stores.conftest import needs_neo4j
from tests.stores.server import Server, needs_java

if TYPE_CHECKING:
    from neo4j import Driver

CLIENTS, ROUNDS = 8, 4


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    server = Server(tmp_path_factory.mktemp("neo4j"))
    try:
        server.script("start")
        yield server
    finally:
        server.script("clean")


@pytest.fixture
def driver(server: Server) -> Iterator[Driver]:
    """A plain driver of a database without a schema."""
    import neo4j

    with neo4j.GraphDatabase.driver(server.address) as driver:
        _clear(driver)
        yield driver


def _clear(driver: Driver) -> None:
    for what in ("CONSTRAINT", "INDEX"):
        for name in _names(driver, what):
            driver.execute_query(f"DROP {what} `{name}` IF EXISTS")  # type: ignore[arg-type]


def _names(driver: Driver, what: str) -> list[str]:
    found = driver.execute_query(f"SHOW {what} YIELD name, type")  # type: ignore[arg-type]
    return sorted(one["name"] for one in found.records if one["type"] != "LOOKUP")


@pytest.mark.soak
@pytest.mark.slow
@needs_neo4j
@needs_java
def test_many_clients_prepare_an_empty_database_at_once(server: Server, driver: Driver) -> None:
    together = Barrier(CLIENTS)

    def prepare() -> None:
        with open_store(server.address) as store:
            together.wait(60)
            store.prepare()

    for _ in range(ROUNDS):
        _clear(driver)
        with ThreadPoolExecutor(CLIENTS) as pool:
            for client in [pool.submit(prepare) for _ in range(CLIENTS)]:
                client.result()
        wanted = sorted(statement.split()[2] for statement in schema_statements())
        assert _names(driver, "INDEX") == wanted  # each constraint has an index of its name
        assert _names(driver, "CONSTRAINT") == [name for name in wanted if name.endswith("_id")]
        ruled = driver.execute_query("SHOW CONSTRAINTS YIELD labelsOrTypes, properties").records
        assert Counter((*one["labelsOrTypes"], *one["properties"]) for one in ruled) == Counter(
            (label, "id") for label in LABELS
        )


@pytest.mark.soak
@pytest.mark.slow
@needs_neo4j
@needs_java
def test_a_rule_of_somebody_else_in_the_way_of_ours_is_said(server: Server, driver: Driver) -> None:
    driver.execute_query("CREATE INDEX theirs FOR (n:Item) ON (n.id)")
    with open_store(server.address) as store, pytest.raises(StoreError, match="already exists"):
        store.prepare()
    driver.execute_query("DROP INDEX theirs")


def test_a_store_that_cannot_be_opened_leaves_no_open_driver() -> None:
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        with pytest.raises(StoreError, match="does not answer"):
            open_store("bolt://127.0.0.1:1")
        gc.collect()
    assert [str(one.message) for one in said] == []
