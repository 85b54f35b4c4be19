"""Verb forms, definitions and the names of steps."""

from __future__ import annotations

import pytest

from realhop_kg.construct.definitions import define, looks_like_person
from realhop_kg.construct.free.segments import names_something
from realhop_kg.construct.free.verbs import inflect, is_form, lemma
from realhop_kg.model.item import SourceHop, SourceItem
from realhop_kg.model.text import Passage
from realhop_kg.relations.types import entity_types


@pytest.mark.parametrize(
    ("verb", "past"), [("reinstate", "reinstated"), ("become", "became"), ("lay", "laid")]
)
def test_past_of_regular_and_irregular_verbs(verb: str, past: str) -> None:
    assert inflect(verb, "VBD") == past
    assert lemma(past) == verb or past == "laid"
    assert is_form(past, "VBD")


def test_a_word_that_is_no_verb_has_no_forms() -> None:
    assert inflect("xyzzyx", "VBD") is None
    assert not is_form("castle", "VBN")


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("Merrow", "Merrow is a small city in the north.", "city"),
        ("Hanna Voller", "Hanna Voller (born 1901) was an Aldonian painter and teacher.", "person"),
        ("Orle", "The Orle is a river that rises in the hills.", "river"),
        ("Merrow", "Nothing is said of it here.", None),
        ("Orle County", "", "county"),
    ],
)
def test_passages_define_the_type_of_a_name(name: str, text: str, expected: str | None) -> None:
    passages = (Passage(index=0, title="T", text=text),)
    assert (define(name, passages, entity_types()).types or (None,))[0] == expected


@pytest.mark.parametrize(
    ("name", "person"),
    [("Mirela Castane", True), ("five", False), ("May 1990", False), ("the Guild", False)],
)
def test_shape_of_a_persons_name(name: str, person: bool) -> None:
    assert looks_like_person(name) is person


def item_of(question: str, step: str, *, depends_on: tuple[int, ...] = ()) -> SourceItem:
    hop = SourceHop(index=2, question=step, answer="a", support=0, depends_on=depends_on)
    passages = (Passage(index=0, title="Night Ferry", text="Night Ferry is a song."),)
    return SourceItem(
        dataset="t", id="1", question=question, answer="a", passages=passages, hops=(hop,)
    )


def test_a_reference_names_something() -> None:
    item = item_of("When did A and B merge?", "when did #1 and #2 merge", depends_on=(1, 2))
    assert names_something(item, item.hops[0])


def test_a_name_is_found_by_a_passage_title_whatever_its_case() -> None:
    item = item_of("Who sang it?", "who recorded night ferry first")
    assert names_something(item, item.hops[0])


def test_a_name_is_found_by_the_capitals_of_the_question() -> None:
    item = item_of("Who built Tower of Orle?", "who built tower of orle")
    assert names_something(item, item.hops[0])


def test_a_step_without_any_name_names_nothing() -> None:
    item = item_of("What is it like?", "what is it like")
    assert not names_something(item, item.hops[0])
