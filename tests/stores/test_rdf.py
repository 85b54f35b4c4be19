"""RDF keeps everything, both ways, and nothing that data say becomes a statement of its own."""

from __future__ import annotations

import pytest
from rdflib import Dataset, Graph, URIRef

from realhop_kg.errors import InputError
from realhop_kg.graph.schema import InsertionNode, PassageNode, SpanNode
from realhop_kg.model.text import Insertion, realize
from realhop_kg.stores.rdf import Source, dataset_triples, item_iri, item_triples, node_iri
from realhop_kg.stores.rdf_read import graph_of, parse_dataset, read_graphs
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


@pytest.mark.parametrize("text", HOSTILE, ids=range(len(HOSTILE)))
def test_hostile_text_stays_text(text: str) -> None:
    graph = hostile_graph(text)
    lines = list(quads(item_triples(text, text, graph), item_iri(text, text)))
    dataset = parse_dataset("\n".join(lines))
    assert dict(read_graphs(dataset)) == {text: graph}
    assert len(dataset) == len(lines) == len(set(lines))


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
        found = list(
            named.query(
                f"""PREFIX oa: <{OA}> PREFIX rh: <{RH}>
                SELECT ?start ?end ?exact ?before ?after ?text WHERE {{
                  ?span a oa:Annotation ; oa:hasBody ?stated ; oa:hasTarget ?target .
                  ?target oa:hasSource ?source ; oa:hasSelector ?position , ?quote .
                  ?position a oa:TextPositionSelector ; oa:start ?start ; oa:end ?end .
                  ?quote a oa:TextQuoteSelector ; oa:exact ?exact ; oa:prefix ?before ;
                         oa:suffix ?after .
                  ?source a rh:RealizedText ; rh:text ?text .
                }}""",
                initBindings={"span": URIRef(node_iri(base, span.id))},
            )
        )
        assert len(found) == 1
        start, end, exact, before, after, text = (value.toPython() for value in found[0])
        assert text[start:end] == exact == span.exact
        assert f"{before}{exact}{after}" in text
        assert text == _realized(graph, span.passage)


def _realized(graph: object, index: int) -> str:
    added = [
        Insertion.model_validate(node.model_dump())
        for node in graph.nodes(InsertionNode)  # type: ignore[attr-defined]
        if node.passage == index
    ]
    passage = next(p for p in graph.nodes(PassageNode) if p.index == index)  # type: ignore[attr-defined]
    return realize(passage.text, added)


def test_provenance_leads_from_a_span_to_inputs_and_prompts(some: Graphs) -> None:
    lines = [*quads(dataset_triples(SOURCE)), *_lines(some)]
    dataset = Dataset(default_union=True)
    dataset.parse(data="\n".join(lines), format="nquads")
    found = dataset.query(
        f"""PREFIX prov: <{PROV}> PREFIX rh: <{RH}>
        SELECT DISTINCT ?used ?sha ?agent WHERE {{
          ?span a rh:Span ; prov:wasGeneratedBy ?realization .
          ?realization a rh:Realization ; prov:wasInformedBy ?plan .
          ?plan a rh:Planning ; prov:wasInformedBy ?run .
          ?run prov:used ?input ; prov:wasAssociatedWith ?agent .
          ?input rh:key ?used ; rh:sha256 ?sha .
          ?freeze a rh:Freeze ; prov:wasInformedBy ?run .
          ?set prov:wasGeneratedBy ?freeze ; rh:sha256 "d1" .
        }} ORDER BY ?used"""
    )
    assert [(str(row[0]), str(row[1])) for row in found] == [
        ("plan.v1", "t1"),
        ("questions.jsonl", "f1"),
    ]
    derived = dataset.query(
        f"""PREFIX prov: <{PROV}> PREFIX rh: <{RH}>
        SELECT (COUNT(*) AS ?n) WHERE {{ ?virtual rh:rebinds ?source .
          FILTER NOT EXISTS {{ ?virtual prov:wasDerivedFrom ?source }} }}"""
    )
    assert [int(row[0]) for row in derived] == [0]


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
