"""Right refusals in the words of models are told from what only looks like one."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
import yaml

from realhop_kg.model.trajectory import AskedQuestion, Document, State, Trajectory
from realhop_kg.refusal.evaluate.reasons import gives_gold_reason, plain, stated, stems
from realhop_kg.refusal.evaluate.rules import RuleJudge
from tests.refusal.evaluate.runs import question, trajectory

TOLD: dict[str, Any] = yaml.safe_load(
    Path(__file__).with_name("refusals.yaml").read_text(encoding="utf-8")
)
ASKED: dict[str, AskedQuestion] = {
    key: question(f"refusal/{key}", **fields) for key, fields in TOLD["questions"].items()
}


def judged(key: str, response: str) -> State | None:
    return asyncio.run(RuleJudge().state(ASKED[key], response)).state


def test_the_lists_are_as_long_as_they_say() -> None:
    assert len(TOLD["right"]) == len(TOLD["near"]) == 30
    assert {key[:2] for key, _ in TOLD["right"]} == {"AU", "FP", "UC"}


@pytest.mark.parametrize(("key", "response"), TOLD["right"])
def test_a_right_refusal_is_one_in_other_words(key: str, response: str) -> None:
    assert judged(key, response) is State.TACH


@pytest.mark.parametrize(("key", "response", "state"), TOLD["near"])
def test_what_looks_like_one_is_none(key: str, response: str, state: str) -> None:
    assert judged(key, response) is State(state)


def test_a_reason_of_another_question_is_not_taken_for_this_ones() -> None:
    wrong = [
        (key, response)
        for other, response in TOLD["right"]
        for key, asked in ASKED.items()
        if key != other
        and asked.cause is not ASKED[other].cause
        and gives_gold_reason(asked, plain(response))
    ]
    assert wrong == []


def test_what_the_speaker_cannot_tell_is_left_out_unless_it_is_what_is_open() -> None:
    text = plain("I can't tell which guest you mean, because no record names one.")
    assert stated(ASKED["UC1"], text) == text
    assert "guest" not in stated(ASKED["AU1"], text)
    assert "no record names one" in stated(ASKED["AU1"], text)


def test_irregular_forms_are_the_same_word() -> None:
    assert stems("sold") == stems("sells")
    assert stems("dreamt") == stems("dreaming")
    assert stems("liked") == stems("liking")


def test_a_turn_that_gives_the_reason_in_other_words_states_it() -> None:
    run: Trajectory = trajectory((1, 1, 1, 1), (0, 1, 1, 1))
    told = run.turns[1].model_copy(
        update={"text": "No record exists of which river Corin Aldwyn secretly liked best."}
    )
    run = run.model_copy(update={"turns": (run.turns[0], told)})
    found = asyncio.run(RuleJudge().timeline(ASKED["AU1"], run))
    assert (found.stated, found.shown) == (2, None)
    assert isinstance(run.turns[0].calls[0].documents[0], Document)
