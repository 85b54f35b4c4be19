"""Searching: BM25 beside rank_bm25, dense vectors beside plain numpy, opening, memory."""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from rank_bm25 import BM25Okapi

from bench.rows import Row, fastest
from realhop_kg.search.bm25 import tokens
from realhop_kg.search.dense import Dense, DenseSettings
from realhop_kg.search.index import SearchIndex, build_search_index
from realhop_kg.search.passages import Passages

__all__ = ["rows"]

_WORDS, _VOCABULARY, _DIMENSIONS, _TOP = 60, 40_000, 384, 3

_OPENER = """
import sys
from pathlib import Path
from realhop_kg.search.index import SearchIndex
import bm25s, numpy

def resident():
    return int(Path("/proc/self/statm").read_text().split()[1]) * 4096

before = resident()
index = SearchIndex(Path(sys.argv[1]))
index.retriever.search([sys.argv[2]], 3)
print(resident() - before)
"""


class _Drawn:
    """Gives texts vectors that are drawn once, so that only the search is timed."""

    name = "drawn"

    def __init__(self, count: int) -> None:
        drawn = np.random.default_rng(1).normal(size=(count, _DIMENSIONS)).astype(np.float32)
        self.vectors = drawn / np.linalg.norm(drawn, axis=1, keepdims=True)
        self._at = 0

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return the next vectors, from the first again after the last."""
        places = (self._at + np.arange(len(texts))) % len(self.vectors)
        self._at += len(texts)
        taken: NDArray[np.float32] = self.vectors[places]
        return taken


def rows(quick: bool) -> Iterator[Row]:
    """Yield the rows of this module."""
    count = 10_000 if quick else 100_000
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        corpus, texts = _corpus(folder / "psgs.tsv", count)
        queries = [" ".join(text.split()[3:9]) for text in texts[:: count // 64]]
        start = time.perf_counter()
        build_search_index(corpus, folder / "bm25", "dpr", created_by="bench")
        ours = time.perf_counter() - start
        start = time.perf_counter()
        peer = BM25Okapi([tokens(text) for text in texts])
        theirs = time.perf_counter() - start
        yield Row(
            f"BM25 index of {count:,} passages",
            f"{count / ours:,.0f}/s",
            f"{count / theirs:,.0f}/s",
            f"{theirs / ours:.2f}x",
            "peer: rank_bm25, in memory; ours reads the file and writes the index to disk",
        )
        yield _bm25(folder / "bm25", peer, queries, quick)
        del peer
        yield _opening(folder / "bm25")
        yield _memory(folder / "bm25", queries[0], count)
        yield _dense(folder / "bm25", folder, count)


def _corpus(path: Path, count: int) -> tuple[Path, list[str]]:
    """Write passages whose words are as frequent as those of English."""
    generator = np.random.default_rng(0)
    shares = 1 / np.arange(1, _VOCABULARY + 1)
    drawn = generator.choice(_VOCABULARY, size=(count, _WORDS), p=shares / shares.sum())
    texts = [" ".join(f"w{word}" for word in row) for row in drawn]
    with path.open("w", encoding="utf-8") as file:
        file.write("id\ttext\ttitle\n")
        file.writelines(f"{at}\t{text}\tpage{at}\n" for at, text in enumerate(texts))
    return path, texts


def _bm25(folder: Path, peer: BM25Okapi, queries: list[str], quick: bool) -> Row:
    retriever = SearchIndex(folder).retriever
    few = queries[:4]

    def theirs() -> None:
        for query in few:
            np.argsort(peer.get_scores(tokens(query)))[::-1][:_TOP]

    spent, other = fastest(
        lambda: retriever.search(queries, _TOP), theirs, repeats=1 if quick else 3
    )
    ours, peers = len(queries) / spent, len(few) / other
    note = "peer: rank_bm25, scores of all passages sorted; ours returns the passages too"
    return Row(f"BM25 top {_TOP}, queries", f"{ours:,.0f}/s", f"{peers:,.1f}/s",
               f"{ours / peers:,.0f}x", note)  # fmt: skip


def _opening(folder: Path) -> Row:
    size = sum(each.stat().st_size for each in folder.rglob("*") if each.is_file())
    [mapped, read] = fastest(
        lambda: SearchIndex(folder),
        lambda: [each.read_bytes() for each in folder.rglob("*") if each.is_file()],
        repeats=3,
    )
    note = f"peer: reading its {size / 2**20:,.0f} MiB from the page cache"
    return Row("opening the index", f"{1000 * mapped:.1f} ms", f"{1000 * read:.1f} ms",
               f"{read / mapped:.1f}x", note)  # fmt: skip


def _memory(folder: Path, query: str, count: int) -> Row:
    command = [sys.executable, "-c", _OPENER, str(folder), query]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    size = sum(each.stat().st_size for each in folder.rglob("*") if each.is_file())
    used = int(done.stdout)
    note = f"peer: the {count:,} passages and their scores on disk; ours: open and one query"
    return Row("memory of an open index", f"{used / 2**20:,.1f} MiB", f"{size / 2**20:,.1f} MiB",
               f"{size / max(used, 1):.1f}x", note)  # fmt: skip


def _dense(bm25: Path, folder: Path, count: int) -> Row:
    encoder = _Drawn(count)
    np.save(folder / "vectors.npy", encoder.vectors.ravel())
    settings = DenseSettings(model="drawn", dimensions=_DIMENSIONS)
    dense = Dense(folder, Passages(bm25), encoder, settings)
    queries = [str(at) for at in range(64)]
    asked = encoder.vectors[:64]
    whole = np.array(encoder.vectors)

    def plain() -> None:
        for query in asked:
            np.argsort(whole @ query)[::-1][:_TOP]

    spent, other = fastest(lambda: dense.search(queries, _TOP), plain, repeats=3)
    ours, peers = len(queries) / spent, len(asked) / other
    note = f"peer: numpy, one query at a time, all scores sorted; {_DIMENSIONS} dimensions"
    return Row(f"dense top {_TOP} of {count:,}, queries", f"{ours:,.0f}/s", f"{peers:,.0f}/s",
               f"{ours / peers:.1f}x", note)  # fmt: skip
