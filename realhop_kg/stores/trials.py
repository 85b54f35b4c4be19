"""Puts the answers of an audit into a store, beside the items that they answer."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from realhop_kg.errors import InputError
from realhop_kg.graph.reasoning import ReasoningGraph
from realhop_kg.graph.schema import EdgeKind, ItemNode, NodeKind, Side, TrialNode
from realhop_kg.graph.views import planned_endpoints
from realhop_kg.model.run import TrialRecord
from realhop_kg.stores.rows import graph_id, node_id
from realhop_kg.stores.schema import Triple
from realhop_kg.stores.statements import create_edges, create_nodes
from realhop_kg.stores.store import Statement, Store

__all__ = ["load_trials", "trial_node"]

_ANSWERS = Triple(str(NodeKind.TRIAL), str(EdgeKind.ANSWERS), str(NodeKind.ITEM))
_HITS = Triple(str(NodeKind.TRIAL), str(EdgeKind.HITS), str(NodeKind.ENTITY))


def trial_node(record: TrialRecord) -> TrialNode:
    """Return a judged answer of an audit as a node; its target is the node id of the hop (`h2`).

    Raises:
        ValueError: if it has no verdict: what was not judged is no answer to ask about.
    """
    if record.verdict is None:
        raise ValueError("an answer without a verdict is no trial")
    place = (record.side, record.condition.value, record.target, record.model, record.trial)
    return TrialNode(
        id=":".join(("trial", *map(str, place))),
        condition=record.condition.value,
        target=record.target,
        model=record.model,
        trial=record.trial,
        response=record.read_as or record.response or "",
        verdict=record.verdict.value,
    )


def load_trials(
    store: Store,
    scope: str,
    item: str,
    graph: ReasoningGraph,
    trials: Iterable[TrialNode],
    side: Side = Side.CONSTRUCTED,
) -> int:
    """Load the trials of one item, in one transaction; a trial loaded before is replaced.

    A trial's `condition` is `full`, `drop`, ...; its `target` is the node id of the dropped hop
    (`h2`), or empty. It HITS the entity of every planned endpoint that its response equals.

    Args:
        store: an open store that holds the item.
        scope: name under which its dataset was loaded.
        item: key of the item.
        graph: its graph.
        trials: the answers.
        side: which question they answer.

    Returns:
        Number of trials.

    Raises:
        InputError: if the store does not hold the item.
    """
    gid = graph_id(scope, item)
    if not store.run("MATCH (i:Item) WHERE i.gid = $gid RETURN i.id AS id", {"gid": gid}).rows:
        raise InputError(f"the store holds no item {item!r} under scope {scope!r}; load it first")
    answered = next(node.id for node in graph.nodes(ItemNode) if node.side is side)
    nodes: list[dict[str, Any]] = []
    answers: list[dict[str, Any]] = []
    hits: list[dict[str, Any]] = []
    for trial in trials:
        own = node_id(scope, item, trial.id)
        fields = trial.model_dump(mode="json", exclude={"id"})
        added = {"gid": gid, "scope": scope, "item": item, "node": trial.id}
        nodes.append({"id": own, "properties": {**fields, **added}})
        answers.append({"source": own, "target": node_id(scope, item, answered), "properties": {}})
        for entity in {entity for _, entity in planned_endpoints(graph, trial.response)}:
            target = node_id(scope, item, entity)
            hits.append({"source": own, "target": target, "properties": {}})
    ids = [node["id"] for node in nodes]
    store.write(
        [
            Statement("MATCH (n:Trial) WHERE n.id IN $ids DETACH DELETE n", {"ids": ids}),
            create_nodes(str(NodeKind.TRIAL), nodes),
            create_edges(_ANSWERS, answers),
            create_edges(_HITS, hits),
        ]
    )
    return len(nodes)
