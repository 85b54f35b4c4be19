from __future__ import annotations

import pytest

from realhop_kg.construct.steps import Anchor, Reading, Ref, read_step
from realhop_kg.model.item import SourceHop
from realhop_kg.relations.catalogue import catalogue
from tests.construct.small import relation, small_catalogue

PAIR = relation(
    "treaty",
    arguments={"x": "country", "w": "country"},
    value="year",
    labels=["treaty"],
    statement="The {role} of {x} and {w} is of {y}.",
    frames=[
        {
            "key": "roll {nn}",
            "link": "{k} is the {role} of {x} and {w}.",
            "value": "{k} is of {y}.",
        }
    ],
    questions=["when did {x} and {w} agree", "in which {kind} did {x} and {w} agree"],
    nouns=[],
)
KNOWN = small_catalogue(
    PAIR,
    relation("twin", labels=["twin", "Sister"], questions=["what [town] is the twin of {x}"]),
    relation("seat", labels=["sister"]),
)


def hop(question: str, depends_on: tuple[int, ...] = (), index: int = 3) -> SourceHop:
    return SourceHop(index=index, question=question, answer="a", support=0, depends_on=depends_on)


def read(question: str, depends_on: tuple[int, ...] = ()) -> list[tuple[str, dict[str, object]]]:
    found = read_step(hop(question, depends_on), KNOWN)
    return [(reading.relation.id, dict(reading.fillers)) for reading in found]


def test_a_labelled_step_is_read_by_every_relation_of_its_label() -> None:
    assert read("Calder >> SISTER ") == [
        ("seat", {"x": Anchor("Calder")}),
        ("twin", {"x": Anchor("Calder")}),
    ]


def test_a_reference_fills_the_slot() -> None:
    assert read("#1 >> twin", (1,)) == [("twin", {"x": Ref(1)})]
    assert read("What is the twin of #2?", (2,)) == [("twin", {"x": Ref(2)})]


def test_a_question_is_read_in_any_case_and_punctuation() -> None:
    expected = [("twin", {"x": Anchor("St. Orm-on-Sea")})]
    assert read("what IS the twin, of St. Orm-on-Sea??") == expected
    assert read("What town is the twin of St. Orm-on-Sea") == expected


def test_several_slots_are_filled_in_the_order_of_the_relation() -> None:
    fillers = {"x": Ref(1), "w": Anchor("Calder")}
    assert read("When did #1 and Calder agree?", (1,)) == [("treaty", fillers)]
    assert read("When did #1 and #2 agree?", (1, 2)) == [("treaty", {"x": Ref(1), "w": Ref(2)})]


def test_a_name_may_hold_the_words_between_slots() -> None:
    assert read("When did Moss and Fen and Calder agree?") == [
        ("treaty", {"x": Anchor("Moss"), "w": Anchor("Fen and Calder")}),
        ("treaty", {"x": Anchor("Moss and Fen"), "w": Anchor("Calder")}),
    ]


@pytest.mark.parametrize(
    ("question", "depends_on"),
    [
        ("Calder >> moon", ()),  # no such label
        (">> twin", ()),  # names nothing
        ("#1 >> twin", ()),  # #1 is text here
        ("Calder >> twin", (1,)),  # does not use what it depends on
        ("the old #1 >> twin", (1,)),  # a reference with words beside it
        ("What is the twin of #1 in May?", (1,)),
        ("When did #1 and Calder agree?", (1, 2)),
        ("Calder >> treaty", ()),  # one slot of two
        ("In which river did Moss and Fen agree?", ()),  # the kind is none of a year
        ("In which moon did Moss and Fen agree?", ()),
        ("What is the twin?", ()),
        ("", ()),
    ],
)
def test_what_does_not_fit_in_full_is_not_read(question: str, depends_on: tuple[int, ...]) -> None:
    assert read(question, depends_on) == []


def test_the_kind_by_which_a_step_asks_is_kept() -> None:
    (reading,) = read_step(hop("In which Year did Moss and Fen agree?"), KNOWN)
    assert reading.kind == "year"
    assert read_step(hop("When did Moss and Fen agree?"), KNOWN)[0].kind == ""


def test_the_reading_with_more_words_of_its_own_comes_first() -> None:
    wide = relation("wide", questions=["what is {x}"], labels=[])
    found = read_step(hop("What is the seat of Calder?"), small_catalogue(wide))
    assert [(r.relation.id, r.literals) for r in found] == [("seat", 5), ("wide", 2)]
    assert found[1].fillers == (("x", Anchor("the seat of Calder")),)


def test_two_wordings_of_one_reading_count_once_by_the_closer_one() -> None:
    loose = relation("seat", questions=["what is the seat of {x}", "[so] what is the seat of {x}"])
    found = read_step(hop("so what is the seat of Calder"), small_catalogue(loose))
    assert [(r.relation.id, r.literals) for r in found] == [("seat", 6)]


def test_references_of_a_reading() -> None:
    reading = Reading(3, PAIR, (("x", Ref(2)), ("w", Anchor("Calder"))), "", 3)
    assert reading.references == {2}


@pytest.mark.parametrize(
    ("step", "kind"),
    [
        ("who is the mayor of the city of #1", "city"),
        ("who is the mayor of the city #1", "city"),
        ("where does the #1 river start", "river"),
        ("what country is the band #1 from", "band"),
        ("where do #1 fc play their home games", "fc"),
    ],
)
def test_a_reference_may_have_its_kind_beside_it(step: str, kind: str) -> None:
    found = read_step(hop(step, (1,)), catalogue())
    assert found
    assert {reading.beside for reading in found} == {((1, kind),)}
    assert all(dict(reading.fillers)["x"] == Ref(1) for reading in found)


@pytest.mark.parametrize(
    "step",
    [
        "who is the mayor of the airport of #1",  # an airport of a town is not the town
        "where is the #1 airport",
        "who is the mayor of the famous #1",
        "who is the mayor of the city of the state of #1",
        "where does the band #1 river start",
    ],
)
def test_other_words_beside_a_reference_are_refused(step: str) -> None:
    assert read_step(hop(step, (1,)), catalogue()) == []
