"""RDF keeps everything, both ways, and nothing that data say becomes a statement of its own."""

from __future__ import annotations

import pytest
from rdflib import RDF, Dataset, Graph, URIRef
from rdflib.term import Node

from realhop_kg.errors import InputError
from realhop_kg.graph.reasoning import ReasoningGraph
from realhop_kg.graph.schema import (
    EdgeKind,
    InsertionNode,
    ItemNode,
    PassageNode,
    Side,
    SpanNode,
)
from realhop_kg.model.text import Insertion, realize
from realhop_kg.stores.rdf import item_iri, item_triples, node_iri
from realhop_kg.stores.rdf_read import graph_of, parse_dataset, read_graphs
from realhop_kg.stores.rdf_source import Source, dataset_triples
from realhop_kg.stores.rdf_terms import OA, PREFIXES, PROV, RH, quads, turtle
from tests.stores.conftest import Graphs
from tests.stores.test_load import HOSTILE, hostile_graph

SOURCE = Source(
    scope="set",
    software="realhop-kg 1",
    digest="d1",
    seed=3,
    settings={"backend": "rules"},
    inputs={"questions.jsonl": "f1"},
    templates={"plan.v1": "t1"},
)


def _lines(graphs: Graphs) -> list[str]:
    return [
        line
        for key, graph in graphs.items()
        for line in quads(item_triples("set", key, graph), item_iri("set", key))
    ]


@pytest.fixture(scope="module")
def parsed(some: Graphs) -> Dataset:
    return parse_dataset("\n".join(_lines(some)))


def test_rdf_to_graph_to_rdf_keeps_everything(some: Graphs, parsed: Dataset) -> None:
    back = dict(read_graphs(parsed))
    assert back == some
    assert sorted(_lines(back)) == sorted(_lines(some))


def test_each_item_is_one_named_graph(some: Graphs, parsed: Dataset) -> None:
    names = {str(graph.identifier) for graph in parsed.graphs() if len(graph)}
    assert names == {item_iri("set", key) for key in some}


@pytest.mark.parametrize("text", HOSTILE[:-1], ids=range(len(HOSTILE) - 1))
def test_hostile_text_stays_text(text: str) -> None:
    graph = hostile_graph(text)
    lines = list(quads(item_triples(text, text, graph), item_iri(text, text)))
    dataset = parse_dataset("\n".join(lines))
    assert dict(read_graphs(dataset)) == {text: graph}
    assert len(dataset) == len(lines) == len(set(lines))


@pytest.mark.parametrize("length", [100_000, pytest.param(1_000_000, marks=pytest.mark.soak)])
def test_a_megabyte_of_text_and_a_long_id_come_back(length: int) -> None:
    """One of each: the parser of rdflib takes time that grows with the square of a line."""
    graph, long = ReasoningGraph(), "x" * length
    for node_id, text in (("item", long), (f"item{long[:10_000]}", "short")):
        side = Side.CONSTRUCTED if text is long else Side.SOURCE
        graph.add(
            ItemNode(
                id=node_id,
                item_key="key",
                dataset="",
                source_id="",
                side=side,
                question=text,
                answer="",
                topology="",
            )
        )
    lines = quads(item_triples("set", "key", graph), item_iri("set", "key"))
    assert dict(read_graphs(parse_dataset("\n".join(lines)))) == {"key": graph}


def test_turtle_says_the_same_as_nquads(some: Graphs) -> None:
    key, graph = next(iter(some.items()))
    head = "".join(f"@prefix {prefix}: <{space}> .\n" for prefix, space in PREFIXES.items())
    one = Graph().parse(data=head + "".join(turtle(item_triples("s", key, graph))), format="turtle")
    two = Graph().parse(data="\n".join(quads(item_triples("s", key, graph))), format="nt")
    assert set(one) == set(two)
    assert graph_of(one) == graph


