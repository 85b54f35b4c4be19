"""A graph as RDF: one named graph per item, spans as Web Annotations, provenance in PROV-O.

Every resource has an IRI made from scope, item and node, percent-encoded, so nothing that data
say can end an IRI or begin a statement, and two exports of one dataset are the same lines.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from typing import Any, TypeVar
from urllib.parse import quote

from realhop_kg.errors import InputError
from realhop_kg.graph.reasoning import ReasoningGraph
from realhop_kg.graph.schema import (
    EDGES,
    EdgeKind,
    EntityNode,
    EvidenceUnit,
    FactNode,
    InsertionNode,
    ItemNode,
    NodeBase,
    PassageNode,
    PathNode,
    SpanNode,
)
from realhop_kg.graph.views import with_relates
from realhop_kg.model.entity import Origin
from realhop_kg.model.text import Insertion, realize
from realhop_kg.stores.rdf_terms import HALF, OA, PROV, RDF, RH, Iri, Literal, Triple

__all__ = [
    "calls_iri",
    "dataset_iri",
    "edge_iri",
    "item_iri",
    "item_triples",
    "node_iri",
    "part",
    "property_iri",
    "run_iri",
]

_LONGEST = 500
"""Longest text that becomes part of an IRI as it is."""

_REALIZING = ("realize", "audit")
"""Stages whose models look at written text; those of the others make the plan."""

_CONTEXT = 32
"""Code points before and after a quoted span, to find it again in a changed text."""


def part(text: str) -> str:
    """Return a text as one part of an IRI, which nothing in it can end.

    A long text is told by its digest, after a sign that no quoted text holds; `rh:id` has it whole.
    """
    try:
        if len(text) > _LONGEST:
            return f"*{hashlib.sha256(text.encode()).hexdigest()}"
        return quote(text, safe="")
    except UnicodeEncodeError as error:
        raise InputError(HALF) from error


def item_iri(scope: str, item: str) -> Iri:
    """Return the IRI of an item's named graph."""
    return Iri(f"urn:realhop:data:{part(scope)}:{part(item)}")


def node_iri(base: str, node: str) -> Iri:
    """Return the IRI of a node in an item's graph."""
    return Iri(f"{base}#{part(node)}")


def property_iri(name: str) -> Iri:
    """Return the IRI of a property of the schema."""
    return Iri(RH + name)


def edge_iri(kind: EdgeKind) -> Iri:
    """Return the IRI of a kind of edge: `HAS_HOP` is `hasHop`."""
    first, *rest = str(kind).lower().split("_")
    return Iri(RH + first + "".join(part.title() for part in rest))


Payload = TypeVar("Payload", bound=NodeBase)

_A = Iri(RDF + "type")


def item_triples(scope: str, item: str, graph: ReasoningGraph) -> Iterator[Triple]:
    """Yield everything that is said of one item, nodes and edges first."""
    base = item_iri(scope, item)
    data = with_relates(graph).to_node_link()
    for entry in data["nodes"]:
        yield from _node(base, entry)
    for edge in data["edges"]:
        yield from _edge(base, edge)
    yield from _annotations(base, graph)
    yield from _provenance(scope, base, graph)


def _node(base: Iri, entry: Mapping[str, Any]) -> Iterator[Triple]:
    own = node_iri(base, entry["id"])
    yield own, _A, Iri(RH + entry["kind"])
    yield own, property_iri("id"), Literal(entry["id"])
    for name, value in entry.items():
        if name in ("kind", "id"):
            continue
        if not isinstance(value, list):
            yield own, property_iri(name), Literal(value)
            continue
        # A list keeps its order as an RDF list, whose cells have names of their own.
        cells = [Iri(f"{own}/{name}/{place}") for place in range(len(value))]
        cells.append(Iri(RDF + "nil"))
        yield own, property_iri(name), cells[0]
        for cell, rest, text in zip(cells, cells[1:], value, strict=False):
            yield cell, Iri(RDF + "first"), Literal(text)
            yield cell, Iri(RDF + "rest"), rest


def _edge(base: Iri, edge: Mapping[str, Any]) -> Iterator[Triple]:
    kind = EdgeKind(edge["kind"])
    source, target = node_iri(base, edge["source"]), node_iri(base, edge["target"])
    yield source, edge_iri(kind), target
    properties = EDGES[kind].properties
    if not properties:
        return
    own = Iri(f"{source}/{kind}/{part(edge['target'])}/{part(edge['key'])}")
    yield own, _A, Iri(RDF + "Statement")
    yield own, Iri(RDF + "subject"), source
    yield own, Iri(RDF + "predicate"), edge_iri(kind)
    yield own, Iri(RDF + "object"), target
    for name in properties:
        yield own, property_iri(name), Literal(edge[name])


def _sorted(graph: ReasoningGraph, model: type[Payload]) -> list[Payload]:
    """Return nodes in an order that a graph read back from anywhere has too."""
    return sorted(graph.nodes(model), key=lambda node: node.id)


