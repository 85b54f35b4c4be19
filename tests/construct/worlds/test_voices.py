from __future__ import annotations

import random

import pytest

from realhop_kg.construct.worlds.voices import names_our_world, said, slots_in
from realhop_kg.relations.catalogue import catalogue


@pytest.mark.parametrize("seed", range(8))
def test_small_words_take_their_first_form_and_options_are_left_out(seed: int) -> None:
    text = said(
        "the {kind} (where|in which) {x} (is|are) [now] (built|erected)", random.Random(seed)
    )
    assert text in ("the {kind} where {x} is built", "the {kind} where {x} is erected")


def test_words_of_content_vary() -> None:
    texts = {said("the (maker|builder) of {x}", random.Random(seed)) for seed in range(20)}
    assert texts == {"the maker of {x}", "the builder of {x}"}


def test_groups_inside_groups_are_said_too() -> None:
    assert said("[(not|never)] the [[old] (book|book)] {x}", random.Random(0)) == "the {x}"


def test_a_slot_for_a_clause_is_told_from_one_for_a_name() -> None:
    assert slots_in("the {kind} where {x:clause}") == ["kind", "x:clause"]


@pytest.mark.parametrize(
    ("template", "text"),
    [
        ("with (who|whom) (does|did) {w} sing {x}", "with whom does {w} sing {x}"),
        ("{x} was written by (who|whom)", "{x} was written by whom"),
        ("(who|whom) did {x} marry", "who did {x} marry"),
        ("the person (who|whom) {x} met", "the person who {x} met"),
    ],
)
def test_whom_follows_a_preposition(template: str, text: str) -> None:
    assert said(template, random.Random(0)) == text


@pytest.mark.parametrize(
    ("text", "ours"),
    [
        ("when did {x} become a u.s state", True),
        ("when did {x} become part of russia", True),
        ("the host of whom wants to be a millionaire in {x}", True),
        ("who used {x}", False),
        ("which house is {x} in", False),
    ],
)
def test_a_name_of_our_world_is_known(text: str, ours: bool) -> None:
    assert names_our_world(text) is ours


def test_few_relations_of_the_catalogue_name_our_world() -> None:
    named = {
        relation.id
        for relation in catalogue().relations.values()
        for voice in (*relation.questions, *relation.nouns)
        if names_our_world(voice.text)
    }
    assert {"statehood_date", "opened_plants_year", "millionaire_host", "located_in"} <= named
    assert len(named) < 20