def test_spans_are_web_annotations_that_point_into_the_realized_text(
    some: Graphs, parsed: Dataset
) -> None:
    key, graph = next(iter(some.items()))
    base = item_iri("set", key)
    named = parsed.graph(URIRef(base))
    spans = graph.nodes(SpanNode)
    assert spans
    for span in spans:
        own = URIRef(node_iri(base, span.id))
        (target,) = named.objects(own, URIRef(OA + "hasTarget"))
        (source,) = named.objects(target, URIRef(OA + "hasSource"))
        selected = {
            str(named.value(selector, RDF.type)).removeprefix(OA): selector
            for selector in named.objects(target, URIRef(OA + "hasSelector"))
        }

        def value(subject: object, name: str) -> object:
            (literal,) = named.objects(subject, URIRef(name))
            return literal.toPython() if literal.datatype else str(literal)

        text = str(value(source, RH + "text"))
        position = selected["TextPositionSelector"]
        quotation = selected["TextQuoteSelector"]
        start, end = value(position, OA + "start"), value(position, OA + "end")
        before, exact, after = (
            str(value(quotation, OA + name)) for name in ("prefix", "exact", "suffix")
        )
        assert text[start:end] == exact == span.exact
        assert f"{before}{exact}{after}" in text
        assert text == _realized(graph, span.passage)
        stated = {str(body) for body in named.objects(own, URIRef(OA + "hasBody"))}
        assert stated == {node_iri(base, n) for n in graph.sources(span.id, EdgeKind.WRITTEN_AT)}


def _realized(graph: ReasoningGraph, index: int) -> str:
    added = [
        Insertion.model_validate(node.model_dump())
        for node in graph.nodes(InsertionNode)
        if node.passage == index
    ]
    passage = next(p for p in graph.nodes(PassageNode) if p.index == index)
    return realize(passage.text, added)


def test_provenance_leads_from_a_span_to_inputs_prompts_and_freeze(some: Graphs) -> None:
    key, graph = next(iter(some.items()))
    base = item_iri("set", key)
    told = Graph()
    for triples in (dataset_triples(SOURCE), item_triples("set", key, graph)):
        told.parse(data="\n".join(quads(triples)), format="nt")

    def one(subject: Node, *path: str) -> Node:
        for step in path:
            (subject,) = told.objects(subject, URIRef(step))
        return subject

    by, informed = PROV + "wasGeneratedBy", PROV + "wasInformedBy"
    realization = one(URIRef(node_iri(base, graph.nodes(SpanNode)[0].id)), by)
    (plan,) = (
        activity
        for activity in told.objects(realization, URIRef(informed))
        if (activity, RDF.type, URIRef(RH + "Planning")) in told
    )
    run = one(plan, informed)
    used = {
        str(one(entity, RH + "key")): str(one(entity, RH + "sha256"))
        for entity in told.objects(run, URIRef(PROV + "used"))
    }
    assert used == {"questions.jsonl": "f1", "plan.v1": "t1"}
    freeze = one(URIRef("urn:realhop:data:set"), by)
    assert one(freeze, informed) == run
    rebound = list(told.subject_objects(URIRef(RH + "rebinds")))
    assert rebound
    assert set(rebound) <= set(told.subject_objects(URIRef(PROV + "wasDerivedFrom")))


def test_half_a_character_is_refused() -> None:
    with pytest.raises(InputError, match="surrogate"):
        list(quads(item_triples("s", "i", hostile_graph("\ud83d"))))


def test_what_is_no_rdf_or_no_graph_of_ours_is_refused(some: Graphs) -> None:
    with pytest.raises(InputError, match="not nquads"):
        parse_dataset("this is nothing")
    key, graph = next(iter(some.items()))
    lines = [line for line in _lines({key: graph}) if f"<{RH}status>" not in line]
    with pytest.raises(InputError, match="0 values of status"):
        list(read_graphs(parse_dataset("\n".join(lines))))
