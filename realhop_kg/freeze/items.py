"""Derives the record of a constructed item from its graph, and from nothing else."""

from __future__ import annotations

from collections.abc import Iterable

from realhop_kg.errors import ContractError
from realhop_kg.graph.dependency import dependencies
from realhop_kg.graph.reasoning import ReasoningGraph
from realhop_kg.graph.schema import (
    EdgeKind,
    EntityNode,
    EvidenceUnit,
    FactNode,
    FactStatus,
    HopNode,
    InsertionNode,
    ItemNode,
    PassageNode,
    PathKind,
    PathNode,
    Side,
    SpanNode,
)
from realhop_kg.model.entity import EntityRole
from realhop_kg.model.finding import Finding
from realhop_kg.model.frozen import (
    FrozenCompetitor,
    FrozenHop,
    FrozenItem,
    FrozenPremise,
    SourceSide,
    Substitution,
)
from realhop_kg.model.item import TextRange
from realhop_kg.model.text import Insertion, Passage, Span, realize

__all__ = ["frozen_item"]

_ROLES = tuple(EntityRole)


def frozen_item(graph: ReasoningGraph, diagnostics: Iterable[Finding] = ()) -> FrozenItem:
    """Return the record of a constructed item.

    Everything is sorted by content, so a graph and its copy read back from JSON give one record.

    Args:
        graph: a constructed and realized graph.
        diagnostics: findings that do not exclude the item.

    Raises:
        ContractError: naming the contract (B2, G1, T1, T2) without which there is no record.
    """
    item, source = _side(graph, Side.CONSTRUCTED), _side(graph, Side.SOURCE)
    hops = sorted(graph.nodes(HopNode), key=lambda hop: hop.index)
    depends_on = dependencies(graph)
    insertions = _insertions(graph)
    return FrozenItem(
        id=item.item_key,
        dataset=item.dataset,
        topology=item.topology,
        question=item.question,
        answer=item.answer,
        aliases=tuple(item.aliases),
        passages=_passages(graph, insertions),
        insertions=insertions,
        hops=tuple(_hop(graph, hop, depends_on[hop.index]) for hop in hops),
        competitors=_competitors(graph, frozenset(hop.index for hop in hops)),
        substitutions=_substitutions(graph),
        kept=tuple(item.kept),
        pruned=tuple(item.pruned),
        diagnostics=tuple(
            sorted(diagnostics, key=lambda found: (found.code, found.nodes, found.message))
        ),
        marks=_marks(item),
        source=SourceSide(
            id=source.source_id,
            question=source.question,
            answer=source.answer,
            aliases=tuple(source.aliases),
        ),
    )


def _marks(item: ItemNode) -> dict[str, int]:
    try:
        pairs = [mark.split(": ") for mark in item.marks]
        return {name: int(value) for name, value in sorted(pairs)}
    except ValueError as error:
        raise ContractError("B2", f"the marks {item.marks} are not each `name: 1 to 5`") from error


def _side(graph: ReasoningGraph, side: Side) -> ItemNode:
    found = [item for item in graph.nodes(ItemNode) if item.side is side]
    if len(found) != 1:
        raise ContractError("B2", f"the graph has {len(found)} {side} items where one was expected")
    return found[0]


def _insertions(graph: ReasoningGraph) -> tuple[Insertion, ...]:
    found = (
        Insertion(
            id=node.id,
            passage=node.passage,
            offset=node.offset,
            order=node.order,
            text=node.text,
        )
        for node in graph.nodes(InsertionNode)
    )
    return tuple(sorted(found, key=lambda new: (new.passage, new.offset, new.order, new.id)))


def _passages(graph: ReasoningGraph, insertions: tuple[Insertion, ...]) -> tuple[Passage, ...]:
    """Return the realized passages in source order."""
    added: dict[int, list[Insertion]] = {}
    for insertion in insertions:
        added.setdefault(insertion.passage, []).append(insertion)
    passages = []
    for node in sorted(graph.nodes(PassageNode), key=lambda node: (node.index, node.id)):
        try:
            text = realize(node.text, added.get(node.index, []))
        except ValueError as error:
            raise ContractError("T1", str(error), (node.id,)) from error
        passages.append(
            Passage(
                index=node.index,
                title=node.page_title,
                text=text,
                is_support=node.origin == "support",
            )
        )
    return tuple(passages)


