"""Graphs to store, and the engines that store them: both, wherever a Neo4j is to be had."""

from __future__ import annotations

import os
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from graph_builders.base import builder
from realhop_kg.construct.outcome import Constructed
from realhop_kg.construct.pipeline import construct_item
from realhop_kg.graph.reasoning import ReasoningGraph
from realhop_kg.model.item import SourceItem
from realhop_kg.relations.catalogue import catalogue
from realhop_kg.resources import resource_folder
from realhop_kg.stores.address import open_store
from realhop_kg.stores.load import remove_scope
from realhop_kg.stores.store import Store
from tests.stores.server import PASSWORD, Server, make_certificate

NEO4J = os.environ.get("REALHOP_NEO4J_URI", "")
WORKER = os.environ.get("PYTEST_XDIST_WORKER", "main")

Graphs = dict[str, ReasoningGraph]

needs_neo4j = pytest.mark.skipif(
    not NEO4J, reason="REALHOP_NEO4J_URI is not set; `tools/neo4j/run.sh start` gives a server"
)


@cache
def constructed(path: Path, limit: int | None = None) -> Graphs:
    """Construct the items of a MuSiQue file by rules."""
    relations, graphs = catalogue(), {}
    for source in builder("musique").read(path, limit):
        outcome = construct_item(source, relations, 0) if isinstance(source, SourceItem) else None
        if isinstance(outcome, Constructed):
            graphs[source.key] = outcome.graph
    return graphs


@pytest.fixture(scope="session")
def bundled() -> Graphs:
    """The bundled questions, constructed."""
    return constructed(resource_folder("data") / "questions.jsonl")


@pytest.fixture(scope="session")
def some(bundled: Graphs) -> Graphs:
    """Four bundled items, of four shapes."""
    shapes: Graphs = {}
    seen = set()
    for key, graph in bundled.items():
        shape = graph["item"].topology
        if shape not in seen:
            seen.add(shape)
            shapes[key] = graph
    return dict(list(shapes.items())[:4])


@pytest.fixture(params=["embedded", pytest.param("neo4j", marks=needs_neo4j)])
def store(request: pytest.FixtureRequest, tmp_path: Path, scope: str) -> Iterator[Store]:
    """An open store of each engine; on Neo4j the test's own scopes are removed afterwards."""
    address = NEO4J if request.param == "neo4j" else f"embedded:{tmp_path / 'graph.kgl'}"
    with open_store(address) as opened:
        try:
            yield opened
        finally:
            if request.param == "neo4j":
                for mine in (scope, f"{scope}-other"):
                    remove_scope(opened, mine)


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server with a login that also speaks TLS; starting one takes seconds, so all share it."""
    home = tmp_path_factory.mktemp("neo4j")
    server = Server(home)
    make_certificate(server.authority.parent)
    try:
        server.script("start", "auth", "tls")
        server.set_password(PASSWORD)
        yield server
    finally:
        server.script("clean")


@pytest.fixture
def login(monkeypatch: pytest.MonkeyPatch) -> None:
    """The password of that server, in the environment."""
    monkeypatch.setenv("REALHOP_NEO4J_PASSWORD", PASSWORD)


@pytest.fixture
def scope(request: pytest.FixtureRequest) -> str:
    """A scope of the test's own: many workers share one Neo4j."""
    return f"{WORKER}-{request.node.name}"[:150]
