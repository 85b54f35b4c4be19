"""`write`: sentences enter their hosts as insertions, with an exact span for each."""

from __future__ import annotations

from collections.abc import Iterable

from realhop_kg.errors import ContractError
from realhop_kg.graph.reasoning import ReasoningGraph
from realhop_kg.graph.schema import (
    EdgeKind,
    EvidenceUnit,
    FactNode,
    InsertionNode,
    PassageNode,
    SpanNode,
)
from realhop_kg.model.plan import WrittenSentence
from realhop_kg.model.sentences import separator
from realhop_kg.model.text import Insertion, insertion_starts

__all__ = ["insertions_of", "write"]


def insertions_of(graph: ReasoningGraph) -> dict[int, list[Insertion]]:
    """Return the insertions of each passage that has some, as text records."""
    found: dict[int, list[Insertion]] = {}
    for node in graph.nodes(InsertionNode):
        found.setdefault(node.passage, []).append(Insertion(**node.model_dump()))
    return found


def write(graph: ReasoningGraph, sentences: Iterable[WrittenSentence]) -> ReasoningGraph:
    """Return the graph with every sentence inserted in the host of its fact or premise.

    Raises:
        ContractError: T2 if something retained is not written, or written twice; T3 if an offset
            lies outside the host.

    Source: REALHOP, section 4.2 and Appendix I.3.
    """
    written = list(sentences)
    _check_coverage(graph, written)
    new = graph.copy()
    for sentence in written:
        host: PassageNode = new.target(sentence.source, EdgeKind.ROUTED_TO)
        if not 0 <= sentence.offset <= len(host.text):
            raise ContractError("T3", f"{sentence.source} is written outside passage {host.index}")
        insertion = InsertionNode(
            id=f"i:{sentence.source}",
            passage=host.index,
            offset=sentence.offset,
            order=sentence.order,
            text=separator(host.text, sentence.offset) + sentence.text,
        )
        new.add(insertion)
        new.connect(insertion.id, EdgeKind.IN, host.id)
    return _with_spans(new)


def _check_coverage(graph: ReasoningGraph, written: list[WrittenSentence]) -> None:
    split = {
        fact
        for unit in graph.nodes(EvidenceUnit)
        for fact in graph.targets(unit.id, EdgeKind.COMPOSES)
    }
    wanted = {unit.id for unit in graph.nodes(EvidenceUnit)} | {
        fact.id for fact in graph.nodes(FactNode) if fact.id not in split
    }
    sources = [sentence.source for sentence in written]
    if len(sources) != len(set(sources)) or set(sources) != wanted:
        odd = sorted(set(sources) ^ wanted) or sorted(sources)
        raise ContractError("T2", f"{odd[0]} is not written exactly once", (odd[0],))


def _with_spans(graph: ReasoningGraph) -> ReasoningGraph:
    """Add spans for all insertions; offsets count in the realized text."""
    for passage, insertions in insertions_of(graph).items():
        starts = insertion_starts(insertions)
        for insertion in insertions:
            source = insertion.id.removeprefix("i:")
            sentence = insertion.text[1:]
            start = starts[insertion.id] + 1
            span = SpanNode(
                id=f"t:{source}",
                passage=passage,
                start=start,
                end=start + len(sentence),
                exact=sentence,
            )
            graph.add(span)
            graph.connect(span.id, EdgeKind.IN, insertion.id)
            graph.connect(source, EdgeKind.WRITTEN_AT, span.id)
            if isinstance(graph[source], EvidenceUnit):
                fact = graph.targets(source, EdgeKind.COMPOSES)[0]
                graph.connect(fact, EdgeKind.WRITTEN_AT, span.id)
    return graph
