"""TLS: a private certificate authority comes from the environment, and a wrong one is refused."""

from __future__ import annotations

import shlex
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from realhop_kg.stores.load import LoadReport, load_graphs
from realhop_kg.stores.store import StoreError, open_store
from tests.stores.conftest import Graphs, needs_neo4j
from tests.stores.server import Server, needs_java

pytestmark = [
    pytest.mark.slow,
    needs_neo4j,
    needs_java,
    pytest.mark.skipif(not shutil.which("openssl"), reason="openssl makes the certificates"),
]


def _certificate(folder: Path) -> Path:
    folder.mkdir(parents=True)
    subprocess.run(
        shlex.split(
            "openssl req -x509 -newkey rsa:2048 -nodes -days 2 -keyout private.key "
            "-out public.crt -subj /CN=127.0.0.1 -addext subjectAltName=IP:127.0.0.1"
        ),
        cwd=folder,
        check=True,
        capture_output=True,
    )
    return folder / "public.crt"


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("neo4j")


@pytest.fixture(scope="module")
def authority(home: Path) -> Path:
    return _certificate(home / "certificates" / "bolt")


@pytest.fixture(scope="module")
def server(home: Path, authority: Path) -> Iterator[Server]:
    server = Server(home)
    try:
        server.script("start", "tls")
        yield server
    finally:
        server.script("clean")


def test_a_private_authority_comes_from_the_environment(
    server: Server, authority: Path, some: Graphs, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("REALHOP_NEO4J_CA", str(authority))
    with open_store(server.address) as store:
        assert load_graphs(store, "tls", some.items()) == LoadReport(loaded=len(some))
    with open_store(server.address.replace("bolt://", "bolt+s://")) as store:
        assert load_graphs(store, "tls", some.items()) == LoadReport(unchanged=len(some))


def test_any_certificate_will_do_where_the_address_says_so(server: Server) -> None:
    with open_store(server.address.replace("bolt://", "bolt+ssc://")) as store:
        assert store.run("RETURN 1 AS one").rows == [(1,)]


def test_a_certificate_of_somebody_else_is_refused(
    server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for scheme in ("bolt+s", "neo4j+s"):
        with pytest.raises(StoreError, match="REALHOP_NEO4J_CA"):
            open_store(server.address.replace("bolt", scheme))
    monkeypatch.setenv("REALHOP_NEO4J_CA", str(_certificate(tmp_path / "other")))
    with pytest.raises(StoreError, match="REALHOP_NEO4J_CA"):
        open_store(server.address)
