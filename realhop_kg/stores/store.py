"""What a graph store can do, and `open_store`, which finds the right one by its address."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, Self
from urllib.parse import urlsplit

from realhop_kg.errors import InputError, RealHopError

if TYPE_CHECKING:
    from realhop_kg.stores.rows import PackedGraph

__all__ = [
    "WOULD_WRITE",
    "ConflictError",
    "Statement",
    "Store",
    "StoreError",
    "Table",
    "open_store",
]

WOULD_WRITE = (
    "the statement would write, and only reading is allowed here; on the command line, --write "
    "allows it"
)
"""What every engine says of a statement that writes where it may not."""


class StoreError(RealHopError):
    """The store cannot be reached, refused us, or stopped; the same command may be tried again."""

    exit_code = 3


class ConflictError(StoreError):
    """Another client has written what this one was about to write."""


class Statement(NamedTuple):
    """One Cypher statement; values are parameters, always."""

    cypher: str
    params: Mapping[str, Any]


class Table(NamedTuple):
    """Rows of a query."""

    columns: tuple[str, ...]
    rows: list[tuple[Any, ...]]

    def dicts(self) -> list[dict[str, Any]]:
        """Return the rows as dicts."""
        return [dict(zip(self.columns, row, strict=True)) for row in self.rows]


class Store(Protocol):
    """An open graph store. It holds graphs of many datasets, each under its scope."""

    batch: int
    """How many items one transaction should take."""
    writers: int
    """How many transactions may write at once, each from a thread of its own."""

    def prepare(self) -> None:
        """Create the constraints and indexes that are not there yet."""

    def run(self, cypher: str, params: Mapping[str, Any] | None = None) -> Table:
        """Run one reading query.

        Raises:
            InputError: if the query is wrong, or would write.
            StoreError: if the store cannot answer.
        """

    def write(self, statements: Sequence[Statement]) -> list[Table]:
        """Run statements in one transaction: all of them take effect, or none.

        Raises:
            InputError: if a statement is wrong.
            StoreError: if the store cannot answer or forbids writing.
        """

    def creations(self, graphs: Sequence[PackedGraph]) -> list[Statement]:
        """Return the statements that create graphs, in the form that this engine runs fastest."""

    def close(self) -> None:
        """Save and let go."""

    def __enter__(self) -> Self:
        """Return the store itself."""

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Close it."""


_BOLT = frozenset(
    f"{scheme}{security}" for scheme in ("neo4j", "bolt") for security in ("", "+s", "+ssc")
)


def open_store(address: str, *, writing: bool = True) -> Store:
    """Open a store.

    Args:
        address: `neo4j://host:port/database` (also bolt, and +s or +ssc for TLS; user, password
            and database come from the environment), `neo4j` for the address in
            REALHOP_NEO4J_URI, `embedded:PATH`, or `memory`.
        writing: whether anything is to be written; an embedded store is locked only then.

    Raises:
        InputError: if the address is of no such form.
        StoreError: if the store cannot be opened.

    Examples:
        >>> with open_store("memory") as store:
        ...     store.run("RETURN 1 AS one").rows
        [(1,)]
    """
    if address == "neo4j":
        address = os.environ.get("REALHOP_NEO4J_URI", "")
        if not address:
            raise InputError("set REALHOP_NEO4J_URI to the address of the server, or name it")
    scheme, separator, rest = address.partition(":")
    if address == "memory":
        from realhop_kg.stores.embedded import EmbeddedStore

        return EmbeddedStore(None)
    if scheme == "embedded" and rest:
        from realhop_kg.stores.embedded import EmbeddedStore

        return EmbeddedStore(Path(rest), writing=writing)
    if separator and scheme in _BOLT and urlsplit(address).hostname:
        from realhop_kg.stores.neo4j import Neo4jStore

        return Neo4jStore(address)
    raise InputError(
        f"{address!r} names no store; use neo4j://HOST, bolt://HOST, embedded:PATH or memory"
    )
