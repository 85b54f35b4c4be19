"""What becomes an outcome, and what is counted apart."""

from __future__ import annotations

from realhop_kg.model.trajectory import (
    Ending,
    Judged,
    Mode,
    State,
    StateJudgement,
    TimelineJudgement,
    Trajectory,
)
from realhop_kg.refusal.evaluate.outcomes import join
from realhop_kg.refusal.evaluate.timeline import MeasureSettings
from tests.refusal.evaluate.runs import question, trajectory


def judged(
    run: Trajectory,
    state: State | None,
    timeline: TimelineJudgement | None = None,
    failure: str = "",
) -> Judged:
    return Judged(
        item=run.item,
        model=run.model,
        mode=run.mode,
        trajectory="d",
        judge="hand",
        state=StateJudgement(state=state, by="hand", failure=failure),
        timeline=timeline,
    )  # fmt: skip


def test_seh_is_in_neither_e_nor_v_whatever_a_timeline_says() -> None:
    run = trajectory((1, 1, 1, 0), (1, 1, 1, 0), ending=Ending.EXHAUSTED)
    verdict = judged(run, State.SEH, TimelineJudgement(shown=1, by="hand"))
    [found], missing = join(
        [question(run.item)], {run.item: run}, {run.item: verdict}, MeasureSettings()
    )
    assert (found.state, found.exposed, found.shown, missing) == (State.SEH, False, False, {})


def test_documents_put_a_run_into_v_and_a_statement_does_not() -> None:
    first = trajectory((1, 1, 1, 0), (1, 1, 1, 0), (1, 1, 1, 0), (0, 1, 0, 5), item="a")
    second = first.model_copy(update={"item": "b"})
    verdicts = {
        "a": judged(first, State.SHD, TimelineJudgement(shown=1, by="hand")),
        "b": judged(second, State.TACH, TimelineJudgement(stated=1, by="hand")),
    }
    questions = [question("a"), question("b")]
    found, _ = join(questions, {"a": first, "b": second}, verdicts, MeasureSettings())
    assert [(each.exposed, each.shown, each.calls_after) for each in found] == [
        (True, True, 1),
        (True, False, 2),
    ]


def test_a_run_without_evidence_is_not_exposed() -> None:
    run = trajectory((0, 1, 0, 5))
    verdict = judged(run, State.SHD, TimelineJudgement(by="hand"))
    [found], _ = join([question(run.item)], {run.item: run}, {run.item: verdict}, MeasureSettings())
    assert (found.exposed, found.calls_after, found.tokens_after) == (False, 0, 0)


def test_no_state_without_a_judgement_and_each_gap_says_why() -> None:
    runs = {name: trajectory((1, 0, 1, 0), (0, 0, 0, 1), item=name) for name in "bcde"}
    verdicts = {
        "c": judged(runs["c"], None, failure="the judge gave no state"),
        "d": judged(runs["d"], State.TACH),
        "e": judged(runs["e"], State.TACH, TimelineJudgement(by="j", failure="no JSON")),
    }
    questions = [question(name) for name in "abcde"]
    found, missing = join(questions, runs, verdicts, MeasureSettings())
    assert found == []
    assert missing == {
        "a": "not asked yet",
        "b": "not judged (answered)",
        "c": "the judge gave no state",
        "d": "no timeline",
        "e": "no JSON",
    }


def test_without_search_no_timeline_is_needed() -> None:
    run = trajectory((0, 1, 0, 5), mode=Mode.PLAIN)
    verdict = judged(run, State.SHD)
    [found], missing = join(
        [question(run.item)], {run.item: run}, {run.item: verdict}, MeasureSettings()
    )
    assert (found.state, found.exposed, missing) == (State.SHD, False, {})
