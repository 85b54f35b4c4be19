"""Loads graphs into a store: each whole or not at all, the unchanged ones skipped.

A graph carries a digest of itself on its constructed side. It is written in the same transaction
as the graph, so a digest that is there says that the whole graph is, and a load that was stopped
goes on where it stopped when it is started again.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Self

from realhop_kg.errors import InputError, RealHopError
from realhop_kg.graph.reasoning import ReasoningGraph
from realhop_kg.graph.schema import NODES
from realhop_kg.stores.refusal_schema import REFUSAL_NODES
from realhop_kg.stores.rows import PackedGraph, graph_id, pack_graph, unpack_graph
from realhop_kg.stores.schema import TRIPLES, quoted
from realhop_kg.stores.statements import deletions
from realhop_kg.stores.store import ConflictError, Statement, Store

__all__ = [
    "LoadReport",
    "check_scope",
    "load_graphs",
    "remove_scope",
    "scopes",
    "stored_graph",
]

_LONGEST_SCOPE = 200
_PAGES_AT_ONCE = 5000

_LONGEST_BATCH = 8_000_000
"""Characters of one transaction: items about long documents go to the server a few at a time."""


_TRIES = 10
"""How often a batch is tried again that another load writes at the same time."""


@dataclass(slots=True)
class LoadReport:
    """What a load did, in items."""

    loaded: int = 0
    """New in the store."""
    replaced: int = 0
    """Stored before with other content."""
    unchanged: int = 0
    removed: int = 0
    """Stored before under this scope, and no longer in the dataset."""


def check_scope(scope: str) -> str:
    """Return a scope name if a store can index it.

    Raises:
        InputError: if it is empty, too long, or holds a control character.
    """
    if not 0 < len(scope) <= _LONGEST_SCOPE or not scope.isprintable():
        raise InputError(
            f"scope {scope[:40]!r} cannot be used: 1 to {_LONGEST_SCOPE} printable characters"
        )
    return scope


def load_graphs(
    store: Store, scope: str, graphs: Iterable[tuple[str, ReasoningGraph]]
) -> LoadReport:
    """Make a scope hold exactly these graphs; other scopes of the store are left alone.

    Args:
        store: an open store.
        scope: name of the dataset in the store.
        graphs: (item key, graph), read once and in order.

    Raises:
        InputError: if an item key comes twice or a graph cannot be kept by a store.
        StoreError: if the store stops; what was loaded stays, and the same call resumes.
    """
    check_scope(scope)
    store.prepare()
    report = LoadReport()
    seen: set[str] = set()
    before = _stored(store, scope)
    packed = (pack_graph(scope, item, graph) for item, graph in graphs)
    with _Writing(store, before, report) as writing:
        for batch in _batches(packed, store.batch):
            for graph in batch:
                if graph.gid in seen:
                    raise InputError(f"item {graph.item!r} comes twice; keys of items must differ")
                seen.add(graph.gid)
            writing.take(batch)
    gone = sorted(before.keys() - seen)
    while batch_gone := [gone.pop() for _ in range(min(store.batch, len(gone)))]:
        store.write(deletions(batch_gone))
        report.removed += len(batch_gone)
    return report


def _batches(graphs: Iterable[PackedGraph], most: int) -> Iterator[list[PackedGraph]]:
    """Yield graphs in groups that one transaction can take: not too many, not too long."""
    batch: list[PackedGraph] = []
    size = 0
    for graph in graphs:
        if batch and size + graph.size > _LONGEST_BATCH:
            yield batch
            batch, size = [], 0
        batch.append(graph)
        size += graph.size
        if len(batch) == most:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch


def _stored(store: Store, scope: str) -> dict[str, str]:
    """Return digest by graph id of what a scope holds."""
    table = store.run(
        "MATCH (i:Item) WHERE i.scope = $scope AND i.side = 'constructed' "
        "RETURN i.gid AS gid, i.digest AS digest",
        {"scope": scope},
    )
    return dict(table.rows)


def _digests(store: Store, gids: list[str]) -> dict[str, str]:
    """Return digest by graph id of those graphs that are stored."""
    table = store.run(
        "MATCH (i:Item) WHERE i.gid IN $gids AND i.side = 'constructed' "
        "RETURN i.gid AS gid, i.digest AS digest",
        {"gids": gids},
    )
    return dict(table.rows)


class _Writing:
    """Writes batches while the next ones are read and packed, as many at once as the store takes.

    Batches hold different items, so their order does not matter. When the reading side stops, what
    it has handed over is still written; when the store does, nothing more is tried.
    """

    def __init__(self, store: Store, before: Mapping[str, str], report: LoadReport) -> None:
        self._store = store
        self._before = before
        self._report = report
        self._pool = ThreadPoolExecutor(store.writers)
        self._pending: deque[Future[LoadReport]] = deque()
        self._broken = False

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        try:
            while error is None and self._pending:
                self._finish()
        finally:
            self._pool.shutdown(cancel_futures=self._broken)

    def take(self, batch: list[PackedGraph]) -> None:
        """Write a batch soon; wait while too many are being written."""
        changed = [graph for graph in batch if self._before.get(graph.gid) != graph.digest]
        self._report.unchanged += len(batch) - len(changed)
        if not changed:
            return
        while len(self._pending) > self._store.writers:
            self._finish()
        self._pending.append(self._pool.submit(self._try, changed))

    def _try(self, graphs: list[PackedGraph]) -> LoadReport:
        """Write graphs, unless an earlier batch failed: a store that is gone is waited for once."""
        if self._broken:
            return LoadReport()
        try:
            return self._write(graphs)
        except RealHopError:
            self._broken = True
            raise

    def _write(self, graphs: list[PackedGraph]) -> LoadReport:
        """Write graphs, but for those that another load of the same dataset writes meanwhile."""
        report, there = LoadReport(), self._before
        for tries_left in reversed(range(_TRIES)):
            old = [graph.gid for graph in graphs if graph.gid in there]
            try:
                self._store.write(
                    [*(deletions(old) if old else ()), *self._store.creations(graphs)]
                )
            except ConflictError:
                if not tries_left:
                    raise
                there = _digests(self._store, [graph.gid for graph in graphs])
                changed = [graph for graph in graphs if there.get(graph.gid) != graph.digest]
                report.unchanged += len(graphs) - len(changed)
                graphs = changed
                if graphs:
                    continue
            else:
                report.loaded, report.replaced = len(graphs) - len(old), len(old)
            break
        return report

    def _finish(self) -> None:
        done = self._pending.popleft().result()
        self._report.loaded += done.loaded
        self._report.replaced += done.replaced
        self._report.unchanged += done.unchanged


def scopes(store: Store) -> list[tuple[str, int]]:
    """Return (scope, number of items or refusal questions) of everything that is loaded."""
    counts: dict[str, int] = {}
    for found in ("(n:Item) WHERE n.side = 'constructed'", "(n:Refusal)"):
        table = store.run(f"MATCH {found} RETURN n.scope AS scope, count(n) AS items")
        for scope, items in table.rows:
            counts[scope] = counts.get(scope, 0) + items
    return sorted(counts.items())


def remove_scope(store: Store, scope: str) -> int:
    """Delete everything that was loaded under a scope; return the number of items."""
    removed = load_graphs(store, scope, ()).removed
    for label in REFUSAL_NODES:
        # In parts: one transaction over millions of pages would not fit into memory.
        statement = Statement(
            f"MATCH (n:{quoted(label)}) WHERE n.scope = $scope WITH n LIMIT {_PAGES_AT_ONCE} "
            "DETACH DELETE n RETURN count(*) AS deleted",
            {"scope": scope},
        )
        while store.write([statement])[0].rows[0][0]:
            pass
    return removed


def stored_graph(store: Store, scope: str, item: str) -> ReasoningGraph:
    """Return the graph of one item as the store holds it, without derived edges.

    Raises:
        InputError: if the scope holds no such item.
    """
    gid = {"gid": graph_id(scope, item)}
    nodes = [
        (str(label), row[0])
        for label in NODES
        for row in store.run(
            f"MATCH (n:{quoted(label)}) WHERE n.gid = $gid RETURN n AS node", gid
        ).rows
    ]
    if not nodes:
        raise InputError(f"the store holds no item {item!r} under scope {scope!r}")
    return unpack_graph(nodes, _stored_edges(store, gid))


def _stored_edges(
    store: Store, gid: dict[str, str]
) -> Iterator[tuple[str, str, str, dict[str, Any]]]:
    for triple, properties in TRIPLES.items():
        carried = "".join(f", r.{quoted(name)} AS {quoted(name)}" for name in properties)
        table = store.run(
            f"MATCH (a:{quoted(triple.source)})-[r:{quoted(triple.kind)}]->"
            f"(b:{quoted(triple.target)}) WHERE a.gid = $gid "
            f"RETURN a.node AS source_node, b.node AS target_node{carried}",
            gid,
        )
        for source, target, *values in table.rows:
            yield source, triple.kind, target, dict(zip(properties, values, strict=True))
