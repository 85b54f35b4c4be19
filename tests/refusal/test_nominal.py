"""What a seed asks for is named in its own words, or not at all."""

from __future__ import annotations

import pytest

from realhop_kg.errors import InputError
from realhop_kg.refusal.nominal import language, mention_in, voice_seed


def nominal(question: str, anchor: str) -> str:
    mention = mention_in(question, [anchor])
    assert mention is not None
    voice = voice_seed(question, mention)
    assert voice is not None
    assert voice.question.replace("{A}", voice.mention) == question
    return voice.nominal


@pytest.mark.parametrize(
    ("question", "anchor", "expected"),
    [
        ("Which river did Ada Orm cross first?", "Ada Orm", "the river that {A} crossed first"),
        ("Which country did the Moon win its independence from?", "Moon",
         "the country that {A} won its independence from"),
        ("Which city was Plato thinking of then?", "Plato",
         "the city that {A} was thinking of then"),
        ("Which country has Malta secretly admired?", "Malta",
         "the country that {A} has secretly admired"),
        ("Which planet will Russia reach first?", "Russia", "the planet that {A} will reach first"),
        ("Which city hosted the match that Brazil won?", "Brazil",
         "the city that hosted the match that {A} won"),
        ("Which city in Germany did the author of the letter live in?", "Germany",
         "the city in {A} that the author of the letter lived in"),
        ("In which city did Ada Orm sell the mill?", "Ada Orm",
         "the city in which {A} sold the mill"),
        ("What was the favourite city of Isaac Newton?", "Isaac Newton",
         "the favourite city of {A}"),
        ("Who taught the founder of Rome to swim?", "Rome",
         "the person who taught the founder of {A} to swim"),
        ("Which city was the home of the first potter in Africa?", "Africa",
         "the city that was the home of the first potter in {A}"),
        ("Which country was the home of the first bird that flew over Kest?", "Kest",
         "the country that was the home of the first bird that flew over {A}"),
        ("Which actor had the most private thoughts about Kest?", "Kest",
         "the actor who had the most private thoughts about {A}"),
        ("Which country will be the first to send a choir to Libya?", "Libya",
         "the country that will be the first to send a choir to {A}"),
    ],
)  # fmt: skip
def test_a_question_is_turned_into_a_noun_phrase(question: str, anchor: str, expected: str) -> None:
    assert nominal(question, anchor) == expected


@pytest.mark.parametrize(
    ("question", "anchor"),
    [
        ("How many grains of sand lay in Iceland?", "Iceland"),
        ("Why did Rome fall in a day?", "Rome"),
        ("Which city did nobody in Rome see?", "Rome"),
        ("Which feeling did Rome have?", "Rome"),
        ("Which country had the owner of the coin from Rome seen?", "Rome"),
        ("Which city was the king of Rome crowned in?", "Rome"),
        ("Which city was the tower of Rome moved to in 1820?", "Rome"),
        ("Which city had the king of Rome visited?", "Rome"),
        ("Which city was the mother of Rome from?", "Rome"),
    ],
)
def test_what_cannot_be_turned_keeps_its_question_only(question: str, anchor: str) -> None:
    assert nominal(question, anchor) == ""


@pytest.mark.parametrize(
    "question",
    [
        "Rome fell. Which city rose after Rome?",
        "Rome is old",
        "Is {Rome} old?",
        "Rome? Which Rome?",
    ],
)
def test_what_is_no_single_question_is_no_seed(question: str) -> None:
    start = question.index("Rome")
    assert voice_seed(question, (start, start + 4)) is None


@pytest.mark.parametrize(
    ("question", "place"),
    [
        ("Who saw the Nile?", (8, 16)),
        ("Who saw Nile's source?", None),
        ("Who saw Nile Street?", None),
        ("Who saw Nile and Nile?", None),
        ("Who saw Upper-Nile?", None),
    ],
)
def test_a_mention_is_one_whole_name(question: str, place: tuple[int, int] | None) -> None:
    assert mention_in(question, ["Nile"]) == place


def test_a_model_that_is_missing_is_named() -> None:
    with pytest.raises(InputError, match="no_such_model is not installed"):
        language("no_such_model")
