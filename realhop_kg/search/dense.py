"""Dense retrieval: vectors of all passages, compared with a query's by inner product.

Source: Karpukhin et al., DPR, EMNLP 2020; Wang et al., E5. Search is exact: by numpy over the
memory-mapped vectors, or by a flat FAISS index where one was written.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pydantic import JsonValue

from realhop_kg.errors import InputError
from realhop_kg.graph.hyperlinks.arrays import ArrayWriter
from realhop_kg.model.record import Record
from realhop_kg.model.trajectory import Document
from realhop_kg.search.encoders import Encoder
from realhop_kg.search.passages import Passages
from realhop_kg.search.retriever import LONGEST_QUERY
from realhop_kg.search.top import top

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["Dense", "DenseSettings", "index_dense", "write_faiss"]

_VECTORS, _FAISS = FILES = "vectors.npy", "vectors.faiss"
_BATCH = 64
_CHUNK = 1 << 16
"""Passages whose scores are computed at a time."""


class DenseSettings(Record):
    """What decides the vectors of an index."""

    model: str
    """Folder or name of the encoder."""
    dimensions: int = 0
    query_prefix: str = "query: "
    passage_prefix: str = "passage: "
    faiss: bool = False
    """Whether a flat FAISS index answers."""


def index_dense(
    texts: Iterable[str], folder: Path, encoder: Encoder, settings: DenseSettings
) -> DenseSettings:
    """Write the vectors of passages into a folder; return the settings with their dimensions.

    Args:
        texts: title and text of each passage, in their order.
        folder: of the index.
        encoder: turns them into vectors.
        settings: prefixes, and whether FAISS is wanted.

    Raises:
        InputError: if vectors differ in length, or there are none.
    """
    dimensions = 0
    remaining = iter(texts)
    with ArrayWriter(folder / _VECTORS, "<f4") as column:
        while batch := list(islice(remaining, _BATCH)):
            vectors = encoder.encode([settings.passage_prefix + text for text in batch])
            if dimensions not in (0, vectors.shape[1]):
                raise InputError(f"{encoder.name} gives vectors of different lengths")
            dimensions = vectors.shape[1]
            column.write(vectors.astype("<f4"))
    if not dimensions:
        raise InputError("the corpus has no passage; name another file")
    if settings.faiss:
        write_faiss(folder, dimensions)
    return settings.model_copy(update={"dimensions": dimensions})


def write_faiss(folder: Path, dimensions: int) -> None:
    """Write a flat inner-product FAISS index of the vectors of a folder.

    Raises:
        InputError: if FAISS is not installed.
    """
    faiss = _faiss()
    index = faiss.IndexFlatIP(dimensions)
    vectors = _vectors(folder, dimensions)
    for start in range(0, len(vectors), _CHUNK):
        index.add(vectors[start : start + _CHUNK].copy())
    faiss.write_index(index, str(folder / _FAISS))


class Dense:
    """Searches the vectors of an index."""

    def __init__(
        self, folder: Path, passages: Passages, encoder: Encoder, settings: DenseSettings
    ) -> None:
        self._passages, self._encoder, self._settings = passages, encoder, settings
        self._vectors = _vectors(folder, settings.dimensions)
        if len(self._vectors) != len(passages):
            raise InputError(
                f"{folder} holds {len(passages)} passages and {len(self._vectors)} vectors; index "
                "the corpus again"
            )
        self._index: Any = None
        if settings.faiss:
            try:
                self._index = _faiss().read_index(str(folder / _FAISS))
            except RuntimeError as error:
                raise InputError(f"{folder / _FAISS} cannot be read: {error}") from error

    @property
    def settings(self) -> dict[str, JsonValue]:
        """What decides its results."""
        return {"kind": "dense", **self._settings.model_dump(mode="json")}

    @property
    def vectors(self) -> NDArray[np.float32]:
        """All vectors: (passages, dimensions), on disk."""
        return self._vectors

    def search(self, queries: Sequence[str], k: int) -> list[list[Document]]:
        """Return the passages whose vectors lie nearest to the queries'."""
        prefix = self._settings.query_prefix
        asked = self._encoder.encode([prefix + query[:LONGEST_QUERY] for query in queries])
        if asked.shape[1] != self._vectors.shape[1]:
            raise InputError(
                f"{self._encoder.name} gives vectors of {asked.shape[1]} numbers, the index has "
                f"{self._vectors.shape[1]}; name the model that it was written with"
            )
        found = self._by_faiss(asked, k) if self._index is not None else self._by_numpy(asked, k)
        return [[self._passages.document(at, score) for at, score in each] for each in found]

    def has_title(self, title: str) -> bool | None:
        """Return whether a page of that title is in the corpus."""
        return self._passages.has_title(title)

    def _by_faiss(self, asked: NDArray[np.float32], k: int) -> list[list[tuple[int, float]]]:
        scores, places = self._index.search(asked, min(k, len(self._vectors)))
        return [
            sorted(
                ((int(at), float(score)) for at, score in zip(*row, strict=True) if at >= 0),
                key=lambda pair: (-pair[1], pair[0]),
            )
            for row in zip(places, scores, strict=True)
        ]

    def _by_numpy(self, asked: NDArray[np.float32], k: int) -> list[list[tuple[int, float]]]:
        """Keep the best of every chunk, and the best of these at the end."""
        best: list[list[tuple[int, float]]] = [[] for _ in asked]
        for start in range(0, len(self._vectors), _CHUNK):
            scores = asked @ self._vectors[start : start + _CHUNK].T
            for kept, row in zip(best, scores, strict=True):
                kept += [(start + int(at), float(row[at])) for at in top(row, k)]
        return [sorted(kept, key=lambda pair: (-pair[1], pair[0]))[:k] for kept in best]


def _vectors(folder: Path, dimensions: int) -> NDArray[np.float32]:
    import numpy as np

    try:
        flat = np.load(folder / _VECTORS, mmap_mode="r", allow_pickle=False)
        vectors: NDArray[np.float32] = flat.reshape(-1, dimensions)
    except (OSError, ValueError) as error:
        raise InputError(
            f"{folder / _VECTORS} does not hold whole vectors: {error}; index again"
        ) from error
    return vectors


def _faiss() -> Any:  # noqa: ANN401 - the library has no types
    try:
        import faiss
    except ImportError as error:
        raise InputError(
            "FAISS is not installed; pip install faiss-cpu, or index without --faiss"
        ) from error
    return faiss