def _hop(graph: ReasoningGraph, hop: HopNode, depends_on: tuple[int, ...]) -> FrozenHop:
    gold = _gold_fact(graph, hop)
    evidence = [
        FrozenPremise(id=part, span=span)
        for part in _parts(graph, gold)
        for span in _spans(graph, part)
    ]
    if not evidence:
        raise ContractError("T2", f"the gold fact of hop {hop.index} is written nowhere", (gold,))
    return FrozenHop(
        index=hop.index,
        wording=hop.wording,
        answer=_value(graph, gold).surface,
        support=hop.support,
        depends_on=tuple(sorted(depends_on)),
        evidence=tuple(evidence),
        source_step=hop.source_step,
        source_answer=hop.source_answer,
        source_spans=tuple(_range(hop, text) for text in hop.source_spans),
    )


def _range(hop: HopNode, text: str) -> TextRange:
    start, dash, end = text.partition("-")
    if not (dash and start.isdecimal() and end.isdecimal()):
        raise ContractError("B2", f"the source span {text!r} is not `start-end`", (hop.id,))
    return TextRange(passage=hop.support, start=int(start), end=int(end))


def _gold_fact(graph: ReasoningGraph, hop: HopNode) -> str:
    found = [
        fact_id
        for fact_id in graph.sources(hop.id, EdgeKind.REALIZES)
        if graph.get(fact_id, FactNode).status is FactStatus.GOLD
    ]
    if len(found) != 1:
        raise ContractError("G1", f"hop {hop.index} has {len(found)} gold facts", (hop.id,))
    return found[0]


def _value(graph: ReasoningGraph, fact_id: str) -> EntityNode:
    found = graph.targets(fact_id, EdgeKind.OBJECT)
    if len(found) != 1:
        raise ContractError("G1", f"{fact_id} has {len(found)} values", (fact_id,))
    return graph.get(found[0], EntityNode)


def _parts(graph: ReasoningGraph, fact_id: str) -> list[str]:
    """Return what is written of a fact: its premises in order, or itself if it is not split."""
    units = [graph.get(unit, EvidenceUnit) for unit in graph.sources(fact_id, EdgeKind.COMPOSES)]
    ordered = sorted(units, key=lambda unit: (unit.order, unit.id))
    return [unit.id for unit in ordered] or [fact_id]


def _spans(graph: ReasoningGraph, node_id: str) -> list[Span]:
    found = (graph.get(span, SpanNode) for span in graph.targets(node_id, EdgeKind.WRITTEN_AT))
    spans = [
        Span(passage=node.passage, start=node.start, end=node.end, exact=node.exact)
        for node in found
    ]
    return sorted(spans, key=_place)


def _place(span: Span) -> tuple[int, int, int]:
    return span.passage, span.start, span.end


def _competitors(graph: ReasoningGraph, hops: frozenset[int]) -> tuple[FrozenCompetitor, ...]:
    kinds = tuple(PathKind)
    paths = [path for path in graph.nodes(PathNode) if path.path_kind is not PathKind.GOLD]
    paths.sort(
        key=lambda path: (
            path.protected_hop,
            kinds.index(path.path_kind),
            path.candidate,
            path.id,
        )
    )
    return tuple(_competitor(graph, path, hops) for path in paths)


def _competitor(graph: ReasoningGraph, path: PathNode, hops: frozenset[int]) -> FrozenCompetitor:
    covered: set[int] = set()
    spans: list[Span] = []
    for fact_id, edge in graph.edges(path.id, EdgeKind.CONTAINS):
        written = [_spans(graph, part) for part in _parts(graph, fact_id)]
        if all(written):
            covered.add(graph.get(fact_id, FactNode).hop)
        if not edge["inherited"]:
            spans += (span for part in written for span in part)
    return FrozenCompetitor(
        id=path.id,
        kind="strict" if path.path_kind is PathKind.STRICT else "flexible",
        protected_hop=path.protected_hop,
        break_hop=path.break_hop,
        endpoint=path.endpoint,
        complete=covered >= hops,
        spans=tuple(sorted(spans, key=_place)),
    )


def _substitutions(graph: ReasoningGraph) -> tuple[Substitution, ...]:
    pairs = [
        (entity, graph.get(source, EntityNode))
        for entity in graph.nodes(EntityNode)
        for source in graph.targets(entity.id, EdgeKind.REBINDS)
    ]
    # By length first: the second hop's entity stands before the tenth's.
    pairs.sort(
        key=lambda pair: (_ROLES.index(pair[0].role), len(pair[0].id), pair[0].id, pair[1].id)
    )
    return tuple(
        Substitution(
            source=source.surface,
            virtual=entity.surface,
            entity_type=entity.entity_type,
            role=str(entity.role),
        )
        for entity, source in pairs
    )
