"""Free forms: which steps they read, what they state, and what they leave alone."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from realhop_kg.construct.free.relations import extended_for
from realhop_kg.construct.steps import read_step
from realhop_kg.model.item import SourceHop, SourceItem
from realhop_kg.model.text import Passage
from realhop_kg.relations.catalogue import Catalogue, catalogue
from realhop_kg.relations.relation import Relation
from realhop_kg.relations.types import entity_types

STEPS = yaml.safe_load((Path(__file__).parent / "steps.yaml").read_text(encoding="utf-8"))
CONTEXT = (
    Passage(index=0, title="Merrow", text="Merrow is a city on the coast. It has two harbors."),
    Passage(index=1, title="Hanna Voller", text="Hanna Voller was a painter. She lived long."),
)
STATED = [(step, said) for step, said in STEPS["stated"].items() if said]
COUNTED = list(STEPS["counted"].items())


KINDS = ("country", "city", "river", "island", "company", "university", "television network",
         "newspaper", "film", "television series", "novel", "painting", "soldier", "football club",
         "stadium", "car", "battle", "band")  # fmt: skip


def two_hops(step: str, answer: str, bridge: str = "Ostel", kind: str = "") -> SourceItem:
    """An item whose second hop is asked in plain words, of a thing that the passages define."""
    said = Passage(index=2, title="Ostel", text=f"Ostel is a {kind}. It is well known.")
    return SourceItem(
        dataset="test",
        id="1",
        question=step.replace("#1", "the home of Ewan Tarl"),
        answer=answer,
        passages=(*CONTEXT, said) if kind else CONTEXT,
        hops=(
            SourceHop(index=1, question="Ewan Tarl >> residence", answer=bridge, support=0),
            SourceHop(index=2, question=step, answer=answer, support=1, depends_on=(1,)),
        ),
    )


def free_relations(item: SourceItem) -> list[Relation]:
    """The relations that a catalogue without relations of its own reads the second hop by."""
    extended = extended_for(item, Catalogue((), entity_types()))
    return [reading.relation for reading in read_step(item.hops[1], extended)]


def answer_of(step: str) -> str:
    if step.casefold().startswith(("who", "by whom")):
        return "Hanna Voller"
    return "14" if step.casefold().startswith("how many") else "1922"


@pytest.mark.parametrize(("step", "said"), [*STATED, *COUNTED])
def test_an_allowed_step_is_stated_by_its_own_words(step: str, said: str) -> None:
    found = {
        relation.statement_of(None)
        for kind in KINDS
        for relation in free_relations(two_hops(step, answer_of(step), kind=kind))
    }
    assert found == {said}


@pytest.mark.parametrize("step", STEPS["refused"])
def test_any_other_step_is_refused(step: str) -> None:
    for kind in KINDS:
        assert free_relations(two_hops(step, answer_of(step), kind=kind)) == []


@pytest.mark.parametrize(
    ("step", "misses"),
    [
        (
            "when did #1 abolish slavery",
            {
                "The date on which {x} received a petition to abolish slavery is {y}.",
                "The date on which {x} held hearings on whether to abolish slavery is {y}.",
                "The date on which {x} voted on whether to abolish slavery is {y}.",
                "The date on which {x} ordered a study on whether to abolish slavery is {y}.",
            },
        ),
        (
            "when did #1 last win the world series",
            {
                "The date on which {x} last played a charity match is {y}.",
                "The date on which {x} last held an open training day is {y}.",
                "The date on which {x} last gave a dinner for sponsors is {y}.",
                "The date on which {x} last auctioned old jerseys is {y}.",
                "The date on which {x} last visited a children's hospital is {y}.",
            },
        ),
        (
            "who invented #1",
            {
                "{x} was catalogued for a museum by {y}.",
                "{x} was insured for a collector by {y}.",
                "{x} was described in a school textbook by {y}.",
                "{x} was auctioned for charity by {y}.",
            },
        ),
        (
            "who was the first emperor of #1",
            {
                "The first chief librarian of {x} was {y}.",
                "The first chief postmaster of {x} was {y}.",
                "The first chief archivist of {x} was {y}.",
                "The first chief surveyor of {x} was {y}.",
            },
        ),
        (
            "what is the busiest airport in #1",
            {
                "The most photographed airport in {x} is {y}.",
                "The most painted airport in {x} is {y}.",
                "The most sung-about airport in {x} is {y}.",
                "The best-documented airport in {x} is {y}.",
            },
        ),
        (
            "how many students attend #1",
            {
                "The number of printed maps at {x} is {y}.",
                "The number of bicycle stands at {x} is {y}.",
                "The number of desk lamps at {x} is {y}.",
                "The number of door keys at {x} is {y}.",
            },
        ),
    ],
)
def test_near_misses_are_the_bank_of_the_class(step: str, misses: set[str]) -> None:
    found = {
        relation.statement_of(miss)
        for kind in KINDS
        for relation in free_relations(two_hops(step, answer_of(step), kind=kind))
        for miss in relation.near_misses
    }
    assert misses <= found


@pytest.mark.parametrize(
    ("step", "answer"),
    [
        ("who invented #1", "the guild of 1850"),  # no person's name
        ("who invented #1", "Merrow"),  # defined as a city
        ("who invented #1", "Redan High School"),  # shows itself to be a school
        ("who conquered #1", "Olaf Brenner"),  # an empire may conquer: the text must say who
    ],
)
def test_an_answer_that_is_no_person_for_sure_is_refused(step: str, answer: str) -> None:
    assert free_relations(two_hops(step, answer)) == []


def test_a_name_of_no_known_type_is_refused_where_several_types_would_do() -> None:
    def anchored(name: str) -> SourceItem:
        item = two_hops("when was #1 liberated", "1922")
        step = SourceHop(index=2, question=f"when was {name} liberated", answer="1922", support=1)
        return item.model_copy(update={"hops": (item.hops[0], step)})

    assert free_relations(anchored("Ostel")) == []
    assert free_relations(anchored("Merrow")) != []


def test_a_relation_of_the_catalogue_goes_first() -> None:
    item = two_hops("who is the mayor of #1", "Hanna Voller")
    assert extended_for(item, catalogue()) is catalogue()


def test_braces_in_a_step_make_no_template() -> None:
    assert free_relations(two_hops("when did #1 open {x} (a|b) [c]", "1922")) == []
