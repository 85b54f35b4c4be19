"""B1, B2, D1, D2."""

from __future__ import annotations

import pytest

from realhop_kg.graph.reasoning import ReasoningGraph
from realhop_kg.graph.schema import EdgeKind, FactNode, FactStatus, ItemNode
from realhop_kg.model.finding import Code
from tests.contracts.items import BRANCH_PASSAGES, branches, chain
from tests.contracts.world import blocking


def _change(graph: ReasoningGraph, node: str, **fields: object) -> None:
    graph.add(graph[node].model_copy(update=fields))  # type: ignore[arg-type]


class TestB1:
    def test_a_source_side_without_an_answer_is_found(self) -> None:
        world = chain()
        graph = world.build()
        _change(graph, "source", answer=" ")
        assert blocking(world.check(graph)) == {"B1"}

    def test_a_blank_alias_is_found(self) -> None:
        world = chain()
        world.aliases = ("",)
        assert blocking(world.check()) == {"B1"}


class TestB2:
    @pytest.mark.parametrize(
        ("node", "field", "value", "named"),
        [
            ("source", "source_id", "2", "source_id"),
            ("item", "topology", "3hop1", "topology"),
            ("source", "question", "", "question is empty"),
            ("h1", "source_step", "", "source_step"),
            ("h2", "source_answer", " ", "source_answer"),
            ("h1", "terminal", True, "hop 1 is marked as terminal"),
            ("u:g.h2.1", "hop", 1, "u:g.h2.1"),
        ],
    )
    def test_a_wrong_field_is_named(self, node: str, field: str, value: object, named: str) -> None:
        world = chain()
        graph = world.build()
        _change(graph, node, **{field: value})
        findings = world.check(graph)
        assert blocking(findings) == {"B2"}
        assert named in findings[0].message

    @pytest.mark.parametrize(
        ("source", "kind", "lost"),
        [
            ("item", EdgeKind.HAS_PATH, "path:s1a"),
            ("source", EdgeKind.HAS_HOP, "h1"),
            ("item", EdgeKind.HAS_PASSAGE, "p0"),
        ],
    )
    def test_a_missing_membership_edge_is_found(
        self, source: str, kind: EdgeKind, lost: str
    ) -> None:
        world = chain()
        graph = world.build()
        graph.nx.remove_edge(source, lost, key=str(kind))
        findings = world.check(graph)
        assert blocking(findings) == {"B2"}
        assert lost in findings[0].nodes

    def test_the_source_side_has_no_paths(self) -> None:
        world = chain()
        graph = world.build()
        graph.connect("source", EdgeKind.HAS_PATH, "path:g")
        assert blocking(world.check(graph)) == {"B2"}

    def test_a_fact_out_of_its_place_in_a_path_is_found(self) -> None:
        world = chain()
        graph = world.build()
        graph.nx.edges["path:s1a", "f:s1a.h2", str(EdgeKind.CONTAINS)]["order"] = 1
        assert blocking(world.check(graph)) == {"B2"}

    def test_a_fact_that_realizes_another_hop_is_found(self) -> None:
        world = chain()
        graph = world.build()
        graph.disconnect("f:s1a.h2", EdgeKind.REALIZES)
        graph.connect("f:s1a.h2", EdgeKind.REALIZES, "h1")
        assert blocking(world.check(graph)) == {"B2"}

    def test_a_fact_of_no_path_is_found(self) -> None:
        world = chain()
        graph = world.build()
        graph.nx.remove_edge("path:f2a", "f:f2a.h2", key=str(EdgeKind.CONTAINS))
        # A Flexible path without its only fact has no break left either.
        assert blocking(world.check(graph)) == {"B2", "F1"}

    def test_a_premise_of_two_facts_is_found(self) -> None:
        world = chain()
        graph = world.build()
        graph.connect("u:s1b.h2.1", EdgeKind.COMPOSES, "f:s1a.h2", rule="join")
        codes = blocking(world.check(graph, codes={Code.B2}))
        assert codes == {"B2"}

    def test_an_item_without_a_source_side_is_reported_and_nothing_else(self) -> None:
        world = chain()
        graph = world.build()
        graph.remove("source")
        findings = world.check(graph)
        assert [finding.code for finding in findings] == [Code.B2]
        assert findings[0].item == "world/1"

    def test_two_hops_with_one_index_are_reported_and_nothing_else(self) -> None:
        world = chain()
        graph = world.build()
        _change(graph, "h2", index=1)
        assert [finding.code for finding in world.check(graph)] == [Code.B2]

    def test_a_fact_of_an_unknown_hop_is_reported_and_stops_what_needs_it(self) -> None:
        world = chain()
        graph = world.build()
        graph.add(FactNode(id="f:g.h1", predicate="architect", hop=9, status=FactStatus.GOLD))
        assert "B2" in blocking(world.check(graph))


class TestD1:
    def test_a_cycle_is_reported_and_stops_what_needs_an_order(self) -> None:
        world = chain()
        graph = world.build()
        graph.connect("h1", EdgeKind.DEPENDS_ON, "h2", slot="x")
        for side in ("item", "source"):
            _change(graph, side, topology="dag")
        _change(graph, "h2", terminal=False)
        assert blocking(world.check(graph)) == {"D1"}

    def test_two_terminal_hops_are_found(self) -> None:
        world = branches()
        graph = world.build()
        graph.nx.remove_edge("h3", "h2", key=f"{EdgeKind.DEPENDS_ON}:w")
        for side in ("item", "source"):
            _change(graph, side, topology="dag")
        _change(graph, "h2", terminal=True)
        assert "D1" in blocking(world.check(graph))


class TestD2:
    def test_a_shared_support_is_found(self) -> None:
        world = chain()
        world.ask(2, support=0)
        world.facts["f:g.h2"].host = 0
        # The first Strict path of hop 1 stands in its support, hop 2's continuation elsewhere.
        findings = world.check()
        assert blocking(findings) == {"D2"}
        assert findings[0].nodes == ("h1", "h2", "p0")

    def test_a_support_that_is_no_passage_is_found(self) -> None:
        world = branches()
        graph = world.build()
        _change(graph, "h1", support=len(BRANCH_PASSAGES))
        assert blocking(world.check(graph)) == {"D2"}


def test_the_items_are_what_their_names_say() -> None:
    assert chain().build().get("item", ItemNode).topology == "2hop"
    assert branches().build().get("item", ItemNode).topology == "3hop2"
