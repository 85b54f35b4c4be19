from __future__ import annotations

import pytest

from realhop_kg.contracts.check import check_item
from realhop_kg.graph.operators.write import insertions_of
from realhop_kg.graph.schema import ItemNode, PassageNode, PathKind, PathNode, SpanNode
from realhop_kg.model.finding import CONTRACTS, Code, Severity
from realhop_kg.model.item import SourceItem
from realhop_kg.model.text import realize, restore
from tests.construct.outcomes import bundled, constructed, excluded
from tests.construct.records import record

BORN = ("Ida Marrow >> place of birth", "Pennock")
COUNTY = ("Ida Marrow >> place of birth", "Pennock County")
MAYOR = ("Who is the mayor of #1?", "Jonas Thatch")


@pytest.mark.parametrize("item", bundled(), ids=lambda item: item.id)
def test_a_bundled_question_breaks_no_blocking_contract_and_keeps_its_passages(
    item: SourceItem,
) -> None:
    outcome = constructed(item, seed=11)
    graph, used = outcome.graph, outcome.catalogue
    findings = check_item(graph, used.predicates, used.types.parents, plan_time=True)
    assert [f for f in findings if f.severity is Severity.BLOCKING] == []
    inserted = insertions_of(graph)
    for passage in item.passages:
        node = graph.get(f"p{passage.index}", PassageNode)
        assert (node.page_title, node.text) == (passage.title, passage.text)
        added = inserted.get(passage.index, [])
        assert restore(realize(node.text, added), added) == passage.text
    for kind, least in ((PathKind.GOLD, 1), (PathKind.STRICT, 2 * len(item.hops))):
        assert sum(p.path_kind is kind for p in graph.nodes(PathNode)) == least


def test_the_question_is_asked_of_other_names_in_the_same_words() -> None:
    outcome = constructed(record())
    item = outcome.graph.get("item", ItemNode)
    start, end = "Who is the mayor of the town where ", " was born?"
    assert item.question.startswith(start)
    assert item.question.endswith(end)
    assert "Ida" not in item.question
    assert item.answer not in ("Jonas Thatch", "")
    assert outcome.diagnostics == ()


def test_the_same_seed_gives_the_same_item_and_another_seed_another() -> None:
    first, again, other = (constructed(record(), seed=seed).graph for seed in (3, 3, 4))
    assert first == again
    assert first != other


def test_an_item_does_not_depend_on_the_items_before_it() -> None:
    alone = constructed(record()).graph
    constructed(record(source_id="2hop__own_2"))
    assert constructed(record()).graph == alone


def test_a_hop_that_is_voiced_twice_has_one_anchor_however_it_is_written() -> None:
    item = record(
        "When did the author of the Tin Kettle and the sibling of the author of Tin Kettle marry?",
        [
            ("Tin Kettle >> author", "Bert Vane"),
            ("#1 >> sibling", "Cleo Ash"),
            ("When did #1 and #2 marry?", "4 May 1861"),
        ],
    )
    graph = constructed(item).graph
    assert graph["s:q1"].surface == "the Tin Kettle"  # type: ignore[union-attr]
    assert "e:q2" not in graph
    name = graph["e:q1"].surface  # type: ignore[union-attr]
    assert graph.get("item", ItemNode).question == (
        f"When did the author of {name} and the sibling of the author of {name} marry?"
    )


@pytest.mark.parametrize(
    ("answer", "unit"),
    [("1868", "year in which"), ("May 1868", "month in which"), ("4 May 1868", "date on which")],
)
def test_a_year_is_worded_as_a_year(answer: str, unit: str) -> None:
    item = record(
        "When did the country where Ida Tower is located gain independence?",
        [("Ida Tower >> country", "Norland"), ("when did #1 gain independence", answer)],
        texts=["Ida Tower is a tower in Norland.", "Norland is a country."],
    )
    graph = constructed(item).graph
    written = [span.exact for span in graph.nodes(SpanNode) if "gained independence" in span.exact]
    assert written
    assert all(unit in sentence for sentence in written)
    values = [s.exact for s in graph.nodes(SpanNode) if s.exact.startswith("The ")]
    named = [value for value in values if value.startswith(f"The {unit.split()[0]} ")]
    assert len(named) >= len(written)


