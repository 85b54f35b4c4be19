from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from realhop_kg.construct.mentions import Mention
from realhop_kg.construct.question import Substituted, kept_names, substitute
from realhop_kg.model.plan import PlannedName

NAMES = st.builds(
    PlannedName,
    surface=st.sampled_from(["Wexmoor", "Ask River", "Tolland Rovers", "The Salt Ledger"]),
    article=st.sampled_from(["", "the"]),
)
GAPS = st.sampled_from(
    [" ", " of ", " the ", " in Canada ", "'s ", "’s ", ", ", " and '", "' or ", " (", ") "]
)
OLD = st.sampled_from(["Calder", "the Harriers", "Lake Orm", "Moss", "a Winter"])

Case = tuple[str, list[tuple[Mention, PlannedName]]]


@st.composite
def questions(draw: st.DrawFn) -> Case:
    """Draw a question as names between other words, and what some of the names become."""
    text = draw(st.sampled_from(["", "Who led ", "When did the "]))
    replacements = []
    for number in range(draw(st.integers(1, 4))):
        name = draw(OLD)
        if draw(st.booleans()):
            mention = Mention(number, "x", len(text), len(text) + len(name))
            replacements.append((mention, draw(NAMES)))
        text += name + draw(GAPS)
    return text.rstrip() + "?", replacements


def put_back(question: str, result: Substituted) -> str:
    """Undo every edit, using nothing but the edits."""
    text, shift = result.text, 0
    for edit in result.edits:
        start = edit.start + shift
        assert text[start : start + len(edit.text)] == edit.text
        old = question[edit.start : edit.end]
        text = text[:start] + old + text[start + len(edit.text) :]
    return text


@given(questions())
@settings(max_examples=150, deadline=None, derandomize=True)
def test_replacing_back_restores_the_source_question(case: Case) -> None:
    question, replacements = case
    result = substitute(question, replacements)
    assert put_back(question, result) == question


@given(questions())
@settings(max_examples=150, deadline=None, derandomize=True)
def test_only_mentions_and_a_possessive_ending_change(case: Case) -> None:
    question, replacements = case
    result = substitute(question, replacements)
    starts = {mention.start: (mention, name) for mention, name in replacements}
    ends = {mention.end for mention, _ in replacements}
    assert starts.keys() <= {edit.start for edit in result.edits}
    for edit in result.edits:
        if edit.start in starts:
            mention, name = starts[edit.start]
            assert edit.end == mention.end
            assert name.surface.removeprefix("The ").casefold() in edit.text.casefold()
        else:
            assert edit.start in ends
            assert {question[edit.start : edit.end], edit.text} in ({"'", "'s"}, {"’", "’s"})


@given(questions(), st.data())
@settings(max_examples=150, deadline=None, derandomize=True)
def test_a_part_of_the_question_becomes_the_part_with_its_mentions_replaced(
    case: Case, data: st.DataObject
) -> None:
    question, replacements = case
    result = substitute(question, replacements)
    inside = [place for e in result.edits for place in range(e.start + 1, e.end)]
    places = [place for place in range(len(question) + 1) if place not in inside]
    start, end = sorted(data.draw(st.tuples(st.sampled_from(places), st.sampled_from(places))))
    own = [e for e in result.edits if start <= e.start and e.end <= end]
    expected, last = "", start
    for edit in own:
        expected += question[last : edit.start] + edit.text
        last = edit.end
    expected += question[last:end]
    assert result.part(start, end) == expected


def swap(question: str, old: str, surface: str, article: str = "") -> str:
    start = question.index(old)
    mention = Mention(1, "x", start, start + len(old))
    return substitute(question, [(mention, PlannedName(surface=surface, article=article))]).text


@pytest.mark.parametrize(
    ("question", "old", "new", "article", "expected"),
    [
        ("Who led Calder?", "Calder", "Ask River", "the", "Who led the Ask River?"),
        ("Who led the Harriers?", "the Harriers", "Wexmoor", "", "Who led Wexmoor?"),
        ("Who led the Harriers?", "Harriers", "Ask River", "the", "Who led the Ask River?"),
        ("Where in Canada Calder is?", "Calder", "Ask", "the", "Where in Canada the Ask is?"),
        ("Did they bathe Calder?", "Calder", "Ask", "the", "Did they bathe the Ask?"),
        ("The Calder basin?", "Calder", "Ask River", "the", "The Ask River basin?"),
        ("Calder is led by whom?", "Calder", "Ask", "the", "The Ask is led by whom?"),
        ("Who wrote the Letters?", "Letters", "The Salt Ledger", "", "Who wrote the Salt Ledger?"),
    ],
)
def test_articles(question: str, old: str, new: str, article: str, expected: str) -> None:
    assert swap(question, old, new, article) == expected


@pytest.mark.parametrize(
    ("question", "old", "new", "expected"),
    [
        ("Who led Calder's men?", "Calder", "Wexmoor", "Who led Wexmoor's men?"),
        ("Who led Moss' men?", "Moss", "Wexmoor", "Who led Wexmoor's men?"),
        ("Who led Moss’ men?", "Moss", "Wexmoor", "Who led Wexmoor’s men?"),
        ("Who led Moss's men?", "Moss", "Wexmoor", "Who led Wexmoor's men?"),
        ("Who led Moss' men?", "Moss", "Rovers", "Who led Rovers' men?"),
        ("Who led Calder's men?", "Calder", "Rovers", "Who led Rovers' men?"),
        ("Who led Calder’s men?", "Calder", "Rovers", "Who led Rovers’ men?"),
        ("Who wrote 'Winter'?", "Winter", "Ledger", "Who wrote 'Ledger'?"),
        ("Who wrote 'Embers'?", "Embers", "Ledger", "Who wrote 'Ledger'?"),
        ("Who wrote ‘Embers’?", "Embers", "Ledger", "Who wrote ‘Ledger’?"),
        ("Who sang 'Winter' in May?", "Winter", "Embers", "Who sang 'Embers' in May?"),
        ("Who led Calder'sche men?", "Calder", "Rovers", "Who led Rovers'sche men?"),
    ],
)
def test_possessive_endings_and_quotes(question: str, old: str, new: str, expected: str) -> None:
    assert swap(question, old, new) == expected


def test_a_name_that_is_mentioned_twice_is_replaced_twice() -> None:
    question = "Who led Calder and left Calder?"
    name = PlannedName(surface="Wexmoor")
    mentions = [Mention(1, "x", 8, 14), Mention(1, "x", 24, 30), Mention(2, "x", 8, 14)]
    text = substitute(question, [(mention, name) for mention in mentions]).text
    assert text == "Who led Wexmoor and left Wexmoor?"


def test_names_that_stay_are_listed_with_a_reason() -> None:
    question = "Who led Calder when US troops left in 1911 on the Ask's bank?"
    mentions = [Mention(1, "x", 8, 14)]
    assert kept_names(question, mentions) == (
        "US: part of the relation's wording",
        "1911: part of the relation's wording",
        "Ask: part of the relation's wording",
    )
    assert kept_names("Who led Calder?", mentions) == ()
