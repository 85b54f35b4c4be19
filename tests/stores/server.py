"""A Neo4j of the test's own, for tests that stop it, empty it or need a login."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
from pathlib import Path

import pytest

from tests.conftest import ROOT

SCRIPT = ROOT / "tools" / "neo4j" / "run.sh"

needs_java = pytest.mark.skipif(
    not (shutil.which("java") and shutil.which("mvn")),
    reason="a server of the test's own needs java and mvn",
)


class Server:
    """A Neo4j with a login, started by the script of tools/neo4j."""

    def __init__(self, home: Path) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.address = f"bolt://127.0.0.1:{self.port}"
        self._home = home

    def script(self, *words: str) -> None:
        mine = {
            "REALHOP_NEO4J_PORT": str(self.port),
            "REALHOP_NEO4J_HOME": str(self._home),
            "REALHOP_NEO4J_HEAP": "512m",
        }
        subprocess.run([SCRIPT, *words], check=True, env=os.environ | mine, timeout=300)

    def set_password(self, password: str) -> None:
        import neo4j

        with neo4j.GraphDatabase.driver(self.address, auth=("neo4j", "neo4j")) as driver:
            driver.execute_query(
                "ALTER CURRENT USER SET PASSWORD FROM 'neo4j' TO $new",
                {"new": password},
                database_="system",
            )
