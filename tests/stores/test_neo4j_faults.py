"""Neo4j that refuses, is not there, or dies in the middle: one clear line, and no half graphs.

These tests have a server of their own, with a login, on a free port.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Mapping
from itertools import islice
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlsplit

import pytest
from typer.testing import CliRunner

from realhop_kg.cli.graph import graph_app
from realhop_kg.errors import InputError, RealHopError
from realhop_kg.freeze.reader import FrozenDataset
from realhop_kg.stores.address import open_store
from realhop_kg.stores.load import load_graphs, scopes, stored_graph
from realhop_kg.stores.queries import load_query, query_names
from realhop_kg.stores.store import Store, StoreError
from tests.freeze.samples import write_dataset
from tests.stores.conftest import NEO4J, needs_neo4j
from tests.stores.server import Server, needs_java

ITEMS = 300
HALF = 140
"""Items whose presence gets the server killed: batches under way may add a few."""

pytestmark = [pytest.mark.slow, needs_neo4j, needs_java]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return _written(tmp_path_factory, 2)


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return _written(tmp_path_factory, ITEMS)


def _written(tmp_path_factory: pytest.TempPathFactory, items: int) -> Path:
    target = tmp_path_factory.mktemp("frozen") / "sample"
    write_dataset(target, items=items, excluded=0)
    return target


def _command(*words: object) -> list[str]:
    return [sys.executable, "-m", "realhop_kg.cli.app", "graph", *map(str, words)]


class Done(NamedTuple):
    """What a command left: as `main` tells errors, but without a process of its own."""

    returncode: int
    stdout: str
    stderr: str


def _run(*words: object, env: Mapping[str, str]) -> Done:
    done = CliRunner().invoke(graph_app, [*map(str, words)], env=env)
    if isinstance(done.exception, RealHopError):
        said = f"{done.stderr}realhop: {done.exception}\n"
        return Done(done.exception.exit_code, done.stdout, said)
    assert done.exception is None or isinstance(done.exception, SystemExit), done.exception
    return Done(done.exit_code, done.stdout, done.stderr)


def _process(*words: object, env: Mapping[str, str]) -> Done:
    done = subprocess.run(
        _command(*words), capture_output=True, text=True, env=os.environ | env, timeout=200
    )
    return Done(done.returncode, done.stdout, done.stderr)


def _is_one_line(text: str) -> bool:
    return text.startswith("realhop: ") and text.count("\n") == 1 and "Traceback" not in text


@pytest.mark.parametrize("password", ["wrong", ""])
def test_a_wrong_or_missing_password_is_one_line_and_exit_3(
    server: Server, folder: Path, password: str
) -> None:
    run = _process if password else _run  # of all faults, one as a user meets it
    done = run("load", folder, "--store", server.address, env={"REALHOP_NEO4J_PASSWORD": password})
    assert done.returncode == 3
    assert _is_one_line(done.stderr)
    assert "REALHOP_NEO4J_PASSWORD" in done.stderr
    assert "wrong" not in done.stderr


@pytest.mark.parametrize("address", ["bolt://127.0.0.1:1", "neo4j://127.0.0.1:1"])
def test_a_server_that_is_not_there_is_one_line_and_exit_3(address: str, folder: Path) -> None:
    done = _run("load", folder, "--store", address, env={})
    assert done.returncode == 3
    assert _is_one_line(done.stderr)
    assert "127.0.0.1:1" in done.stderr


def test_a_database_that_is_not_there_is_one_line_and_exit_3(
    server: Server, folder: Path, login: None
) -> None:
    done = _run("load", folder, "--store", f"{server.address}/nowhere", env={})
    assert done.returncode == 3
    assert _is_one_line(done.stderr)
    assert "nowhere" in done.stderr


def test_a_password_in_the_address_is_refused_and_not_shown(folder: Path) -> None:
    done = _run("load", folder, "--store", "bolt://me:secret@127.0.0.1:1", env={})
    assert done.returncode == 2
    assert _is_one_line(done.stderr)
    assert "secret" not in done.stderr


@pytest.mark.skipif("+s" in NEO4J, reason="the server of REALHOP_NEO4J_URI speaks TLS")
def test_tls_that_the_server_does_not_speak_is_one_line_and_exit_3(folder: Path) -> None:
    address = f"bolt+s://{urlsplit(NEO4J).netloc}"
    done = _run("load", folder, "--store", address, env={})
    assert done.returncode == 3
    assert _is_one_line(done.stderr)


def test_a_certificate_authority_that_cannot_be_used_is_one_line(
    server: Server, folder: Path, tmp_path: Path, login: None
) -> None:
    authority = {"REALHOP_NEO4J_CA": str(tmp_path / "ca.pem")}
    missing = _run("load", folder, "--store", server.address, env=authority)
    assert missing.returncode == 3
    assert _is_one_line(missing.stderr)
    any_will_do = server.address.replace("bolt://", "bolt+ssc://")
    asked = _run("load", folder, "--store", any_will_do, env=authority)
    assert asked.returncode == 2
    assert _is_one_line(asked.stderr)


def test_address_and_database_may_come_from_the_environment(
    server: Server, login: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("REALHOP_NEO4J_URI", server.address)
    with open_store("neo4j") as store:
        assert store.run("RETURN 1 AS one").rows == [(1,)]
    monkeypatch.setenv("REALHOP_NEO4J_DATABASE", "nowhere")
    with pytest.raises(StoreError, match="nowhere"):
        open_store("neo4j")
    with open_store(f"{server.address}/neo4j") as store:  # what the address names goes first
        assert store.run("CALL db.info() YIELD name RETURN name").rows == [("neo4j",)]
    monkeypatch.delenv("REALHOP_NEO4J_URI")
    with pytest.raises(InputError, match="REALHOP_NEO4J_URI"):
        open_store("neo4j")


def test_a_user_who_may_only_read_is_told_in_one_line_with_exit_3(
    server: Server, folder: Path, login: None
) -> None:
    load = ("load", folder, "--store", server.address, "--scope", "readable")
    assert _run(*load, env={}).returncode == 0
    server.add_reader("only looking")
    reader = {"REALHOP_NEO4J_USER": "reader", "REALHOP_NEO4J_PASSWORD": "only looking"}
    assert _run(*load, env=reader).returncode == 0  # all of it is there: nothing to write
    for words in (
        ("load", folder, "--store", server.address, "--scope", "new"),
        ("cypher", "CREATE (:Item {id: 'x'})", "--write", "--store", server.address),
        ("cypher", "MATCH (n) SET n.x = 1", "--write", "--store", server.address),
        ("cypher", "MATCH (n) DETACH DELETE n", "--write", "--store", server.address),
    ):
        done = _run(*words, env=reader)
        assert done.returncode == 3
        assert _is_one_line(done.stderr)
        assert "does not let reader write" in done.stderr
    for ask in (("scopes",), ("query", "gold_chain", "--param", "scope=readable")):
        seen, whole = (
            _run(*ask, "--json", "--store", server.address, env=env) for env in (reader, {})
        )
        assert seen.returncode == 0
        assert json.loads(seen.stdout) == json.loads(whole.stdout) != []


@pytest.mark.soak
def test_a_load_whose_server_is_killed_resumes_after_a_restart(
    server: Server, large: Path, login: None, tmp_path: Path
) -> None:
    with open_store(server.address) as watcher:
        watcher.prepare()
        loader = subprocess.Popen(
            _command("load", large, "--store", server.address, "--scope", "killed"),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        deadline = time.monotonic() + 120
        while dict(scopes(watcher)).get("killed", 0) < HALF:
            assert loader.poll() is None, "the load ended before the server was killed"
            assert time.monotonic() < deadline
            time.sleep(0.02)
        server.kill()
    _, said = loader.communicate(timeout=120)
    assert loader.returncode == 3
    assert _is_one_line(said)

    server.script("start", "auth", "tls")
    fresh = f"embedded:{tmp_path / 'fresh.kgl'}"
    assert _run("load", large, "--store", fresh, "--scope", "killed", env={}).returncode == 0
    with open_store(server.address) as store, open_store(fresh, writing=False) as other:
        there, whole = _sizes(store), _sizes(other)
        assert HALF <= there.items < ITEMS
        assert 0 < there.nodes < whole.nodes
        assert 0 < there.edges < whole.edges
        done = _run("load", large, "--store", server.address, "--scope", "killed", "--json", env={})
        counts = json.loads(done.stdout)
        assert (counts["unchanged"], counts["loaded"]) == (there.items, ITEMS - there.items)
        assert counts["replaced"] == counts["removed"] == 0
        assert _sizes(store) == whole
        for number, (key, graph) in enumerate(FrozenDataset.open(large).graphs()):
            if number % 30 == 0:  # before, at and past the place where it stopped
                assert stored_graph(store, "killed", key) == graph
    for name in query_names():
        if {"scope", "page"} & {param.name for param in load_query(name).params} == {"scope"}:
            ask = ("query", name, "--param", "scope=killed", "--json", "--store")
            resumed, wanted = (_run(*ask, at, env={}) for at in (server.address, fresh))
            assert resumed.returncode == wanted.returncode == 0
            assert json.loads(resumed.stdout) == json.loads(wanted.stdout), name


class Sizes(NamedTuple):
    """How much of a dataset a store holds."""

    items: int
    nodes: int
    edges: int


def _sizes(store: Store) -> Sizes:
    of = "WHERE n.scope = 'killed'"
    nodes = store.run(f"MATCH (n) {of} RETURN count(n) AS n").rows[0][0]
    edges = store.run(f"MATCH (n)-[r]->() {of} RETURN count(r) AS n").rows[0][0]
    return Sizes(dict(scopes(store)).get("killed", 0), nodes, edges)


@pytest.mark.soak
def test_a_server_that_lets_nobody_write_is_one_line_and_exit_3(
    server: Server, folder: Path, login: None
) -> None:
    with open_store(server.address) as store:
        load_graphs(store, "early", islice(FrozenDataset.open(folder).graphs(), 1))
    server.script("stop")
    server.script("start", "auth", "read-only")
    try:
        done = _run("load", folder, "--store", server.address, "--scope", "late", env={})
        assert done.returncode == 3
        assert _is_one_line(done.stderr)
        assert "write" in done.stderr
        asked = _run("query", "items_by_topology", "--store", server.address, "--csv", env={})
        assert asked.returncode == 0
        assert "\nearly," in asked.stdout
    finally:
        server.script("stop")
        server.script("start", "auth", "tls")
