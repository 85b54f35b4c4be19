"""What answers searches: the one protocol that indexes and remote servers share."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from pydantic import JsonValue

from realhop_kg.model.trajectory import Document

__all__ = ["LONGEST_QUERY", "Retriever"]

LONGEST_QUERY = 2000
"""Code points of a query that are used; a model that pastes a page into one gets no more."""


class Retriever(Protocol):
    """Returns the passages that fit queries best."""

    @property
    def settings(self) -> dict[str, JsonValue]:
        """What decides its results, for manifests."""
        ...

    def search(self, queries: Sequence[str], k: int) -> list[list[Document]]:
        """Return up to k passages per query, best first; equal scores by place in the corpus.

        Args:
            queries: any texts.
            k: how many passages, at least 1.

        Raises:
            ProviderError: if a remote server does not answer as agreed.
        """
        ...

    def has_title(self, title: str) -> bool | None:
        """Return whether a page of that title is in the corpus; None where that is not known."""
        ...
