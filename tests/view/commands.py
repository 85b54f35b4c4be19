"""Commands that have an event loop of their own, which that of the browser would not bear."""

from __future__ import annotations

from tests.processes import realhop

__all__ = ["apart"]


def apart(*words: object) -> None:
    """Run a command in another process; it must succeed."""
    done = realhop(*words)
    assert done.returncode == 0, done.stderr
