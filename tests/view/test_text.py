from __future__ import annotations

import re

import pytest

from realhop_kg.freeze.items import frozen_item
from realhop_kg.graph.operators import prune
from realhop_kg.graph.operators.write import insertions_of
from realhop_kg.graph.reasoning import ReasoningGraph
from realhop_kg.graph.schema import (
    EdgeKind,
    FactNode,
    FactStatus,
    InsertionNode,
    PassageNode,
    SpanNode,
)
from realhop_kg.model.finding import Code, Finding, Severity
from realhop_kg.model.frozen import ExcludedItem
from realhop_kg.model.text import realize
from realhop_kg.view.text import MARKS, excluded_lines, explained_lines, item_lines
from tests.graph.dags import DAGS
from tests.graph.operators.plans import Plans

V1 = Finding(code=Code.V1, severity=Severity.DIAGNOSTIC, item="test/1", message="no competitor")


def shown(graph: ReasoningGraph, **options: bool) -> list[str]:
    return list(item_lines(frozen_item(graph), graph, **options))


def section(lines: list[str], start: str) -> list[str]:
    at = next(at for at, line in enumerate(lines) if line.startswith(start))
    end = next((e for e in range(at, len(lines)) if not lines[e]), len(lines))
    return lines[at:end]


@pytest.fixture(scope="module")
def graph() -> ReasoningGraph:
    return Plans(DAGS["3hop2"]).written()


def test_both_sides_and_all_substitutions_come_first(graph: ReasoningGraph) -> None:
    item = frozen_item(graph)
    lines = shown(graph)
    assert lines[0] == "test/1  (3hop2)"
    assert lines[1:3] == ["  source       What is asked?", "               -> Old 3"]
    assert lines[3] == f"  constructed  {item.question}"
    swaps = section(lines, "Substitutions")[1:]
    assert len(swaps) == len(item.substitutions) == 5
    assert swaps[0] == f"  Root 1 -> {item.substitutions[0].virtual}  (thing, question)"


def test_paths_come_gold_first_then_strict_then_flexible_by_hop(graph: ReasoningGraph) -> None:
    titles = [
        line.split(" ->")[0] for line in shown(graph) if re.match(r"(Gold|Strict|Flex)", line)
    ]
    strict = [f"Strict path s{hop}{c}, breaks at hop {hop}" for hop in (1, 2, 3) for c in "ab"]
    flexible = [f"Flexible path f{hop}a, breaks at hop {hop}" for hop in (1, 2, 3)]
    assert titles == ["Gold path", *strict, *flexible]


def test_a_path_shows_each_hop_with_its_sentences_and_hosts(graph: ReasoningGraph) -> None:
    lines = section(shown(graph), "Strict path s1a")
    first, second = (graph.get(f"t:u:s1a.h1.{at}", SpanNode) for at in (1, 2))
    assert lines[1] == f"  hop 1  [p{first.passage}] {first.exact}  <- r1.m1"
    assert lines[2] == f"         [p{second.passage}] {second.exact}"
    assert lines[3].startswith("  hop 2  inherited from gold: ")
    assert lines[4].startswith("  hop 3  [p")


def test_gold_hops_show_how_the_question_voices_them(graph: ReasoningGraph) -> None:
    lines = section(shown(graph), "Gold path")
    assert sum('voiced as "what comes"' in line for line in lines) == 3
    assert not any("<-" in line for line in lines)


def test_every_insertion_is_marked_in_its_passage_and_nothing_else_changes(
    graph: ReasoningGraph,
) -> None:
    lines = section(shown(graph), "Passages with insertions")[1:]
    inserted = insertions_of(graph)
    text = "\n".join(line.strip() for line in lines)
    for passage in graph.nodes(PassageNode):
        title = f"[p{passage.index}] {passage.page_title}  ({passage.origin})"
        assert (title in text) == (passage.index in inserted)
    bare = re.sub(r"\[\[(?:gold|near-miss|competitor) \w+: |\]\]", "", text)
    for index, added in inserted.items():
        node = graph.get(f"p{index}", PassageNode)
        assert realize(node.text, added) in bare
    for fact in graph.nodes(FactNode):
        opening = f"{MARKS[fact.status][0]}{fact.id.removeprefix('f:').split('.')[0]}: "
        for span in graph.targets(fact.id, EdgeKind.WRITTEN_AT):
            assert f"{opening}{graph.get(span, SpanNode).exact}]]" in text
    assert text.count("[[") == text.count("]]") == len(graph.nodes(InsertionNode))


def test_passages_may_be_left_out(graph: ReasoningGraph) -> None:
    lines = shown(graph, passages=False)
    assert not any("[[" in line for line in lines)
    assert lines == shown(graph)[: len(lines)]
    assert "Passages with insertions" not in lines


def test_what_was_pruned_is_listed_and_its_facts_are_gone(graph: ReasoningGraph) -> None:
    less = prune(graph, {"f:s1a.h3": "S4 too strong", "f:f1a.h1": "F2 open"})
    lines = shown(less)
    assert section(lines, "Pruned") == [
        "Pruned",
        "  f:f1a.h1: F2 open",
        "  f:s1a.h3: S4 too strong",
    ]
    assert not any(line.startswith("Strict path s1a") for line in lines)
    assert "Pruned" not in shown(graph)


def test_diagnostics_are_listed_or_said_to_be_none(graph: ReasoningGraph) -> None:
    assert any(line.startswith("Diagnostics: none") for line in shown(graph))
    lines = list(item_lines(frozen_item(graph, [V1]), graph))
    assert section(lines, "Diagnostics") == ["Diagnostics", "  V1  no competitor"]


def test_each_status_has_a_mark_of_its_own() -> None:
    assert set(MARKS) == set(FactStatus)
    assert len({opening for opening, _ in MARKS.values()}) == 3


# --- explaining


def test_a_constructed_item_is_explained_by_what_is_left_and_what_was_pruned(
    graph: ReasoningGraph,
) -> None:
    lines = list(explained_lines(frozen_item(graph, [V1]), graph))
    assert lines == [
        "test/1  constructed: no blocking contract is broken",
        "  9 competitor paths with 15 entities are left",
        "  nothing was pruned",
        "  diagnostic  V1: no competitor",
    ]
    less = prune(graph, {"path:f1a": "F2 open"})
    lines = list(explained_lines(frozen_item(less), less))
    assert lines[1:] == [
        "  8 competitor paths with 13 entities are left",
        "  pruned  path:f1a: F2 open",
    ]


def test_an_exclusion_is_explained_by_code_place_reason_and_findings() -> None:
    out = ExcludedItem(
        id="test/1",
        dataset="test",
        file="own.jsonl",
        line=7,
        stage="check",
        code="U1",
        field="question",
        message="two answers; choose another",
        question="What is asked?",
        findings=(
            Finding(
                code=Code.U1,
                severity=Severity.BLOCKING,
                item="test/1",
                nodes=("e:h1", "path:g"),
                message="two answers",
            ),
        ),
    )
    assert list(excluded_lines(out)) == [
        "test/1  excluded: U1 at stage check",
        "  where     own.jsonl, line 7",
        "  field     question",
        "  question  What is asked?",
        "  why       two answers; choose another",
        "  finding   U1: two answers  (e:h1, path:g)",
    ]


def test_a_record_without_id_is_explained_as_far_as_it_is_known() -> None:
    out = ExcludedItem(
        id="", dataset="test", file="", line=0, stage="read", code="B2", message="no JSON; mend it"
    )
    assert list(excluded_lines(out)) == [
        "(no id)  excluded: B2 at stage read",
        "  why       no JSON; mend it",
    ]
