from __future__ import annotations

import random
import re
from itertools import permutations, product

import lemminflect
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from realhop_kg.construct.names import Coiner, _join, gender_hint, shown_type
from realhop_kg.errors import Refusal
from realhop_kg.relations.types import entity_types
from realhop_kg.resources import load_yaml

TYPES = entity_types()
MATERIAL = load_yaml("construct", "names.yaml")
NAMED = [
    "person", "county", "city", "river", "lake", "country", "company", "school", "film", "song",
    "team", "battle", "award", "bridge", "language", "periodical", "product", "band", "group",
]  # fmt: skip

NAMELESS = ("event", "genre", "occupation", "position", "instrument", "key")
"""Types of common nouns, of which no name can be invented, and keys, which frames make."""

WORDS = sorted(
    {
        *MATERIAL["male"], *MATERIAL["female"], *MATERIAL["brands"], *MATERIAL["nouns"],
        *MATERIAL["adjectives"], *MATERIAL["nicknames"], "Calder", "Wexmoor", "River", "County",
        "the", "of", "mayor", "Winter Ledger", "Hollow Lantern", "Tolmer", "Castane",
    }
)  # fmt: skip
TEXTS = st.lists(st.lists(st.sampled_from(WORDS), max_size=12).map(" ".join), max_size=4)


def words(text: str) -> str:
    found = re.findall(r"[^\W_]+", text.casefold())
    return f" {' '.join(found)} "


def coin(seed: int, texts: list[str], types: list[str], hint: str = "") -> list[str]:
    coiner = Coiner(random.Random(seed), texts)
    return [coiner.name(type_id, hint).surface for type_id in types]


@given(st.integers(), TEXTS, st.lists(st.sampled_from(NAMED), min_size=2, max_size=12))
@settings(max_examples=120, deadline=None, derandomize=True)
def test_coined_names_never_occur_in_the_texts_and_none_is_part_of_another(
    seed: int, texts: list[str], types: list[str]
) -> None:
    names = coin(seed, texts, types)
    for name in names:
        assert all(words(name) not in words(text) for text in texts)
    shared = set(MATERIAL["shared_words"])
    for name, other in permutations(names, 2):
        assert words(name) not in words(other)
        assert set(words(name).split()) & set(words(other).split()) <= shared


@given(st.integers(), TEXTS, st.lists(st.sampled_from(NAMED), max_size=6))
@settings(max_examples=60, deadline=None, derandomize=True)
def test_the_same_seed_gives_the_same_names(seed: int, texts: list[str], types: list[str]) -> None:
    assert coin(seed, texts, types) == coin(seed, texts, types)


def test_other_seeds_give_other_names() -> None:
    drawn = [tuple(coin(seed, [], ["person", "county", "film"])) for seed in range(50)]
    assert len(set(drawn)) == 50


def test_words_of_the_text_are_avoided_even_alone() -> None:
    names = coin(1, ["Tolmer, Castane and Mirela went up the river."], ["person"] * 100)
    own = {word for name in names for word in words(name).split()}
    assert own.isdisjoint({"tolmer", "castane", "mirela"})


@pytest.mark.parametrize(
    "type_id",
    [name for name in TYPES.parents if not TYPES.is_value(name) and name not in NAMELESS],
)
def test_every_other_type_of_the_tree_has_names_that_show_it_or_nothing_else(type_id: str) -> None:
    coined = Coiner(random.Random(7), []).name(type_id, "")
    assert coined.surface
    assert coined.article in ("", "the")
    shown = shown_type(coined.surface)
    assert shown is None or TYPES.narrower(shown, type_id) is not None


@pytest.mark.parametrize(("hint", "given"), [("husband", "male"), ("actress", "female")])
def test_a_person_has_a_name_that_fits_the_noun_for_it(hint: str, given: str) -> None:
    for name in coin(3, [], ["person"] * 30, hint):
        assert name.split()[0] in MATERIAL[given]


def test_no_given_name_is_both_male_and_female() -> None:
    assert set(MATERIAL["male"]).isdisjoint(MATERIAL["female"])


@pytest.mark.parametrize("type_id", ["value", "year", *NAMELESS])
def test_a_type_without_a_pattern_is_refused(type_id: str) -> None:
    with pytest.raises(Refusal, match=rf"^Q6: names of type {type_id} cannot be coined"):
        Coiner(random.Random(0), []).name(type_id, "")


def test_a_type_whose_names_are_used_up_is_refused() -> None:
    coiner = Coiner(random.Random(0), [" ".join(MATERIAL["brands"])])
    with pytest.raises(Refusal, match=r"^Q6: no fresh name of type company"):
        coiner.name("company", "")


def test_a_reserved_surface_is_free_once() -> None:
    coiner = Coiner(random.Random(0), ["It holds 48% of Calder."])
    assert not coiner.reserve("Calder")
    assert not coiner.reserve("48")
    assert coiner.reserve("entry 58-C")
    assert not coiner.is_free("58 c")  # part of it
    assert not coiner.is_free("the entry 58-C of Wexmoor")  # it is part
    assert not coiner.is_free("entry 58")
    assert coiner.is_free("entry 59-C")


@pytest.mark.parametrize(
    ("surface", "type_id"),
    [
        ("Mountrail County", "county"),
        ("Lake Ontario", "lake"),
        ("Gmina Moss, Orm Voivodeship", "district"),
        ("Paris", None),
        ("County", None),
        ("", None),
    ],
)
def test_a_name_may_show_its_type(surface: str, type_id: str | None) -> None:
    assert shown_type(surface) == type_id


def test_the_first_noun_that_tells_a_gender_counts() -> None:
    assert gender_hint(["the", "queen", "king"]) == "queen"
    assert gender_hint(["the", "mayor"]) == ""


def test_no_coined_word_is_plain_english() -> None:
    plain = set()
    for ends, first in (
        ("place_ends", "place_starts"),
        ("country_ends", "place_starts"),
        ("tongue_ends", "place_starts"),
        ("creed_ends", "place_starts"),
        ("surname_ends", "surname_starts"),
    ):
        for start, end in product(MATERIAL[first], MATERIAL[ends]):
            word = _join(start, end).casefold()
            if lemminflect.getAllLemmas(word):
                plain.add(word)
    assert plain == set(MATERIAL["avoid"])
    assert not [word for word in MATERIAL["brands"] if lemminflect.getAllLemmas(word.casefold())]
    coiner = Coiner(random.Random(3), [])
    names = [coiner.name("settlement", "").surface for _ in range(300)]
    assert not {name.casefold() for name in names} & plain


@pytest.mark.parametrize("type_id", ["team", "band"])
def test_a_name_may_be_asked_to_take_a_singular_verb(type_id: str) -> None:
    for seed in range(20):
        coined = Coiner(random.Random(seed), []).name(type_id, "", singular=True)
        assert (coined.article, coined.surface[-1]) != ("the", "s")
        assert coined.article == ""
    plural = Coiner(random.Random(1), []).name(type_id, "")
    assert plural.surface.endswith("s")
