"""Each check passes a sound question, and one change breaks it and no other."""

from __future__ import annotations

from typing import Any

import pytest

from realhop_kg.model.refusal_item import RefusalCode, RefusalItem, Topology
from realhop_kg.refusal.quality import QUALITY_CHECKS, check_question, leaks
from realhop_kg.refusal.recount import Expressed, expressed


def codes(item: RefusalItem) -> set[RefusalCode]:
    return {finding.code for finding in check_question(item)}


@pytest.fixture(params=list(Topology))
def item(request: pytest.FixtureRequest, items: list[RefusalItem]) -> RefusalItem:
    return next(i for i in items if i.topology is request.param and i.depth >= 3)


def changed(item: RefusalItem, **fields: Any) -> RefusalItem:
    return item.model_copy(update=fields)


def test_every_built_question_passes(items: list[RefusalItem]) -> None:
    assert len(items) >= 30
    assert [finding for item in items for finding in check_question(item)] == []
    assert set(QUALITY_CHECKS) == {RefusalCode(f"K{n}") for n in range(1, 6)}


def test_a_hidden_title_is_leakage_and_nothing_else(item: RefusalItem) -> None:
    hidden = item.chain.hidden[-1]
    shown = changed(item, question=item.question, hidden_names=(item.starts_from,))
    assert codes(shown) == {RefusalCode.K1}
    assert leaks(f"Did {hidden} burn?", [hidden])[0] == hidden


def test_a_lost_hop_is_no_question_of_that_chain(item: RefusalItem) -> None:
    step = item.steps[0] if item.chain.prefix else item.steps[-2]
    head, _, tail = step.phrase.partition("{S}")
    before, _, after = item.question.partition(head)
    shorter = f"{before}{after.replace(tail, '', 1)}"
    assert shorter != item.question
    # The annotations are no longer those of the wording either.
    assert codes(changed(item, question=shorter)) == {RefusalCode.K2, RefusalCode.K5}


def test_a_wording_that_its_sentence_does_not_give_is_incoherent(item: RefusalItem) -> None:
    first, *rest = item.steps
    other = first.model_copy(update={"clause": "⟦S⟧ is the capital of ⟦T⟧."})
    assert codes(changed(item, steps=(other, *rest))) == {RefusalCode.K3}


def test_changed_words_of_the_seed_break_its_cause(item: RefusalItem) -> None:
    defect = item.chain.defect.model_copy(update={"question": "Which town is it really?"})
    chain = item.chain.model_copy(update={"defect": defect})
    assert codes(changed(item, chain=chain)) == {RefusalCode.K4}


@pytest.mark.parametrize(
    "fields", [{"depth": 9}, {"hops": 9}, {"broken_step": 9}, {"rationale": "Stale."}]
)
def test_a_stale_annotation_is_found(item: RefusalItem, fields: dict[str, Any]) -> None:
    assert codes(changed(item, **fields)) == {RefusalCode.K5}


@pytest.mark.parametrize(
    ("question", "titles", "names", "found"),
    [
        ("Who lives in Germany?", ["Germany"], [], True),
        ("Who is a German?", ["Germany"], [], True),
        ("Who saw the River of Kest?", ["Vell"], ["river"], False),
        ("Who saw the sea?", ["Black Sea"], [], False),
        ("Who saw the black cat?", ["Black Sea"], [], True),
        ("Who lives in Kest?", ["Ostra"], ["Kest"], True),
        ("Who lives in Kestrane?", ["Ostra"], ["Kest"], False),
        ("Who saw the north?", ["North Sea"], [], False),
    ],
)
def test_names_and_telling_words_leak(
    question: str, titles: list[str], names: list[str], found: bool
) -> None:
    assert bool(leaks(question, titles, names)) is found


def test_the_recount_reads_the_wording_alone(items: list[RefusalItem]) -> None:
    for item in items:
        read = expressed(item.question, item.chain.defect.voice, item.starts_from)
        assert read == [Expressed(len(item.chain.prefix), len(item.chain.suffix))]
        assert expressed("Who burnt the mill?", item.chain.defect.voice, item.starts_from) == []
        assert expressed(item.question, item.chain.defect.voice, "Nowhere") == []
