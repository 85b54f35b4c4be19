"""Commands that have an event loop of their own, which that of the browser would not bear."""

from __future__ import annotations

import subprocess
import sys

__all__ = ["apart"]


def apart(*words: object) -> None:
    """Run a command in another process; it must succeed."""
    line = [sys.executable, "-m", "realhop_kg.cli.app", *map(str, words)]
    done = subprocess.run(line, check=False, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
