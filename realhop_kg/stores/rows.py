"""Turns a graph into the rows that a store writes, and the rows of a store back into a graph."""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from realhop_kg.errors import InputError
from realhop_kg.graph.reasoning import ReasoningGraph
from realhop_kg.graph.schema import NODES, EdgeKind, ItemNode, NodeKind, Side
from realhop_kg.graph.views import relates
from realhop_kg.stores.schema import LABELS, Triple

__all__ = ["PackedGraph", "Row", "graph_id", "node_id", "pack_graph", "unpack_graph"]

_ROWS = 2
"""Version of the rows below; a new one makes every stored graph count as changed."""

_DIGITS = 32
"""Hexadecimal digits of an id: 128 bits, and short enough to be stored inline."""

Row = dict[str, Any]


@dataclass(slots=True)
class PackedGraph:
    """The rows of one item's graph."""

    gid: str
    item: str
    digest: str
    size: int
    """Length of the whole graph as JSON, in bytes."""
    nodes: dict[str, list[Row]] = field(default_factory=lambda: defaultdict(list))
    """By label: `{id, properties}`."""
    edges: dict[Triple, list[Row]] = field(default_factory=lambda: defaultdict(list))
    """By kind and ends: `{source, target, properties}`."""


def _digest(*parts: str) -> str:
    # Lengths keep parts apart whatever they hold, so two different lists never share a text.
    joined = "".join(f"{len(part)}:{part}" for part in parts)
    return hashlib.sha256(joined.encode()).hexdigest()[:_DIGITS]


def graph_id(scope: str, item: str) -> str:
    """Return the id that all nodes of one item's graph share."""
    return _digest(scope, item)


def node_id(scope: str, item: str, node: str) -> str:
    """Return the id of a node in a store."""
    return _digest(scope, item, node)


def pack_graph(scope: str, item: str, graph: ReasoningGraph) -> PackedGraph:
    """Return the rows of a graph, with its RELATES edges derived anew.

    Raises:
        InputError: if the graph holds text that no store can keep, or has no constructed side.
    """
    if not any(node.side is Side.CONSTRUCTED for node in graph.nodes(ItemNode)):
        raise InputError(f"{item}: the graph has no constructed side; nothing to load")
    import msgspec

    data = graph.to_node_link()
    try:
        content = msgspec.json.encode([_ROWS, item, data])
    except UnicodeEncodeError as error:
        raise InputError(
            f"{item}: the graph holds half a character (a lone surrogate), which no store can "
            "keep; mend the source text"
        ) from error
    digest = hashlib.sha256(content).hexdigest()[:_DIGITS]
    packed = PackedGraph(graph_id(scope, item), item, digest, len(content))
    kinds = {node["id"]: node["kind"] for node in data["nodes"]}
    ids = {node: node_id(scope, item, node) for node in kinds}
    added = {"gid": packed.gid, "scope": scope, "item": item}
    for entry in data["nodes"]:
        kind, node = entry.pop("kind"), entry.pop("id")
        properties = {**entry, **added, "node": node}
        if kind == NodeKind.ITEM and entry["side"] == Side.CONSTRUCTED:
            properties["digest"] = packed.digest
        packed.nodes[kind].append({"id": ids[node], "properties": properties})
    for edge in data["edges"]:
        source, target, _, kind = (edge.pop(key) for key in ("source", "target", "key", "kind"))
        if kind != EdgeKind.RELATES:
            _connect(packed, kinds, ids, source, kind, target, edge)
    for related in relates(graph):
        properties = {"predicate": related.predicate, "fact": related.fact}
        _connect(packed, kinds, ids, related.source, EdgeKind.RELATES, related.target, properties)
    return packed


def _connect(
    packed: PackedGraph,
    kinds: Mapping[str, str],
    ids: Mapping[str, str],
    source: str,
    kind: str,
    target: str,
    properties: Row,
) -> None:
    triple = Triple(kinds[source], str(kind), kinds[target])
    packed.edges[triple].append(
        {"source": ids[source], "target": ids[target], "properties": properties}
    )


def unpack_graph(
    nodes: Iterable[tuple[str, Mapping[str, Any]]],
    edges: Iterable[tuple[str, str, str, Mapping[str, Any]]],
) -> ReasoningGraph:
    """Return the graph of one item from what a store holds; derived edges are left out.

    Args:
        nodes: (label, properties).
        edges: (source id, kind, target id, properties), with ids within the graph.
    """
    graph = ReasoningGraph()
    for label, properties in nodes:
        model, known = NODES[NodeKind(label)], LABELS[label].properties
        fields: Row = {"id": properties["node"]}
        for name in model.model_fields.keys() - {"id"}:
            value = properties.get(name)
            # A bulk import leaves empty lists out.
            empty = value is None and known[name].cypher_type == "LIST<STRING>"
            fields[name] = [] if empty else value
        graph.add(model.model_validate(fields))
    for source, kind, target, properties in edges:
        if kind != EdgeKind.RELATES:
            graph.connect(source, EdgeKind(kind), target, **properties)
    return graph
