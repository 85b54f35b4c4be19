"""What a graph store can do; `realhop_kg.stores.address` opens one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import TracebackType
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, Self

from realhop_kg.errors import RealHopError

if TYPE_CHECKING:
    from realhop_kg.stores.rows import PackedGraph

__all__ = [
    "TOO_LARGE",
    "WOULD_WRITE",
    "ConflictError",
    "Statement",
    "Store",
    "StoreError",
    "Table",
]

TOO_LARGE = "a number is beyond 64 bits, and no store keeps it; give a smaller one"

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
