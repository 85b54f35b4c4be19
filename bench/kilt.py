"""The hyperlink graph: reading pages, building, walking and opening, beside json and networkx."""

from __future__ import annotations

import argparse
import json
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import networkx as nx
import numpy as np

from bench.kilt_build import WIKIPEDIA_PAGES, build_spilled, spill_links, synthetic_row
from bench.kilt_pages import generated_pages, networkx_index
from bench.rows import Row, fastest, print_head, print_row
from graph_builders.kilt import LIMIT, build_index
from graph_builders.kilt_lines import PageLines
from realhop_kg.graph.hyperlinks.adjacency import transpose
from realhop_kg.graph.hyperlinks.arrays import write_array
from realhop_kg.graph.hyperlinks.index import PageGraph
from realhop_kg.graph.hyperlinks.page import decode_page
from realhop_kg.graph.hyperlinks.walk import Candidates
from realhop_kg.model.refusal import WalkSettings

__all__ = ["main", "rows"]

WIKIPEDIA_BYTES = 34.76 * 2**30
LOW, HIGH = 10, 200
READ_PAGES = 20_000


def main() -> int:
    """Print the table of this module alone: `python -m bench.kilt [--quick]`."""
    parser = argparse.ArgumentParser(prog="python -m bench.kilt", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="smaller inputs")
    quick = parser.parse_args().quick
    print_head()
    for row in rows(quick):
        print_row(row)
    return 0


def rows(quick: bool) -> Iterator[Row]:
    """Yield the rows of this module."""
    count = 20_000 if quick else 200_000
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        pages = generated_pages(folder / "pages.jsonl", count)
        yield _reading(_head(pages, folder / "head.jsonl"))
        spent, built = _index(pages, folder / "index")
        yield built
        yield from _extrapolated(spent, pages, count)
        with PageGraph.open(folder / "index") as graph:
            edges = _edges(graph)
            peer = nx.DiGraph()
            yield from _building(folder, graph, edges, peer)
            yield from _walking(graph, peer)
            yield _memory(graph, folder / "index")
        yield _opening(folder / "index")
    yield synthetic_row(7_000_000 if quick else 70_000_000)


def _head(pages: Path, out: Path) -> Path:
    """Write the first pages: short turns, many of them, so that a busy spell spoils but a few."""
    with pages.open("rb") as lines:
        out.write_bytes(b"".join(islice(lines, READ_PAGES)))
    return out


def _reading(pages: Path) -> Row:
    def ours() -> None:
        for line in PageLines(pages, LIMIT):
            decode_page(line.content)

    def peer() -> None:
        with pages.open(encoding="utf-8") as stream:
            for line in stream:
                json.loads(line)

    fast, slow = fastest(ours, peer, repeats=9)
    size = pages.stat().st_size / 2**20
    return Row(
        "reading KILT pages, one process",
        f"{size / fast:.0f} MB/s",
        f"{size / slow:.0f} MB/s",
        f"{slow / fast:.1f}x",
        f"peer: json.loads line by line; {size:.0f} MB; ours with checksum and typed links",
    )


def _index(pages: Path, out: Path) -> tuple[float, Row]:
    start = time.perf_counter()
    build_index([pages], out, created_by="bench")
    spent = time.perf_counter() - start
    start = time.perf_counter()
    networkx_index(pages)
    slow = time.perf_counter() - start
    return spent, Row(
        "whole index: read, verify, resolve, write",
        f"{spent:.1f} s",
        f"{slow:.1f} s",
        f"{slow / spent:.1f}x",
        "peer: json, dict of titles, nx.DiGraph with lead and place, in memory only",
    )


def _extrapolated(spent: float, pages: Path, count: int) -> Iterator[Row]:
    by_bytes = spent * WIKIPEDIA_BYTES / pages.stat().st_size / 60
    yield Row(
        "the same for 5.9 million pages, 35 GB",
        f"{by_bytes:.0f} min",
        "",
        "",
        f"extrapolated by bytes from {count:,} generated pages; by pages "
        f"{spent * WIKIPEDIA_PAGES / count / 60:.0f} min",
    )


def _edges(graph: PageGraph) -> list[tuple[int, int, bool]]:
    return [
        (source, target, lead)
        for source in range(len(graph))
        for lead, targets in (
            (True, graph.targets(source, lead=True)),
            (False, graph.targets(source)[len(graph.targets(source, lead=True)) :]),
        )
        for target in targets
    ]


