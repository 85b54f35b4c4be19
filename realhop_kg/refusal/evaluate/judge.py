"""Judges runs: states from final responses, timelines from turns; exhaustion by rule alone.

A judge that refuses, breaks off or answers in another form gives a failure, never a state.
Source: HopRefusalBench, behaviour states, timeline judge.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol, TypeVar

from pydantic import JsonValue, ValidationError

from realhop_kg.llm.batch import WaitingError
from realhop_kg.llm.client import Asker
from realhop_kg.llm.prompts import Template
from realhop_kg.llm.records import ModelRequest
from realhop_kg.model.record import Record
from realhop_kg.model.trajectory import (
    AskedQuestion,
    Ending,
    Judged,
    Mode,
    State,
    StateJudgement,
    TimelineJudgement,
    Trajectory,
)
from realhop_kg.refusal.evaluate.reply import read_reply
from realhop_kg.refusal.evaluate.settings import trajectory_digest
from realhop_kg.refusal.evaluate.timeline import check_timeline

__all__ = ["TRIES", "JudgeOutcome", "ModelJudge", "RefusalJudge", "judge_run", "judge_runs"]

TRIES = 2
"""Replies that are asked for before a judgement fails: one, and one more where it is no good."""
_LONGEST = 8000
"""Code points of a response that a judge is shown."""

Form = TypeVar("Form", bound=Record)


class RefusalJudge(Protocol):
    """Says what a run shows."""

    @property
    def name(self) -> str:
        """What reports call it."""
        ...

    async def state(self, question: AskedQuestion, response: str) -> StateJudgement:
        """Return the state of a final response, or a failure; never SEH."""
        ...

    async def timeline(self, question: AskedQuestion, run: Trajectory) -> TimelineJudgement:
        """Return where evidence first stands in a search run, or a failure."""
        ...


class _StateReply(Record):
    state: str
    reason: str = ""


class _TimelineReply(Record):
    stated_turn: int | None
    shown_turn: int | None
    reason: str = ""


class ModelJudge:
    """Judges by asking a model with two templates.

    Attributes:
        name: the model.
    """

    def __init__(
        self,
        name: str,
        asker: Asker,
        templates: Mapping[str, Template],
        parameters: Mapping[str, JsonValue],
        tries: int = TRIES,
    ) -> None:
        """Name the judge.

        Args:
            name: the model.
            asker: a live client, batch files, or the store alone.
            templates: `state` and `timeline`.
            parameters: temperature, effort and whatever else is sent.
            tries: replies that are asked for before a judgement fails. Stored ones count, so more
                of them ask a judge again whose earlier replies were no good.
        """
        self.name, self._tries = name, tries
        self._asker, self._templates, self._parameters = asker, templates, dict(parameters)

    async def state(self, question: AskedQuestion, response: str) -> StateJudgement:
        """Return what the model says of a response."""
        given = {
            "question": question.question,
            "cause": str(question.cause),
            "premise": question.premise,
            "rationale": question.rationale,
            "response": _shortened(response),
        }
        failure = ""
        for trial in range(1, self._tries + 1):
            found = await self._asked("state", question.item, given, trial, _StateReply)
            if isinstance(found, str):
                failure = found
            elif found.state not in set(State) - {State.SEH}:
                failure = "the judge gave no state that a response can have"
            else:
                state = State(found.state)
                return StateJudgement(state=state, by=self.name, reason=found.reason)
        return StateJudgement(state=None, by=self.name, failure=failure)

    async def timeline(self, question: AskedQuestion, run: Trajectory) -> TimelineJudgement:
        """Return what the model says of the turns of a run; impossible turns are a failure."""
        given = {
            "question": question.question,
            "premise": question.premise,
            "rationale": question.rationale,
            "turns": [_turn(run, at) for at in range(run.length)],
        }
        failure = ""
        for trial in range(1, self._tries + 1):
            found = await self._asked("timeline", question.item, given, trial, _TimelineReply)
            if isinstance(found, str):
                failure = found
                continue
            try:
                timeline = TimelineJudgement(
                    stated=found.stated_turn, shown=found.shown_turn, by=self.name
                )
            except ValidationError:
                failure = "the judge named a turn below 1"
                continue
            failure = check_timeline(timeline, run)
            if not failure:
                return timeline
        return TimelineJudgement(by=self.name, failure=failure)

    async def _asked(
        self, kind: str, item: str, given: Mapping[str, object], trial: int, form: type[Form]
    ) -> Form | str:
        """Return the judge's reply in its form, or what is wrong with it."""
        template = self._templates[kind]
        request = ModelRequest(
            model=self.name,
            messages=template.render(given),
            parameters=self._parameters,
            template=template.name,
            template_hash=template.hash,
            trial=trial,
            stage=f"refusal-{kind}",
            item=item,
        )
        reply = await self._asker.ask(request)
        if not reply.good:
            return f"the judge's reply is {reply.status}"
        return read_reply(reply.text, form)


