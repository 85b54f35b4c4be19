from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from realhop_kg.errors import ContractError
from realhop_kg.graph.operators import write
from realhop_kg.graph.operators.write import insertions_of
from realhop_kg.graph.schema import (
    EdgeKind,
    EvidenceUnit,
    FactNode,
    InsertionNode,
    PassageNode,
    SpanNode,
)
from realhop_kg.model.plan import WrittenSentence
from realhop_kg.model.text import realize, restore
from tests.graph.dags import DAGS, random_dags
from tests.graph.operators.plans import Plans

Deps = dict[int, tuple[int, ...]]


def anywhere(draw: st.DrawFn, plans: Plans) -> list[WrittenSentence]:
    """Give every sentence any offset of its host, and any rank among all."""
    graph = plans.routed()
    sentences = plans.sentences(graph)
    orders = draw(st.permutations(range(len(sentences))))
    placed = []
    for sentence, order in zip(sentences, orders, strict=True):
        host: PassageNode = graph.target(sentence.source, EdgeKind.ROUTED_TO)
        offset = draw(st.integers(0, len(host.text)))
        placed.append(sentence.model_copy(update={"offset": offset, "order": order}))
    return placed


@given(random_dags(most=4), st.data())
@settings(max_examples=25, deadline=None, derandomize=True)
def test_sentences_stand_at_their_spans_and_leave_the_original_restorable(
    deps: Deps, data: st.DataObject
) -> None:
    plans = Plans(deps)
    sentences = anywhere(data.draw, plans)
    graph = write(plans.routed(), sentences)
    inserted = insertions_of(graph)
    texts = {}
    for passage in graph.nodes(PassageNode):
        added = inserted.get(passage.index, [])
        texts[passage.index] = realize(passage.text, added)
        assert restore(texts[passage.index], added) == passage.text
    assert len(graph.nodes(SpanNode)) == len(graph.nodes(InsertionNode)) == len(sentences)
    for sentence in sentences:
        span = graph.get(f"t:{sentence.source}", SpanNode)
        assert texts[span.passage][span.start : span.end] == span.exact == sentence.text
        insertion: InsertionNode = graph.target(span.id, EdgeKind.IN)
        assert insertion.text[1:] == sentence.text
        host: PassageNode = graph.target(insertion.id, EdgeKind.IN)
        assert host == graph.target(sentence.source, EdgeKind.ROUTED_TO)
        assert (host.index, insertion.offset) == (span.passage, sentence.offset)


def test_a_split_fact_is_written_where_its_premises_are() -> None:
    graph = Plans(DAGS["3hop2"]).written()
    for fact in graph.nodes(FactNode):
        units = graph.sources(fact.id, EdgeKind.COMPOSES)
        spans = [span for unit in units for span in graph.targets(unit, EdgeKind.WRITTEN_AT)]
        assert graph.targets(fact.id, EdgeKind.WRITTEN_AT) == (spans or [f"t:{fact.id}"])
    for unit in graph.nodes(EvidenceUnit):
        assert graph.targets(unit.id, EdgeKind.WRITTEN_AT) == [f"t:{unit.id}"]


def test_a_sentence_is_set_off_by_a_blank_or_by_a_newline_where_no_sentence_ends() -> None:
    graph = Plans(DAGS["2hop"]).written()
    whole = graph.get("i:f:g.h1", InsertionNode)  # after "Page 0 is short."
    premise = graph.get("i:u:g.h2.1", InsertionNode)  # after "Bo Kim stays at home"
    assert (whole.text[0], premise.text[0]) == (" ", "\n")


@pytest.mark.parametrize(
    ("code", "message", "change"),
    [
        ("T2", "u:s2b.h2.2 is not written exactly once", lambda s: s[:-1]),
        ("T2", "is not written exactly once", lambda s: [*s, s[0]]),
        (
            "T2",
            "f:g.h2 is not written",
            lambda s: [*s, s[0].model_copy(update={"source": "f:g.h2"})],
        ),
        ("T2", "moon is not written", lambda s: [*s, s[0].model_copy(update={"source": "moon"})]),
        ("T3", "f:f1a.h1 is written outside passage 4", lambda s: [at(s[0], 999), *s[1:]]),
        ("T3", "f:f1a.h1 is written outside passage 4", lambda s: [at(s[0], -1), *s[1:]]),
    ],
)
def test_a_plan_that_breaks_a_contract_is_refused_by_its_code(
    code: str, message: str, change: Any
) -> None:
    plans = Plans(DAGS["2hop"])
    graph = plans.routed()
    before = graph.to_node_link()
    sentences = sorted(plans.sentences(graph), key=lambda each: each.source)
    with pytest.raises(ContractError, match=message) as caught:
        write(graph, change(sentences))
    assert caught.value.code == code
    assert graph.to_node_link() == before


def at(sentence: WrittenSentence, offset: int) -> WrittenSentence:
    return sentence.model_copy(update={"offset": offset})
