"""Graphs built of links that are spilled already, as an index writer does it."""

from __future__ import annotations

import resource
import subprocess
import sys
import tempfile
import time
from array import array
from collections import Counter
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from bench.rows import Row
from realhop_kg.graph.hyperlinks.adjacency import candidate_columns, outgoing, transpose
from realhop_kg.graph.hyperlinks.arrays import ArrayWriter, write_array
from realhop_kg.graph.hyperlinks.index import PageGraph
from realhop_kg.graph.hyperlinks.resolve import NameTable
from realhop_kg.model.refusal import WalkSettings

__all__ = ["WIKIPEDIA_PAGES", "build_spilled", "spill_links", "synthetic_build", "synthetic_row"]

WIKIPEDIA_PAGES = 5_903_530


def spill_links(spill: Path, graph: PageGraph) -> tuple[NDArray[np.uint64], array[int]]:
    """Write the links of an index as they were before they were resolved."""
    keys, pages = graph.column("name_keys"), graph.column("name_pages")
    key_of = dict(zip(pages.tolist(), keys.tolist(), strict=True))
    with ArrayWriter(spill / "spill_names.npy", "<u8") as names:
        for page in range(len(graph)):
            names.write(array("Q", (key_of[target] for target in graph.targets(page))))
    with ArrayWriter(spill / "spill_places.npy", "<u8") as places:
        places.write(graph.column("out_places"))
    ordered = np.array([key_of[page] for page in range(len(graph))], np.uint64)
    return ordered, array("I", (len(graph.targets(page)) for page in range(len(graph))))


def build_spilled(
    folder: Path, keys: NDArray[np.uint64], flags: NDArray[np.uint8], per_page: array[int]
) -> int:
    """Build every column from spilled links, as a writer does; return the number of links."""
    counts: Counter[str] = Counter()
    table = NameTable.of_titles(keys, _NoTitles(), flags)
    outgoing(folder, table, per_page, (array("Q"), array("Q")), counts)
    transpose(folder, len(keys))
    for name, column in candidate_columns(folder, WalkSettings()).items():
        write_array(folder / f"{name}.npy", column)
    return counts["links"]


_SYNTHETIC = """
import sys
sys.path.insert(0, {root!r})
from bench.kilt_build import synthetic_build
synthetic_build({links})
"""


def synthetic_build(links: int) -> None:
    """Resolve and build random links of 5.9 million pages in this process; print what it took."""
    pages = max(links * WIKIPEDIA_PAGES // 70_000_000, 1000)
    draws = np.random.default_rng(5)
    keys = np.unique(draws.integers(0, 2**63, pages, np.uint64) << np.uint64(1))
    draws.shuffle(keys)
    pages = len(keys)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        with (
            ArrayWriter(folder / "spill_names.npy", "<u8") as names,
            ArrayWriter(folder / "spill_places.npy", "<u8") as places,
        ):
            for start in range(0, links, 1 << 20):
                count = min(1 << 20, links - start)
                skewed = (draws.random(count) ** 2 * pages).astype(np.int64)
                names.write(keys[skewed])
                elsewhere = (draws.random(count) < 0.6).astype(np.uint64) << np.uint64(63)
                places.write(elsewhere | np.arange(count, dtype=np.uint64) << np.uint64(16))
        per_page = np.full(pages, links // pages, np.uint32)
        per_page[: links - int(per_page.sum())] += 1
        flags = np.zeros(pages, np.uint8)
        write_array(folder / "flags.npy", flags)
        begin = time.perf_counter()
        kept = build_spilled(folder, keys, flags, array("I", per_page.tobytes()))
        spent = time.perf_counter() - begin
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    sys.stdout.write(f"{pages} {kept} {spent} {peak}\n")


class _NoTitles:
    """Titles that nobody asks for, because no key comes twice."""

    def __getitem__(self, index: int) -> str:
        raise IndexError(index)


def synthetic_row(links: int) -> Row:
    """Return time and peak memory of a build of random links in a process of its own."""
    code = _SYNTHETIC.format(root=str(Path.cwd()), links=links)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    pages, kept, spent, peak = done.stdout.split()
    return Row(
        f"building {links / 1e6:.0f} M random links",
        f"{float(spent):.0f} s",
        "4 GiB",
        f"{int(peak) / 2**30:.2f} GiB",
        f"{int(pages):,} pages, {int(kept):,} distinct links; names resolved, both ways, filtered",
    )
