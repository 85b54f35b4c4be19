"""BM25 scores of passages, computed over whole columns of numbers.

They are those of bm25s, which counts passage by passage, to the last bit; a test compares them.

Source: Lù, BM25S, 2024 (scores are computed when indexing), with the formula of Lucene.
"""

from __future__ import annotations

import math
import re
from array import array
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import count
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["WORD", "Counted", "count_words", "score_columns"]

WORD = re.compile(r"\w+")
_BLOCK = 1 << 22
"""Words that are looked at, and scores that are computed in double precision, at a time."""


@dataclass(frozen=True)
class Counted:
    """The words of passages.

    Attributes:
        vocabulary: number by word, from 0 in the order in which they first came.
        words: numbers of the words of all passages, one after the other.
        ends: where the words of each passage end, after a first 0.
    """

    vocabulary: Mapping[str, int]
    words: NDArray[np.int32]
    ends: NDArray[np.int64]


def count_words(texts: Iterable[str], left_out: Iterable[str]) -> Counted:
    """Number the words of texts in one pass.

    Args:
        texts: of the passages, in their order.
        left_out: words that are not counted, in lower case.
    """
    import numpy as np

    # Numbers come from the dictionary itself, so that no line of Python runs per word.
    numbers: defaultdict[str, int] = defaultdict(count().__next__)
    for word in sorted(left_out):
        numbers[word]
    first = len(numbers)
    words, ends = array("i"), array("q", [0])
    block, block_ends = array("i"), array("q")

    def flush() -> None:
        found = np.array(block, dtype=np.int32)
        kept = np.flatnonzero(found >= first)
        before = np.searchsorted(kept, np.array(block_ends, dtype=np.int64))
        ends.frombytes((before + len(words)).astype(np.int64).tobytes())
        words.frombytes((found[kept] - first).astype(np.int32).tobytes())
        del block[:], block_ends[:]

    for text in texts:
        block.extend(map(numbers.__getitem__, WORD.findall(text.casefold())))
        block_ends.append(len(block))
        if len(block) > _BLOCK:
            flush()
    flush()
    vocabulary = {word: number - first for word, number in numbers.items() if number >= first}
    return Counted(vocabulary, np.frombuffer(words, np.int32), np.frombuffer(ends, np.int64))


def score_columns(counted: Counted, k1: float, b: float) -> dict[str, Any]:
    """Return the score of every word in every passage that has it, as bm25s keeps them.

    Args:
        counted: words of one passage or more.
        k1: how fast further occurrences count less.
        b: how much long passages count less.

    Returns:
        `data` and the passage of each score (`indices`), by word and passage; where each word
        begins (`indptr`); the number of passages (`num_docs`).
    """
    import numpy as np
    from scipy.sparse import csr_matrix

    passages, vocabulary = len(counted.ends) - 1, len(counted.vocabulary)
    ones = np.ones(len(counted.words), dtype=np.float32)
    matrix = csr_matrix((ones, counted.words, counted.ends), shape=(passages, vocabulary)).tocsc()
    matrix.sum_duplicates()
    starts = matrix.indptr.astype(np.int64)
    holding = np.diff(starts)
    # By math.log, whose last bit does not depend on the processor as numpy's does.
    known = {int(n): math.log(1 + (passages - n + 0.5) / (n + 0.5)) for n in np.unique(holding)}
    rarity = np.array([known[int(n)] for n in holding], dtype=np.float32)
    lengths = np.diff(counted.ends)
    weight = k1 * ((1 - b) + b * lengths / lengths.mean())
    for start, end in _blocks(len(matrix.data)):
        times = matrix.data[start:end].astype(np.float64)
        word = np.searchsorted(starts, np.arange(start, end), side="right") - 1
        matrix.data[start:end] = rarity[word] * (
            times / (weight[matrix.indices[start:end]] + times)
        )
    return {
        "data": matrix.data,
        "indices": matrix.indices.astype(np.int32, copy=False),
        "indptr": starts,
        "num_docs": passages,
    }


def _blocks(length: int) -> Iterator[tuple[int, int]]:
    for start in range(0, length, _BLOCK):
        yield start, min(length, start + _BLOCK)
