"""Starts the stub server in a process of its own, and asks it what it counted."""

from __future__ import annotations

import json
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]


@dataclass(frozen=True)
class Stub:
    url: str

    def stats(self) -> dict[str, Any]:
        with urllib.request.urlopen(self.url.replace("/v1", "/_stats")) as answer:
            return dict(json.load(answer))

    @property
    def calls(self) -> int:
        return sum(self.stats()["calls"].values())


@contextmanager
def stub(*words: str, script: Path | None = None) -> Iterator[Stub]:
    """Serve with these options for the length of a `with` statement."""
    command = [sys.executable, "-m", "tests.llm.stub_server", *words]
    command += ["--script", str(script)] if script else []
    process = subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=ROOT
    )
    assert process.stdin is not None
    assert process.stdout is not None
    try:
        yield Stub(process.stdout.readline().strip())
    finally:
        process.stdin.close()
        process.wait(10)
        process.stdout.close()
