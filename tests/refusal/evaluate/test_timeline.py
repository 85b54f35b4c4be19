"""Timelines worked out by hand: T_trap, A, and what comes after it."""

from __future__ import annotations

import pytest

from realhop_kg.model.trajectory import Ending, TimelineJudgement
from realhop_kg.refusal.evaluate.timeline import (
    MeasureSettings,
    accounting_turn,
    after,
    check_timeline,
)
from tests.refusal.evaluate.runs import trajectory

# (turns as (calls, reasoning, search, answer tokens), stated, shown) ->
#     T_trap, its source, A, calls after A, search and reasoning tokens after A
CASES = {
    "answers at once and says why": ([(0, 5, 0, 9)], 1, None, (1, "statement", 1, 0, 0)),
    "says why in the last of three turns": (
        [(1, 2, 10, 0), (1, 3, 11, 0), (0, 4, 0, 9)], 3, None, (3, "statement", 3, 0, 0),
    ),
    "says why in the first turn and searches on": (
        [(1, 2, 10, 0), (2, 3, 11, 0), (0, 4, 0, 9)], 1, None, (1, "statement", 1, 2, 18),
    ),
    "says why in the middle; calls of that turn are not after it": (
        [(1, 2, 10, 0), (3, 3, 11, 0), (1, 4, 12, 0), (0, 5, 0, 9)], 2, None,
        (2, "statement", 2, 1, 21),
    ),
    "documents first, and the next turn answers": (
        [(1, 2, 10, 0), (0, 3, 0, 9)], None, 1, (1, "documents", 2, 0, 0),
    ),
    "documents first, the next turn still searches for free": (
        [(1, 2, 10, 0), (1, 3, 11, 0), (0, 4, 0, 9)], None, 1, (1, "documents", 2, 0, 4),
    ),
    "documents first, two more turns of searches": (
        [(1, 2, 10, 0), (1, 3, 11, 0), (2, 4, 12, 0), (1, 5, 13, 0), (0, 6, 0, 9)], None, 1,
        (1, "documents", 2, 3, 40),
    ),
    "statement and documents in one turn: the statement counts": (
        [(1, 2, 10, 0), (1, 3, 11, 0), (1, 4, 12, 0), (0, 5, 0, 9)], 2, 2,
        (2, "statement", 2, 1, 21),
    ),
    "statement before documents": (
        [(1, 2, 10, 0), (1, 3, 11, 0), (0, 4, 0, 9)], 1, 2, (1, "statement", 1, 1, 18),
    ),
    "documents before the statement": (
        [(1, 2, 10, 0), (1, 3, 11, 0), (1, 4, 12, 0), (0, 5, 0, 9)], 4, 1,
        (1, "documents", 2, 1, 21),
    ),
    "documents one turn before the statement: A is the turn of the statement": (
        [(1, 2, 10, 0), (1, 3, 11, 0), (0, 4, 0, 9)], 2, 1, (1, "documents", 2, 0, 4),
    ),
    "documents in the last turn: A stays inside the run": (
        [(1, 2, 10, 0), (1, 3, 11, 0)], None, 2, (2, "documents", 2, 0, 0),
    ),
    "documents in the only turn": ([(1, 2, 10, 0)], None, 1, (1, "documents", 1, 0, 0)),
    "never": ([(1, 2, 10, 0), (0, 3, 0, 9)], None, None, None),
    "parallel calls count one by one": (
        [(1, 0, 10, 0), (1, 0, 11, 0), (5, 0, 50, 0), (0, 0, 0, 9)], None, 1,
        (1, "documents", 2, 5, 50),
    ),
    "tokens without any call after A": (
        [(1, 2, 10, 0), (0, 3, 0, 9)], 1, None, (1, "statement", 1, 0, 3),
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_a_timeline_is_what_was_worked_out_by_hand(name: str) -> None:
    turns, stated, shown, expected = CASES[name]
    run = trajectory(*turns)
    timeline = TimelineJudgement(stated=stated, shown=shown, by="hand")
    found = after(run, timeline, MeasureSettings())
    told = found and (timeline.trap, timeline.source, found.turn, found.calls, found.tokens)
    assert told == expected
    assert check_timeline(timeline, run) == ""


def test_tokens_of_the_final_answer_count_where_they_are_asked_for() -> None:
    run = trajectory((1, 2, 10, 0), (1, 3, 11, 0), (0, 4, 0, 9))
    timeline = TimelineJudgement(shown=1, by="hand")
    found = after(run, timeline, MeasureSettings(answer_tokens=True))
    assert found is not None
    assert found.tokens == 4 + 9


def test_no_evidence_has_no_accounting_turn() -> None:
    assert accounting_turn(TimelineJudgement(by="hand"), 3) is None
    assert TimelineJudgement(by="hand").source is None


def test_an_impossible_timeline_is_told() -> None:
    run = trajectory((1, 0, 1, 0), (0, 0, 0, 1))
    later = TimelineJudgement(stated=3, by="j")
    bare = TimelineJudgement(shown=2, by="j")
    assert check_timeline(later, run) == "stated names turn 3 of 2"
    assert check_timeline(bare, run) == "turn 2 returned no documents"
    empty = trajectory((1, 0, 1, 0), (0, 0, 0, 1), documents=False)
    found = check_timeline(TimelineJudgement(shown=1, by="j"), empty)
    assert found == "turn 1 returned no documents"


def test_only_an_answered_run_has_a_response() -> None:
    answered = trajectory((1, 0, 1, 0), (0, 0, 0, 1))
    assert answered.response == "No record says so."
    exhausted = trajectory((1, 0, 1, 0), (1, 0, 1, 0), ending=Ending.EXHAUSTED)
    assert (exhausted.response, len(exhausted.calls)) == ("", 2)
