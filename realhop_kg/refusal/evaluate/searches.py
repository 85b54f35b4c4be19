"""Carries out searches for agents, and keeps what was found for a resumed run to see again."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Self

from realhop_kg.appending import Appender, BadRecord, read_lines
from realhop_kg.ids import digest
from realhop_kg.model.record import Record
from realhop_kg.model.trajectory import Document
from realhop_kg.search.retriever import Retriever

__all__ = ["Found", "Searches"]


class Found(Record):
    """What was found for one query."""

    retriever: str
    """Digest of the retriever's settings and of the passages per query."""
    query: str
    documents: tuple[Document, ...]


class Searches:
    """A retriever with a memory on disk.

    A conversation is known by its messages, which hold documents: if a server found others after
    a restart, everything would be asked and paid for anew.

    Attributes:
        bad: stored lines that could not be read; their queries are searched for again.
    """

    def __init__(self, path: Path, retriever: Retriever, index: str, k: int) -> None:
        """Name the file; it is read when the `with` statement begins.

        Args:
            path: of the stored searches.
            retriever: carries out new ones.
            index: digest of the index; empty for a server.
            k: passages per query.
        """
        self._path, self._retriever, self._k = path, retriever, k
        settings = json.dumps(retriever.settings, sort_keys=True)
        self._name = digest(settings, index, k, length=16)
        self._known: dict[str, tuple[Document, ...]] = {}
        self._lock = asyncio.Lock()
        self.bad: list[BadRecord] = []

    def __enter__(self) -> Self:
        self._file = Appender(self._path)
        self._file.__enter__()
        for each in read_lines(self._path, Found):
            if isinstance(each, BadRecord):
                self.bad.append(each)
            elif each.retriever == self._name:
                self._known[each.query] = each.documents
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._file.__exit__(kind, error, trace)

    async def search(self, queries: Sequence[str]) -> list[tuple[Document, ...]]:
        """Return the passages of each query; what is not known is searched for in one request.

        Raises:
            ProviderError: if the retriever does not answer.
        """
        async with self._lock:  # equal queries of two runs are searched for once
            new = [each for each in dict.fromkeys(queries) if each not in self._known]
            if new:
                found = await asyncio.to_thread(self._retriever.search, new, self._k)
                for query, documents in zip(new, found, strict=True):
                    kept = tuple(documents)
                    self._file.write(Found(retriever=self._name, query=query, documents=kept))
                    self._known[query] = kept
        return [self._known[query] for query in queries]
