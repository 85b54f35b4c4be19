"""Turns a source item into a graph: its item, hops and passages, with nothing planned yet."""

from __future__ import annotations

from realhop_kg.graph.dependency import check_dag, terminal, topology
from realhop_kg.graph.reasoning import ReasoningGraph
from realhop_kg.graph.schema import EdgeKind, HopNode, ItemNode, PassageNode, Side
from realhop_kg.model.item import SourceHop, SourceItem

__all__ = ["hop_id", "passage_id", "source_graph"]

SOURCE = "source"
CONSTRUCTED = "item"


def hop_id(index: int) -> str:
    """Return the node id of a hop."""
    return f"h{index}"


def passage_id(index: int) -> str:
    """Return the node id of a passage."""
    return f"p{index}"


def _source_spans(item: SourceItem, hop: SourceHop) -> list[str]:
    """Return the parts of a hop's support that a builder names as its evidence."""
    return [
        f"{part.start}-{part.end}"
        for unit in item.units
        if unit.kind != "passage" and (unit.kind != "spans" or unit.target == hop_id(hop.index))
        for part in unit.parts
        if part.passage == hop.support
    ]


def source_graph(item: SourceItem) -> ReasoningGraph:
    """Return the graph of a source item.

    Hops have no relation yet, and `DEPENDS_ON` edges carry the reference (`#1`) as their slot.

    Raises:
        ContractError: D1 if the dependencies are no DAG with one terminal hop.
    """
    deps = item.dependencies
    check_dag(deps)
    last = terminal(deps)
    graph = ReasoningGraph()
    graph.add(
        ItemNode(
            id=SOURCE,
            item_key=item.key,
            dataset=item.dataset,
            source_id=item.id,
            side=Side.SOURCE,
            question=item.question,
            answer=item.answer,
            aliases=list(item.aliases),
            topology=topology(deps),
        )
    )
    supports = {hop.support for hop in item.hops}
    for passage in item.passages:
        graph.add(
            PassageNode(
                id=passage_id(passage.index),
                index=passage.index,
                page_title=passage.title,
                text=passage.text,
                origin="support" if passage.index in supports else "distractor",
            )
        )
        graph.connect(SOURCE, EdgeKind.HAS_PASSAGE, passage_id(passage.index))
    for hop in item.hops:
        graph.add(
            HopNode(
                id=hop_id(hop.index),
                index=hop.index,
                relation="",
                required="",
                wording=hop.question,
                source_step=hop.question,
                source_answer=hop.answer,
                support=-1 if hop.support is None else hop.support,
                source_spans=_source_spans(item, hop),
                asked_kind="",
                slots=[],
                terminal=hop.index == last,
                multi_valued=False,
                definite=False,
            )
        )
        graph.connect(SOURCE, EdgeKind.HAS_HOP, hop_id(hop.index))
    for hop in item.hops:
        for earlier in hop.depends_on:
            graph.connect(
                hop_id(hop.index), EdgeKind.DEPENDS_ON, hop_id(earlier), slot=f"#{earlier}"
            )
    return graph
