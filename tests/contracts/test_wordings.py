"""T3 to T5."""

from __future__ import annotations

import pytest

from realhop_kg.graph.reasoning import ReasoningGraph
from realhop_kg.graph.schema import InsertionNode, SpanNode
from realhop_kg.model.sentences import insertion_points
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
