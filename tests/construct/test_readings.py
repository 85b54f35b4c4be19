from __future__ import annotations

from realhop_kg.construct.readings import fitting_readings
from realhop_kg.construct.steps import Anchor, Filler, Reading, Ref
from realhop_kg.model.item import SourceHop
from realhop_kg.relations.catalogue import Relation
from tests.construct.small import relation, small_catalogue

KNOWN = small_catalogue()
BY_LAKE = relation("lake_in", arguments={"x": "lake"}, value="county")
BY_SCHOOL = relation("school_in", arguments={"x": "school"}, value="city")
OF_COUNTY = relation("county_seat", arguments={"x": "county"})
OF_STATE = relation("state_seat", arguments={"x": "state"})


def reading(hop: int, entry: Relation, filler: Filler) -> Reading:
    return Reading(hop, entry, (("x", filler),), "", 3)


def hops(*answers: str) -> tuple[SourceHop, ...]:
    return tuple(
        SourceHop(index=index, question="q", answer=answer, support=0)
        for index, answer in enumerate(answers, start=1)
    )


def kept(readings: dict[int, list[Reading]], *answers: str) -> dict[int, list[str]]:
    found = fitting_readings(readings, hops(*answers), KNOWN)
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


def test_where_nothing_fits_everything_is_kept() -> None:
    several = [reading(1, entry, Anchor("Mount Orm")) for entry in (BY_LAKE, BY_SCHOOL)]
    assert kept({1: several}, "Stell") == {1: ["lake_in", "school_in"]}
    loose = [reading(2, entry, Ref(1)) for entry in (OF_STATE,)]
    assert kept({1: [reading(1, BY_LAKE, Anchor("Orm"))], 2: loose}, "Stell", "Orm") == {
        1: ["lake_in"],
        2: ["state_seat"],
    }


def test_what_fits_stays_as_it_was() -> None:
    several = {1: [reading(1, BY_LAKE, Anchor("Orm")), reading(1, BY_SCHOOL, Anchor("Orm"))]}
    assert fitting_readings(several, hops("Stell"), KNOWN) == several
