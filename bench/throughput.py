"""Items constructed per second, with one process and with two."""

from __future__ import annotations

from collections.abc import Iterator

from bench.peers import build_untyped, lists
from bench.questions import built, sources
from bench.rows import Row, fastest
from realhop_kg.construct.run import construct_all
from realhop_kg.freeze.freeze import Packed

__all__ = ["rows"]


def rows(quick: bool) -> Iterator[Row]:
    """Yield the rows of this figure."""
    items = sources(1 if quick else 10)
    prepared = [lists(outcome.graph) for outcome in built()]

    def construct(workers: int) -> None:
        done = sum(isinstance(o, Packed) for o in construct_all(iter(items), 0, workers))
        if done != len(items):
            raise RuntimeError(f"{len(items) - done} of the bundled questions are refused")

    one, plain = fastest(
        lambda: construct(1),
        lambda: [build_untyped(given) for given in prepared],
        repeats=1 if quick else 2,
    )
    ours, peer = len(items) / one, len(prepared) / plain
    yield Row(
        "items constructed, 1 worker",
        f"{ours:,.1f} items/s",
        f"{peer:,.0f} graphs/s",
        f"{peer / ours:.1f}x its time",
        "from record to checked, packed item. Peer: networkx builds the finished graph untyped "
        "from lists, checks the DAG of hops, finds descendants; plans, writes and checks nothing",
    )
    (two,) = fastest(lambda: construct(2), repeats=1)
    yield Row(
        "items constructed, 2 workers",
        f"{len(items) / two:,.1f} items/s",
        f"{ours:,.1f} items/s",
        f"{one / two:.2f}x",
        f"peer: itself with 1 worker. {len(items)} items, start of the processes included",
    )
