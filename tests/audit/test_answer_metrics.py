"""Scores agree with the official scripts, whose results lie in the public samples."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from realhop_kg.audit.answer_metrics import (
    Score,
    exact_match,
    hotpot_answer,
    longbench_choice,
    longbench_f1,
    musique_answer,
    support_score,
    token_f1,
    twowiki_evidence,
)


def scored(case: dict[str, Any]) -> dict[str, Any]:
    """Return what our functions give for a case, by the names of the official scripts."""
    said, gold = case["prediction"], case["gold"]
    match case["metric"]:
        case "hotpot_answer":
            return hotpot_answer(said, gold)._asdict()
        case "hotpot_supporting_facts":
            return support_score([*map(tuple, said)], [*map(tuple, gold)])._asdict()
        case "musique_answer":
            return musique_answer(said, gold)._asdict()
        case "musique_support":
            return support_score(said, gold, both_empty=1.0)._asdict()
        case "2wiki_evidence":
            return twowiki_evidence(said, gold)._asdict()
        case "longbench_qa_f1":
            return {"f1": longbench_f1(said, gold)}
        case "longbench_v2_extract_answer":
            letter = longbench_choice(said)
            return {"pred": letter, "judge": letter == gold}
    raise AssertionError(case["metric"])


def test_every_public_case_agrees(shared_data: Path):
    cases = json.loads((shared_data / "metrics_cases.json").read_text())
    assert len(cases) == 10
    for case in cases:
        found = scored(case)
        assert {name: found[name] for name in case["expected"]} == case["expected"], case["note"]


@pytest.mark.parametrize(
    ("prediction", "reference", "f1"),
    [("yes it is", "yes", 0.0), ("yes", "Yes.", 1.0), ("no", "noanswer", 0.0), ("noon", "no", 0.0)],
)
def test_closed_answers_match_whole_or_not_at_all(prediction: str, reference: str, f1: float):
    assert hotpot_answer(prediction, reference).f1 == f1


def test_empty_answers_differ_by_dataset():
    assert hotpot_answer("", "") == Score(1.0, 0.0, 0.0, 0.0)
    assert musique_answer("", ["the"]) == Score(1.0, 1.0, 1.0, 1.0)


def test_two_spellings_of_one_triple_do_not_lift_recall_above_one():
    gold = [[["A", "mother", "B"], ["A.", "mother", "Bb"]]]
    score = twowiki_evidence([["a", "mother", "b"], ["a", "mother", "bb"]], gold)
    assert score == Score(0.0, 1.0, 1.0, 1.0)


def test_a_choice_in_brackets_wins_over_a_bare_one():
    assert longbench_choice("The correct answer is **(C)**, not: The correct answer is A") == "C"
    assert longbench_choice("") is None


@given(st.text(max_size=40), st.text(max_size=40))
def test_f1_is_symmetric_and_one_exactly_where_tokens_agree(one: str, other: str):
    score = token_f1(one, other)
    assert score.f1 == pytest.approx(token_f1(other, one).f1)
    assert 0 <= score.f1 <= 1
    assert score.em == float(exact_match(one, [other]))
