"""BM25 over an index: the default retriever, which needs no model.

Sources: Robertson and Zaragoza 2009; Lù, BM25S, 2024 (scores are computed when indexing).
"""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import xxhash
from pydantic import JsonValue

from realhop_kg.errors import InputError
from realhop_kg.graph.hyperlinks.arrays import ArrayWriter, open_array
from realhop_kg.model.trajectory import Document
from realhop_kg.search.passages import Passages
from realhop_kg.search.retriever import LONGEST_QUERY
from realhop_kg.search.scores import WORD, count_words, score_columns
from realhop_kg.search.top import top

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["SETTINGS", "Bm25", "index_bm25", "tokens"]

_K1, _B = 1.5, 0.75
SETTINGS: dict[str, JsonValue] = {
    "kind": "bm25", "k1": _K1, "b": _B, "method": "lucene", "tokens": "words-casefold-en33",
}  # fmt: skip
"""As bm25s has them; tokens are words in lower case without Lucene's 33 English stop words."""

_KEYS, _NUMBERS = FILES = "word_keys.npy", "word_numbers.npy"
FOLDER = "bm25"


@cache
def _stop_words() -> frozenset[str]:
    from bm25s.stopwords import STOPWORDS_EN

    return frozenset(STOPWORDS_EN)


def tokens(text: str) -> list[str]:
    """Return the words that a text is found by."""
    stop = _stop_words()
    return [word for word in WORD.findall(text.casefold()) if word not in stop]


def index_bm25(texts: Iterable[str], folder: Path) -> None:
    """Write the BM25 scores of passages into a folder.

    Args:
        texts: title and text of each passage, in their order.
        folder: of the index.

    Raises:
        InputError: if no passage has a word.
    """
    import bm25s

    counted = count_words(texts, _stop_words())
    if not counted.vocabulary:
        raise InputError("no passage of the corpus has a word; name another file")
    engine = bm25s.BM25(k1=_K1, b=_B, method="lucene", backend="numpy")
    engine.scores = score_columns(counted, _K1, _B)
    # Words stand in files of their own: a dictionary of millions would take seconds to read.
    engine.vocab_dict, engine.nonoccurrence_array = {}, None
    engine.save(str(folder / FOLDER), show_progress=False)
    (folder / FOLDER / "vocab.index.json").unlink()
    _write_words(folder, counted.vocabulary)


def _key(word: str) -> int:
    return xxhash.xxh3_64_intdigest(word.encode())


def _write_words(folder: Path, vocabulary: Mapping[str, int]) -> None:
    keyed = sorted((_key(word), number) for word, number in vocabulary.items())
    with ArrayWriter(folder / _KEYS, "<u8") as keys, ArrayWriter(folder / _NUMBERS, "<i4") as rest:
        keys.write(array("Q", [key for key, _ in keyed]))
        rest.write(array("i", [number for _, number in keyed]))


class Bm25:
    """Searches the BM25 scores of an index, which stay on disk until they are used."""

    def __init__(self, folder: Path, passages: Passages) -> None:
        import bm25s

        self._passages = passages
        self._keys, self._numbers = open_array(folder / _KEYS), open_array(folder / _NUMBERS)
        try:
            self._engine: Any = bm25s.BM25.load(
                str(folder / FOLDER), mmap=True, load_vocab=False, show_progress=False, verbosity=0
            )
        except (OSError, ValueError, KeyError) as error:
            raise InputError(
                f"{folder} cannot be opened: {error}; index the corpus again"
            ) from error
        if self._engine.scores["num_docs"] != len(passages):
            raise InputError(
                f"{folder} holds {len(passages)} passages and scores of "
                f"{self._engine.scores['num_docs']}; index the corpus again"
            )

    @property
    def settings(self) -> dict[str, JsonValue]:
        """What decides its results."""
        return dict(SETTINGS)

    def search(self, queries: Sequence[str], k: int) -> list[list[Document]]:
        """Return the passages of greatest score; those that share no word are never returned."""
        return [self._one(query, k) for query in queries]

    def has_title(self, title: str) -> bool | None:
        """Return whether a page of that title is in the corpus."""
        return self._passages.has_title(title)

    def _one(self, query: str, k: int) -> list[Document]:
        scores = self._scores(query)
        if scores is None:
            return []
        places = top(scores, k, above=0.0)
        return [self._passages.document(int(at), float(scores[at])) for at in places]

    def _scores(self, query: str) -> NDArray[np.float32] | None:
        found = (self._number(word) for word in tokens(query[:LONGEST_QUERY]))
        known = [number for number in found if number is not None]
        if not known:
            return None
        scores: NDArray[np.float32] = self._engine.get_scores_from_ids(known)
        return scores

    def _number(self, word: str) -> int | None:
        key = _key(word)
        at = bisect_left(self._keys, key)
        return self._numbers[at] if at < len(self._keys) and self._keys[at] == key else None
