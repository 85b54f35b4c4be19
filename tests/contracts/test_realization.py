"""T1 to T5."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from realhop_kg.graph.reasoning import ReasoningGraph
from realhop_kg.graph.schema import EdgeKind, InsertionNode, PassageNode, SpanNode
from realhop_kg.model.finding import Code
from realhop_kg.model.sentences import boundaries, insertion_points, separator
from realhop_kg.model.text import Insertion, insertion_starts
from tests.contracts.items import CHAIN_PASSAGES, chain
from tests.contracts.world import blocking


def _change(graph: ReasoningGraph, node: str, **fields: object) -> None:
    graph.add(graph[node].model_copy(update=fields))  # type: ignore[arg-type]


def _reinsert(graph: ReasoningGraph, node: str, **fields: object) -> None:
    """Change an insertion, and shift the spans of its passage as they must follow."""
    _change(graph, node, **fields)
    host = graph.get(node, InsertionNode).passage
    added = [i for i in graph.nodes(InsertionNode) if i.passage == host]
    starts = insertion_starts([Insertion(**i.model_dump()) for i in added])
    for insertion in added:
        body = insertion.text.strip()
        start = starts[insertion.id] + insertion.text.index(body)
        span = insertion.id.replace("i:", "t:", 1)
        _change(graph, span, start=start, end=start + len(body), exact=body)


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


class TestT3:
    def test_a_place_inside_a_sentence_is_found(self) -> None:
        world = chain()
        world.offsets["f:s1b.h1"] = CHAIN_PASSAGES[3][1].index(" rises")
        graph = world.build()
        # The text before lacks its full stop, so the separator is a newline.
        assert graph.get("i:f:s1b.h1", InsertionNode).text.startswith("\n")
        assert blocking(world.check(graph)) == {"T3"}

    def test_the_beginning_of_a_passage_is_no_place(self) -> None:
        world = chain()
        world.offsets["f:s1b.h1"] = 0
        assert blocking(world.check()) == {"T3"}

    @pytest.mark.parametrize(
        "text",
        ["  {}", "\n{}", "{}", " {} ", " {}\n"],
        ids=["two blanks", "newline after a full stop", "nothing", "blank after", "newline after"],
    )
    def test_another_separator_is_found(self, text: str) -> None:
        world = chain()
        graph = world.build()
        body = graph.get("i:f:s1b.h1", InsertionNode).text.strip()
        _reinsert(graph, "i:f:s1b.h1", text=text.format(body))
        assert blocking(world.check(graph)) == {"T3"}

    def test_a_newline_separates_where_the_host_has_no_full_stop(self) -> None:
        world = chain()
        graph = world.build()
        insertion = graph.get("i:f:f1a.h1", InsertionNode)
        assert insertion.text.startswith("\n")
        _reinsert(graph, insertion.id, text=" " + insertion.text[1:])
        assert blocking(world.check(graph)) == {"T3"}

    def test_a_sentence_without_end_is_found(self) -> None:
        world = chain()
        world.reword("architect.painter", wordings=("{x} was painted by {y}",))
        assert blocking(world.check()) == {"T3"}


class TestT4:
    def test_another_name_is_found(self) -> None:
        world = chain()
        graph = world.build()
        _reinsert(graph, "i:f:s1b.h1", text=" The Orlen Bridge was painted by Ewan Frost.")
        findings = world.check(graph)
        assert blocking(findings) == {"T4"}
        assert findings[0].nodes == ("f:s1b.h1", "t:f:s1b.h1")

    def test_another_relation_is_found(self) -> None:
        world = chain()
        graph = world.build()
        _reinsert(graph, "i:f:s1b.h1", text=" The Orlen Bridge was designed by Joren Vale.")
        assert blocking(world.check(graph)) == {"T4"}

    def test_any_declared_wording_will_do(self) -> None:
        world = chain()
        graph = world.build()
        _reinsert(graph, "i:f:s1b.h1", text=" Joren Vale painted the Orlen Bridge.")
        assert blocking(world.check(graph)) == {"T4"}
        two = ("{x} was painted by {y}.", "{y} painted {x}.")
        world.reword("architect.painter", wordings=two)
        assert world.check(graph) == []

    def test_an_unplanned_entity_in_a_wording_is_found(self) -> None:
        world = chain()
        world.reword("architect.painter", wordings=("{x} was painted by {y} near Ostrey.",))
        findings = world.check()
        assert blocking(findings) == {"T4"}
        assert findings[0].nodes == ("f:s1b.h1", "t:f:s1b.h1", "e:f1a.h2")

    def test_a_source_entity_in_a_wording_is_found(self) -> None:
        world = chain()
        world.reword("architect.painter", wordings=("{x} was painted by {y}, as Eddleton saw.",))
        assert blocking(world.check()) == {"T4"}

    def test_the_kind_of_the_value_is_worded(self) -> None:
        world = chain()
        world.reword("birthplace.school/value0", wordings=("The {kind} of {k} is {y}.",))
        graph = world.build()
        text = graph.get("t:u:s2a.h2.2", SpanNode).exact
        assert text == "The town of register leaf 85-D is Harlan."
        assert world.check(graph) == []


class TestT5:
    @pytest.mark.parametrize(
        "wording",
        [
            "{x} was painted by {y} and his men.",
            "{y} painted {x}, and it shone.",
            "{y} painted {x} in those years.",
            "{y} saw that {x} was painted.",
            "Of {x} and {y} the latter is the painter.",
        ],
    )
    def test_a_reference_in_an_inserted_sentence_is_found(self, wording: str) -> None:
        world = chain()
        world.reword("architect.painter", wordings=(wording,))
        assert blocking(world.check()) == {"T5"}

    def test_a_name_may_hold_any_word(self) -> None:
        world = chain()
        world.rename("e:q1", surface="Bridge of Their Own")
        world.question = world.question.replace("Orlen Bridge", "Bridge of Their Own")
        assert world.check() == []

    def test_a_reference_across_an_insertion_is_found(self) -> None:
        world = chain()
        world.offsets["f:s1b.h1"] = CHAIN_PASSAGES[3][1].index(" The water")
        findings = world.check()
        assert blocking(findings) == {"T5"}
        assert "The water is soft." in findings[0].message
        assert findings[0].nodes == ("i:f:s1b.h1", "f:s1b.h1")

    def test_a_place_before_a_sentence_with_names_of_its_own_is_safe(self) -> None:
        world = chain()
        assert world.offsets["u:s2b.h2.1"] in insertion_points(CHAIN_PASSAGES[2][1])
        assert world.check() == []


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
    @settings(max_examples=200, deadline=None, derandomize=True)
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

    @settings(max_examples=300, deadline=None, derandomize=True)
    @given(TEXT | WORDY)
    def test_boundaries_are_places_where_t3_lets_a_sentence_stand(self, text: str) -> None:
        world = chain()
        world.passages[3] = ("Lune", text)
        for offset in boundaries(text):
            world.offsets["f:s1b.h1"] = offset
            # Its neighbour stands at the end, a boundary of its own.
            assert world.check(codes=[Code.T1, Code.T2, Code.T3, Code.T4]) == []

    @settings(max_examples=300, deadline=None, derandomize=True)
    @given(TEXT | WORDY)
    def test_insertion_points_are_places_where_t5_lets_a_sentence_stand(self, text: str) -> None:
        world = chain()
        world.passages[3] = ("Lune", text)
        for offset in insertion_points(text):
            assert offset > 0
            assert separator(text, offset) in (" ", "\n")
            world.offsets["f:s1b.h1"] = offset
            assert world.check(codes=[Code.T3, Code.T5]) == []
