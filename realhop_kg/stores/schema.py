"""What a store holds: labels, properties, edges and constraints, derived from the schema tables.

A stored node has the fields of its payload, except that `id` is unique over the whole store, and
`node` is the id within the graph.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterator, Sequence
from enum import StrEnum
from functools import cache
from typing import Literal, NamedTuple, get_args, get_origin

from realhop_kg.graph.schema import EDGES, NODES, EdgeKind
from realhop_kg.model.record import Record
from realhop_kg.stores.refusal_schema import REFUSAL_EDGES, REFUSAL_NODES

__all__ = [
    "ADDED",
    "LABELS",
    "TRIPLES",
    "Label",
    "Property",
    "Triple",
    "quoted",
    "schema_cypher",
    "schema_page",
    "schema_statements",
]


class Property(NamedTuple):
    """One property of a stored node or edge."""

    cypher_type: str
    says: str
    """What it means, in words."""
    values: tuple[str, ...] = ()
    """The closed set of values, if there is one."""


class Label(NamedTuple):
    """One kind of stored node."""

    says: str
    properties: dict[str, Property]
    """Those of its payload, without `ADDED`."""


class Triple(NamedTuple):
    """One kind of edge between two kinds of nodes."""

    source: str
    kind: str
    target: str


ADDED: dict[str, Property] = {
    "id": Property("STRING", "unique over the store: a digest of scope, item and node"),
    "gid": Property("STRING", "the graph that the node belongs to: a digest of scope and item"),
    "scope": Property("STRING", "name under which the dataset was loaded"),
    "item": Property("STRING", "key of the item (`musique/2hop__1_2`)"),
    "node": Property("STRING", "id within the item's graph (`h1`, `f:g.h1`)"),
}
"""Properties that every stored node has."""

DIGEST = Property("STRING", "digest of the item's whole graph; on the constructed side only")

_SCALARS: dict[object, str] = {
    str: "STRING",
    int: "INTEGER",
    int | None: "INTEGER",
    bool: "BOOLEAN",
}


def quoted(name: str) -> str:
    """Return a label, type or property name as Cypher writes it.

    Names come from the schema tables, never from data; this is the second lock on that door.

    Raises:
        ValueError: if it is no plain identifier.
    """
    if not (name.isascii() and name.isidentifier()):
        raise ValueError(f"{name!r} is no name of the schema")
    return f"`{name}`"


def _property(annotation: object, says: str) -> Property:
    if isinstance(annotation, type) and issubclass(annotation, StrEnum):
        return Property("STRING", says, tuple(str(member) for member in annotation))
    if get_origin(annotation) is Literal:
        return Property("STRING", says, get_args(annotation))
    if annotation == list[str]:
        return Property("LIST<STRING>", says)
    return Property(_SCALARS[annotation], says)


def _label(model: type[Record]) -> Label:
    properties = {
        name: _property(field.annotation, " ".join((field.description or "").split()))
        for name, field in model.model_fields.items()
        if name not in ADDED
    }
    return Label(inspect.cleandoc(model.__doc__ or "").splitlines()[0], properties)


@cache
def _labels() -> dict[str, Label]:
    models: dict[str, type[Record]] = {str(kind): NODES[kind] for kind in NODES}
    models |= {str(kind): REFUSAL_NODES[kind] for kind in REFUSAL_NODES}
    labels = {label: _label(model) for label, model in models.items()}
    labels["Item"].properties["digest"] = DIGEST
    labels["Refusal"].properties["digest"] = Property("STRING", "digest of the whole question")
    return labels


LABELS: dict[str, Label] = _labels()
"""Every label, in the order of the tables."""


def _triples() -> Iterator[tuple[Triple, dict[str, type]]]:
    for kind, spec in EDGES.items():
        for source in spec.sources:
            for target in spec.targets:
                yield Triple(str(source), str(kind), str(target)), spec.properties
    for edge, (tail, head, properties) in REFUSAL_EDGES.items():
        yield Triple(str(tail), str(edge), str(head)), properties


TRIPLES: dict[Triple, dict[str, type]] = dict(_triples())
"""Python type by property, for every edge between two labels."""

_INDEXED = {"Item": ("gid", "scope"), "Page": ("gid", "page_title"), "Refusal": ("gid", "scope")}
"""Looked-up properties. No index on other text: Neo4j refuses values over 8 kB in one."""


def schema_statements() -> tuple[str, ...]:
    """Return the statements that create constraints and indexes; each may run again."""
    found = []
    for label in LABELS:
        low = label.lower()
        found.append(
            f"CREATE CONSTRAINT {low}_id IF NOT EXISTS "
            f"FOR (n:{quoted(label)}) REQUIRE n.id IS UNIQUE"
        )
        for name in _INDEXED.get(label, ("gid",)):
            found.append(
                f"CREATE INDEX {low}_{name} IF NOT EXISTS "
                f"FOR (n:{quoted(label)}) ON (n.{quoted(name)})"
            )
    return tuple(found)


def schema_cypher() -> str:
    """Return the content of `cypher/schema.cypher`."""
    head = (
        "// Constraints and indexes, generated from the schema table; `realhop graph load` runs\n"
        "// them. To write this file again: python -m realhop_kg.stores.pages\n\n"
    )
    return head + "".join(f"{statement};\n" for statement in schema_statements())


def _table(rows: Sequence[tuple[str, ...]], *head: str) -> Iterator[str]:
    yield "| " + " | ".join(head) + " |"
    yield "|" + " --- |" * len(head)
    for row in rows:
        yield "| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |"


def _said(prop: Property) -> str:
    closed = " / ".join(prop.values)
    return f"{prop.says} ({closed})" if closed and prop.says else prop.says or closed


def _edge_rows() -> list[tuple[str, ...]]:
    ends: dict[str, list[Triple]] = {}
    for triple in TRIPLES:
        ends.setdefault(triple.kind, []).append(triple)
    return [
        (
            f"`{kind}`",
            ", ".join(dict.fromkeys(t.source for t in triples)),
            ", ".join(dict.fromkeys(t.target for t in triples)),
            ", ".join(
                f"`{name}` {_SCALARS[python]}" for name, python in TRIPLES[triples[0]].items()
            ),
        )
        for kind, triples in ends.items()
    ]


def schema_page() -> str:
    """Return the schema as a page of Markdown."""
    rows = [(f"`{name}`", prop.cypher_type, _said(prop)) for name, prop in ADDED.items()]
    lines = ["Every node has", "", *_table(rows, "property", "type", "meaning"), ""]
    for label, spec in LABELS.items():
        rows = [
            (f"`{name}`", prop.cypher_type, _said(prop)) for name, prop in spec.properties.items()
        ]
        lines += [f"### {label}", "", spec.says, ""]
        lines += [*_table(rows, "property", "type", "meaning"), ""]
    lines += ["### Edges", "", *_table(_edge_rows(), "type", "from", "to", "properties"), ""]
    lines += [f"`{EdgeKind.RELATES}` edges are derived from facts at loading time.", ""]
    return "\n".join(lines)
