"""Constructs many items in order, in this process or in several, with memory that does not grow."""

from __future__ import annotations

import signal
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from multiprocessing import get_context

from realhop_kg.construct.outcome import Constructed
from realhop_kg.construct.pipeline import construct_item
from realhop_kg.freeze.freeze import Packed, pack
from realhop_kg.model.frozen import ExcludedItem
from realhop_kg.model.item import SourceItem
from realhop_kg.relations.catalogue import catalogue

__all__ = ["Construct", "construct_all", "packed"]

Construct = Callable[[SourceItem, int], Packed | ExcludedItem]
"""Makes of an item and a seed what a dataset keeps of it."""

_AHEAD = 8
"""Items in flight per worker: enough to keep it busy, few enough to bound memory."""


def construct_all(
    outcomes: Iterable[SourceItem | ExcludedItem],
    seed: int,
    workers: int = 1,
    construct: Construct | None = None,
) -> Iterator[Packed | ExcludedItem]:
    """Yield one outcome per record, in the order of the records, whatever the worker count.

    Args:
        outcomes: what a builder read.
        seed: the run's seed.
        workers: number of processes; 1 works in this one.
        construct: what becomes of an item; it must reach other processes. By default, an item
            constructed in its own passages.
    """
    work = construct or _construct
    if workers == 1:
        for outcome in outcomes:
            yield outcome if isinstance(outcome, ExcludedItem) else work(outcome, seed)
        return
    # Spawned workers inherit no open file, lock or thread of ours.
    with ProcessPoolExecutor(
        workers, mp_context=get_context("spawn"), initializer=_leave_interrupts
    ) as pool:
        _start(pool, workers)
        waiting: deque[Future[Packed | ExcludedItem] | ExcludedItem] = deque()
        try:
            for outcome in outcomes:
                waiting.append(
                    outcome
                    if isinstance(outcome, ExcludedItem)
                    else pool.submit(work, outcome, seed)
                )
                if len(waiting) >= workers * _AHEAD:
                    yield _result(waiting.popleft())
            while waiting:
                yield _result(waiting.popleft())
        finally:
            pool.shutdown(cancel_futures=True)


def _start(pool: ProcessPoolExecutor, workers: int) -> None:
    """Start the workers with Ctrl-C left to the parent from their first moment on.

    They inherit the blocked signal; one that comes meanwhile reaches the parent right afterwards.
    """
    if not hasattr(signal, "pthread_sigmask"):
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        # Each piece of work that finds nobody idle starts one more process.
        for _ in range(workers):
            pool.submit(_ready)
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _ready() -> None:
    """Do nothing: the first work of a pool starts its processes."""


def _leave_interrupts() -> None:
    """Leave Ctrl-C to the parent, which cancels what its workers have not begun."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)  # a pool ends its processes with it


def _result(waiting: Future[Packed | ExcludedItem] | ExcludedItem) -> Packed | ExcludedItem:
    return waiting.result() if isinstance(waiting, Future) else waiting


def _construct(item: SourceItem, seed: int) -> Packed | ExcludedItem:
    return packed(construct_item(item, catalogue(), seed))


def packed(outcome: Constructed | ExcludedItem) -> Packed | ExcludedItem:
    """Return what a dataset keeps of a constructed item; an excluded one as it is."""
    relations = catalogue()
    if isinstance(outcome, Constructed):
        predicates = outcome.catalogue.predicates
        own = tuple(predicates[new] for new in predicates if new not in relations.predicates)
        return pack(outcome.graph, predicates, outcome.diagnostics, own)
    return outcome
