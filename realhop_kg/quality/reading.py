"""What a reader of one item sees: question, answer, gold and competitor sentences, context."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Literal, NamedTuple

from realhop_kg.graph.reasoning import ReasoningGraph
from realhop_kg.graph.schema import (
    EdgeKind,
    FactNode,
    FactStatus,
    HopNode,
    InsertionNode,
    PassageNode,
    PathKind,
    PathNode,
)
from realhop_kg.model.frozen import FrozenItem
from realhop_kg.model.record import Record
from realhop_kg.quality.markup import Label
from realhop_kg.quality.sentences import Sentence, named, sentences_of
from realhop_kg.relations.predicates import Predicates
from realhop_kg.relations.wording import render

__all__ = [
    "Piece",
    "ReadPath",
    "ReadSentence",
    "ReadStep",
    "Reading",
    "ShownPassage",
    "reading",
    "shown_passages",
]


class ReadSentence(Record):
    """One inserted sentence."""

    text: str
    passage: int
    title: str
    """Of the passage."""


class ReadStep(Record):
    """One hop of a path."""

    hop: int
    role: Literal["gold", "near-miss", "continuation"]
    sentences: tuple[ReadSentence, ...]
    asked: str = ""
    """The part of the question that asks for it; of gold only."""
    answer: str = ""
    """What it leads to."""
    relation: str = ""
    """Id of the predicate that is stated."""
    misses: str = ""
    """Id of the required relation that a near-miss must not entail."""
    must_not_follow: str = ""
    """The required relation, stated of the near-miss's own names."""


class ReadPath(Record):
    """The gold path or a competitor path."""

    id: str
    kind: Literal["gold", "strict", "flexible"]
    breaks_at: int
    """0 for gold."""
    endpoint: str
    inherits: tuple[int, ...]
    """Hops that it shares with gold, and that are not written again."""
    steps: tuple[ReadStep, ...]


class Reading(Record):
    """One item of a reading sheet, with the labels to fill."""

    id: str
    gold_supports: Label = ""
    """Does the gold evidence match the question and support the answer?"""
    competitors_fail: Label = ""
    """Does every competitor relation fail to entail the required one?"""
    natural: Label = ""
    """Is each inserted sentence grammatical and natural?"""
    reader: str = ""
    comment: str = ""
    topology: str
    hops: int
    question: str
    answer: str
    aliases: tuple[str, ...]
    gold: ReadPath
    competitors: tuple[ReadPath, ...]
    digest: str
    """Of the dataset that was read."""
    seed: int
    """Of the sample."""


class Piece(NamedTuple):
    """A stretch of a realized passage."""

    text: str
    role: str
    """Empty for original text."""
    label: str
    """Path and hop of an insertion."""


class ShownPassage(NamedTuple):
    """One realized passage in pieces."""

    number: int
    title: str
    pieces: tuple[Piece, ...]
    insertions: int


_ROLES: Mapping[FactStatus, Literal["gold", "near-miss", "continuation"]] = {
    FactStatus.GOLD: "gold",
    FactStatus.BREAK: "near-miss",
    FactStatus.CONTINUATION: "continuation",
}
_KINDS: Mapping[PathKind, Literal["gold", "strict", "flexible"]] = {
    PathKind.GOLD: "gold",
    PathKind.STRICT: "strict",
    PathKind.FLEXIBLE: "flexible",
}


def reading(
    item: FrozenItem, graph: ReasoningGraph, predicates: Predicates, digest: str, seed: int
) -> Reading:
    """Return what a reader sees of one item.

    Args:
        item: the record.
        graph: its graph.
        predicates: all that its graph may use.
        digest: of the dataset.
        seed: of the sample.
    """
    order = {kind: place for place, kind in enumerate(PathKind)}
    paths = sorted(
        graph.nodes(PathNode),
        key=lambda path: (path.protected_hop, order[path.path_kind], path.candidate, path.id),
    )
    by_fact = _by_fact(graph)
    read = [_path(graph, path, by_fact, predicates) for path in paths]
    return Reading(
        id=item.id,
        topology=item.topology,
        hops=len(item.hops),
        question=item.question,
        answer=item.answer,
        aliases=item.aliases,
        gold=next(path for path in read if path.kind == "gold"),
        competitors=tuple(path for path in read if path.kind != "gold"),
        digest=digest,
        seed=seed,
    )


