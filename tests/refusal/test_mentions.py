"""Names are found whatever their case, with articles, owners and marks around them."""

from __future__ import annotations

import pytest

from realhop_kg.refusal.mentions import common_words, mentions, spellings


def found(question: str) -> list[str]:
    return [question[one.start : one.end] for one in mentions(question)]


@pytest.mark.parametrize(
    ("question", "name"),
    [
        ("How long was Ada Orm's favourite pen?", "Ada Orm"),
        ("How long was Ada Orm’s favourite pen?", "Ada Orm"),
        ("Who is older than Ada Orm?", "Ada Orm"),
        ("Who, Ada Orm, did you see?", "Ada Orm"),
        ("Did the Joneses' town burn?", "Joneses"),
        ("when did the us join the league of nations?", "league of nations"),
        ("when did the us join the league of nations?", "us"),
        ("who was president of russia in 1971?", "russia"),
        ("When will a storm hit south carolina?", "south carolina"),
        ("How many trees has the Amazon rainforest?", "Amazon rainforest"),
        ("Was Ada Orm in Lower Mill?", "Lower Mill"),
        ("Was Joan of Arc burnt?", "Joan of Arc"),
        ("Did Petra Sundew's Oume flood?", "Oume"),
    ],
)
def test_a_name_is_found(question: str, name: str) -> None:
    assert name in found(question)


@pytest.mark.parametrize(
    ("question", "name"),
    [
        ("What did Michael Jordan eat?", "Jordan"),
        ("Was Joan of Arc burnt?", "Arc"),
        ("What did it tell us?", "us"),
        ("Was the Bath long?", "the Bath"),
        ("How many wings does a dog have?", "dog"),
        ("what did michael jordan eat?", "jordan"),
        ("Which town did Ada see?", "Which"),
        ("Is there china in Ada Orm?", "china"),
    ],
)
def test_what_is_no_name_of_its_own_is_not(question: str, name: str) -> None:
    assert name not in found(question)


@pytest.mark.parametrize(
    ("question", "owner"),
    [
        ("How long was Ada's pen?", True),
        ("Is Ada' eye blue?", True),
        ("Did the James' town burn?", True),
        ("Who sang 'Ada'?", False),
        ("Who saw Ada?", False),
    ],
)
def test_an_owner_is_told_from_a_name(question: str, owner: bool) -> None:
    named = [one for one in mentions(question) if question[one.start : one.end] in ("Ada", "James")]
    assert [one.owner for one in named] == [owner]


def test_titles_may_be_spelt_otherwise() -> None:
    assert "League of Nations" in spellings("the league of nations")
    assert "Amazon Rainforest" in spellings("Amazon rainforest")
    assert "Soviet Union" in spellings("SOVIET UNION")
    assert "UK" in spellings("uk")
    assert "UNESCO" in spellings("unesco")
    assert next(iter(spellings("iPod"))) == "iPod"
    assert list(spellings("Ada")) == ["Ada"]


def test_common_words_are_said_as_pages_are_called() -> None:
    assert list(common_words("How many dogs' wings fly?")) == [
        "many", "dogs", "dog", "wings", "wing", "fly",
    ]  # fmt: skip
    assert "country" in common_words("Which countries have classes?")
    assert "class" in common_words("Which countries have classes?")
