"""Loading graphs, asking them, and writing them as RDF; Neo4j where REALHOP_NEO4J_URI names one."""

from __future__ import annotations

import io
import os
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator
from itertools import cycle, islice
from pathlib import Path

from bench.questions import built
from bench.rows import Row, fastest, print_head, print_row
from bench.store_peers import autocommit, load_by_single_queries, rdflib_nquads
from realhop_kg.graph.reasoning import ReasoningGraph
from realhop_kg.graph.views import with_relates
from realhop_kg.stores.export import export_text
from realhop_kg.stores.load import load_graphs, remove_scope
from realhop_kg.stores.queries import run_query
from realhop_kg.stores.rdf_source import Source
from realhop_kg.stores.store import Store, open_store

__all__ = ["rows"]

_SCOPE = "bench"
_BASELINE = 4
"""Items that the peer loads: it is too slow for more."""
_ASKED = (
    ("gold_chain", "one"),
    ("post_drop_survivors", "one"),
    ("alternative_answers", "one"),
    ("items_by_topology", "all"),
)
"""Timed queries, each for one item or over all."""

Graphs = list[tuple[str, ReasoningGraph]]


def _many(graphs: Iterable[ReasoningGraph], count: int) -> Graphs:
    """Return graphs under as many keys as asked for."""
    return [(f"item{number}", graph) for number, graph in enumerate(islice(cycle(graphs), count))]


def _size(graphs: Graphs) -> int:
    """Return how many nodes and edges graphs have, the derived ones too."""
    sizes: dict[int, int] = {}
    for _, graph in graphs:
        if id(graph) not in sizes:  # the same few graphs come again and again
            whole = with_relates(graph).nx
            sizes[id(graph)] = len(whole) + whole.number_of_edges()
    return sum(sizes[id(graph)] for _, graph in graphs)


def rows(quick: bool) -> Iterator[Row]:
    """Yield the rows of this module."""
    graphs = [outcome.graph for outcome in built()]
    sizes = (100,) if quick else (1_000, 10_000)
    with tempfile.TemporaryDirectory() as folder:
        addresses = {"embedded": f"embedded:{Path(folder) / 'bench.kgl'}"}
        server = os.environ.get("REALHOP_NEO4J_URI")
        if server:
            addresses["neo4j"] = server
        else:
            yield Row("neo4j", "-", "-", "-", "skipped: REALHOP_NEO4J_URI is not set")
        for engine, address in addresses.items():
            with open_store(address) as store:
                yield from _engine(engine, store, graphs, sizes)
                remove_scope(store, _SCOPE)
    yield _rdf(graphs)


def _engine(
    engine: str, store: Store, graphs: list[ReasoningGraph], sizes: tuple[int, ...]
) -> Iterator[Row]:
    load_graphs(store, _SCOPE, _many(graphs, min(sizes[0], 300)))  # warms the server up
    _single(store, graphs[:1])
    for size in sizes:
        remove_scope(store, _SCOPE)
        every = _many(graphs, size)
        # Before and after: a busy spell of the machine meets both.
        single = _single(store, graphs)
        start = time.perf_counter()
        load_graphs(store, _SCOPE, every)
        took = time.perf_counter() - start
        single = min(single, _single(store, graphs)) * _size(every)
        yield Row(
            f"{engine}: load {size:,} items",
            f"{size / took:,.1f} items/s",
            f"{size / single:,.2f} items/s",
            f"{single / took:,.0f}x",
            f"{took:,.0f} s; peer: a query per node and edge, from {_BASELINE} items",
        )
        yield from _latencies(engine, store, size)


def _single(store: Store, graphs: list[ReasoningGraph]) -> float:
    """Return the seconds per node or edge of the peer, over a few items."""
    some = [(f"single{number}", graph) for number, graph in enumerate(graphs[:_BASELINE])]
    scope = f"{_SCOPE} single"
    with autocommit(store) as run:
        start = time.perf_counter()
        queries = load_by_single_queries(run, scope, some)
        took = time.perf_counter() - start
    remove_scope(store, scope)
    return took / queries


def _latencies(engine: str, store: Store, size: int) -> Iterator[Row]:
    for name, over in _ASKED:
        params = {"scope": _SCOPE}
        if over == "one":
            params["item"] = f"item{size // 2}"
        run_query(store, name, params)  # plans it
        [took] = fastest(lambda: run_query(store, name, params), repeats=5)  # noqa: B023
        yield Row(f"{engine}: {name}, {over} of {size:,}", f"{took * 1e3:,.1f} ms", "", "")


def _rdf(graphs: list[ReasoningGraph]) -> Row:
    source = Source(scope=_SCOPE, software="bench", digest="", seed=0)
    some = _many(graphs, len(graphs))

    def ours() -> int:
        stream = io.StringIO()
        export_text("nquads", some, source, stream)
        return stream.getvalue().count("\n")

    took, peer = fastest(ours, lambda: rdflib_nquads(_SCOPE, some), repeats=2)
    lines = ours()
    return Row(
        "export as N-Quads",
        f"{lines / took:,.0f} quads/s",
        f"{lines / peer:,.0f} quads/s",
        f"{peer / took:,.1f}x",
        "peer: an rdflib Dataset of the same triples, serialised",
    )


if __name__ == "__main__":
    print_head()
    for one in rows("--quick" in sys.argv[1:]):
        print_row(one)
