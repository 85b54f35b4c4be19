"""The record of an item follows from its graph."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from realhop_kg.errors import ContractError
from realhop_kg.freeze.items import frozen_item
from realhop_kg.graph.reasoning import ReasoningGraph
from realhop_kg.graph.schema import (
    EdgeKind,
    InsertionNode,
    PassageNode,
    PathNode,
)
from realhop_kg.model.finding import Code, Finding, Severity
from realhop_kg.model.frozen import FrozenItem, Substitution
from realhop_kg.model.text import restore
from tests.contracts.items import BRANCH_PASSAGES, CHAIN_PASSAGES, branches, chain
from tests.contracts.world import World

ITEMS = pytest.mark.parametrize(
    ("world", "originals"), [(chain, CHAIN_PASSAGES), (branches, BRANCH_PASSAGES)]
)


def test_question_answer_and_source_side_are_those_of_the_two_sides() -> None:
    item = frozen_item(chain().build())
    assert (item.id, item.dataset, item.topology) == ("world/1", "world", "2hop")
    assert item.question == "In which town was the architect of the Orlen Bridge born?"
    assert item.answer == "Calder"
    assert item.source.id == "1"
    assert item.source.question == "In which town was the architect of Penrow Bridge born?"
    assert item.source.answer == "Eddleton"


@ITEMS
def test_deleting_the_insertions_gives_the_source_passages_back(
    world: Callable[[], World], originals: list[tuple[str, str]]
) -> None:
    item = frozen_item(world().build())
    restored = [
        (
            passage.title,
            restore(passage.text, [new for new in item.insertions if new.passage == passage.index]),
        )
        for passage in item.passages
    ]
    assert restored == originals
    assert [passage.index for passage in item.passages] == list(range(len(originals)))


@ITEMS
def test_every_span_has_its_exact_text(
    world: Callable[[], World], originals: list[tuple[str, str]]
) -> None:
    item = frozen_item(world().build())
    spans = [premise.span for hop in item.hops for premise in hop.evidence]
    spans += [span for path in item.competitors for span in path.spans]
    assert len(spans) == len(item.insertions)
    for span in spans:
        assert item.passages[span.passage].text[span.start : span.end] == span.exact


def test_a_hop_has_its_answer_support_and_premises_in_order() -> None:
    one, two, three = frozen_item(branches().build()).hops
    assert [(hop.index, hop.answer, hop.support) for hop in (one, two, three)] == [
        (1, "Halberg", 0),
        (2, "Brask", 1),
        (3, "1967", 2),
    ]
    assert [hop.depends_on for hop in (one, two, three)] == [(), (), (1, 2)]
    assert [premise.id for premise in one.evidence] == ["u:g.h1.1", "u:g.h1.2"]
    assert [premise.id for premise in two.evidence] == ["f:g.h2"]
    assert two.evidence[0].span.exact == "The Lumeno Works is owned by Brask."
    assert two.source_answer == "Crail"


def test_supports_are_marked_among_the_passages() -> None:
    item = frozen_item(chain().build())
    assert [passage.index for passage in item.passages if passage.is_support] == [0, 1]


def test_competitors_come_by_hop_then_family_with_their_own_spans_only() -> None:
    item = frozen_item(chain().build())
    assert [(path.id, path.kind, path.protected_hop) for path in item.competitors] == [
        ("path:s1a", "strict", 1),
        ("path:s1b", "strict", 1),
        ("path:f1a", "flexible", 1),
        ("path:s2a", "strict", 2),
        ("path:s2b", "strict", 2),
        ("path:f2a", "flexible", 2),
    ]
    late = item.competitors[3]
    assert (late.break_hop, late.endpoint, late.complete) == (2, "Harlan", True)
    assert [span.exact for span in late.spans] == [
        "The schooling of Mirela Castane is recorded in register leaf 85-D.",
        "The schooling recorded in register leaf 85-D took place in Harlan.",
    ]


def test_a_flexible_fragment_is_no_complete_path() -> None:
    world = chain()
    world.remove_fact("f:f1a.h2")
    paths = {path.id: path for path in frozen_item(world.build()).competitors}
    assert not paths["path:f1a"].complete
    assert [span.exact for span in paths["path:f1a"].spans] == [
        "The Orlen Bridge was leased by Tamsin Orrel."
    ]
    assert all(path.complete for name, path in paths.items() if name != "path:f1a")


def test_a_path_with_an_unwritten_fact_is_not_complete() -> None:
    graph = chain().build()
    graph.disconnect("u:s2a.h2.2", EdgeKind.WRITTEN_AT)
    paths = {path.id: path for path in frozen_item(graph).competitors}
    assert not paths["path:s2a"].complete


def test_substitutions_name_what_was_put_in_place_of_what() -> None:
    assert frozen_item(chain().build()).substitutions == (
        Substitution(
            source="Penrow Bridge", virtual="Orlen Bridge", entity_type="bridge", role="question"
        ),
        Substitution(
            source="Alan Trask", virtual="Mirela Castane", entity_type="person", role="bridge"
        ),
        Substitution(source="Eddleton", virtual="Calder", entity_type="town", role="answer"),
    )


@ITEMS
def test_a_graph_read_back_from_json_gives_the_same_record(
    world: Callable[[], World], originals: list[tuple[str, str]]
) -> None:
    graph = world().build()
    item = frozen_item(graph)
    assert frozen_item(ReasoningGraph.from_node_link(graph.to_node_link())) == item
    assert FrozenItem.model_validate_json(item.model_dump_json()) == item


def test_diagnostics_are_kept_in_one_order() -> None:
    found = [
        Finding(code=code, severity=Severity.DIAGNOSTIC, item="world/1", message=message)
        for code, message in ((Code.V2, "b"), (Code.V1, "c"), (Code.V2, "a"))
    ]
    graph = chain().build()
    item = frozen_item(graph, found)
    assert [(finding.code, finding.message) for finding in item.diagnostics] == [
        (Code.V1, "c"),
        (Code.V2, "a"),
        (Code.V2, "b"),
    ]
    assert frozen_item(graph, reversed(found)) == item


# Without a record


def without_source_side(graph: ReasoningGraph) -> None:
    graph.remove("source")


def without_gold(graph: ReasoningGraph) -> None:
    graph.disconnect("f:g.h1", EdgeKind.REALIZES)


def without_value(graph: ReasoningGraph) -> None:
    graph.disconnect("f:g.h1", EdgeKind.OBJECT)


def without_gold_text(graph: ReasoningGraph) -> None:
    graph.disconnect("f:g.h1", EdgeKind.WRITTEN_AT)


def outside_the_text(graph: ReasoningGraph) -> None:
    insertion = graph.nodes(InsertionNode)[0]
    graph.add(insertion.model_copy(update={"offset": 10_000}))


@pytest.mark.parametrize(
    ("change", "code"),
    [
        (without_source_side, "B2"),
        (without_gold, "G1"),
        (without_value, "G1"),
        (without_gold_text, "T2"),
        (outside_the_text, "T1"),
    ],
)
def test_a_graph_without_a_record_names_the_contract(
    change: Callable[[ReasoningGraph], None], code: str
) -> None:
    graph = chain().build()
    change(graph)
    with pytest.raises(ContractError) as caught:
        frozen_item(graph)
    assert caught.value.code == code


def test_the_record_is_derived_without_touching_the_graph() -> None:
    graph = chain().build()
    before = graph.to_node_link()
    frozen_item(graph)
    assert graph.to_node_link() == before
    assert len(graph.nodes(PassageNode)) == len(CHAIN_PASSAGES)
    assert len(graph.nodes(PathNode)) == 7
