"""Peak memory of whole construct runs as the input grows."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from bench.questions import repeated
from bench.rows import Row

__all__ = ["peak_of", "rows"]

# A new process inherits the peak of the one that starts it, so a small one has to start it.
_WATCHER = """
import os, subprocess, sys
process = subprocess.Popen(sys.argv[1:], stdout=subprocess.DEVNULL)
_, status, usage = os.wait4(process.pid, 0)
process.returncode = os.waitstatus_to_exitcode(status)
if process.returncode:
    sys.exit(f"{sys.argv[1:]} ended with {process.returncode}")
print(usage.ru_maxrss)
"""


def rows(quick: bool) -> Iterator[Row]:
    """Yield the rows of this figure."""
    times = 4 if quick else 20
    with tempfile.TemporaryDirectory() as folder:
        small, large = (_peak(Path(folder), turns) for turns in (1, times))
    yield Row(
        f"peak memory of realhop construct, {times}x input",
        f"{large / 2**20:.1f} MiB",
        f"{small / 2**20:.1f} MiB",
        f"{large / small:.2f}x",
        f"peer: itself at 1x, the bundled questions once. {(large - small) / 2**10:,.0f} KiB more",
    )


def _peak(folder: Path, turns: int) -> int:
    source, out = repeated(folder, turns), folder / f"out-{turns}"
    return peak_of("construct", "--dataset", "musique", str(source), "--out", str(out))


def peak_of(*words: str) -> int:
    """Return the peak memory in bytes of a realhop command."""
    return _run((sys.executable, "-m", "realhop_kg.cli.app", *words))


def _run(command: Sequence[str]) -> int:
    """Run a command and return its own peak memory in bytes (`ru_maxrss`)."""
    watched = subprocess.run(
        (sys.executable, "-S", "-c", _WATCHER, *command), check=True, capture_output=True, text=True
    )
    return int(watched.stdout) * (1 if sys.platform == "darwin" else 1024)
