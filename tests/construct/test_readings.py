from __future__ import annotations

import pytest

from realhop_kg.construct.readings import fitting_readings
from realhop_kg.construct.steps import Anchor, Filler, Reading, Ref
from realhop_kg.errors import Refusal
from realhop_kg.model.item import SourceHop, SourceItem
from realhop_kg.model.text import Passage
from realhop_kg.relations.relation import Relation
from tests.construct.small import relation, small_catalogue

KNOWN = small_catalogue()
BY_LAKE = relation("lake_in", arguments={"x": "lake"}, value="county")
BY_SCHOOL = relation("school_in", arguments={"x": "school"}, value="city")
OF_COUNTY = relation("county_seat", arguments={"x": "county"})
OF_SPOUSE = relation("spouse_of", arguments={"x": "person"})
OF_STATE = relation("state_seat", arguments={"x": "state"})


def reading(hop: int, entry: Relation, filler: Filler) -> Reading:
    return Reading(hop, entry, (("x", filler),), "", 3)


def item(*answers: str, text: str = "Nothing is said.") -> SourceItem:
    return SourceItem(
        dataset="d",
        id="i",
        question="q",
        answer=answers[-1],
        passages=(Passage(index=0, title="T", text=text),),
        hops=tuple(
            SourceHop(index=index, question="q", answer=answer, support=0)
            for index, answer in enumerate(answers, start=1)
        ),
    )


def kept(
    readings: dict[int, list[Reading]], *answers: str, text: str = "Nothing is said."
) -> dict[int, list[str]]:
    found = fitting_readings(readings, item(*answers, text=text), KNOWN)
    return {hop: [each.relation.id for each in several] for hop, several in found.items()}


def test_a_name_that_shows_its_type_settles_the_relation() -> None:
    for name, expected in (("Lake Orm", "lake_in"), ("Moss High School", "school_in")):
        several = [reading(1, entry, Anchor(name)) for entry in (BY_LAKE, BY_SCHOOL)]
        assert kept({1: several}, "Calder") == {1: [expected]}


def test_an_answer_that_shows_its_type_settles_the_relation() -> None:
    several = [reading(1, entry, Anchor("Orm")) for entry in (BY_SCHOOL, BY_LAKE)]
    assert kept({1: several}, "Stell County") == {1: ["lake_in"]}


def test_the_step_that_uses_an_answer_settles_what_gave_it() -> None:
    several = [reading(1, entry, Anchor("Orm")) for entry in (BY_LAKE, BY_SCHOOL)]
    assert kept({1: several, 2: [reading(2, OF_COUNTY, Ref(1))]}, "Stell", "Pennock") == {
        1: ["lake_in"],
        2: ["county_seat"],
    }


def test_what_gave_an_answer_settles_the_step_that_uses_it() -> None:
    several = [reading(2, entry, Ref(1)) for entry in (OF_STATE, OF_COUNTY)]
    assert kept({1: [reading(1, BY_LAKE, Anchor("Orm"))], 2: several}, "Stell", "Pennock") == {
        1: ["lake_in"],
        2: ["county_seat"],
    }


def test_a_choice_runs_on_through_the_chain() -> None:
    first = [reading(1, entry, Anchor("Orm")) for entry in (BY_SCHOOL, BY_LAKE)]
    second = [reading(2, entry, Ref(1)) for entry in (OF_STATE, OF_COUNTY)]
    of_city = relation("of_city", arguments={"x": "city"}, value="person")
    second.append(reading(2, of_city, Ref(1)))
    third = [reading(3, relation("twin"), Ref(2))]
    assert kept({1: first, 2: second, 3: third}, "Stell", "Pennock", "Orm") == {
        1: ["lake_in"],
        2: ["county_seat"],
        3: ["twin"],
    }


def test_where_nothing_fits_a_name_the_item_is_refused() -> None:
    several = [reading(1, entry, Anchor("Mount Orm")) for entry in (BY_LAKE, BY_SCHOOL)]
    with pytest.raises(Refusal, match="'Mount Orm' is a mountain by its text") as refused:
        kept({1: several}, "Stell")
    assert refused.value.code == "R1"


def test_where_no_reading_fits_its_neighbour_the_item_is_refused() -> None:
    loose = [reading(2, OF_SPOUSE, Ref(1))]
    with pytest.raises(Refusal, match="does not fit the hops beside it"):
        kept({1: [reading(1, BY_LAKE, Anchor("Orm"))], 2: loose}, "Stell", "Orm")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Orm is a small lake in the north.", ["lake_in"]),
        ("Orm (founded 1901) is a school for girls.", ["school_in"]),
        ("In the north lies much. The Orm was a deep, cold lake near Stell.", ["lake_in"]),
    ],
)
def test_what_a_passage_says_of_a_name_settles_the_relation(text: str, expected: list[str]) -> None:
    several = [reading(1, entry, Anchor("Orm")) for entry in (BY_LAKE, BY_SCHOOL)]
    assert kept({1: several}, "Calder", text=text) == {1: expected}


@pytest.mark.parametrize(
    "text",
    [
        "Orm (1440 AM) is a radio station licensed to Stell.",
        "Orm is a species of snail.",
        "Orm (born 3 May 1950) lives in Stell.",
    ],
)
def test_a_name_that_a_passage_makes_something_else_is_refused(text: str) -> None:
    with pytest.raises(Refusal) as refused:
        kept({1: [reading(1, BY_LAKE, Anchor("Orm"))]}, "Calder", text=text)
    assert refused.value.code == "R1"


@pytest.mark.parametrize(
    "text",
    [
        "Orm, whose mayor was a school teacher, is quiet.",
        "Orm Frome is a novel.",
        "Orm is a former station.",
    ],
)
def test_what_is_said_of_something_else_or_unclear_refuses_nothing(text: str) -> None:
    assert kept({1: [reading(1, BY_LAKE, Anchor("Orm"))]}, "Calder", text=text) == {1: ["lake_in"]}


def test_what_fits_stays_as_it_was() -> None:
    several = {1: [reading(1, BY_LAKE, Anchor("Orm")), reading(1, BY_SCHOOL, Anchor("Orm"))]}
    assert fitting_readings(several, item("Stell"), KNOWN) == several
