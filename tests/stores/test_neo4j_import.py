"""The CSV export, read by Neo4j's own bulk import, gives the graphs that a load gives."""

from __future__ import annotations

from pathlib import Path

import pytest

from realhop_kg.stores.address import open_store
from realhop_kg.stores.export import export_csv
from realhop_kg.stores.load import LoadReport, load_graphs, stored_graph
from tests.stores.conftest import Graphs, needs_neo4j
from tests.stores.server import Server, needs_java
from tests.stores.test_load import HOSTILE, hostile_graph
from tests.stores.test_rdf import SOURCE


@pytest.mark.slow
@pytest.mark.soak
@needs_neo4j
@needs_java
def test_what_is_imported_is_what_would_be_loaded(some: Graphs, tmp_path: Path) -> None:
    graphs = some | {text: hostile_graph(text) for text in HOSTILE}
    export_csv(graphs.items(), SOURCE, tmp_path / "csv")
    server = Server(tmp_path / "home")
    server.script("import", str(tmp_path / "csv"))
    server.script("start")
    try:
        with open_store(server.address) as store:
            for key, graph in graphs.items():
                assert stored_graph(store, SOURCE.scope, key) == graph
            report = load_graphs(store, SOURCE.scope, graphs.items())
            assert report == LoadReport(unchanged=len(graphs))
    finally:
        server.script("clean")
