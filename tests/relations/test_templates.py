from __future__ import annotations

import re
from itertools import count, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from realhop_kg.relations.templates import Pattern, Slot, Token, expand, matches, tokenize

WORDS = ("a", "b", "c")
SLOTS = ("x", "w", "z", "kind")


@st.composite
def patterns(draw: st.DrawFn) -> Pattern:
    """Draw a sequence of words and differently named slots."""
    parts: list[str | Slot] = list(draw(st.lists(st.sampled_from(WORDS), max_size=5)))
    for name in draw(st.lists(st.sampled_from(SLOTS), unique=True, max_size=3)):
        parts.insert(draw(st.integers(0, len(parts))), Slot(name, draw(st.booleans())))
    return tuple(parts)


def as_regex(pattern: Pattern) -> str:
    """Say the same of a text of one-letter words, each followed by a blank."""
    return "".join(r"(?:\w )+" if isinstance(part, Slot) else f"{part} " for part in pattern)


def every_cover(pattern: Pattern, words: list[str]) -> list[dict[Slot, tuple[int, int]]]:
    """Try every way to cut the words into one range for each part of the pattern."""
    found = []
    sizes = [range(1, len(words) + 1) if isinstance(part, Slot) else (1,) for part in pattern]
    for chosen in product(*sizes):
        if sum(chosen) != len(words):
            continue
        ranges, at = {}, 0
        for part, size in zip(pattern, chosen, strict=True):
            if isinstance(part, Slot):
                ranges[part] = (at, at + size)
            elif words[at] != part:
                break
            at += size
        else:
            found.append(ranges)
    return found


def tokens_of(words: list[str]) -> tuple[Token, ...]:
    return tokenize(" ".join(words))


@given(patterns(), st.lists(st.sampled_from((*WORDS, "d")), max_size=7))
@settings(max_examples=250, deadline=None, derandomize=True)
def test_a_pattern_matches_whatever_a_regular_expression_matches(
    pattern: Pattern, words: list[str]
) -> None:
    text = "".join(f"{word} " for word in words)
    found = list(matches(pattern, tokens_of(words), 0, len(words)))
    assert bool(found) == bool(re.fullmatch(as_regex(pattern), text))


@given(patterns(), st.lists(st.sampled_from((*WORDS, "d")), max_size=7))
@settings(max_examples=250, deadline=None, derandomize=True)
def test_a_pattern_yields_every_way_to_cover_the_words_once(
    pattern: Pattern, words: list[str]
) -> None:
    found = list(matches(pattern, tokens_of(words), 0, len(words)))
    expected = every_cover(pattern, words)
    assert len(found) == len(expected)
    assert all(ranges in expected for ranges in found)


@given(patterns(), st.lists(st.sampled_from(WORDS), min_size=2, max_size=6), st.data())
@settings(max_examples=200, deadline=None, derandomize=True)
def test_a_range_is_covered_as_if_it_stood_alone(
    pattern: Pattern, words: list[str], data: st.DataObject
) -> None:
    start = data.draw(st.integers(0, len(words)))
    end = data.draw(st.integers(start, len(words)))
    inside = list(matches(pattern, tokens_of(words), start, end))
    alone = matches(pattern, tokens_of(words[start:end]), 0, end - start)
    moved = [{slot: (a + start, b + start) for slot, (a, b) in one.items()} for one in alone]
    assert inside == moved


# --- expand