def _building(
    folder: Path, graph: PageGraph, edges: list[tuple[int, int, bool]], peer: nx.DiGraph
) -> Iterator[Row]:
    spill = folder / "spill"
    spill.mkdir()
    keys, per_page = spill_links(spill, graph)
    flags = np.zeros(len(graph), np.uint8)
    write_array(spill / "flags.npy", flags)
    titles = list(graph.titles)

    def peer_resolved() -> None:
        peer.clear()
        peer.add_nodes_from(range(len(graph)))
        peer.add_edges_from((source, target, {"lead": lead}) for source, target, lead in edges)

    named = [(source, titles[target], lead) for source, target, lead in edges]

    def peer_named() -> None:
        numbers = {title: number for number, title in enumerate(titles)}
        found = nx.DiGraph()
        found.add_edges_from(
            (source, numbers[title], {"lead": lead}) for source, title, lead in named
        )

    fast, slow = fastest(lambda: build_spilled(spill, keys, flags, per_page), peer_named, repeats=3)
    yield _rate(
        "graph of named links, both ways", graph.links, fast, slow,
        "peer: dict of titles and add_edges_from; ours also drops duplicates, filters for walks, "
        "writes",
    )  # fmt: skip
    fast, slow = fastest(lambda: transpose(spill, len(graph)), peer_resolved, repeats=3)
    yield _rate(
        "graph of resolved links, both ways", graph.links, fast, slow,
        "peer: nx.DiGraph.add_edges_from; ours from outgoing columns, written to disk",
    )  # fmt: skip


def _rate(what: str, links: int, fast: float, slow: float, note: str) -> Row:
    return Row(
        what,
        f"{links / fast / 1e6:.1f} M links/s",
        f"{links / slow / 1e6:.2f} M links/s",
        f"{slow / fast:.0f}x",
        f"{links:,} links; {note}",
    )


def _walking(graph: PageGraph, peer: nx.DiGraph) -> Iterator[Row]:
    candidates = Candidates(graph, WalkSettings())
    degree = dict(peer.degree())
    pages = random.Random(3).sample(range(len(graph)), min(5000, len(graph)))
    visited = {1, 2, 3}

    def ours_out() -> list[list[int]]:
        onward = candidates.onward
        return [[p for p in onward(page) if p not in visited] for page in pages]

    def ours_in() -> list[list[int]]:
        backward = candidates.backward
        return [[p for p in backward(page) if p not in visited] for page in pages]

    def peer_out() -> list[list[int]]:
        return [
            [p for p, data in peer.succ[page].items()
             if data["lead"] and p not in visited and LOW <= degree[p] <= HIGH]
            for page in pages
        ]  # fmt: skip

    def peer_in() -> list[list[int]]:
        return [
            [p for p, data in peer.pred[page].items()
             if data["lead"] and p not in visited and LOW <= degree[p] <= HIGH]
            for page in pages
        ]  # fmt: skip

    def peer_live() -> list[list[int]]:
        return [
            [p for p, data in peer.succ[page].items()
             if data["lead"] and p not in visited and LOW <= peer.degree(p) <= HIGH]
            for page in pages
        ]  # fmt: skip

    for what, ours, other, note in (
        ("one filtered expansion, onward", ours_out, peer_out, "degrees in a dict beforehand"),
        ("one filtered expansion, onward", ours_out, peer_live, "degrees asked of the graph"),
        ("one filtered expansion, backward", ours_in, peer_in, "degrees in a dict beforehand"),
    ):
        if [sorted(found) for found in ours()] != [sorted(found) for found in other()]:
            raise RuntimeError("the index and networkx disagree about candidates")
        fast, slow = (spent / len(pages) * 1e6 for spent in fastest(ours, other, repeats=7))
        yield Row(
            what, f"{fast:.2f} us", f"{slow:.2f} us", f"{slow / fast:.1f}x",
            f"peer: networkx, {note}; candidates equal",
        )  # fmt: skip


_RESIDENT = """
import resource, sys
sys.path.insert(0, {root!r})
from pathlib import Path
from realhop_kg.graph.hyperlinks.index import PageGraph
graph = PageGraph.open(Path({index!r}))
import networkx as nx
def now():
    # Not the peak: that of a new process begins with its parent's.
    return int(open("/proc/self/statm").read().split()[1]) * resource.getpagesize()
before = now()
peer = nx.DiGraph()
for source in range(len(graph)):
    lead = len(graph.targets(source, True))
    for place, target in enumerate(graph.targets(source)):
        peer.add_edge(source, target, lead=place < lead)
print(now() - before)
"""


def _memory(graph: PageGraph, index: Path) -> Row:
    names = ("out_pages", "out_bounds", "in_pages", "in_bounds")
    ours = sum((index / f"{name}.npy").stat().st_size for name in names) / graph.links
    code = _RESIDENT.format(root=str(Path.cwd()), index=str(index))
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    peer = int(done.stdout) / graph.links
    whole = sum(entry.bytes for entry in graph.manifest.files) / graph.links
    return Row(
        "memory per link, both ways",
        f"{ours:.1f} B",
        f"{peer:.0f} B",
        f"1/{peer / ours:.0f}",
        f"peer: nx.DiGraph with lead; whole index with places and titles: {whole:.0f} B on disk",
    )


def _opening(index: Path) -> Row:
    def found() -> None:
        with PageGraph.open(index) as graph:
            graph.targets(graph.page("Page 17"))

    opened, asked = fastest(lambda: PageGraph.open(index), found, repeats=20)
    return Row(
        "opening an index",
        f"{opened * 1000:.1f} ms",
        "",
        "",
        f"with a page found by title and its links read: {asked * 1000:.1f} ms",
    )


if __name__ == "__main__":
    raise SystemExit(main())
