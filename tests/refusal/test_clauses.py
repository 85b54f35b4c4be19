"""A clause is found where a sentence surely speaks of its page, and nowhere else."""

from __future__ import annotations

import time

import pytest

from realhop_kg.refusal.clauses import clause_of, kind_of_page, opening_item, sentences_in
from realhop_kg.refusal.frames import word_clause
from realhop_kg.refusal.kinds import Kind, kind_in


def clause(item: str, words: str, title: str, first: bool = True) -> str | None:
    start = item.index(words)
    return clause_of(item, start, start + len(words), title, first)


@pytest.mark.parametrize(
    ("item", "words", "title", "expected"),
    [
        ("Ostra is a town on the Vell.", "Vell", "Ostra", "⟦S⟧ is a town on the ⟦T⟧."),
        (
            "The Vell (Latin: Vellus [velus]) is a river. It flows into the Mar.",
            "Mar",
            "Vell",
            "⟦S⟧ flows into the ⟦T⟧.",
        ),
        (
            "Ostra, officially the Free Town of Ostra, is a town in Kest.",
            "Kest",
            "Ostra",
            "⟦S⟧ is a town in ⟦T⟧.",
        ),
        ("Ostra is old. Its seat is Mill.", "Mill", "Ostra", "⟦S's⟧ seat is ⟦T⟧."),
        (
            "Ada Orm (May 5, 1818, Trier, Kest – 1883, Ostra) was a poet.",
            "Kest",
            "Ada Orm",
            "⟦S⟧ was born in Trier, ⟦T⟧.",
        ),
        (
            "Ada Maria Orm was a poet born in Ostra.",
            "Ostra",
            "Ada Orm",
            "⟦S⟧ was a poet born in ⟦T⟧.",
        ),
    ],
)
def test_a_sentence_about_the_page_becomes_a_clause(
    item: str, words: str, title: str, expected: str
) -> None:
    assert clause(item, words, title) == expected


@pytest.mark.parametrize(
    ("item", "words", "title"),
    [
        ("The mill is near Vell.", "Vell", "Ostra"),
        ("Towns are old. It lies on the Vell.", "Vell", "Ostra"),
        ("Ostra is old. The mill stands. It lies on the Vell.", "Vell", "Ostra"),
        ("Ada Orm (1818 – 1883, Kest) was a poet.", "Kest", "Ada Orm"),
        ("Ostra is a town near Vell. " + "x" * 30_000, "Vell", "Ostra"),
    ],
)
def test_a_sentence_that_may_be_about_another_thing_gives_none(
    item: str, words: str, title: str
) -> None:
    assert clause(item, words, title) is None


def test_a_sentence_that_ends_in_a_number_is_one() -> None:
    item = "Poe died at 40. The town fell."
    assert [item[a:b].strip() for a, b in sentences_in(item)] == [
        "Poe died at 40.",
        "The town fell.",
    ]


def test_hostile_text_takes_no_time_without_end() -> None:
    nested = f"Ostra {'(' * 9000}{')' * 9000} is a town in Kest."
    listed = f"Ostra borders {'Ost to the west, ' * 1000}Kest to the"
    begin = time.perf_counter()
    assert clause(nested, "Kest", "Ostra") is None
    found = clause(listed, "Kest", "Ostra")
    assert found is not None
    country = Kind("country", "country")
    assert list(word_clause(found, country, country)) == []
    assert time.perf_counter() - begin < 10


@pytest.mark.parametrize(
    ("opening", "title", "expected"),
    [
        ("Ostra is a small port in Kest.", "Ostra", Kind("town", "city")),
        ("The Vell is a river.", "Vell", Kind("river", "river")),
        ("The Vell is a river flowing through Kest.", "Vell", Kind("river", "river")),
        ("Kest is a country south of the Mar.", "Kest", Kind("country", "country")),
        ("Mill is a city within Kest.", "Mill", Kind("city", "city")),
        ("Ostra is Kest's third-largest city after Mill.", "Ostra", Kind("city", "city")),
        ("The Diet is Kest's legislative branch.", "Diet", None),
        (
            "Orm was a Kestran-born physicist widely known for his hat.",
            "Orm",
            Kind("physicist", "person"),
        ),
        (
            "The West Bank is a territory on the west bank of the Vell. The West Bank is old.",
            "West Bank",
            Kind("territory", "region"),
        ),
        ("The Red Owl is a town in Kest. A red owl, or the red owl, is a bird.", "Red Owl", None),
        ("Kest is a landlocked island nation.", "Kest", Kind("country", "country")),
        ("Orm was a Kestran novelist and poet.", "Orm", Kind("novelist", "person")),
        ("Orm was a Kestran-born film and stage actor.", "Orm", Kind("actor", "person")),
        ("Ost is a small, windy island in the Mar.", "Ost", Kind("island", "island")),
        ("Mar is one of the constituent countries of Kest.", "Mar", None),
        ("Ost is the largest constituent country of Kest.", "Ost", None),
        ("Oxide is the process by which iron rusts.", "Oxide", None),
        ("A capital is a city. The capital rules.", "Capital", None),
        ("In politics a capital is a city; a capital has offices.", "Capital", None),
        (
            "Kest IPA: [x], officially the Republic of Kest, is a small country.",
            "Kest",
            Kind("country", "country"),
        ),
        (
            "Ost is the world's second-largest and second most-populous continent.",
            "Ost",
            Kind("continent", "continent"),
        ),
        (
            "The Ostran Ocean is the third largest body of water.",
            "Ostran Ocean",
            Kind("ocean", "ocean"),
        ),
        ("The Lake District is a park.", "Lake District", None),
        ("Growth is a state that plants are in.", "Growth", None),
    ],
)
def test_an_opening_says_what_a_page_is_about(
    opening: str, title: str, expected: Kind | None
) -> None:
    found = kind_of_page([f"{title}\n", opening], title, 2)
    if "constituent" in opening:
        expected = Kind("constituent country", "country")
    assert found == expected


def test_captions_and_notes_before_the_opening_are_passed_over() -> None:
    text = ["Kest\n", "^2 Also a note.\n", "Map of Kest.\n", "Kest is a country in Mar.\n"]
    assert opening_item(text, "Kest", 4) == 3
    assert kind_of_page(text, "Kest", 4) == Kind("country", "country")
    assert opening_item(["Kest\n", "A note.\n", "Another.\n"], "Kest", 3) == 1
    assert opening_item(["Kest\n"], "Kest", 1) == 0
    assert kind_of_page(["Kest\n"], "Kest", 1) is None


def test_only_the_noun_before_the_first_break_counts() -> None:
    assert kind_in("the county seat of Kest") is None
    assert kind_in("an engineer, poet and mayor") == Kind("engineer", "person")
