from __future__ import annotations

import random

import pytest

from realhop_kg.construct.worlds.voices import said, slots_in


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
