"""Tries a retriever before a run: what a broken index or a wrong corpus would do to every item."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence

from realhop_kg.errors import InputError
from realhop_kg.model.record import Record
from realhop_kg.model.trajectory import Document
from realhop_kg.search.dense import Dense
from realhop_kg.search.index import SearchIndex
from realhop_kg.search.retriever import Retriever

__all__ = ["Coverage", "SearchFinding", "check_search", "coverage", "known_queries"]

_LEAST_FOUND = 0.5
"""Share of passages that their own words must find."""
_NORM = 1e-3
_WORDS = 24
_SAMPLE = 32


class SearchFinding(Record):
    """One thing that was tried."""

    name: str
    ok: bool
    message: str


class Coverage(Record):
    """How many pages of the walked chains are in the corpus."""

    pages: int
    """Different pages of all chains."""
    found: int | None
    """None where the retriever cannot tell."""
    missing: tuple[str, ...] = ()


def coverage(retriever: Retriever, pages: Iterable[str]) -> Coverage:
    """Return which pages the corpus has.

    A remote corpus is asked by title: a page counts as found if a result bears its title.

    Args:
        retriever: an index or a server.
        pages: titles of the walked chains.
    """
    titles = list(dict.fromkeys(pages))
    missing = []
    for title in titles:
        known = retriever.has_title(title)
        if known is None:
            [found] = retriever.search([title], 10)
            known = any(each.title.casefold() == title.casefold() for each in found)
        if not known:
            missing.append(title)
    return Coverage(pages=len(titles), found=len(titles) - len(missing), missing=tuple(missing))


def known_queries(index: SearchIndex) -> list[tuple[str, str]]:
    """Return queries made of passages' own words, and the title that each should find.

    The passages lie evenly over the corpus, so that no draw is needed.
    """
    count = len(index.passages)
    step = max(1, count // _SAMPLE)
    places = list(range(0, count, step))[:_SAMPLE]
    return [
        (
            " ".join([index.passages.title(at), *index.passages.text(at).split()[:_WORDS]]),
            index.passages.title(at),
        )
        for at in places
    ]


def check_search(
    retriever: Retriever, queries: Sequence[tuple[str, str]], k: int = 3
) -> list[SearchFinding]:
    """Return what was tried and what came of it; a run should not begin if one is not ok.

    Args:
        retriever: what is tried.
        queries: different queries, each with the title that it should find, or an empty one.
        k: passages per query, as the run asks for.

    Raises:
        InputError: if there are fewer than two queries.
        ProviderError: if a remote server does not answer.
    """
    if len({query for query, _ in queries}) < 2:
        raise InputError("a self-test needs two different queries; name a dataset with --dataset")
    texts = [query for query, _ in queries]
    found = retriever.search(texts, k)
    return [
        _not_empty(found),
        _different(found),
        _ordered(found),
        *_known_found(queries, found),
        _repeatable(retriever, texts, found, k),
        *(_norms(retriever) if isinstance(retriever, Dense) else ()),
    ]


def _not_empty(found: Sequence[Sequence[Document]]) -> SearchFinding:
    empty = sum(not each for each in found)
    ok = empty <= len(found) // 2
    return SearchFinding(
        name="results", ok=ok, message=f"{len(found) - empty} of {len(found)} queries find passages"
    )


def _different(found: Sequence[Sequence[Document]]) -> SearchFinding:
    results = [tuple(each.id for each in row) for row in found if row]
    kinds = len(set(results))
    ok = kinds > 1 or len(results) < 2
    told = "the same passages for every query" if not ok else f"{kinds} different results"
    return SearchFinding(name="different", ok=ok, message=told)


def _ordered(found: Sequence[Sequence[Document]]) -> SearchFinding:
    scores = [[each.score for each in row] for row in found]
    finite = all(math.isfinite(score) for row in scores for score in row)
    ordered = all(row == sorted(row, reverse=True) for row in scores)
    told = "scores fall from the first passage on" if finite and ordered else ""
    told = told or ("scores do not fall" if finite else "a score is no finite number")
    return SearchFinding(name="scores", ok=finite and ordered, message=told)


def _known_found(
    queries: Sequence[tuple[str, str]], found: Sequence[Sequence[Document]]
) -> Iterator[SearchFinding]:
    known = [(title, row) for (_, title), row in zip(queries, found, strict=True) if title]
    if known:
        hits = sum(any(each.title == title for each in row) for title, row in known)
        ok = hits >= _LEAST_FOUND * len(known)
        told = f"{hits} of {len(known)} pages are found by their own words"
        yield SearchFinding(name="known passages", ok=ok, message=told)


def _repeatable(
    retriever: Retriever, texts: Sequence[str], found: Sequence[Sequence[Document]], k: int
) -> SearchFinding:
    few = min(4, len(texts))
    alone = [retriever.search([text], k)[0] for text in texts[:few]]
    same = all(
        [each.id for each in one] == [each.id for each in other]
        for one, other in zip(alone, found, strict=False)
    )
    told = (
        "one query at a time finds the same"
        if same
        else "a query finds other passages when asked alone"
    )
    return SearchFinding(name="repeatable", ok=same, message=told)


def _norms(retriever: Dense) -> Iterator[SearchFinding]:
    import numpy as np

    vectors = retriever.vectors
    sample = vectors[:: max(1, len(vectors) // 1000)]
    off = np.abs(np.linalg.norm(sample, axis=1) - 1)
    ok = bool(off.max() <= _NORM)
    told = f"lengths of vectors differ from 1 by {float(off.max()):.4f} at most"
    yield SearchFinding(name="norms", ok=ok, message=told)