def _realized(graph: ReasoningGraph) -> dict[int, tuple[PassageNode, str]]:
    added: dict[int, list[Insertion]] = {}
    for node in graph.nodes(InsertionNode):
        added.setdefault(node.passage, []).append(Insertion.model_validate(node.model_dump()))
    texts = {}
    for passage in _sorted(graph, PassageNode):
        try:
            text = realize(passage.text, added.get(passage.index, []))
        except ValueError:
            continue  # contract T1 is broken; there is no text to point into
        texts[passage.index] = (passage, text)
    return texts


def _annotations(base: Iri, graph: ReasoningGraph) -> Iterator[Triple]:
    """Yield each span as an annotation: what is stated, and where in which realized text."""
    texts = _realized(graph)
    for passage, text in texts.values():
        own = Iri(f"{node_iri(base, passage.id)}/realized")
        yield own, _A, Iri(RH + "RealizedText")
        yield own, property_iri("text"), Literal(text)
        yield own, Iri(PROV + "wasDerivedFrom"), node_iri(base, passage.id)
    for span in _sorted(graph, SpanNode):
        own = node_iri(base, span.id)
        yield own, _A, Iri(OA + "Annotation")
        for stated in sorted(graph.sources(span.id, EdgeKind.WRITTEN_AT)):
            yield own, Iri(OA + "hasBody"), node_iri(base, stated)
        if span.passage not in texts:
            continue
        passage, text = texts[span.passage]
        target, position, quotation = (
            Iri(f"{own}/{part}") for part in ("target", "position", "quote")
        )
        yield own, Iri(OA + "hasTarget"), target
        yield target, _A, Iri(OA + "SpecificResource")
        yield target, Iri(OA + "hasSource"), Iri(f"{node_iri(base, passage.id)}/realized")
        yield target, Iri(OA + "hasSelector"), position
        yield target, Iri(OA + "hasSelector"), quotation
        yield position, _A, Iri(OA + "TextPositionSelector")
        yield position, Iri(OA + "start"), Literal(span.start)
        yield position, Iri(OA + "end"), Literal(span.end)
        yield quotation, _A, Iri(OA + "TextQuoteSelector")
        yield quotation, Iri(OA + "exact"), Literal(span.exact)
        before = text[max(0, span.start - _CONTEXT) : span.start]
        yield quotation, Iri(OA + "prefix"), Literal(before)
        yield quotation, Iri(OA + "suffix"), Literal(text[span.end : span.end + _CONTEXT])


def _provenance(scope: str, base: Iri, graph: ReasoningGraph) -> Iterator[Triple]:
    plan, realization = Iri(f"{base}#activity/plan"), Iri(f"{base}#activity/realization")
    run = run_iri(scope)
    for activity, kind in ((plan, "Planning"), (realization, "Realization")):
        yield activity, _A, Iri(PROV + "Activity")
        yield activity, _A, Iri(RH + kind)
        yield activity, Iri(PROV + "wasInformedBy"), run
    yield realization, Iri(PROV + "wasInformedBy"), plan
    yield from _replies(scope, base, graph, plan, realization)
    planned = [
        node.id for model in (FactNode, EvidenceUnit, PathNode) for node in _sorted(graph, model)
    ]
    planned += [node.id for node in _sorted(graph, EntityNode) if node.origin is Origin.VIRTUAL]
    for node in planned:
        yield node_iri(base, node), Iri(PROV + "wasGeneratedBy"), plan
    for model in (InsertionNode, SpanNode):
        for written in _sorted(graph, model):
            yield node_iri(base, written.id), Iri(PROV + "wasGeneratedBy"), realization
    for entity in _sorted(graph, EntityNode):
        for source in graph.targets(entity.id, EdgeKind.REBINDS):
            yield node_iri(base, entity.id), Iri(PROV + "wasDerivedFrom"), node_iri(base, source)


def _replies(
    scope: str, base: Iri, graph: ReasoningGraph, plan: Iri, realization: Iri
) -> Iterator[Triple]:
    """Yield the calls whose replies went into an item, each part of the calls of its stage."""
    for item in _sorted(graph, ItemNode):
        for reply in item.replies:
            stage, _, key = reply.partition(": ")
            own = Iri(f"{base}#activity/reply/{part(key)}")
            yield own, _A, Iri(PROV + "Activity")
            yield own, _A, Iri(RH + "ModelCall")
            yield own, property_iri("key"), Literal(key)
            yield own, property_iri("partOf"), calls_iri(scope, stage)
            led_to = realization if stage in _REALIZING else plan
            yield led_to, Iri(PROV + "wasInformedBy"), own


def calls_iri(scope: str, stage: str) -> Iri:
    """Return the IRI of the model calls of a stage."""
    return Iri(f"{dataset_iri(scope)}#calls/{part(stage)}")


def dataset_iri(scope: str) -> Iri:
    """Return the IRI of a dataset."""
    return Iri(f"urn:realhop:data:{part(scope)}")


def run_iri(scope: str) -> Iri:
    """Return the IRI of the run that made a dataset."""
    return Iri(f"{dataset_iri(scope)}#run")
