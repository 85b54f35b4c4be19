from __future__ import annotations

import random
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from realhop_kg.construct.realize import propose_sentences, sentence_names, written_nodes
from realhop_kg.contracts.check import check_item
from realhop_kg.graph.operators import write
from realhop_kg.graph.schema import (
    EdgeKind,
    EntityNode,
    EvidenceUnit,
    FactNode,
    InsertionNode,
    PassageNode,
)
from realhop_kg.model.finding import Code
from realhop_kg.model.sentences import insertion_points
from tests.graph.dags import DAGS
from tests.graph.operators.plans import PARENTS, Plans

REALIZED = {Code.T1, Code.T2, Code.T3, Code.T4, Code.T5, Code.N2}


@given(st.sampled_from(sorted(DAGS)), st.integers())
@settings(max_examples=20, deadline=None, derandomize=True)
def test_everything_is_worded_once_at_a_safe_place_and_breaks_no_contract(
    shape: str, seed: int
) -> None:
    plans = Plans(DAGS[shape])
    graph = plans.routed()
    sentences = propose_sentences(graph, plans.predicates, random.Random(seed))
    assert Counter(s.source for s in sentences) == Counter(n.id for n in written_nodes(graph))
    for sentence in sentences:
        host: PassageNode = graph.target(sentence.source, EdgeKind.ROUTED_TO)
        assert sentence.offset in insertion_points(host.text)
    written = write(graph, sentences)
    assert check_item(written, plans.predicates, PARENTS, codes=REALIZED) == []


@given(st.sampled_from(sorted(DAGS)), st.integers())
@settings(max_examples=20, deadline=None, derandomize=True)
def test_premises_of_a_fact_are_read_in_their_order(shape: str, seed: int) -> None:
    plans = Plans(DAGS[shape])
    graph = plans.routed()
    sentences = propose_sentences(graph, plans.predicates, random.Random(seed))
    written = write(graph, sentences)
    for fact in written.nodes(FactNode):
        units = written.sources(fact.id, EdgeKind.COMPOSES)
        starts = [written[f"t:{unit}"].start for unit in units]  # type: ignore[union-attr]
        assert starts == sorted(starts)


def test_places_are_drawn_among_all_that_are_safe() -> None:
    plans = Plans(DAGS["2hop"])
    graph = plans.routed()
    offsets = {
        s.offset
        for seed in range(20)
        for s in propose_sentences(graph, plans.predicates, random.Random(seed))
        if s.source == "f:g.h1"
    }
    text = graph.get("p0", PassageNode).text
    assert offsets == set(insertion_points(text))
    assert len(offsets) == 3


def test_gold_and_competitors_take_turns_in_a_passage() -> None:
    plans = Plans(DAGS["2hop"])
    graph = plans.branched()
    host = graph.get("p0", PassageNode).model_copy(update={"text": "All at one place"})
    graph.add(host)
    for node in (*graph.nodes(FactNode), *graph.nodes(EvidenceUnit)):
        graph.connect(node.id, EdgeKind.ROUTED_TO, "p0")
    first = Counter()
    for seed in range(60):
        sentences = propose_sentences(graph, plans.predicates, random.Random(seed))
        first[min(sentences, key=lambda s: s.order).source.partition(".")[0]] += 1
    assert {"f:g", "f:s1a", "f:s1b", "f:f1a"} <= set(first)


def test_the_same_generator_gives_the_same_sentences_in_the_same_places() -> None:
    plans = Plans(DAGS["diamond"])
    graph = plans.routed()
    drawn = [propose_sentences(graph, plans.predicates, random.Random(seed)) for seed in (1, 1, 2)]
    assert drawn[0] == drawn[1]
    assert drawn[0] != drawn[2]


@pytest.mark.parametrize("article", ["", "the"])
def test_names_are_written_with_their_article_and_keys_under_k(article: str) -> None:
    graph = Plans(DAGS["2hop"]).factorized()
    value = graph.get("e:h2", EntityNode).model_copy(
        update={"surface": "Ask", "article": article, "asked_kind": "river"}
    )
    key = graph.get("k:g.h2", EntityNode).surface
    bridge = graph.get("e:h1", EntityNode).surface
    graph.add(value)
    written = f"{article} Ask".strip()
    assert sentence_names(graph, "f:g.h2") == ({"x": bridge, "y": written}, "river")
    assert sentence_names(graph, "u:g.h2.1") == ({"x": bridge, "k": key}, "entry")
    assert sentence_names(graph, "u:g.h2.2") == ({"k": key, "y": written}, "river")


def test_a_split_fact_is_not_written_beside_its_premises() -> None:
    graph = Plans(DAGS["3hop1"]).factorized()
    ids = [node.id for node in written_nodes(graph)]
    assert ids == ["f:g.h2", "u:g.h1.1", "u:g.h1.2", "u:g.h3.1", "u:g.h3.2"]


def test_insertions_of_a_passage_have_ranks_of_their_own() -> None:
    plans = Plans(DAGS["4hop2"])
    graph = plans.routed()
    written = write(graph, propose_sentences(graph, plans.predicates, random.Random(0)))
    places = [(i.passage, i.offset, i.order) for i in written.nodes(InsertionNode)]
    assert len(places) == len(set(places))