def _shortened(text: str) -> str:
    if len(text) <= _LONGEST:
        return text
    half = _LONGEST // 2
    return f"{text[:half]} [...] {text[-half:]}"


def _turn(run: Trajectory, at: int) -> dict[str, object]:
    """Return a turn as a judge sees it."""
    turn = run.turns[at]
    return {
        "number": turn.number,
        "text": _shortened(turn.text),
        "searches": [
            {
                "query": call.query,
                "passages": [{"title": each.title, "text": each.text} for each in call.documents],
            }
            for call in turn.calls
            if call.served
        ],
    }


async def judge_run(judge: RefusalJudge, question: AskedQuestion, run: Trajectory) -> Judged:
    """Return what a run shows; SEH and runs without a final response are not shown to the judge."""
    timeline = None
    if run.ending is Ending.EXHAUSTED:
        state = StateJudgement(state=State.SEH, by="rule", reason=run.failure)
    elif run.ending is not Ending.ANSWERED:
        state = StateJudgement(
            state=None, by="rule", failure=f"no final response ({run.ending}: {run.failure})"
        )
    else:
        state = await judge.state(question, run.response)
        if run.mode is Mode.SEARCH:
            timeline = await judge.timeline(question, run)
    return Judged(
        item=run.item,
        model=run.model,
        mode=run.mode,
        trajectory=trajectory_digest(run.model_dump(mode="json")),
        judge=judge.name,
        state=state,
        timeline=timeline,
    )


@dataclass
class JudgeOutcome:
    """What judging did."""

    judged: int = 0
    kept: int = 0
    failed: int = 0
    """Final responses without a state or timeline; they are tried again next time."""
    failures: Counter[str] = field(default_factory=Counter)
    """Why, with how often."""
    pending: int = 0


async def judge_runs(
    judge: RefusalJudge,
    runs: Sequence[tuple[AskedQuestion, Trajectory]],
    known: Mapping[str, Judged],
    write: Callable[[Judged], None],
    window: int,
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> JudgeOutcome:
    """Judge what is not judged yet; records are written in the order of the runs.

    Args:
        judge: who judges.
        runs: of one model in one mode, with their questions.
        known: earlier judgements by question; of another run, or failed, they are made anew.
        write: takes each judgement.
        window: runs under way at a time.
        progress: told (done, total) runs.
    """
    outcome = JudgeOutcome()
    new = [pair for pair in runs if not _settled(known.get(pair[1].item), pair[1])]
    outcome.kept = len(runs) - len(new)
    for start in range(0, len(new), window):
        some = new[start : start + window]
        found = await asyncio.gather(*(_judged(judge, *pair) for pair in some))
        for each in found:
            if each is None:
                outcome.pending += 1
                continue
            write(each)
            outcome.judged += 1
            if _failed(each):
                outcome.failed += 1
                outcome.failures[_why(each)] += 1
        progress(outcome.kept + start + len(some), len(runs))
    return outcome


async def _judged(judge: RefusalJudge, question: AskedQuestion, run: Trajectory) -> Judged | None:
    try:
        return await judge_run(judge, question, run)
    except WaitingError:
        return None


def _failed(found: Judged) -> bool:
    state, timeline = found.state, found.timeline
    return (state.state is None and state.by != "rule") or bool(timeline and timeline.failure)


def _why(found: Judged) -> str:
    return found.state.failure or (found.timeline.failure if found.timeline else "")


def _settled(known: Judged | None, run: Trajectory) -> bool:
    if known is None or _failed(known):
        return False
    return known.trajectory == trajectory_digest(run.model_dump(mode="json"))
