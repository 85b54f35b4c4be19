"""Rows of the printed table, and how times are taken."""

from __future__ import annotations

import gc
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass

__all__ = ["Row", "fastest", "print_head", "print_row"]


@dataclass(frozen=True, slots=True)
class Row:
    """One figure: ours, the peer's, and the ratio between them."""

    what: str
    ours: str
    peer: str
    ratio: str
    note: str = ""
    """What the peer is and does, and what is timed."""


def print_head() -> None:
    """Print the names of the columns."""
    print_row(Row("what", "ours", "peer", "ratio", "note"))


def print_row(row: Row) -> None:
    """Print a row, at once."""
    line = f"{row.what:<44} {row.ours:>16} {row.peer:>14} {row.ratio:>16}  {row.note}"
    sys.stdout.write(line.rstrip() + "\n")
    sys.stdout.flush()


def fastest(*works: Callable[[], object], repeats: int) -> list[float]:
    """Return the least time in seconds of each piece of work.

    They take turns, so that a busy spell of the machine meets all of them, and the least time is
    the least disturbed one. As in `timeit`, garbage is collected before each turn, not during it.
    """
    best = [float("inf")] * len(works)
    for _ in range(repeats):
        for at, work in enumerate(works):
            gc.collect()
            gc.disable()
            try:
                start = time.perf_counter()
                work()
                best[at] = min(best[at], time.perf_counter() - start)
            finally:
                gc.enable()
    return best
