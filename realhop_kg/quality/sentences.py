"""Reads the inserted sentences of a graph, each with what might give it away."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

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
    Side,
    SpanNode,
)
from realhop_kg.model.entity import EntityRole

__all__ = ["Host", "Sentence", "named", "sentences_of", "skeleton"]

_NUMBER = re.compile(r"(?<!\w)\d[\d.,:/-]*(?<=\d)")
_PLACE = 0xE000
"""First of the characters that stand for names in the meantime: no text uses them."""

_WORD = re.compile(r"[^\W\d_]{4,}")


@dataclass(frozen=True, slots=True)
class Host:
    """A passage that sentences were inserted into."""

    index: int
    support: bool
    """Whether it supports a hop; nothing in the text says so."""
    topical: bool
    """Whether fewer passages than hops share more words with the question."""
    insertions: int


@dataclass(frozen=True, slots=True)
class Sentence:
    """One inserted sentence: a whole fact, or a premise of one."""

    item: str
    node: str
    """Id of the fact or premise."""
    status: FactStatus
    hop: int
    part: int
    """0 for a whole fact, else the number of the premise."""
    text: str
    skeleton: str
    host: Host
    rank: int
    """Position among the insertions of the host, from 0."""
    place: float
    """Where in the host it stands: 0 at the start of its original text, 1 at the end."""


def sentences_of(graph: ReasoningGraph) -> Iterator[Sentence]:
    """Yield every inserted sentence of a constructed graph, facts and premises in their order."""
    key = next(item.item_key for item in graph.nodes(ItemNode) if item.side is Side.CONSTRUCTED)
    order = _reading_order(graph)
    hosts = _hosts(graph, order)
    lengths = {page.index: len(page.text.rstrip()) for page in graph.nodes(PassageNode)}
    for node, fact in _written(graph):
        names = {slot: entity.written for slot, entity in named(graph, node.id).items()}
        for span_id in graph.targets(node.id, EdgeKind.WRITTEN_AT):
            text = graph.get(span_id, SpanNode).exact
            for place in graph.targets(span_id, EdgeKind.IN):
                added = graph.get(place, InsertionNode)
                yield Sentence(
                    item=key,
                    node=node.id,
                    status=fact.status,
                    hop=fact.hop,
                    part=node.order if isinstance(node, EvidenceUnit) else 0,
                    text=text,
                    skeleton=skeleton(text, names),
                    host=hosts[added.passage],
                    rank=order[added.passage].index(added.id),
                    place=min(1.0, added.offset / max(1, lengths[added.passage])),
                )


def named(graph: ReasoningGraph, node_id: str) -> dict[str, EntityNode]:
    """Return the entities of a fact or premise by slot; its value is `y`, or `k` if it is a key."""
    found = {
        properties["slot"]: graph.get(subject, EntityNode)
        for subject, properties in graph.edges(node_id, EdgeKind.SUBJECT)
    }
    value: EntityNode = graph.target(node_id, EdgeKind.OBJECT)
    return {**found, "k" if value.role is EntityRole.KEY else "y": value}


def skeleton(text: str, names: Mapping[str, str]) -> str:
    """Return a sentence with each name as `{slot}` and each number that is left as `{n}`.

    Args:
        text: the sentence.
        names: how each name is written in the middle of a sentence, by slot.

    Examples:
        >>> skeleton("The Orlen Bridge spans 3 rivers.", {"x": "the Orlen Bridge"})
        '{x} spans {n} rivers.'
    """
    forms = {
        form: chr(_PLACE + number)
        for number, name in enumerate(names.values())
        for form in (name, name[:1].upper() + name[1:])
        if form
    }
    for form in sorted(forms, key=lambda form: (-len(form), form)):
        text = _replaced(text, form, forms[form])
    text = _NUMBER.sub("{n}", text)
    return text.translate({_PLACE + number: f"{{{slot}}}" for number, slot in enumerate(names)})


def _replaced(text: str, name: str, mark: str) -> str:
    """Replace a name wherever it stands as a whole; compiling a pattern for each takes longer."""
    start = text.find(name)
    while start >= 0:
        end = start + len(name)
        inside = name[0].isalnum() and text[start - 1 : start].isalnum()
        if inside or (name[-1].isalnum() and text[end : end + 1].isalnum()):
            start = text.find(name, start + 1)
        else:
            text = text[:start] + mark + text[end:]
            start = text.find(name, start + len(mark))
    return text


def _written(graph: ReasoningGraph) -> Iterator[tuple[FactNode | EvidenceUnit, FactNode]]:
    """Yield what is written, with the fact that it states or is a premise of."""
    units: dict[str, list[EvidenceUnit]] = {}
    for unit in graph.nodes(EvidenceUnit):
        for fact_id in graph.targets(unit.id, EdgeKind.COMPOSES):
            units.setdefault(fact_id, []).append(unit)
    for fact in graph.nodes(FactNode):
        for unit in sorted(units.get(fact.id, ()), key=lambda unit: (unit.order, unit.id)):
            yield unit, fact
        if fact.id not in units:
            yield fact, fact


def _reading_order(graph: ReasoningGraph) -> dict[int, list[str]]:
    """Return the ids of the insertions by passage, in the order in which they are read."""
    found = graph.nodes(InsertionNode)
    order: dict[int, list[str]] = {}
    for added in sorted(found, key=lambda node: (node.offset, node.order, node.id)):
        order.setdefault(added.passage, []).append(added.id)
    return order


def _hosts(graph: ReasoningGraph, order: Mapping[int, list[str]]) -> dict[int, Host]:
    passages = graph.nodes(PassageNode)
    hops = len(graph.nodes(HopNode))
    shared = _shared_words(graph, passages)
    best = sorted(shared.values(), reverse=True)[:hops]
    return {
        page.index: Host(
            index=page.index,
            support=page.origin == "support",
            topical=shared[page.index] > 0 and shared[page.index] >= best[-1],
            insertions=len(order.get(page.index, ())),
        )
        for page in passages
    }


def _shared_words(graph: ReasoningGraph, passages: Iterable[PassageNode]) -> dict[int, int]:
    """Return how many words of the question stand in each passage before insertion."""
    item = next(node for node in graph.nodes(ItemNode) if node.side is Side.CONSTRUCTED)
    asked = set(_WORD.findall(item.question.casefold()))
    texts = {page.index: f"{page.page_title}\n{page.text}".casefold() for page in passages}
    return {index: len(asked.intersection(_WORD.findall(text))) for index, text in texts.items()}
