"""Rows of the printed table, and how times are taken."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

__all__ = ["Row", "seconds"]


@dataclass(frozen=True)
class Row:
    """One figure: ours, the peer's, and the ratio between them."""

    what: str
    ours: str
    peer: str
    ratio: str
    note: str = ""


def seconds(work: Callable[[], object], repeats: int = 3) -> float:
    """Return the least time of some runs after one warm-up; the least is the least disturbed."""
    work()
    best = float("inf")
    for _ in range(repeats):
        start = time.perf_counter()
        work()
        best = min(best, time.perf_counter() - start)
    return best
