"""`ReasoningGraph`: one item as a typed multigraph with pydantic payloads.

Examples:
    >>> from realhop_kg.graph.schema import EdgeKind, EntityNode, FactNode, FactStatus
    >>> graph = ReasoningGraph()
    >>> graph.add(FactNode(id="f1", predicate="spouse", hop=1, status=FactStatus.GOLD))
    >>> graph.add(EntityNode(id="e1", surface="Mirela Castane", entity_type="person",
    ...     asked_kind="person", role="question", origin="virtual"))
    >>> graph.connect("f1", EdgeKind.SUBJECT, "e1", slot="x")
    >>> graph.target("f1", EdgeKind.SUBJECT).surface
    'Mirela Castane'
    >>> ReasoningGraph.from_node_link(graph.to_node_link()) == graph
    True
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, TypeVar

import networkx as nx
from pydantic import ValidationError

from realhop_kg.errors import InputError
from realhop_kg.graph.schema import EDGES, NODES, EdgeKind, Node, NodeBase, NodeKind
from realhop_kg.model.record import SCHEMA_VERSION

__all__ = ["ReasoningGraph"]

Payload = TypeVar("Payload", bound=NodeBase)

_Adjacency = dict[str, dict[str, dict[str, dict[str, Any]]]]
"""Properties by node, neighbour and key of the edge."""


class ReasoningGraph:
    """A thin typed wrapper over `networkx.MultiDiGraph`.

    Nodes keep their payload under the attribute `payload`; an edge's key is its kind, followed by
    the property that tells parallel edges apart. Iteration is in insertion order, and graphs are
    built in a fixed order, so every traversal is reproducible.
    """

    def __init__(self) -> None:
        self._wrap(nx.MultiDiGraph())
        self._by_kind: dict[NodeKind, dict[str, Node]] = {kind: {} for kind in NodeKind}

    def _wrap(self, graph: nx.MultiDiGraph) -> None:
        """Hold a graph, and the dicts that it keeps nodes and edges in.

        Every public way to a node's edges makes a view first, which takes several times as long
        as the look-up, and operators and checks look up a lot.
        """
        self.nx: nx.MultiDiGraph = graph
        self._nodes: dict[str, dict[str, Node]] = graph._node
        self._out: _Adjacency = graph._adj
        self._in: _Adjacency = graph._pred

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, ReasoningGraph):
            return NotImplemented
        return self.to_node_link() == other.to_node_link()

    __hash__ = None  # type: ignore[assignment]  # mutable

    def __contains__(self, node_id: str) -> bool:
        return node_id in self._nodes

    def copy(self) -> ReasoningGraph:
        """Return an independent graph; the frozen payloads are shared."""
        twin = ReasoningGraph()
        for node_id, attributes in self._nodes.items():
            twin._nodes[node_id] = attributes.copy()
            twin._out[node_id], twin._in[node_id] = {}, {}
        for source, targets in self._out.items():
            out = twin._out[source]
            for target, parallel in targets.items():
                # One dict of parallel edges, known from both ends.
                both = {key: data.copy() for key, data in parallel.items()}
                out[target] = twin._in[target][source] = both
        twin._by_kind = {kind: dict(nodes) for kind, nodes in self._by_kind.items()}
        return twin

    def add(self, node: Node) -> None:
        """Add a node, or replace the payload of the node with this id and kind.

        Raises:
            ValueError: if the id belongs to a node of another kind.
        """
        present = self._nodes.get(node.id)
        if present is not None and present["payload"].kind is not node.kind:
            raise ValueError(f"node id {node.id!r} is taken by a {present['payload'].kind}")
        self.nx.add_node(node.id, payload=node)
        self._by_kind[node.kind][node.id] = node

    def connect(self, source: str, kind: EdgeKind, target: str, **properties: object) -> None:
        """Add an edge after checking it against the schema table.

        Raises:
            KeyError: if an end does not exist.
            ValueError: if the table allows no such edge.
        """
        spec = EDGES[kind]
        source_kind, target_kind = self[source].kind, self[target].kind
        if source_kind not in spec.sources or target_kind not in spec.targets:
            raise ValueError(f"{kind} may not lead from {source_kind} to {target_kind}")
        if properties.keys() != spec.properties.keys() or any(
            type(value) is not spec.properties[key] for key, value in properties.items()
        ):
            raise ValueError(f"{kind} carries {sorted(spec.properties)}, not {properties}")
        key = f"{kind}:{properties[spec.parallel_by]}" if spec.parallel_by else str(kind)
        self.nx.add_edge(source, target, key=key, kind=kind, **properties)

    def disconnect(self, source: str, kind: EdgeKind) -> None:
        """Remove every edge of a kind that leaves a node."""
        doomed = [
            (head, tail, key)
            for head, tail, key, data in self.nx.out_edges(source, keys=True, data=True)
            if data["kind"] is kind
        ]
        self.nx.remove_edges_from(doomed)

    def remove(self, node_id: str) -> None:
        """Remove a node and its edges."""
        node = self[node_id]
        self.nx.remove_node(node_id)
        del self._by_kind[node.kind][node_id]

    def __getitem__(self, node_id: str) -> Node:
        try:
            return self._nodes[node_id]["payload"]
        except KeyError:
            raise KeyError(f"no node {node_id!r} in the graph") from None

    def get(self, node_id: str, model: type[Payload]) -> Payload:
        """Return a node's payload, checked to be of the given model.

        Raises:
            KeyError: if there is no such node.
            TypeError: if it is of another kind.
        """
        payload = self[node_id]
        if not isinstance(payload, model):
            raise TypeError(f"node {node_id!r} is a {payload.kind}, not a {model.__name__}")
        return payload

    def nodes(self, model: type[Payload]) -> list[Payload]:
        """Return all nodes of one kind, in insertion order."""
        return list(self._by_kind[model.kind].values())  # type: ignore[arg-type]

    def edges(self, source: str, kind: EdgeKind) -> Iterator[tuple[str, dict[str, Any]]]:
        """Yield (target id, properties) of a node's outgoing edges of one kind."""
        for target, parallel in self._out.get(source, {}).items():
            for data in parallel.values():
                if data["kind"] is kind:
                    yield target, data

    def sources(self, target: str, kind: EdgeKind) -> list[str]:
        """Return the ids of nodes with an edge of one kind to a node."""
        return [
            source
            for source, parallel in self._in.get(target, {}).items()
            for data in parallel.values()
            if data["kind"] is kind
        ]

    def targets(self, source: str, kind: EdgeKind) -> list[str]:
        """Return the ids that a node's edges of one kind lead to."""
        return [
            target
            for target, parallel in self._out.get(source, {}).items()
            for data in parallel.values()
            if data["kind"] is kind
        ]

    def target(self, source: str, kind: EdgeKind) -> Any:  # noqa: ANN401 - payload of any kind
        """Return the payload of the only node that an edge of one kind leads to.

        Raises:
            KeyError: if there is none or more than one.
        """
        found = self.targets(source, kind)
        if len(found) != 1:
            raise KeyError(f"{source!r} has {len(found)} {kind} edges where one was expected")
        return self[found[0]]

    def to_node_link(self) -> dict[str, Any]:
        """Return the graph as node-link data that `networkx.node_link_graph` reads too.

        Nodes are sorted by id, edges by ends and key, so equal graphs give equal data.
        """
        nodes = [
            {"kind": str(payload.kind), **payload.model_dump(mode="json")}
            for _, payload in sorted(self.nx.nodes(data="payload"))
        ]
        edges = [
            {"source": source, "target": target, "key": key, **data, "kind": str(data["kind"])}
            for source, target, key, data in sorted(
                self.nx.edges(keys=True, data=True), key=lambda edge: edge[:3]
            )
        ]
        return {
            "directed": True,
            "multigraph": True,
            "graph": {"schema_version": SCHEMA_VERSION},
            "nodes": nodes,
            "edges": edges,
        }

    @classmethod
    def from_node_link(cls, data: dict[str, Any]) -> ReasoningGraph:
        """Rebuild a graph from `to_node_link`, checking everything against the schema table.

        Raises:
            InputError: if the data is of a newer schema or breaks the table.
        """
        try:
            version = data["graph"]["schema_version"]
            if version != SCHEMA_VERSION:
                raise InputError(
                    f"graph has schema version {version}, this package reads {SCHEMA_VERSION}"
                )
            graph = cls()
            for entry in data["nodes"]:
                fields = dict(entry)
                graph.add(NODES[NodeKind(fields.pop("kind"))].model_validate(fields))
            for entry in data["edges"]:
                fields = dict(entry)
                source, target, _ = (fields.pop(end) for end in ("source", "target", "key"))
                graph.connect(source, EdgeKind(fields.pop("kind")), target, **fields)
        except (KeyError, TypeError, ValueError, ValidationError) as error:
            raise InputError(f"not a reasoning graph: {error}") from error
        return graph