# --- what is refused


REFUSED: list[tuple[str, str, str, list[tuple[str, str]], str]] = [
    (
        "Q1",
        "plan",
        "Who is the mayor of the town where Bert Marrow was born?",
        [BORN, MAYOR],
        "the question does not name 'Ida Marrow', which its steps name",
    ),
    (
        "Q2",
        "plan",
        "Who is the merry mayor of the town where Ida Marrow was born?",
        [BORN, MAYOR],
        "the catalogue's wordings do not cover the question 'Who is the merry mayor",
    ),
    (
        "Q2",
        "plan",
        "Who is the mayor of Pennock, and where was Ida Marrow born?",
        [BORN, MAYOR],
        "the catalogue's wordings do not cover the question",
    ),
    (
        "Q4",
        "plan",
        "Who is the mayor of the town with the oldest clock?",
        [("which town has the oldest clock", "Pennock"), MAYOR],
        "step 'which town has the oldest clock' names nothing that can be renamed",
    ),
    (
        "Q5",
        "plan",
        "Who is the mayor of the town whose soup Ida Marrow liked?",
        [("Ida Marrow >> town of favourite soup", "Pennock"), MAYOR],
        "no relation of the catalogue reads step 'Ida Marrow >> town of favourite soup'",
    ),
    (
        "Q6",
        "plan",
        "What is the population of the town where Ida Marrow was born?",
        [BORN, ("What is the population of #1?", "some nine hundred souls")],
        "'some nine hundred souls' has no known format of a number",
    ),
    (
        "R1",
        "plan",
        "Who is the mayor of the county where Ida Marrow was born?",
        [BORN, MAYOR],
        "'Pennock' would be both a settlement and a county",
    ),
    (
        "R2",
        "plan",
        "What is the twin town of the town where Ida Marrow was born?",
        [BORN, ("#1 >> twinned administrative body", "Pennock (Lower Orm)")],
        "'Pennock (Lower Orm)' stands for h1 and h2",
    ),
    (
        "U1",
        "check",
        "What county shares a border with the county that shares a border with the county where "
        "Ida Marrow was born?",
        [
            COUNTY,
            ("#1 >> shares border with", "Stell County"),
            ("#2 >> shares border with", "Quay County"),
        ],
        "can be derived as an answer too",
    ),
]


@pytest.mark.parametrize(
    ("code", "stage", "question", "steps", "message"), REFUSED, ids=[f"{r[0]}" for r in REFUSED]
)
def test_an_item_is_refused_by_its_code_with_a_reason_and_a_fix(
    code: str, stage: str, question: str, steps: list[tuple[str, str]], message: str
) -> None:
    item = record(question, steps)
    out = excluded(item)
    assert (out.code, out.stage) == (code, stage)
    assert message in out.message
    assert out.message.endswith(CONTRACTS[Code(code)].fix)
    assert (out.id, out.file, out.line) == (item.key, "own.jsonl", 1)
    assert out.question == question
    finding = out.findings[0]
    assert (finding.code, finding.severity, finding.item) == (code, "blocking", item.key)
    assert finding.message in out.message


def test_a_support_without_text_to_insert_into_is_refused() -> None:
    out = excluded(record(texts=["   ", "Jonas Thatch is mayor."]))
    assert (out.code, out.stage) == ("H1", "realize")
    assert "support passage 0 has no text to insert into" in out.message


def test_too_few_passages_are_refused() -> None:
    item = record()
    out = excluded(item.model_copy(update={"passages": item.passages[:2]}))
    assert (out.code, out.stage) == ("H3", "realize")
    assert "too few passages can host" in out.message


def test_dependencies_without_one_end_are_refused() -> None:
    item = record()
    loose = item.hops[0].model_copy(update={"index": 3})
    out = excluded(item.model_copy(update={"hops": (*item.hops, loose)}))
    assert (out.code, out.stage) == ("D1", "plan")
