"""Loading graphs, asking them, and writing them as RDF; Neo4j where REALHOP_NEO4J_URI names one.

`python -m bench.stores [--quick] [--only embedded|neo4j|rdf] [--items N]` prints this part alone,
or one piece of it.
"""

from __future__ import annotations

import argparse
import io
import os
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
from realhop_kg.stores.address import open_store
from realhop_kg.stores.export import export_text
from realhop_kg.stores.load import load_graphs, remove_scope
from realhop_kg.stores.queries import load_query, query_names, run_query
from realhop_kg.stores.rdf_source import Source
from realhop_kg.stores.store import Store

__all__ = ["rows"]

_SCOPE = "bench"
_BASELINE = 4
"""Items that the peer loads: it is too slow for more."""
_OF_ONE = ("gold_chain", "post_drop_survivors", "alternative_answers")
"""Queries that are shown for one item; of all others the slowest is."""
_OF_ALL = (
    "items_by_topology",
    "strict_coverage",
    "strict_contract_violations",
    "forbidden_host_violations",
    "entity_leaks",
)
"""Queries that are shown over a whole dataset."""

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


def rows(quick: bool, only: str = "", items: int = 0) -> Iterator[Row]:
    """Yield the rows of this module.

    Args:
        quick: whether small inputs will do.
        only: `embedded`, `neo4j` or `rdf`; empty for all.
        items: how many to load; 0 for 1,000 and 10,000.
    """
    graphs = [outcome.graph for outcome in built()]
    sizes = (items,) if items else (100,) if quick else (1_000, 10_000)
    with tempfile.TemporaryDirectory() as folder:
        addresses = {"embedded": f"embedded:{Path(folder) / 'bench.kgl'}"}
        server = os.environ.get("REALHOP_NEO4J_URI")
        if server:
            addresses["neo4j"] = server
        elif only in ("", "neo4j"):
            yield Row("neo4j", "-", "-", "-", "skipped: REALHOP_NEO4J_URI is not set")
        for engine, address in addresses.items():
            if only in ("", engine):
                with open_store(address) as store:
                    yield from _engine(engine, store, graphs, sizes)
                    remove_scope(store, _SCOPE)
    if only in ("", "rdf"):
        yield _rdf(graphs)


def _engine(
    engine: str, store: Store, graphs: list[ReasoningGraph], sizes: tuple[int, ...]
) -> Iterator[Row]:
    load_graphs(store, _SCOPE, _many(graphs, min(sizes[0], 300)))  # warms the server up
    _single(store, graphs[:1])
    before: dict[str, float] = {}
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
        yield from _latencies(engine, store, size, before)


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


def _latencies(engine: str, store: Store, size: int, before: dict[str, float]) -> Iterator[Row]:
    """Yield the times of queries, beside those over fewer items.

    Args:
        engine: its name.
        store: a store that holds the items.
        size: how many.
        before: seconds by query over the size before; those of this one take their place.
    """
    for what, took, note in _measured(store, size):
        ratio = f"{took / before[what]:,.1f}x" if what in before else ""
        beside = "the ratio: beside the fewer items above" if ratio else ""
        told = "; ".join(filter(None, (note, beside)))
        yield Row(f"{engine}: {what} of {size:,}", f"{took * 1e3:,.1f} ms", "", ratio, told)
        before[what] = took


def _measured(store: Store, size: int) -> Iterator[tuple[str, float, str]]:
    """Yield (what, seconds, note), each as soon as it is measured."""
    one = {"scope": _SCOPE, "item": f"item{size // 2}"}
    for name in _OF_ONE:
        yield f"{name}, one", _timed(store, name, one), ""
    others = [name for name in query_names() if _is_of_items(name) and name not in _OF_ONE]
    took, slowest = max((_timed(store, name, one), name) for name in others)
    yield f"slowest of {len(others)} others, one", took, f"it is {slowest}"
    for name in _OF_ALL:
        yield f"{name}, all", _timed(store, name, {"scope": _SCOPE}, 1), ""


def _is_of_items(name: str) -> bool:
    return "item" in {param.name for param in load_query(name).params}


def _timed(store: Store, name: str, params: dict[str, str], repeats: int = 5) -> float:
    run_query(store, name, params)  # plans it
    return fastest(lambda: run_query(store, name, params), repeats=repeats)[0]


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


def main() -> int:
    """Print the rows, each as soon as it is measured."""
    parser = argparse.ArgumentParser(prog="python -m bench.stores", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="smaller inputs")
    parser.add_argument("--only", default="", choices=["embedded", "neo4j", "rdf"])
    parser.add_argument("--items", type=int, default=0, help="load so many; 1,000 and 10,000")
    given = parser.parse_args()
    print_head()
    for one in rows(given.quick, given.only, given.items):
        print_row(one)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
