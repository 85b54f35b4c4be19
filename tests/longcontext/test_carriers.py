from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from realhop_kg.errors import InputError
from realhop_kg.longcontext.carriers import Carrier, Target, chunks_of, fit, parse_target
from realhop_kg.longcontext.documents import document
from realhop_kg.longcontext.generated import generated_documents


@pytest.mark.parametrize(
    ("text", "target"),
    [("50000", Target(50_000, 50_000)), ("50k-500k", Target(50_000, 500_000)),
     (" 11K:575k ", Target(11_000, 575_000))],
)  # fmt: skip
def test_a_target_is_a_number_or_a_range(text: str, target: Target) -> None:
    assert parse_target(text) == target


@pytest.mark.parametrize("text", ["", "0", "-5", "5k-1k", "many", "1e9", "10-", "99999999999999x"])
def test_a_target_that_is_none_is_refused(text: str) -> None:
    with pytest.raises(InputError, match="--target-tokens"):
        parse_target(text)


def test_lengths_are_drawn_over_the_whole_range() -> None:
    target = Target(1_000, 100_000)
    drawn = [target.draw(random.Random(seed)) for seed in range(300)]
    assert min(drawn) < 1_500
    assert max(drawn) > 65_000
    assert all(1_000 <= each <= 100_000 for each in drawn)


def test_carriers_take_whole_documents_and_miss_their_length_by_five_percent_at_most() -> None:
    pool = generated_documents(60_000, seed=1)
    for target in (5_000, 20_000, 50_000):
        carrier = fit(pool, target, random.Random(target))
        assert carrier is not None
        assert abs(carrier.tokens / target - 1) <= 0.05
        assert all(each in pool for each in carrier.documents)
        assert len(set(carrier.documents)) == len(carrier.documents)
    assert fit(pool, 10_000_000, random.Random(0)) is None


paragraphs = st.lists(
    st.text(st.characters(codec="utf-8", exclude_characters="\n\r"), min_size=1, max_size=80)
    .map(str.strip).filter(bool),
    min_size=1, max_size=60,
)  # fmt: skip


@given(paragraphs)
def test_chunks_joined_by_blank_lines_give_a_document_back(lines: list[str]) -> None:
    text = "\n\n".join(lines)
    chunks = chunks_of(Carrier((document("a", "Title", text),), 0))
    assert "\n\n".join(chunk.text for chunk in chunks) == text
    assert [chunk.index for chunk in chunks] == list(range(len(chunks)))
    assert [chunk.title for chunk in chunks] == ["Title"] + [""] * (len(chunks) - 1)


def test_a_paragraph_without_end_is_cut_after_sentences_and_loses_nothing_but_blanks() -> None:
    text = " ".join(f"Dorian Hask sold mill {number}00 to Orm." for number in range(2_000))
    chunks = chunks_of(Carrier((document("a", "", text),), 0))
    assert len(chunks) > 15
    assert max(len(chunk.text) for chunk in chunks) <= 4_100
    assert " ".join(chunk.text.replace("\n\n", " ") for chunk in chunks) == text


def test_text_without_any_sentence_stays_whole() -> None:
    [chunk] = chunks_of(Carrier((document("a", "", "x" * 50_000),), 1))
    assert len(chunk.text) == 50_000


def test_generated_text_is_the_same_each_time_and_holds_many_names() -> None:
    once, again = generated_documents(3_000, 7), generated_documents(6_000, 7)
    assert again[: len(once)] == once
    assert generated_documents(3_000, 8) != once
    assert len({each.title for each in again}) > len(again) / 2
