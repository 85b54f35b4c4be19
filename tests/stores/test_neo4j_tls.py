"""TLS: a private certificate authority comes from the environment, and a wrong one is refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from realhop_kg.stores.address import open_store
from realhop_kg.stores.load import LoadReport, load_graphs
from realhop_kg.stores.store import StoreError
from tests.stores.conftest import Graphs, needs_neo4j
from tests.stores.server import Server, make_certificate, needs_java

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("login"), needs_neo4j, needs_java]


def test_a_private_authority_comes_from_the_environment(
    server: Server, some: Graphs, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("REALHOP_NEO4J_CA", str(server.authority))
    one = dict([next(iter(some.items()))])
    with open_store(server.address) as store:
        assert load_graphs(store, "tls", one.items()) == LoadReport(loaded=1)
    with open_store(server.address.replace("bolt://", "bolt+s://")) as store:
        assert load_graphs(store, "tls", one.items()) == LoadReport(unchanged=1)


def test_any_certificate_will_do_where_the_address_says_so(server: Server) -> None:
    with open_store(server.address.replace("bolt://", "bolt+ssc://")) as store:
        assert store.run("RETURN 1 AS one").rows == [(1,)]


def test_a_certificate_of_somebody_else_is_refused(
    server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for scheme in ("bolt+s", "neo4j+s"):
        with pytest.raises(StoreError, match="REALHOP_NEO4J_CA"):
            open_store(server.address.replace("bolt", scheme))
    monkeypatch.setenv("REALHOP_NEO4J_CA", str(make_certificate(tmp_path / "other")))
    with pytest.raises(StoreError, match="REALHOP_NEO4J_CA"):
        open_store(server.address)
