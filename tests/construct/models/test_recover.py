from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from realhop_kg.construct.models.recover import nearest_place, recovered_places
from realhop_kg.errors import ContractError

TEXT = "Calder is a town. Calder burnt in 1911. Calder has a mill."
PLACES = [17, 39, 58]
ADDED = ["Mirela Castane was born there.", "Dorian Hask sold it."]


@given(st.lists(st.sampled_from(PLACES), min_size=2, max_size=2))
def test_sentences_in_an_untouched_passage_keep_their_places(offsets: list[int]) -> None:
    pieces, last = [], 0
    for offset, sentence in sorted(zip(offsets, ADDED, strict=True)):
        pieces += [TEXT[last:offset], " ", sentence]
        last = offset
    woven = "".join([*pieces, TEXT[last:]])
    assert recovered_places(TEXT, woven, ADDED, PLACES) == (offsets, True)


@given(st.text(alphabet="Calder is a town. burnt"), st.text(max_size=30))
def test_whatever_a_passage_became_each_sentence_gets_a_safe_place(before: str, after: str) -> None:
    woven = f"{before} {ADDED[0]} {after}"
    offsets, _ = recovered_places(TEXT, woven, ADDED, PLACES)
    assert set(offsets) <= set(PLACES)
    assert offsets[1] == PLACES[-1]  # it does not stand there, so it is appended


def test_a_sentence_stays_near_where_it_stood_in_an_altered_passage() -> None:
    altered = TEXT.replace("burnt", "was burnt down").replace("1911.", f"1911. {ADDED[0]}")
    assert recovered_places(TEXT, altered, ADDED[:1], PLACES) == ([39], False)


def test_a_sentence_that_stands_twice_has_no_place() -> None:
    with pytest.raises(ContractError, match="stands in the passage twice"):
        recovered_places(TEXT, f"{TEXT} {ADDED[0]} {ADDED[0]}", ADDED[:1], PLACES)


def test_the_nearest_place_is_taken_and_the_later_of_two() -> None:
    assert nearest_place(0, PLACES) == 17
    assert nearest_place(28, PLACES) == 39
    assert nearest_place(99, PLACES) == 58
