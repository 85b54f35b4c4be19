"""Loads graphs into a store: each whole or not at all, the unchanged ones skipped.

A graph carries a digest of itself on its constructed side. It is written in the same transaction
as the graph, so a digest that is there says that the whole graph is, and a load that was stopped
goes on where it stopped when it is started again.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import islice
from typing import Any

from realhop_kg.errors import InputError
from realhop_kg.graph.reasoning import ReasoningGraph
from realhop_kg.graph.schema import NODES
from realhop_kg.stores.refusal_schema import REFUSAL_NODES
from realhop_kg.stores.rows import PackedGraph, Row, graph_id, pack_graph, unpack_graph
from realhop_kg.stores.schema import ADDED, LABELS, TRIPLES, Triple, quoted
from realhop_kg.stores.store import Statement, Store

__all__ = [
    "LoadReport",
    "check_scope",
    "create_edges",
    "create_nodes",
    "load_graphs",
    "remove_scope",
    "scopes",
    "stored_graph",
]

_LONGEST_SCOPE = 200
_PAGES_AT_ONCE = 5000


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
    for batch in _ahead(iter(lambda: list(islice(packed, store.batch)), [])):
        for graph in batch:
            if graph.gid in seen:
                raise InputError(f"item {graph.item!r} comes twice; keys of items must differ")
            seen.add(graph.gid)
        _write(store, batch, before, report)
    gone = sorted(before.keys() - seen)
    while batch_gone := [gone.pop() for _ in range(min(store.batch, len(gone)))]:
        store.write(_deletions(batch_gone))
        report.removed += len(batch_gone)
    return report


def _ahead(batches: Iterator[list[PackedGraph]]) -> Iterator[list[PackedGraph]]:
    """Yield batches, packing the next one while the store is busy with this one."""
    with ThreadPoolExecutor(1) as pool:
        coming = pool.submit(next, batches, None)
        while (batch := coming.result()) is not None:
            coming = pool.submit(next, batches, None)
            yield batch


def _stored(store: Store, scope: str) -> dict[str, str]:
    """Return digest by graph id of what a scope holds."""
    table = store.run(
        "MATCH (i:Item) WHERE i.scope = $scope AND i.side = 'constructed' "
        "RETURN i.gid AS gid, i.digest AS digest",
        {"scope": scope},
    )
    return dict(table.rows)


def _write(
    store: Store, batch: list[PackedGraph], before: Mapping[str, str], report: LoadReport
) -> None:
    changed = [graph for graph in batch if before.get(graph.gid) != graph.digest]
    report.unchanged += len(batch) - len(changed)
    if not changed:
        return
    old = [graph.gid for graph in changed if graph.gid in before]
    nodes: dict[str, list[Row]] = {}
    edges: dict[Triple, list[Row]] = {}
    for graph in changed:
        for label, rows in graph.nodes.items():
            nodes.setdefault(label, []).extend(rows)
        for triple, rows in graph.edges.items():
            edges.setdefault(triple, []).extend(rows)
    store.write(
        [
            *(_deletions(old) if old else ()),
            *(create_nodes(label, rows) for label, rows in nodes.items()),
            *(create_edges(triple, rows) for triple, rows in edges.items()),
        ]
    )
    report.replaced += len(old)
    report.loaded += len(changed) - len(old)


def _deletions(gids: list[str]) -> list[Statement]:
    return [
        Statement(f"MATCH (n:{quoted(label)}) WHERE n.gid IN $gids DETACH DELETE n", {"gids": gids})
        for label in LABELS
    ]


def create_nodes(label: str, rows: list[Row]) -> Statement:
    """Return the statement that creates nodes of one label from rows `{id, properties}`.

    Values travel as lists: names said once, not once per row, make a load twice as fast.
    """
    names = [name for name in (*ADDED, *LABELS[label].properties) if name != "id"]
    cells = ", ".join(f"{quoted(name)}: row[{place}]" for place, name in enumerate(names, 1))
    return Statement(
        f"UNWIND $rows AS row CREATE (:{quoted(label)} {{id: row[0], {cells}}})",
        {"rows": [[row["id"], *map(row["properties"].get, names)] for row in rows]},
    )


def create_edges(triple: Triple, rows: list[Row]) -> Statement:
    """Return the statement that creates edges of one kind between nodes of two labels."""
    names = list(TRIPLES[triple])
    cells = ", ".join(f"{quoted(name)}: row[{place}]" for place, name in enumerate(names, 2))
    return Statement(
        f"UNWIND $rows AS row MATCH (a:{quoted(triple.source)} {{id: row[0]}}) "
        f"MATCH (b:{quoted(triple.target)} {{id: row[1]}}) "
        f"CREATE (a)-[:{quoted(triple.kind)}{f' {{{cells}}}' if cells else ''}]->(b)",
        {
            "rows": [
                [row["source"], row["target"], *map(row["properties"].get, names)] for row in rows
            ]
        },
    )


def scopes(store: Store) -> list[tuple[str, int]]:
    """Return (scope, number of items) of everything that is loaded."""
    table = store.run(
        "MATCH (i:Item) WHERE i.side = 'constructed' "
        "RETURN i.scope AS scope, count(i) AS items ORDER BY scope"
    )
    return [(scope, items) for scope, items in table.rows]


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
