"""Words every fact and premise, and chooses a safe place in its host for each sentence."""

from __future__ import annotations

import random

from realhop_kg.graph.reasoning import ReasoningGraph
from realhop_kg.graph.schema import (
    EdgeKind,
    EntityNode,
    EvidenceUnit,
    FactNode,
    PassageNode,
)
from realhop_kg.model.plan import WrittenSentence
from realhop_kg.model.sentences import insertion_points
from realhop_kg.relations.predicates import Predicates
from realhop_kg.relations.types import entity_types
from realhop_kg.relations.wording import dated, render

__all__ = ["propose_sentences", "sentence_names", "wording_of", "written_nodes"]


def written_nodes(graph: ReasoningGraph) -> list[FactNode | EvidenceUnit]:
    """Return what must be written: whole facts, and the premises of split ones."""
    units = graph.nodes(EvidenceUnit)
    split = {fact for unit in units for fact in graph.targets(unit.id, EdgeKind.COMPOSES)}
    return [*(fact for fact in graph.nodes(FactNode) if fact.id not in split), *units]


def sentence_names(graph: ReasoningGraph, node_id: str) -> tuple[dict[str, str], str]:
    """Return the names by slot of a fact or premise, and the kind noun of its value.

    The value stands under `y`, or under `k` where it is a key.
    """
    names = {
        properties["slot"]: graph.get(subject, EntityNode).written
        for subject, properties in graph.edges(node_id, EdgeKind.SUBJECT)
    }
    value: EntityNode = graph.target(node_id, EdgeKind.OBJECT)
    names["k" if value.entity_type == "key" else "y"] = value.written
    return names, value.asked_kind


def propose_sentences(
    graph: ReasoningGraph, predicates: Predicates, rng: random.Random
) -> list[WrittenSentence]:
    """Return a sentence and a place for everything that must be written.

    Places are drawn evenly among the safe boundaries of the host, for gold and competitors alike;
    the premises of one fact keep their order.

    Args:
        graph: a routed graph.
        predicates: their wordings.
        rng: seeded generator.
    """
    by_host: dict[str, list[FactNode | EvidenceUnit]] = {}
    for node in written_nodes(graph):
        by_host.setdefault(graph.targets(node.id, EdgeKind.ROUTED_TO)[0], []).append(node)
    sentences: list[WrittenSentence] = []
    for host, nodes in by_host.items():
        places = insertion_points(graph.get(host, PassageNode).text)
        drawn = _places(graph, nodes, places, rng)
        for order, (offset, node) in enumerate(drawn):
            names, kind = sentence_names(graph, node.id)
            wording = wording_of(graph, node, predicates)
            sentences.append(
                WrittenSentence(
                    source=node.id, offset=offset, order=order, text=render(wording, names, kind)
                )
            )
    return sentences


def wording_of(graph: ReasoningGraph, node: FactNode | EvidenceUnit, predicates: Predicates) -> str:
    """Return the wording that suits the value: `the year in which` where the value is a year."""
    wordings = predicates[node.predicate].wordings
    fact = graph.targets(node.id, EdgeKind.COMPOSES)
    value: EntityNode = graph.target(fact[0] if fact else node.id, EdgeKind.OBJECT)
    fitting = dated(wordings[0], entity_types().unit_of(value.entity_type))
    return fitting if fitting in wordings else wordings[0]


def _places(
    graph: ReasoningGraph,
    nodes: list[FactNode | EvidenceUnit],
    places: list[int],
    rng: random.Random,
) -> list[tuple[int, FactNode | EvidenceUnit]]:
    """Return nodes with their offsets, in the order in which they will be read."""
    groups: dict[str, list[FactNode | EvidenceUnit]] = {}
    for node in nodes:
        fact = graph.targets(node.id, EdgeKind.COMPOSES)
        groups.setdefault(fact[0] if fact else node.id, []).append(node)
    order = list(groups.values())
    rng.shuffle(order)
    drawn: list[tuple[int, FactNode | EvidenceUnit]] = []
    for group in order:
        offsets = sorted(rng.choice(places) for _ in group)
        ranked = sorted(group, key=lambda node: getattr(node, "order", 0))
        drawn += zip(offsets, ranked, strict=True)
    return sorted(drawn, key=lambda placed: placed[0])
