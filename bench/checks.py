"""Contract checks per second."""

from __future__ import annotations

from collections.abc import Iterator

from bench.peers import build_untyped, lists
from bench.questions import built
from bench.rows import Row, fastest
from realhop_kg.contracts.check import CHECKS, check_item

__all__ = ["rows"]


def rows(quick: bool) -> Iterator[Row]:
    """Yield the rows of this figure."""
    outcomes = built()
    prepared = [lists(outcome.graph) for outcome in outcomes]

    def check() -> None:
        for outcome in outcomes:
            relations = outcome.catalogue
            check_item(outcome.graph, relations.predicates, relations.types.parents)

    ours, peer = fastest(
        check, lambda: [build_untyped(given) for given in prepared], repeats=3 if quick else 10
    )
    count = len(outcomes)
    yield Row(
        "contract checks",
        f"{count * len(CHECKS) / ours:,.0f} checks/s",
        f"{count / peer:,.0f} graphs/s",
        f"{ours / peer:.1f}x its time",
        f"{len(CHECKS)} codes an item, {count / ours:,.0f} items/s. Peer: networkx builds the "
        "graph untyped and checks the DAG of hops, one of the codes",
    )
