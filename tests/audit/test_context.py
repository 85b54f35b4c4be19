"""Contexts: what is removed is recorded exactly, and leaves no gap to be seen."""

from __future__ import annotations

import re
import time
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from realhop_kg.audit.context import Context, Range, closed, cut, merged, render, without
from realhop_kg.audit.tokens import TokenPlaces, count_tokens
from realhop_kg.model.item import TextRange
from realhop_kg.model.text import Passage

PASSAGES = (
    Passage(index=4, title="Selby", text="Selby is a town. It lies on the Mar. It has a mill."),
    Passage(index=7, title="", text="No title here."),
    Passage(index=9, title="Mar", text="The Mar is a river."),
)


def removed(context: Context, *parts: tuple[int, int, int]) -> str:
    named = [TextRange(passage=p, start=s, end=e) for p, s, e in parts]
    return cut(context.text, closed(context, context.ranges(named)))


def test_passages_are_title_newline_text_without_numbers():
    assert render(PASSAGES).text == (
        "Selby\nSelby is a town. It lies on the Mar. It has a mill.\n\n"
        "No title here.\n\n"
        "Mar\nThe Mar is a river."
    )
    assert render(()).text == ""


@pytest.mark.parametrize(
    ("part", "left"),
    [
        ((4, 0, 16), "It lies on the Mar. It has a mill."),
        ((4, 16, 36), "Selby is a town. It has a mill."),
        ((4, 17, 36), "Selby is a town. It has a mill."),
        ((4, 17, 37), "Selby is a town. It has a mill."),
        ((4, 37, 51), "Selby is a town. It lies on the Mar."),
    ],
)
def test_a_sentence_takes_one_blank_with_it(part: tuple[int, int, int], left: str):
    assert removed(render(PASSAGES), part).split("\n")[1] == left


def test_a_passage_without_text_loses_its_title_too():
    context = render(PASSAGES)
    assert removed(context, (4, 0, 51)) == "No title here.\n\nMar\nThe Mar is a river."
    assert removed(context, (9, 0, 19)) == context.text[: -len("\n\nMar\nThe Mar is a river.")]
    assert removed(context, (7, 0, 14), (9, 0, 19)) == context.text.split("\n\n")[0]
    assert removed(context, (4, 0, 51), (7, 0, 14), (9, 0, 19)) == ""


def test_a_part_beyond_the_text_is_cut_off_and_an_unknown_passage_is_an_error():
    assert removed(render(PASSAGES), (9, 0, 999)) == removed(render(PASSAGES), (9, 0, 19))
    with pytest.raises(KeyError):
        removed(render(PASSAGES), (5, 0, 1))


SENTENCES = st.lists(
    st.sampled_from(("Orm sold it.", "It burnt.", "A b c.")), min_size=1, max_size=4
)
CONTEXTS = st.lists(
    st.tuples(st.sampled_from(("", "Selby", "Mar (river)")), SENTENCES), min_size=1, max_size=5
)


@given(CONTEXTS, st.data())
def test_removing_whole_sentences_leaves_no_gap(
    passages: list[tuple[str, list[str]]], data: st.DataObject
):
    texts = [" ".join(sentences) for _, sentences in passages]
    context = render(
        [
            Passage(index=at, title=title, text=text)
            for at, ((title, _), text) in enumerate(zip(passages, texts, strict=True))
        ]
    )
    parts, kept = [], []
    for at, (title, sentences) in enumerate(passages):
        left, start = [], 0
        for sentence in sentences:
            if data.draw(st.booleans()):
                parts.append(TextRange(passage=at, start=start, end=start + len(sentence)))
            else:
                left.append(sentence)
            start += len(sentence) + 1
        if left:
            kept.append((f"{title}\n" if title else "") + " ".join(left))
    ranges = closed(context, context.ranges(parts))
    assert cut(context.text, ranges) == "\n\n".join(kept)


RANGES = st.lists(st.tuples(st.integers(0, 40), st.integers(0, 40)), max_size=8)


@given(RANGES)
def test_merging_keeps_every_position_once(ranges: list[Range]):
    found = merged(ranges)
    inside = {at for start, end in ranges for at in range(start, end)}
    assert [at for start, end in found for at in range(start, end)] == sorted(inside)
    assert all(first[1] < second[0] for first, second in pairwise(found))


@given(RANGES, RANGES)
def test_what_is_taken_away_is_gone_and_the_rest_is_left(ranges: list[Range], taken: list[Range]):
    def inside(some: list[Range]) -> set[int]:
        return {at for start, end in some for at in range(start, end)}

    assert inside(without(ranges, taken)) == inside(ranges) - inside(taken)


@given(st.text(max_size=60), RANGES)
def test_what_is_cut_and_what_is_kept_make_up_the_text(text: str, ranges: list[Range]):
    found = merged((min(s, len(text)), min(e, len(text))) for s, e in ranges)
    edges = [0, *(edge for each in found for edge in each), len(text)]
    kept = [text[edges[at] : edges[at + 1]] for at in range(0, len(edges), 2)]
    assert cut(text, found) == "".join(kept)


@given(st.text(max_size=60), st.lists(st.integers(0, 60), max_size=4))
def test_tokens_of_adjoining_ranges_add_up(text: str, edges: list[int]):
    places = TokenPlaces(text)
    stops = [0, *sorted(min(edge, len(text)) for edge in edges), len(text)]
    parts = [places.between(a, b) for a, b in pairwise(stops)]
    assert sum(parts) == count_tokens(text)


def test_spans_of_two_megabytes_are_cut_in_milliseconds():
    sentence = "Orm sold the mill on the river Mar. "
    text = (sentence * (2 * 2**20 // len(sentence))).rstrip()
    context = render([Passage(index=0, title="Mill", text=text)])
    step = len(text) // len(sentence) // 50 * len(sentence)
    parts = [TextRange(passage=0, start=at * step, end=at * step + 35) for at in range(50)]
    best = min(
        _timed(lambda: cut(context.text, closed(context, context.ranges(parts)))) for _ in range(5)
    )
    assert best < 0.05
    left = cut(context.text, closed(context, context.ranges(parts)))
    assert len(left) == len(context.text) - 50 * 36
    assert not re.search("  ", left)


def _timed(work) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def test_removed_ranges_become_parts_of_passages() -> None:
    passages = [
        Passage(index=4, title="A", text="one two"),
        Passage(index=0, title="", text="three"),
        Passage(index=7, title="Bc", text="four"),
    ]

    def parts(ranges: list[Range]) -> list[tuple[int, int, int]]:
        return [(p.passage, p.start, p.end) for p in render(passages).parts(ranges)]

    assert parts([(0, 9)]) == [(4, 0, 7)]
    assert parts([(6, 13), (22, 99)]) == [(4, 4, 7), (0, 0, 2), (7, 1, 4)]
    assert parts([(9, 11), (16, 19)]) == []
