"""The embedded store: Cypher without a server, in one file or in memory, by kglite."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from realhop_kg.errors import InputError
from realhop_kg.stores.dialect import quote_reserved
from realhop_kg.stores.rows import PackedGraph
from realhop_kg.stores.schema import LABELS, quoted, schema_statements
from realhop_kg.stores.statements import by_kind
from realhop_kg.stores.store import TOO_LARGE, WOULD_WRITE, Statement, StoreError, Table

__all__ = ["EmbeddedStore"]

_EDGE = {"id", "start", "end", "type", "properties"}
_PATH = {"nodes", "relationships"}
"""What the engine gives for an edge and for a path."""

_SYNTHETIC = frozenset(("title", "type", "label", "name"))
"""Properties that the engine makes up."""


class EmbeddedStore:
    """Graphs in one file beside the dataset, with a log that survives a killed process."""

    batch = 50
    writers = 1

    def __init__(self, path: Path | None, *, writing: bool = True) -> None:
        """Open or create a store.

        Args:
            path: its file, or None for memory.
            writing: whether to take the writer's lock; a reader needs an existing file.

        Raises:
            InputError: if a reader's file does not exist.
            StoreError: if the file is damaged or another process writes to it.
        """
        try:
            import kglite
        except ImportError as error:
            raise StoreError(
                "the embedded engine is not installed; pip install 'realhop-kg[all]'"
            ) from error
        # Warnings about labels that a dataset has none of would go to standard error.
        kglite.set_query_warning_policy("silent")
        self._kglite: Any = kglite
        self._path = path
        self._writing = writing and path is not None
        if path is None:
            self._graph: Any = kglite.KnowledgeGraph()
        else:
            if not writing and not path.exists() and _settled(path):
                raise InputError(f"no graph store at {path}; `realhop graph load DATASET` makes it")
            with self._faults():
                self._graph = self._open(path, writing)

    def _open(self, path: Path, writing: bool) -> Any:  # noqa: ANN401 - untyped library
        if not writing:
            try:
                return self._kglite.load(str(path)) if _settled(path) else self._replayed(path)
            except FileNotFoundError:
                return self._replayed(path)
        path.parent.mkdir(parents=True, exist_ok=True)
        # "normal": committed items survive a killed process, without a disk barrier per commit.
        return self._kglite.open(str(path), durable="normal")

    def _replayed(self, path: Path) -> Any:  # noqa: ANN401 - untyped library
        """Open a store whose last writer was killed: its log holds commits to take over."""
        self._writing = True
        return self._kglite.open(str(path), durable="normal")

    @contextmanager
    def _faults(self) -> Iterator[None]:
        known = self._kglite
        try:
            yield
        except known.WriterLeaseHeldError as error:
            raise StoreError(
                f"{self._path} is being written by another process; try again when it is done"
            ) from error
        except (known.ConstraintViolationError, known.FileError, OSError) as error:
            raise StoreError(f"graph store {self._path or 'memory'}: {_line(error)}") from error
        except (known.FileFormatError, known.FileIoError) as error:
            raise StoreError(
                f"{self._path} is no graph store, or a damaged one; name another, to load into: "
                f"{_line(error)}"
            ) from error
        except known.KgError as error:
            if "Read-only transaction" in str(error):
                raise InputError(WOULD_WRITE) from error
            raise InputError(f"Cypher refused: {_line(error)}") from error
        except OverflowError as error:
            raise InputError(TOO_LARGE) from error

    def prepare(self) -> None:
        """Create the constraints and indexes that are not there yet."""
        with self._faults():
            for statement in schema_statements():
                self._graph.cypher(statement)
            for statement in self._declarations():
                self._graph.cypher(statement)

    def _declarations(self) -> Iterator[str]:
        """Yield statements that make properties known again which no stored node has.

        The log of a killed writer keeps values alone: read back, the engine takes a property that
        nobody had yet for a typing error, and refuses every node that names it.
        """
        for label, found in self._graph.schema()["node_types"].items():
            unknown = (
                [name for name in LABELS[label].properties if name not in found["properties"]]
                if label in LABELS
                else []
            )
            if unknown:
                same = ", ".join(f"n.{quoted(name)} = n.{quoted(name)}" for name in unknown)
                yield f"MATCH (n:{quoted(label)}) WITH n LIMIT 1 SET {same}"

    def run(self, cypher: str, params: Mapping[str, Any] | None = None) -> Table:
        """Run one reading query; see `Store.run`."""
        with self._faults(), self._graph.begin_read() as transaction:
            return _table(transaction.cypher(quote_reserved(cypher), params=dict(params or {})))

    def write(self, statements: Sequence[Statement]) -> list[Table]:
        """Run statements in one transaction; see `Store.write`."""
        with self._faults(), self._graph.begin() as transaction:
            return [
                _table(transaction.cypher(quote_reserved(cypher), params=dict(params)))
                for cypher, params in statements
            ]

    def creations(self, graphs: Sequence[PackedGraph]) -> list[Statement]:
        """Return the statements that create graphs; see `Store.creations`."""
        return by_kind(graphs)

    def close(self) -> None:
        """Write the log into the file, and let go."""
        if self._writing:
            self._writing = False
            with self._faults(), warnings.catch_warnings():
                # The engine says how it stored lists that are sometimes empty: no user's business.
                warnings.simplefilter("ignore")
                self._graph.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


def _log(path: Path) -> Path:
    return path.with_name(f"{path.name}-wal")


def _settled(path: Path) -> bool:
    """Return whether the log of a store holds nothing beyond its header."""
    log = _log(path)
    return not log.exists() or log.stat().st_size <= len("KGWAL")


def _line(error: BaseException) -> str:
    return " ".join(str(error).split())[:400]


def _table(result: Any) -> Table:  # noqa: ANN401 - untyped library
    if result is None:
        return Table((), [])
    columns = tuple(result.columns)
    rows = [tuple(_plain(row[name]) for name in columns) for row in result.to_dicts()]
    return Table(columns, rows)


def _plain(value: Any) -> Any:  # noqa: ANN401 - any Cypher value
    """Return a value without what the engine adds: a node becomes its properties."""
    if isinstance(value, dict):
        if "properties" in value and ("labels" in value or value.keys() == _EDGE):
            value = value["properties"]
            return {key: value[key] for key in sorted(value) if key not in _SYNTHETIC}
        if value.keys() == _PATH:
            return [_plain(node) for node in value["nodes"]]
        return {key: _plain(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(inner) for inner in value]
    return value
