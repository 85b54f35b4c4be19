"""Free forms: which steps they read, what they state, and what they leave alone."""

from __future__ import annotations

import pytest

from realhop_kg.construct.free.relations import extended_for
from realhop_kg.construct.steps import read_step
from realhop_kg.model.item import SourceHop, SourceItem
from realhop_kg.model.text import Passage
from realhop_kg.relations.catalogue import Relation, catalogue

CONTEXT = (
    Passage(index=0, title="Merrow", text="Merrow is a city on the coast. It has two harbors."),
    Passage(index=1, title="Hanna Voller", text="Hanna Voller was a painter. She lived long."),
)


def two_hops(step: str, answer: str, bridge: str = "Merrow", question: str = "") -> SourceItem:
    """An item whose second hop is asked in plain words."""
    asked = question or step.replace("#1", "the home of Ewan Tarl")
    return SourceItem(
        dataset="test",
        id="1",
        question=asked,
        answer=answer,
        passages=CONTEXT,
        hops=(
            SourceHop(index=1, question="Ewan Tarl >> residence", answer=bridge, support=0),
            SourceHop(index=2, question=step, answer=answer, support=1, depends_on=(1,)),
        ),
    )


def free_relation(item: SourceItem) -> Relation | None:
    """The relation that is made for the second hop, if one is."""
    readings = read_step(item.hops[1], extended_for(item, catalogue()))
    return next((r.relation for r in readings if r.relation.id.startswith("free.")), None)


@pytest.mark.parametrize(
    ("step", "answer", "statement"),
    [
        (
            "when did #1 reinstate the harbor toll",
            "1922",
            "The date on which {x} reinstated the harbor toll is {y}.",
        ),
        ("when was #1 fortified", "1922", "The date on which {x} was fortified is {y}."),
        ("who fortified #1", "Hanna Voller", "The person who fortified {x} is {y}."),
        ("who is the harbor master of #1", "Hanna Voller", "The harbor master of {x} is {y}."),
        ("who did #1 acquit", "Hanna Voller", "The person whom {x} acquitted is {y}."),
        (
            "which religion is widely practiced in #1",
            "Bremism",
            "The religion which is widely practiced in {x} is {y}.",
        ),
        ("which country did #1 conquer", "Aldonia", "The country which {x} conquered is {y}."),
        ("what is the oldest museum in #1", "Corn Museum", "The oldest museum in {x} is {y}."),
        ("how many bridges are in #1", "14", "The number of bridges in {x} is {y}."),
        ("where was #1 painted", "Ostel", "The place where {x} was painted is {y}."),
    ],
)
def test_a_step_in_plain_words_is_stated_by_its_own_words(
    step: str, answer: str, statement: str
) -> None:
    relation = free_relation(two_hops(step, answer))
    assert relation is not None
    assert relation.statement_of(None) == statement
    assert len(relation.near_misses) >= 3


def test_a_deed_of_a_city_is_missed_by_its_plans() -> None:
    relation = free_relation(two_hops("when did #1 reinstate the harbor toll", "1922"))
    assert relation is not None
    assert relation.statement_of(relation.near_misses[0]) == (
        "The date on which {x} discussed whether to reinstate the harbor toll is {y}."
    )


@pytest.mark.parametrize("step", ["when did #1 win the cup", "when did #1 begin"])
def test_what_nobody_plans_is_missed_by_other_events(step: str) -> None:
    relation = free_relation(two_hops(step, "1922"))
    assert relation is not None
    assert not any("whether to" in miss.role for miss in relation.near_misses)


def test_words_are_written_as_the_question_writes_them() -> None:
    item = two_hops(
        "when did #1 join the coastal league",
        "1922",
        question="When did the home of Ewan Tarl join the Coastal League?",
    )
    relation = free_relation(item)
    assert relation is not None
    assert relation.role == "on which {x} joined the Coastal League"


@pytest.mark.parametrize(
    ("step", "answer"),
    [
        ("who fortified #1", "the fortress guild of 1850"),  # no person's name
        ("who fortified #1", "Merrow"),  # defined as a city
        ("when did #1 the harbor", "1922"),  # no verb
        ("why did #1 close", "a flood"),  # no form
        ("who wrote an essay on #1", "Hanna Voller"),  # a near-miss would be true
    ],
)
def test_a_step_that_fits_no_form_is_left_unread(step: str, answer: str) -> None:
    assert free_relation(two_hops(step, answer)) is None


def test_ids_depend_on_the_words_alone() -> None:
    first = free_relation(two_hops("when was #1 fortified", "1922"))
    again = free_relation(two_hops("when was #1 fortified", "1850", bridge="Ostel"))
    other = free_relation(two_hops("when was #1 burned", "1922"))
    assert first is not None
    assert again is not None
    assert other is not None
    assert first.id == again.id != other.id


def test_braces_in_a_step_make_no_template() -> None:
    item = two_hops("when did #1 open {x} (a|b) [c]", "1922")
    relation = free_relation(item)
    assert relation is None or "{x} (a|b)" not in relation.statement_of(None)
