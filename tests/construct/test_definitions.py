from __future__ import annotations

import pytest

from realhop_kg.construct.definitions import define
from realhop_kg.model.text import Passage
from realhop_kg.relations.types import entity_types

TYPES = entity_types()


def passages(text: str, title: str = "Notes") -> list[Passage]:
    return [Passage(index=0, title=title, text=text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Orm is a town in Stell.", ("town",)),
        ("Orm, once called Low Orm, is a large city near Stell.", ("city",)),
        ("Orm (1440 AM) is a radio station licensed to Stell.", ("network",)),
        ("Orm was an English painter and politician.", ("person",)),
        ("Orm was a harbor baseball catcher.", ()),
        ("Orm is the second single from the album Low Tide.", ()),
        ("Orm is a railway station in Stell.", ("railway_station",)),
        ("Orm (born 1 May 1950) lives in Stell.", ("person",)),
        ("He likes Orm. Orm is a novel by Ida Marrow. Orm is a lake.", ("book", "lake")),
        ("Orm Frome is a novel.", ()),
        ("Orm, where Ida Marrow was a teacher, is quiet.", ()),
    ],
)
def test_what_a_passage_says_of_a_name_is_its_type(text: str, expected: tuple[str, ...]) -> None:
    assert define("Orm", passages(text), TYPES).types == expected


def test_a_passage_titled_by_the_name_defines_it_by_its_first_sentence() -> None:
    text = "Otto Wilhelm Orm was a Norland painter. He was a town in jest."
    assert define("Orm", passages(text, "Orm (painter)"), TYPES).said == ("Norland painter",)


@pytest.mark.parametrize(
    ("name", "type_id", "text", "said"),
    [
        ("Orm", "place", "Orm is a species of snail.", "'species of snail'"),
        ("Orm", "person", "Orm is a noted ropewalker.", ""),
        ("Orm", "city", "Orm is a town near Stell.", ""),
        ("Orm", "city", "Orm is a lake near Stell.", "lake"),
        ("Orm", "company", "Orm is a maker of bells.", ""),
        ("Green Bay", "city", "Nothing is said.", ""),
        ("Green Bay", "city", "Green Bay is a city in Stell.", ""),
        ("Stell County", "city", "Nothing is said.", "county"),
        ("Orle Bridge", "village", "Orle Bridge is a village in Stell.", ""),
        ("Orle Bridge", "village", "Orle Bridge is an old bridge in Stell.", "bridge"),
        ("Orle Bridge", "bridge", "Orle Bridge is a village in Stell.", "village"),
        ("Orle Bridge", "village", "Orle Bridge is old.", ""),
        ("Moss High School", "city", "Moss High School is a city in Stell.", ""),
        ("Moss High School", "city", "Nothing is said.", "school"),
    ],
)
def test_when_a_text_contradicts_a_type(name: str, type_id: str, text: str, said: str) -> None:
    assert define(name, passages(text), TYPES).contradicts(type_id, TYPES) == said


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("Orle Bridge", "Orle Bridge is a village in Stell.", ("village",)),
        (
            "Orle Bridge",
            "Orle Bridge is a village. Orle Bridge is a bridge.",
            ("bridge", "village"),
        ),
        ("Orle Bridge", "Orle Bridge is a station in Stell.", ("bridge",)),
        ("Orle Bridge", "Orle Bridge is old.", ("bridge",)),
        ("Lake Orm", "Lake Orm is a town in Stell.", ("town",)),
        ("Lake Orm", "Lake Orm was a Norland painter.", ("person",)),
        ("Orm County", "Orm County is a novel by Ida Marrow.", ("book",)),
    ],
)
def test_what_a_passage_says_wins_over_what_a_name_shows(
    name: str, text: str, expected: tuple[str, ...]
) -> None:
    assert define(name, passages(text), TYPES).types == expected
