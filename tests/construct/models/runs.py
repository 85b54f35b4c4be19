"""Runs `realhop construct --backend llm` as users do, against the stub server."""

from __future__ import annotations

import atexit
import json
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from tests.conftest import ROOT
from tests.construct.models.scribe import Scribe

SCRIBE = ("--writer", "tests.construct.models.scribe:Scribe")
SETTINGS = ("--backend", "llm", "--model", "openai/scribe", "--param", "json=off")


@dataclass
class Run:
    """A command that runs in a process of its own."""

    process: subprocess.Popen[str]
    pid: int
    folder: tempfile.TemporaryDirectory[str]
    words: list[str]

    def send(self, number: signal.Signals) -> None:
        os.kill(self.pid, number)

    def wait(self) -> subprocess.CompletedProcess[str]:
        """Wait for its end; no other command can be started before."""
        assert self.process.stdout is not None
        code = int(self.process.stdout.readline())
        texts = [(Path(self.folder.name) / name).read_text() for name in ("stdout", "stderr")]
        self.folder.cleanup()
        return subprocess.CompletedProcess(self.words, code, *texts)


@cache
def _server() -> subprocess.Popen[str]:
    """Start the process that the commands of this test process are forked from."""
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.construct.models.preloaded"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        cwd=ROOT,
    )
    atexit.register(process.communicate)
    return process


def start(*words: str | Path, environment: Mapping[str, str] | None = None) -> Run:
    """Start `realhop` with these words."""
    process = _server()
    folder = tempfile.TemporaryDirectory()
    said = list(map(str, words))
    outputs = {name: str(Path(folder.name) / name) for name in ("stdout", "stderr")}
    command = {"words": said, "environment": dict(environment or {}), **outputs}
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(json.dumps(command) + "\n")
    process.stdin.flush()
    return Run(process, int(process.stdout.readline()), folder, said)


def realhop(
    *words: str | Path, environment: Mapping[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    """Run `realhop` with these words to its end."""
    return start(*words, environment=environment).wait()


def construct(
    source: Path, *words: str | Path, dataset: str = "musique", **environment: str
) -> subprocess.CompletedProcess[str]:
    """Construct a source file with models."""
    said = ("construct", source, "--dataset", dataset, *SETTINGS, *words)
    return realhop(*said, environment=environment)


def contents(folder: Path) -> dict[str, bytes]:
    """Return every file of a folder."""
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir())}


def real_items(shared_data: Path, folder: Path) -> Path:
    """Write the real records that the scribe has replies for, and return their file."""
    wanted = {item["id"] for item in Scribe().items}
    source = shared_data / "multihop" / "musique" / "musique_ans_sample.jsonl"
    lines = source.read_text(encoding="utf-8").splitlines()
    path = folder / "records.jsonl"
    found = [line for line in lines if json.loads(line)["id"] in wanted]
    assert len(found) == len(wanted)
    path.write_text("\n".join(found) + "\n", encoding="utf-8")
    return path
