"""Runs `realhop` as users do: in a process of its own, with words, a folder and an environment.

The processes are forks of one that has loaded everything (`tests/preloaded.py`). Where the start
itself is what is tested, or the seed of hashes, tests start Python afresh.
"""

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

__all__ = ["Run", "realhop", "start"]


@dataclass
class Run:
    """A command that runs in a process of its own."""

    process: subprocess.Popen[str]
    pid: int
    folder: tempfile.TemporaryDirectory[str]
    words: list[str]

    def send(self, number: signal.Signals) -> None:
        """Send the process a signal."""
        os.kill(self.pid, number)

    def wait(self) -> subprocess.CompletedProcess[str]:
        """Wait for its end; no other command can be started before."""
        assert self.process.stdout is not None
        code = int(self.process.stdout.readline())
        texts = [
            (Path(self.folder.name) / name).read_bytes().decode() for name in ("stdout", "stderr")
        ]
        self.folder.cleanup()
        return subprocess.CompletedProcess(self.words, code, *texts)


@cache
def _server(_pid: int) -> subprocess.Popen[str]:
    """Start the process that the commands of this test process are forked from."""
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.preloaded"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        cwd=ROOT,
    )
    atexit.register(process.communicate)
    return process


def start(
    *words: object,
    environment: Mapping[str, str] | None = None,
    whole_environment: Mapping[str, str] | None = None,
    folder: Path | None = None,
) -> Run:
    """Start `realhop` with these words.

    `environment` is added to that of the tests; `whole_environment` is all there is.
    """
    process = _server(os.getpid())
    outputs = tempfile.TemporaryDirectory()
    said = list(map(str, words))
    whole = os.environ if whole_environment is None else whole_environment
    command = {
        "words": said,
        "environment": {**whole, **(environment or {})},
        "folder": str(folder or Path.cwd()),
        **{name: str(Path(outputs.name) / name) for name in ("stdout", "stderr")},
    }
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(json.dumps(command) + "\n")
    process.stdin.flush()
    return Run(process, int(process.stdout.readline()), outputs, said)


def realhop(
    *words: object,
    environment: Mapping[str, str] | None = None,
    whole_environment: Mapping[str, str] | None = None,
    folder: Path | None = None,
) -> subprocess.CompletedProcess[str]:
    """Run `realhop` with these words to its end."""
    run = start(*words, environment=environment, whole_environment=whole_environment, folder=folder)
    return run.wait()
