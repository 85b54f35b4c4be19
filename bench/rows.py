"""Rows of the printed table, and how times are taken."""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass

__all__ = ["Row", "fastest", "print_rows", "seconds"]

_COLUMNS = ("what", "ours", "peer", "ratio", "note")


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


def fastest(
    ours: Callable[[], object], peer: Callable[[], object], repeats: int = 3
) -> tuple[float, float]:
    """Return the least time of each of two ways, run by turns so that both meet the same load."""
    ours()
    peer()
    best = [float("inf"), float("inf")]
    for _ in range(repeats):
        for place, work in enumerate((ours, peer)):
            start = time.perf_counter()
            work()
            best[place] = min(best[place], time.perf_counter() - start)
    return best[0], best[1]


def print_rows(about: str | None, rows: Callable[[bool], Iterable[Row]]) -> int:
    """Print the rows of one module, each as soon as it is measured; `--quick` makes it small."""
    parser = argparse.ArgumentParser(description=about)
    parser.add_argument("--quick", action="store_true", help="smaller inputs")
    quick = parser.parse_args().quick
    _print(Row(*_COLUMNS))
    for row in rows(quick):
        _print(row)
    return 0


def _print(row: Row) -> None:
    line = f"{row.what:<44} {row.ours:>18} {row.peer:>18} {row.ratio:>10}  {row.note}"
    sys.stdout.write(line.rstrip() + "\n")
    sys.stdout.flush()
