"""T1 and T2, and insertions anywhere in any text."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from realhop_kg.graph.reasoning import ReasoningGraph
from realhop_kg.graph.schema import EdgeKind, InsertionNode, PassageNode, SpanNode
from realhop_kg.model.finding import Code
from realhop_kg.model.sentences import boundaries, insertion_points, separator
from tests.contracts.items import chain
from tests.contracts.world import blocking


def _change(graph: ReasoningGraph, node: str, **fields: object) -> None:
    graph.add(graph[node].model_copy(update=fields))  # type: ignore[arg-type]


class TestT1:
    @pytest.mark.parametrize("offset", [-1, 10_000])
    def test_an_insertion_outside_the_text_is_found_and_stops_what_reads_it(
        self, offset: int
    ) -> None:
        world = chain()
        graph = world.build()
        _change(graph, "i:f:s1b.h1", offset=offset)
        findings = world.check(graph)
        assert blocking(findings) == {"T1"}
        assert len(findings) == 1

    def test_two_insertions_of_one_place_and_rank_are_found(self) -> None:
        world = chain()
        graph = world.build()
        first = graph.get("i:u:s1b.h2.1", InsertionNode)
        # The two keep their order by id, so that the text stays the same.
        _change(graph, "i:u:s1b.h2.2", order=first.order)
        findings = world.check(graph)
        assert blocking(findings) == {"T1"}
        assert findings[0].nodes == ("i:u:s1b.h2.2", "u:s1b.h2.2")
        assert "i:u:s1b.h2.1" in findings[0].message

    def test_an_insertion_in_two_passages_is_found(self) -> None:
        world = chain()
        graph = world.build()
        graph.connect("i:f:s1b.h1", EdgeKind.IN, "p7")
        assert blocking(world.check(graph)) == {"T1"}

    def test_an_insertion_in_no_known_passage_is_found(self) -> None:
        world = chain()
        graph = world.build()
        _change(graph, "i:f:s1b.h1", passage=99)
        assert "T1" in blocking(world.check(graph))


class TestT2:
    def test_what_is_not_written_is_found(self) -> None:
        world = chain()
        graph = world.build()
        graph.disconnect("u:s2b.h2.1", EdgeKind.WRITTEN_AT)
        graph.disconnect("f:s2b.h2", EdgeKind.WRITTEN_AT)
        graph.connect("f:s2b.h2", EdgeKind.WRITTEN_AT, "t:u:s2b.h2.2")
        findings = world.check(graph)
        assert blocking(findings) == {"T2"}
        assert "u:s2b.h2.1 is not written" in [finding.message for finding in findings]

    def test_a_shifted_span_is_found(self) -> None:
        world = chain()
        graph = world.build()
        span = graph.get("t:f:s1b.h1", SpanNode)
        _change(graph, span.id, start=span.start - 1, end=span.end - 1)
        assert blocking(world.check(graph)) == {"T2"}

    def test_a_fact_written_in_another_passage_than_its_host_is_found(self) -> None:
        world = chain()
        world.facts["f:s1b.h1"].host = 7
        graph = world.build()
        graph.disconnect("f:s1b.h1", EdgeKind.ROUTED_TO)
        graph.connect("f:s1b.h1", EdgeKind.ROUTED_TO, "p3")
        assert blocking(world.check(graph)) == {"T2"}

    def test_a_split_fact_without_the_spans_of_its_premises_is_found(self) -> None:
        world = chain()
        graph = world.build()
        graph.disconnect("f:g.h2", EdgeKind.WRITTEN_AT)
        findings = world.check(graph)
        assert blocking(findings) == {"T2"}
        assert findings[0].nodes == ("f:g.h2",)

    def test_a_span_without_a_plan_is_found(self) -> None:
        world = chain()
        graph = world.build()
        graph.add(SpanNode(id="t:x", passage=7, start=0, end=3, exact="The"))
        assert blocking(world.check(graph)) == {"T2"}

    def test_an_insertion_without_a_span_is_found(self) -> None:
        world = chain()
        graph = world.build()
        text = graph.get("p7", PassageNode).text
        extra = InsertionNode(id="i:x", passage=7, offset=len(text), order=9, text=" It rained.")
        graph.add(extra)
        graph.connect("i:x", EdgeKind.IN, "p7")
        findings = world.check(graph)
        assert blocking(findings) == {"T2"}
        assert findings[0].nodes == ("i:x",)

    def test_text_beside_the_span_is_found(self) -> None:
        world = chain()
        graph = world.build()
        insertion = graph.get("i:f:s1b.h1", InsertionNode)
        _change(graph, insertion.id, text=f"{insertion.text} No more is known.")
        # The spans of later insertions would shift, but this one is the first of two.
        later = [i for i in graph.nodes(InsertionNode) if i.passage == 3 and i.order > 0]
        for other in later:
            span = graph.get(other.id.replace("i:", "t:", 1), SpanNode)
            _change(graph, span.id, start=span.start + 18, end=span.end + 18)
        findings = world.check(graph)
        assert blocking(findings) == {"T2"}
        assert findings[0].nodes == ("i:f:s1b.h1", "f:s1b.h1")

    def test_a_sentence_that_two_facts_claim_is_found(self) -> None:
        world = chain()
        graph = world.build()
        graph.connect("f:g.h1", EdgeKind.WRITTEN_AT, "t:f:s1a.h1")
        # It does not state the other fact (T4).
        assert blocking(world.check(graph)) == {"T2", "T4"}


TEXT = st.text(
    st.sampled_from("aA.!?\"()'’ \n1JéÉ") | st.characters(codec="utf-8", max_codepoint=0x3FF),
    max_size=60,
)
WORDY = st.lists(
    st.sampled_from(
        ["Calder", "is", "a", "town.", "It", "lies", "near", "St.", "J.", "Orm.", '"No."', "(See",
         "Fig.", "3.)", "In", "1911", "he", "left.", "Why?", "\n", "U.S.", "The", "end"]
    ),
    max_size=25,
).map(" ".join)  # fmt: skip


class TestEveryText:
    @settings(max_examples=100, deadline=None, derandomize=True)
    @given(st.lists(TEXT | WORDY, min_size=8, max_size=8), st.data())
    def test_insertions_at_any_offsets_can_be_taken_out_again(
        self, texts: list[str], data: st.DataObject
    ) -> None:
        world = chain()
        world.passages = [("Title", text) for text in texts]
        for fact_id, fact in world.facts.items():
            stem = fact_id.removeprefix("f:")
            for node in (f"u:{stem}.1", f"u:{stem}.2") if fact.key else (fact_id,):
                world.offsets[node] = data.draw(st.integers(0, len(texts[fact.host])), node)
        findings = world.check(codes=[Code.T1, Code.T2, Code.T4])
        assert findings == []

    @settings(max_examples=120, deadline=None, derandomize=True)
    @given(TEXT | WORDY)
    def test_boundaries_are_places_where_t3_lets_a_sentence_stand(self, text: str) -> None:
        world = chain()
        world.passages[3] = ("Lune", text)
        for offset in boundaries(text):
            world.offsets["f:s1b.h1"] = offset
            # Its neighbour stands at the end, a boundary of its own.
            assert world.check(codes=[Code.T1, Code.T2, Code.T3, Code.T4]) == []

    @settings(max_examples=120, deadline=None, derandomize=True)
    @given(TEXT | WORDY)
    def test_insertion_points_are_places_where_t5_lets_a_sentence_stand(self, text: str) -> None:
        world = chain()
        world.passages[3] = ("Lune", text)
        for offset in insertion_points(text):
            assert offset > 0
            assert separator(text, offset) in (" ", "\n")
            world.offsets["f:s1b.h1"] = offset
            assert world.check(codes=[Code.T3, Code.T5]) == []