@st.composite
def bracketed(
    draw: st.DrawFn, depth: int = 2, slots: count[int] | None = None
) -> tuple[str, list[str]]:
    """Draw a template and the texts it stands for; each slot has a name of its own."""
    slots = slots or count()
    template, texts = "", [""]
    for _ in range(draw(st.integers(1, 3))):
        kind = draw(st.sampled_from(("word", "slot", "either", "maybe") if depth else ("word",)))
        if kind == "word":
            piece = draw(st.sampled_from(WORDS))
            options = [piece]
        elif kind == "slot":
            piece = f"{{x{next(slots)}}} and"
            options = [piece]
        else:
            inner = [draw(bracketed(depth - 1, slots)) for _ in range(draw(st.integers(1, 3)))]
            options = [text for _, several in inner for text in several]
            joined = "|".join(text for text, _ in inner)
            piece = f"({joined})" if kind == "either" else f"[{joined}]"
            options += [""] if kind == "maybe" else []
        template = f"{template} {piece}" if template else piece
        texts = [f"{text} {option}" for text in texts for option in options]
    return template, texts


def literal(text: str) -> Pattern:
    return tuple(Slot(word[1:-1]) if word[0] == "{" else word for word in text.split())


@given(bracketed())
@settings(max_examples=120, deadline=None, derandomize=True)
def test_a_template_stands_for_every_choice_in_its_brackets_without_repeats(
    drawn: tuple[str, list[str]],
) -> None:
    template, texts = drawn
    found = expand(template)
    assert set(found) == {literal(text) for text in texts}
    assert len(found) == len(set(found))


def test_clause_slots_possessives_and_commas() -> None:
    (pattern,) = expand("{x}'s {kind} where {w:clause}, in {z}")
    assert pattern == (Slot("x"), "'s", Slot("kind"), "where", Slot("w", True), "in", Slot("z"))
    assert expand("{x}, {w}") == ((Slot("x"), Slot("w")),)


@pytest.mark.parametrize(
    "template",
    ["(a", "a)", "[a", "a]", "(a]", "[a)", "((a)", "[a|(b]", "([a)]", "a (b|c", "a) (b)"],
)
def test_brackets_that_do_not_match_are_an_error(template: str) -> None:
    with pytest.raises(ValueError, match="bracket"):
        expand(template)


@pytest.mark.parametrize("template", ["{x} {w}", "{x}{w}", "the {x} [nice] {w}"])
def test_two_slots_side_by_side_are_an_error(template: str) -> None:
    with pytest.raises(ValueError, match="side by side"):
        expand(template)


@pytest.mark.parametrize("template", ["{x", "x}", "{}", "{x:}", "{x:claus}", "the {x y}"])
def test_a_brace_that_makes_no_slot_is_an_error(template: str) -> None:
    with pytest.raises(ValueError, match="slot"):
        expand(template)


def test_a_slot_named_twice_is_an_error() -> None:
    with pytest.raises(ValueError, match="twice"):
        expand("{x} and {x}")


# --- tokenize


@given(st.text(alphabet="abS's’'#12$€.,-–& ?(é_\n", max_size=30))
@settings(max_examples=250, deadline=None, derandomize=True)
def test_words_stand_where_they_say_and_leave_no_letter_out(text: str) -> None:
    last, between = 0, []
    for token in tokenize(text):
        assert last <= token.start < token.end <= len(text)
        word = text[token.start : token.end].casefold().replace("’", "'")
        assert token.key == word or (token.key, word) == ("'s", "'")
        between.append(text[last : token.start])
        last = token.end
    assert not re.search(r"\w", "".join([*between, text[last:]]))


@pytest.mark.parametrize(
    ("text", "keys"),
    [
        ("Who is #12's mayor?", ["who", "is", "#12", "'s", "mayor"]),
        ("the Rovers’ coach", ["the", "rovers", "'s", "coach"]),
        ("St. Orm-on-Sea & Sons", ["st", "orm-on-sea", "&", "sons"]),
        ("$1,234.50 or 48%", ["$1,234.50", "or", "48%"]),
        ("'Winter Ledger'", ["winter", "ledger"]),
        ("rock 'n' roll", ["rock", "n", "roll"]),
        ("", []),
    ],
)
def test_words_of_a_question(text: str, keys: list[str]) -> None:
    assert [token.key for token in tokenize(text)] == keys