def _by_fact(graph: ReasoningGraph) -> dict[str, list[Sentence]]:
    """Return the sentences of each fact, those of its premises in their order."""
    found: dict[str, list[Sentence]] = {}
    for sentence in sentences_of(graph):
        fact = graph.targets(sentence.node, EdgeKind.COMPOSES) or [sentence.node]
        found.setdefault(fact[0], []).append(sentence)
    return found


def _path(
    graph: ReasoningGraph,
    path: PathNode,
    by_fact: Mapping[str, list[Sentence]],
    predicates: Predicates,
) -> ReadPath:
    steps: list[ReadStep] = []
    inherits: list[int] = []
    held = sorted(graph.edges(path.id, EdgeKind.CONTAINS), key=lambda edge: edge[1]["order"])
    for fact_id, edge in held:
        fact = graph.get(fact_id, FactNode)
        if edge["inherited"]:
            inherits.append(fact.hop)
        else:
            steps.append(_step(graph, fact, by_fact.get(fact_id, []), predicates))
    return ReadPath(
        id=_short(path),
        kind=_KINDS[path.path_kind],
        breaks_at=path.break_hop,
        endpoint=path.endpoint,
        inherits=tuple(inherits),
        steps=tuple(steps),
    )


def _step(
    graph: ReasoningGraph, fact: FactNode, sentences: list[Sentence], predicates: Predicates
) -> ReadStep:
    hop: HopNode = graph.target(fact.id, EdgeKind.REALIZES)
    titles = {page.index: page.page_title for page in graph.nodes(PassageNode)}
    names = named(graph, fact.id)
    broken = fact.status is FactStatus.BREAK
    return ReadStep(
        hop=fact.hop,
        role=_ROLES[fact.status],
        sentences=tuple(
            ReadSentence(
                text=sentence.text,
                passage=sentence.host.index,
                title=titles[sentence.host.index],
            )
            for sentence in sentences
        ),
        asked=hop.wording if fact.status is FactStatus.GOLD else "",
        answer=names["y"].surface,
        relation=fact.predicate,
        misses=hop.required if broken else "",
        must_not_follow=_required(graph, fact, hop, predicates) if broken else "",
    )


def _required(graph: ReasoningGraph, fact: FactNode, hop: HopNode, predicates: Predicates) -> str:
    """Return the required relation, stated with the names of a near-miss; empty if it has none."""
    names = named(graph, fact.id)
    for wording in predicates[hop.required].wordings if hop.required in predicates else ():
        try:
            written = {slot: entity.written for slot, entity in names.items()}
            return render(wording, written, names["y"].asked_kind)
        except KeyError:  # a wording of other slots
            continue
    return ""


def _short(path: PathNode) -> str:
    return path.id.removeprefix("path:")


def shown_passages(graph: ReasoningGraph) -> Iterator[ShownPassage]:
    """Yield the realized passages in their order, with each insertion as a piece of its own."""
    marks = _marks(graph)
    added: dict[int, list[InsertionNode]] = {}
    for node in graph.nodes(InsertionNode):
        added.setdefault(node.passage, []).append(node)
    for page in sorted(graph.nodes(PassageNode), key=lambda page: page.index):
        pieces: list[Piece] = []
        last = 0
        here = sorted(
            added.get(page.index, ()), key=lambda node: (node.offset, node.order, node.id)
        )
        for node in here:
            role, label = marks[node.id]
            # The separator belongs to the text around it.
            pieces += (
                Piece(page.text[last : node.offset] + node.text[:1], "", ""),
                Piece(node.text[1:], role, label),
            )
            last = node.offset
        pieces.append(Piece(page.text[last:], "", ""))
        yield ShownPassage(page.index, page.page_title, tuple(pieces), len(here))


def _marks(graph: ReasoningGraph) -> dict[str, tuple[str, str]]:
    """Return role and label of each insertion."""
    owners = {
        fact: _short(path)
        for path in graph.nodes(PathNode)
        for fact, held in graph.edges(path.id, EdgeKind.CONTAINS)
        if not held["inherited"]
    }
    marks: dict[str, tuple[str, str]] = {}
    for fact_id, sentences in _by_fact(graph).items():
        for sentence in sentences:
            path = owners.get(fact_id, "")
            label = "gold" if sentence.status is FactStatus.GOLD else path
            for span in graph.targets(sentence.node, EdgeKind.WRITTEN_AT):
                for insertion in graph.targets(span, EdgeKind.IN):
                    marks[insertion] = (_ROLES[sentence.status], f"{label}, hop {sentence.hop}")
    return marks
