from __future__ import annotations

import pytest

from realhop_kg.construct.sources import check_answer, check_mention, check_question
from realhop_kg.errors import Refusal
from realhop_kg.relations.types import entity_types

TYPES = entity_types()


def refusal(answer: str, type_id: str) -> str:
    """Return the code under which an answer is refused, or an empty text."""
    try:
        check_answer(answer, type_id, TYPES)
    except Refusal as refused:
        return refused.code
    return ""


@pytest.mark.parametrize(
    ("answer", "type_id"),
    [
        ("Pennock", "town"),
        ("Pennock, Norland", "place"),
        ("the United Marches", "country"),
        ("an American", "country"),
        ("Isle of the Three Kings", "island"),
        ("St. Rell's", "place"),
        ("Moss's Bay", "sea"),
        ("3rd Regiment of Foot", "military"),
        ("Marrow & Sons", "company"),
        ("Bell and Candle", "band"),
        ("The Duke / Otto Kern", "character"),
        ("Rolf van der Aa", "person"),
    ],
)
def test_a_name_of_one_thing_is_taken(answer: str, type_id: str) -> None:
    assert refusal(answer, type_id) == ""


@pytest.mark.parametrize(
    ("answer", "type_id"),
    [
        ("his mother", "person"),
        ("a small village near Pennock", "village"),
        ("near Pennock", "place"),
        ("from the Latin", "language"),
        ("Built in the fifteenth century", "castle"),
        ("Otto Kern and Ida Roth", "person"),
        ("Otto Kern & Ida Roth", "person"),
        ("Otto Kern / Ida Roth", "person"),
        ("Pennock/Stell", "town"),
        ("Pennock; Stell", "company"),
        ("Otto Kern's Norland", "country"),
        ("Kerns' death in 1939", "place"),
        ("...", "town"),
    ],
)
def test_phrases_and_double_names_are_refused(answer: str, type_id: str) -> None:
    assert refusal(answer, type_id) == "Q6"


@pytest.mark.parametrize("answer", ["King Otto I", "Dr. Otto Kern", "Otto Kern Jr."])
def test_a_persons_title_is_no_place(answer: str) -> None:
    assert refusal(answer, "state") == "R1"
    assert refusal(answer, "person") == ""


def test_a_place_may_begin_like_a_title() -> None:
    assert refusal("King County", "county") == ""


def test_a_question_in_capitals_throughout_is_refused() -> None:
    with pytest.raises(Refusal) as refused:
        check_question("WHERE WAS IDA MARROW BORN?")
    assert refused.value.code == "Q3"
    check_question("where was ida marrow born?")
    check_question("????")


@pytest.mark.parametrize(
    "name", ["Ida Marrow", "the Low Tide", "3rd Street", "A Dog of Orm", "low tide", "tide"]
)
def test_a_name_of_question_or_passages_is_one(name: str) -> None:
    check_mention(name, "work", ["Low Tide (novel)", "The Tide rose."], TYPES)


@pytest.mark.parametrize(
    "name",
    [
        "the oldest church",
        "his house",
        "drums",
        "everyone",
        "Gwen's father",
        "the first novel",
        "the",
    ],
)
def test_a_common_noun_is_no_name(name: str) -> None:
    with pytest.raises(Refusal) as refused:
        check_mention(name, "facility", ["Gwen has a father.", "The novel is old."], TYPES)
    assert refused.value.code == "Q4"


@pytest.mark.parametrize("answer", ["1953", "Himself", "4 May 1861", "48%"])
def test_a_value_or_a_pronoun_is_no_person(answer: str) -> None:
    assert refusal(answer, "person") == "Q6"


def test_a_work_may_be_named_by_a_year() -> None:
    assert refusal("1984", "book") == ""


def test_a_name_of_the_same_word_over_and_over_takes_no_time() -> None:
    with pytest.raises(Refusal):
        check_mention("x " * 60 + "z", "work", ["X " * 5000], TYPES)
