"""Scripted solvers have known results on real constructed items."""

from __future__ import annotations

from pathlib import Path

import pytest

from realhop_kg.audit.auditable import constructed_side, from_source, source_side
from realhop_kg.audit.cues import answer_kind, candidates, sentences_of
from realhop_kg.audit.intervene import closed_book, drop, drop_premise, full
from realhop_kg.audit.scripted import Lexical, Recaller, scripted
from realhop_kg.audit.solvers import ABSTAINED, Prompt
from realhop_kg.errors import InputError
from realhop_kg.freeze.reader import FrozenDataset
from realhop_kg.model.frozen import FrozenItem
from realhop_kg.model.item import SourceItem
from realhop_kg.model.text import Passage


def prompt(item, removal) -> Prompt:
    text = removal.apply(item.context)
    return Prompt(item, removal.record(item), text, "m", 1, ())


def test_the_reader_answers_under_full_and_abstains_without_any_hop_or_premise(
    dataset: Path, frozen: list[FrozenItem]
):
    reader = scripted("scripted/reader", FrozenDataset.open(dataset))
    for each in frozen:
        for unit in ("passage", "spans"):
            item = constructed_side(each, unit)
            assert reader.answer(prompt(item, full(item))).text == item.answer
            for name in ("gold_only", "flexible_only", "strict_only"):
                assert reader.answer(prompt(item, full(item, name))).text == item.answer
            for target in item.units:
                assert reader.answer(prompt(item, drop(item, target))).text == ABSTAINED
            for premise in item.premises:
                assert reader.answer(prompt(item, drop_premise(item, premise))).text == ABSTAINED
            assert reader.answer(prompt(item, closed_book(item))).text == ABSTAINED


def test_the_reader_finds_items_in_any_order(dataset: Path, frozen: list[FrozenItem]):
    reader = scripted("scripted/reader", FrozenDataset.open(dataset))
    for each in (frozen[3], frozen[0], frozen[3], frozen[1]):
        item = constructed_side(each)
        assert reader.answer(prompt(item, full(item))).text == item.answer


def test_the_reader_has_nothing_to_derive_from_on_the_source_side(
    dataset: Path, frozen: list[FrozenItem]
):
    reader = scripted("scripted/reader", FrozenDataset.open(dataset))
    item = source_side(frozen[0])
    found = reader.answer(prompt(item, full(item)))
    assert found.text is None
    assert "constructed" in found.failure


def test_the_recaller_needs_no_context(frozen: list[FrozenItem]):
    for side in (constructed_side, source_side):
        item = side(frozen[0])
        assert Recaller().answer(prompt(item, closed_book(item))).text == item.answer


@pytest.mark.parametrize("name", ["scripted/lexical", "scripted/cue"])
def test_probes_answer_from_the_context_alone(name: str, frozen: list[FrozenItem]):
    probe = scripted(name, None)
    for each in frozen:
        for side in (constructed_side(each), source_side(each)):
            found = probe.answer(prompt(side, full(side))).text
            assert found is not None
            assert found == ABSTAINED or found in side.context.text
            assert probe.answer(prompt(side, closed_book(side))).text == ABSTAINED


def test_an_unknown_solver_is_refused_with_the_names_there_are():
    with pytest.raises(InputError, match="scripted/cue, scripted/lexical, scripted/reader"):
        scripted("scripted/guesser", None)
    with pytest.raises(InputError, match="audit a frozen dataset"):
        scripted("scripted/reader", None)


def test_candidates_are_names_dates_and_numbers_that_the_question_does_not_name():
    text = "Orm Hask sold the Bank of Selby on 4 May 1861 for 1,200 crowns in Tolland."
    found = candidates(text, "What did Orm Hask sell in Tolland?")
    assert [(each.text, each.kind) for each in found] == [
        ("Bank of Selby", "name"),
        ("4 May 1861", "date"),
        ("1,200", "number"),
    ]
    assert candidates("The mill burnt.", "What burnt?") == []


def test_a_question_s_wording_says_what_kind_of_answer_it_wants():
    assert answer_kind("When did it burn?")[0] == "date"
    assert answer_kind("In what year did it burn?")[0] == "year"
    assert answer_kind("How many mills burnt?") == ("number",)
    assert answer_kind("Who burnt it?") == ("name",)


def test_sentences_know_their_title():
    found = sentences_of("Mill\nOrm sold it. Hask bought it.\n\nNo title here")
    assert [(each.title, each.text) for each in found] == [
        ("Mill", "Orm sold it."),
        ("Mill", "Hask bought it."),
        ("", "No title here"),
    ]


def test_the_form_of_a_question_is_a_shortcut_that_the_lexical_probe_takes():
    passages = (
        Passage(index=0, title="Orm Mill", text="Orm Mill burnt in 1861."),
        Passage(index=1, title="Hask Mill", text="Hask Mill burnt in 1863. Hask Mill was rebuilt."),
    )

    def said(question: str) -> str | None:
        item = from_source(
            SourceItem(
                dataset="d", id="1", question=question, answer="x", passages=passages, hops=()
            )
        )
        return Lexical().answer(prompt(item, full(item))).text

    assert said("Did Orm Mill and Hask Mill burn?") == "yes"
    assert said("Which burnt first, Orm Mill or Hask Mill?") == "Hask Mill"
    assert said("When was the burnt Orm Mill lost?") == "1861"
