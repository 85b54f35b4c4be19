"""The Cypher that writes graphs: its text is made of schema names, all values are parameters."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from typing import Any

from realhop_kg.graph.schema import NODES
from realhop_kg.stores.rows import PackedGraph, Row
from realhop_kg.stores.schema import ADDED, LABELS, TRIPLES, Triple, quoted
from realhop_kg.stores.store import Statement

__all__ = ["by_kind", "create_edges", "create_nodes", "deletions", "in_one_statement"]


def deletions(gids: list[str]) -> list[Statement]:
    """Return the statements that delete whole graphs."""
    return [
        Statement(f"MATCH (n:{quoted(label)}) WHERE n.gid IN $gids DETACH DELETE n", {"gids": gids})
        for label in LABELS
    ]


def _properties(label: str) -> list[str]:
    """Return the properties of a label in the order of its rows; the first is `id`."""
    return list(dict.fromkeys(("id", *ADDED, *LABELS[label].properties)))


def _cells(names: Iterable[str], first: int) -> str:
    return ", ".join(f"{quoted(name)}: row[{place}]" for place, name in enumerate(names, first))


def _node_rows(label: str, rows: Iterable[Row]) -> list[list[Any]]:
    """Return nodes as lists: names said once, not once per row, make a load twice as fast."""
    names = _properties(label)[1:]
    return [[row["id"], *map(row["properties"].get, names)] for row in rows]


def create_nodes(label: str, rows: list[Row]) -> Statement:
    """Return the statement that creates nodes of one label from rows `{id, properties}`."""
    return Statement(
        f"UNWIND $rows AS row CREATE (:{quoted(label)} {{{_cells(_properties(label), 0)}}})",
        {"rows": _node_rows(label, rows)},
    )


def create_edges(triple: Triple, rows: list[Row]) -> Statement:
    """Return the statement that creates edges of one kind between nodes of two labels."""
    names = list(TRIPLES[triple])
    cells = f" {{{_cells(names, 2)}}}" if names else ""
    return Statement(
        f"UNWIND $rows AS row MATCH (a:{quoted(triple.source)} {{id: row[0]}}) "
        f"MATCH (b:{quoted(triple.target)} {{id: row[1]}}) "
        f"CREATE (a)-[:{quoted(triple.kind)}{cells}]->(b)",
        {
            "rows": [
                [row["source"], row["target"], *map(row["properties"].get, names)] for row in rows
            ]
        },
    )


def by_kind(graphs: Sequence[PackedGraph]) -> list[Statement]:
    """Return one statement for each kind of node and edge of some graphs."""
    nodes: dict[str, list[Row]] = {}
    edges: dict[Triple, list[Row]] = {}
    for graph in graphs:
        for label, rows in graph.nodes.items():
            nodes.setdefault(label, []).extend(rows)
        for triple, rows in graph.edges.items():
            edges.setdefault(triple, []).extend(rows)
    return [
        *(create_nodes(label, rows) for label, rows in nodes.items()),
        *(create_edges(triple, rows) for triple, rows in edges.items()),
    ]


_LABELS = [str(kind) for kind in NODES]
_TRIPLES = [triple for triple in TRIPLES if {triple.source, triple.target} <= set(_LABELS)]


@cache
def _creation() -> str:
    """Return the statement that creates whole graphs.

    Edges find their ends by place in the list of nodes just created, not in an index, which halves
    what a server has to do. The text is always the same, whichever kinds some graphs have, so that
    a server plans it once.
    """
    parts = [
        f"CALL {{ UNWIND $nodes_{label} AS row CREATE (n:{quoted(label)} "
        f"{{{_cells(_properties(label), 0)}}}) RETURN collect(n) AS {quoted(label)} }}"
        for label in _LABELS
    ]
    for number, triple in enumerate(_TRIPLES):
        ends = ", ".join(map(quoted, dict.fromkeys((triple.source, triple.target))))
        names = list(TRIPLES[triple])
        cells = f" {{{_cells(names, 2)}}}" if names else ""
        parts.append(
            f"CALL {{ WITH {ends} UNWIND $edges_{number} AS row "
            f"WITH row, {quoted(triple.source)}[row[0]] AS a, {quoted(triple.target)}[row[1]] AS b "
            f"CREATE (a)-[:{quoted(triple.kind)}{cells}]->(b) }}"
        )
    return "\n".join((*parts, "RETURN 1 AS done"))


def in_one_statement(graphs: Sequence[PackedGraph]) -> list[Statement]:
    """Return the statement that creates some graphs, nodes and edges at once.

    Not for the embedded engine, whose subqueries do not write.
    """
    places: dict[str, int] = {}
    params: dict[str, list[list[Any]]] = {}
    for label in _LABELS:
        rows = [row for graph in graphs for row in graph.nodes.get(label, ())]
        places.update((row["id"], place) for place, row in enumerate(rows))
        params[f"nodes_{label}"] = _node_rows(label, rows)
    for number, triple in enumerate(_TRIPLES):
        names = list(TRIPLES[triple])
        params[f"edges_{number}"] = [
            [
                places[row["source"]],
                places[row["target"]],
                *map(row["properties"].get, names),
            ]
            for graph in graphs
            for row in graph.edges.get(triple, ())
        ]
    return [Statement(_creation(), params)]
