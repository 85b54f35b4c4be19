"""Panels: the latest record wins, completeness is judged after that, and what lacks is listed."""

from __future__ import annotations

from realhop_kg.audit.panel import latest, panels
from realhop_kg.model.run import Condition, Verdict
from tests.audit.scores import panel, panel_and_missing, records


def test_the_latest_record_of_a_cell_wins():
    items, conditions, answers = records([{"a": {"full": "I", "drop": "CI"}}])
    again = answers[0].model_copy(update={"verdict": Verdict.CORRECT})
    assert latest([*answers, again])[0] == again
    [found], missing = panels(items, conditions, [*answers, again], ["m"], [1])
    assert found.correct("a", 1, Condition.FULL)
    assert missing == []


def test_a_record_whose_later_judgement_failed_is_missing_again():
    items, conditions, answers = records([{"a": {"full": "C", "drop": "CI"}}])
    failed = answers[0].model_copy(update={"verdict": None, "failure": "no JSON"})
    [found], [lack] = panels(items, conditions, [*answers, failed], ["m"], [1])
    assert found.complete([1]) == ()
    assert (lack.item, lack.condition, lack.reason) == ("a", Condition.FULL, "no JSON")


def test_a_question_without_every_drop_is_incomplete_and_its_full_still_counts():
    found = panel({"a": {"full": "C", "drop": "C-"}, "b": {"full": "I", "drop": "II"}})
    assert found.full_judged([1]) == ("a", "b")
    assert found.complete([1]) == ("b",)
    assert found.population() == ("a", "b")


def test_a_trial_panel_takes_complete_questions_only():
    first = {"a": {"full": "C", "drop": "CI"}, "b": {"full": "C", "drop": "CI"}}
    second = {"a": {"full": "C", "drop": "CI"}, "b": {"full": "-", "drop": "CI"}}
    assert panel(first, second).population() == ("a",)


def test_a_missing_control_is_left_out_with_its_drop():
    found = panel({"a": {"full": "C", "drop": "III", "control": "C-P"}})
    assert found.controlled("a", [1]) == ("h1", "h3")


def test_an_infeasible_context_is_missing_with_its_reason_and_never_asked():
    items, conditions, answers = records([{"a": {"full": "C", "drop": "I", "control": "C"}}])
    conditions[-1] = conditions[-1].model_copy(
        update={"feasible": False, "reason": "too little background"}
    )
    [found], [lack] = panels(items, conditions, answers[:-1], ["m"], [1])
    assert lack.reason == "not feasible: too little background"
    assert found.asked(Condition.CONTROL) == ()
    assert found.asked(Condition.DROP) == (("a", "h1"),)


def test_a_model_without_any_answer_is_missing_everywhere():
    items, conditions, _ = records([{"a": {"full": "C", "drop": "I"}}])
    [found], missing = panels(items, conditions, [], ["quiet"], [1])
    assert found.model == "quiet"
    assert [lack.reason for lack in missing] == ["no answer stored"] * 2


def test_missing_names_the_failure():
    _, [lack] = panel_and_missing({"a": {"full": "C", "drop": "I-"}})
    assert (lack.target, lack.trial, lack.reason) == ("h2", 1, "timed out")
