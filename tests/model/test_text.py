from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from realhop_kg.model.text import Insertion, Passage, insertion_starts, realize, restore

Marked = tuple[str, list[Insertion]]


@st.composite
def texts_with_insertions(draw: st.DrawFn) -> Marked:
    """Draw a text and insertions at any of its offsets, many of them at the same one."""
    original = draw(st.text(max_size=40))
    places = draw(st.lists(st.tuples(st.integers(0, len(original)), st.text(min_size=2))))
    orders = draw(st.permutations(range(len(places))))
    return original, [
        Insertion(id=f"i:{number}", passage=0, offset=offset, order=order, text=text)
        for number, ((offset, text), order) in enumerate(zip(places, orders, strict=True))
    ]


def added(number: int, offset: int, text: str, order: int = 0) -> Insertion:
    return Insertion(id=f"i:{number}", passage=0, offset=offset, order=order, text=text)


@given(texts_with_insertions())
@settings(max_examples=150, deadline=None, derandomize=True)
def test_deleting_the_insertions_restores_the_text_byte_for_byte(marked: Marked) -> None:
    original, insertions = marked
    assert restore(realize(original, insertions), insertions).encode() == original.encode()


@given(texts_with_insertions())
@settings(max_examples=150, deadline=None, derandomize=True)
def test_every_insertion_begins_where_its_start_says(marked: Marked) -> None:
    original, insertions = marked
    realized = realize(original, insertions)
    starts = insertion_starts(insertions)
    assert len(realized) == len(original) + sum(len(each.text) for each in insertions)
    for each in insertions:
        assert realized[starts[each.id] :].startswith(each.text)


@given(texts_with_insertions())
@settings(max_examples=200, deadline=None, derandomize=True)
def test_realizing_equals_inserting_one_by_one_from_the_end(marked: Marked) -> None:
    original, insertions = marked
    text = original
    for each in sorted(insertions, key=lambda one: (one.offset, one.order), reverse=True):
        text = text[: each.offset] + each.text + text[each.offset :]
    assert realize(original, insertions) == text


@given(texts_with_insertions(), st.randoms(use_true_random=False))
@settings(max_examples=100, deadline=None, derandomize=True)
def test_the_order_in_which_insertions_are_given_does_not_matter(
    marked: Marked, shuffler: random.Random
) -> None:
    original, insertions = marked
    shuffled = list(insertions)
    shuffler.shuffle(shuffled)
    assert realize(original, shuffled) == realize(original, insertions)
    assert insertion_starts(shuffled) == insertion_starts(insertions)


@given(texts_with_insertions(), st.data())
@settings(max_examples=200, deadline=None, derandomize=True)
def test_a_changed_character_of_an_insertion_is_noticed(
    marked: Marked, data: st.DataObject
) -> None:
    original, insertions = marked
    if not insertions:
        return
    each = data.draw(st.sampled_from(insertions))
    at = insertion_starts(insertions)[each.id] + data.draw(st.integers(0, len(each.text) - 1))
    realized = realize(original, insertions)
    other = "x" if realized[at] != "x" else "y"
    with pytest.raises(ValueError, match="is not at"):
        restore(realized[:at] + other + realized[at + 1 :], insertions)


def test_equal_offsets_are_ordered_by_rank_and_then_by_id() -> None:
    insertions = [added(3, 1, " C", 1), added(2, 1, " B", 0), added(1, 1, " A", 1)]
    assert realize("xy", insertions) == "x B A Cy"
    assert insertion_starts(insertions) == {"i:2": 1, "i:1": 3, "i:3": 5}


def test_offsets_count_code_points_not_bytes() -> None:
    insertions = [added(1, 2, " \U0001f600!")]
    assert realize("é\U0001f600z", insertions) == "é\U0001f600 \U0001f600!z"
    assert restore("é\U0001f600 \U0001f600!z", insertions) == "é\U0001f600z"


def test_an_insertion_outside_the_text_is_an_error() -> None:
    with pytest.raises(ValueError, match="i:1 at 3 lies outside a text of 2"):
        realize("xy", [added(1, 3, " A.")])


@pytest.mark.parametrize("wrong", [{"offset": -1}, {"passage": -1}, {"order": -1}, {"text": "."}])
def test_an_insertion_takes_no_negative_place_and_no_bare_separator(
    wrong: dict[str, object],
) -> None:
    fields = {"id": "i:1", "passage": 0, "offset": 0, "order": 0, "text": " A."}
    with pytest.raises(ValidationError):
        Insertion(**{**fields, **wrong})


def test_a_passage_counts_from_zero() -> None:
    assert Passage(index=0, title="", text="").is_support is False
    with pytest.raises(ValidationError):
        Passage(index=-1, title="", text="")
