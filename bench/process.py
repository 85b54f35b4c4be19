"""Whole processes: peak memory as the input grows, and start-up time."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from bench.construct import repeated_questions
from bench.rows import Row

__all__ = ["rows"]

_REALHOP = (sys.executable, "-m", "realhop_kg.cli.app")


def rows(quick: bool) -> Iterator[Row]:
    """Yield the rows of this module."""
    yield _memory(2 if quick else 20)
    yield from _startup()


def _peak(command: Sequence[str]) -> int:
    """Run a command and return its peak memory in bytes."""
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise RuntimeError(f"{command} ended with {process.returncode}")
    return usage.ru_maxrss * (1 if sys.platform == "darwin" else 1024)


def _memory(times: int) -> Row:
    peaks: dict[int, int] = {}
    for turns in (5, 5 * times):
        with tempfile.TemporaryDirectory() as folder:
            path = repeated_questions(Path(folder), turns)
            out = Path(folder) / "out"
            command = (*_REALHOP, "construct", "--dataset", "musique", str(path), "--out", str(out))
            peaks[turns] = _peak(command)
    small, large = peaks.values()
    return Row(
        f"peak memory of construct at {times}x the input",
        f"{large / 2**20:.0f} MiB",
        f"{small / 2**20:.0f} MiB",
        f"{large / small:.2f}x",
        f"peer: itself at 1x ({5 * 24} questions)",
    )


def _spent(command: Sequence[str], repeats: int = 5) -> float:
    best = float("inf")
    for _ in range(repeats):
        start = time.perf_counter()
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        best = min(best, time.perf_counter() - start)
    return best


def _startup() -> Iterator[Row]:
    bare = _spent((sys.executable, "-c", "pass"))
    networkx = _spent((sys.executable, "-c", "import networkx"))
    for what, command in (
        ("start of realhop --help", (*_REALHOP, "--help")),
        ("import realhop_kg", (sys.executable, "-c", "import realhop_kg")),
    ):
        spent = _spent(command)
        yield Row(
            what,
            f"{spent * 1000:.0f} ms",
            f"{networkx * 1000:.0f} ms",
            f"{spent / networkx:.2f}x",
            f"peer: python -c 'import networkx'; python -c pass takes {bare * 1000:.0f} ms",
        )
