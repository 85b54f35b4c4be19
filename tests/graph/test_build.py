from __future__ import annotations

import pytest

from realhop_kg.errors import ContractError
from realhop_kg.graph.build import hop_id, passage_id, source_graph
from realhop_kg.graph.schema import EdgeKind, HopNode, ItemNode, PassageNode, Side
from realhop_kg.model.item import DeletionUnit, TextRange
from tests.graph.dags import DAGS
from tests.graph.source import source_item


def test_a_source_item_becomes_an_item_its_hops_and_its_passages() -> None:
    graph = source_graph(source_item(DAGS["diamond"], {5: 'A "quoted" text'}))
    (item,) = graph.nodes(ItemNode)
    assert (item.id, item.side, item.item_key) == ("source", Side.SOURCE, "test/1")
    assert (item.question, item.answer, item.topology) == ("What is asked?", "Old 4", "diamond")
    assert graph.targets("source", EdgeKind.HAS_HOP) == ["h1", "h2", "h3", "h4"]
    assert graph.targets("source", EdgeKind.HAS_PASSAGE) == [f"p{at}" for at in range(8)]
    assert graph.get("p5", PassageNode).text == 'A "quoted" text'
    assert len(list(graph.nx)) == 1 + 4 + 8


def test_a_hop_keeps_its_step_answer_and_support_and_has_no_relation_yet() -> None:
    graph = source_graph(source_item(DAGS["4hop2"]))
    hop = graph.get(hop_id(3), HopNode)
    assert (hop.source_step, hop.source_answer, hop.support) == ("#1 and #2", "Old 3", 2)
    assert (hop.relation, hop.required, hop.slots) == ("", "", [])
    assert [node.index for node in graph.nodes(HopNode) if node.terminal] == [4]


def test_dependencies_carry_the_reference_as_their_slot() -> None:
    graph = source_graph(source_item(DAGS["3hop2"]))
    edges = [(to, data["slot"]) for to, data in graph.edges("h3", EdgeKind.DEPENDS_ON)]
    assert edges == [("h1", "#1"), ("h2", "#2")]
    assert graph.targets("h1", EdgeKind.DEPENDS_ON) == []


def test_support_passages_are_told_from_distractors() -> None:
    graph = source_graph(source_item(DAGS["2hop"], spare=2))
    origins = [graph.get(passage_id(at), PassageNode).origin for at in range(4)]
    assert origins == ["support", "support", "distractor", "distractor"]


def test_a_hop_without_support_is_marked_so() -> None:
    item = source_item(DAGS["2hop"])
    bare = item.hops[0].model_copy(update={"support": None})
    graph = source_graph(item.model_copy(update={"hops": (bare, item.hops[1])}))
    assert graph.get("h1", HopNode).support == -1


def test_a_hop_keeps_what_of_its_support_states_it() -> None:
    item = source_item(DAGS["2hop"])

    def spans(kind: str, target: str, passage: int) -> list[list[str]]:
        part = TextRange(passage=passage, start=3, end=9)
        unit = DeletionUnit.model_validate({"target": target, "kind": kind, "parts": (part,)})
        graph = source_graph(item.model_copy(update={"units": (unit,)}))
        return [hop.source_spans for hop in graph.nodes(HopNode)]

    # Supporting sentences go by their passage, quotes by their step, whole passages say nothing.
    assert spans("support_sentences", "h1", 1) == [[], ["3-9"]]
    assert spans("spans", "h2", 1) == [[], ["3-9"]]
    assert spans("spans", "h1", 1) == [[], []]
    assert spans("passage", "h2", 1) == [[], []]


def test_a_cycle_is_refused() -> None:
    item = source_item(DAGS["2hop"])
    first = item.hops[0].model_copy(update={"depends_on": (2,)})
    with pytest.raises(ContractError, match=r"^D1: "):
        source_graph(item.model_copy(update={"hops": (first, item.hops[1])}))
