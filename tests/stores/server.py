"""A Neo4j of the tests' own, for tests that stop it, empty it or need a login or TLS."""

from __future__ import annotations

import os
import shlex
import shutil
import signal
import socket
import subprocess
from pathlib import Path

import pytest

from tests.conftest import ROOT

SCRIPT = ROOT / "tools" / "neo4j" / "run.sh"

PASSWORD = "correct horse"

needs_java = pytest.mark.skipif(
    not all(map(shutil.which, ("java", "mvn", "openssl"))),
    reason="a server of the test's own needs java and mvn, and openssl for its certificate",
)


def make_certificate(folder: Path) -> Path:
    """Write `private.key` and `public.crt` of an authority for 127.0.0.1; return the latter."""
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


class Server:
    """A Neo4j with a login, started by the script of tools/neo4j."""

    def __init__(self, home: Path) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.address = f"bolt://127.0.0.1:{self.port}"
        self._home = home
        self.authority = home / "certificates" / "bolt" / "public.crt"
        """Where its certificate lies, if it has one."""

    def script(self, *words: str) -> None:
        mine = {
            "REALHOP_NEO4J_PORT": str(self.port),
            "REALHOP_NEO4J_HOME": str(self._home),
            "REALHOP_NEO4J_HEAP": "512m",
        }
        subprocess.run([SCRIPT, *words], check=True, env=os.environ | mine, timeout=300)

    def kill(self) -> None:
        """End the process of the server at once; `start` brings it back with its data."""
        os.kill(int((self._home / "server.pid").read_text()), signal.SIGKILL)
        self.script("kill")  # waits until it is gone

    def set_password(self, password: str) -> None:
        import neo4j

        with neo4j.GraphDatabase.driver(self.address, auth=("neo4j", "neo4j")) as driver:
            driver.execute_query(
                "ALTER CURRENT USER SET PASSWORD FROM 'neo4j' TO $new",
                {"new": password},
                database_="system",
            )

    def add_reader(self, password: str) -> None:
        """Add the user `reader`, who may only read: a stand-in for a role of other editions."""
        import neo4j

        with neo4j.GraphDatabase.driver(self.address, auth=("neo4j", PASSWORD)) as driver:
            driver.execute_query(
                "CREATE USER reader IF NOT EXISTS SET PASSWORD $new CHANGE NOT REQUIRED",
                {"new": password},
                database_="system",
            )
