"""Runs an agent over all questions of a dataset: what is stored is kept, the rest is asked."""

from __future__ import annotations

import asyncio
from collections import Counter, deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from realhop_kg.appending import Appender
from realhop_kg.errors import RealHopError
from realhop_kg.llm.batch import WaitingError
from realhop_kg.model.trajectory import AskedQuestion, CallFault, Ending, Mode, Trajectory
from realhop_kg.refusal.evaluate.agents import Agent
from realhop_kg.refusal.evaluate.conversation import Search, converse
from realhop_kg.refusal.evaluate.folder import TRAJECTORIES, RefusalRun

__all__ = ["Outcome", "run_agent"]

Progress = Callable[[int, int], None]


@dataclass
class Outcome:
    """What a run did."""

    asked: int = 0
    """Questions run now."""
    kept: int = 0
    """Questions that an earlier run had finished."""
    pending: int = 0
    """Questions that wait for replies of a batch."""
    endings: Counter[Ending] = field(default_factory=Counter)
    """How all of them ended, earlier ones too."""
    faults: Counter[CallFault] = field(default_factory=Counter)
    """Tool calls that were not served, by reason."""
    calls: int = 0
    """Tool calls of all runs."""
    silent: int = 0
    """Search runs without a single tool call: all of them, and the model may not support tools."""

    def count(self, run: Trajectory) -> None:
        """Add a finished run."""
        self.endings[run.ending] += 1
        self.calls += len(run.calls)
        self.faults.update(call.fault for call in run.calls if call.fault is not None)
        self.silent += run.mode is Mode.SEARCH and not run.calls


async def run_agent(
    run: RefusalRun,
    questions: Sequence[AskedQuestion],
    agent: Agent,
    search: Search | None,
    budget: int,
    window: int,
    progress: Progress = lambda done, total: None,
) -> Outcome:
    """Bring the runs of one agent in one mode to their end; call it again to go on.

    Runs are written in the order of the questions, whoever answers first, so that the same replies
    give the same file. Failed ones are tried again.

    Args:
        run: a folder opened by `RefusalRun.start`.
        questions: all that are asked.
        agent: who answers.
        search: carries out searches; None for a run without.
        budget: search calls per question.
        window: questions under way at a time.
        progress: told (done, total) questions.

    Raises:
        RealHopError: if the run has to stop; what was finished before is stored. If nothing was,
            the folder does not list the agent, so that it may be asked under other settings.
    """
    mode = Mode.PLAIN if search is None else Mode.SEARCH
    outcome = Outcome()
    stored = run.trajectories(agent.name, mode)
    waiting: list[AskedQuestion] = []
    for question in questions:
        known = stored.get(question.item)
        if known is None or known.ending is Ending.FAILED:
            waiting.append(question)
        else:
            outcome.kept += 1
            outcome.count(known)
    with Appender(run.folder / TRAJECTORIES) as file:
        rest = iter(waiting)
        flying: deque[asyncio.Task[Trajectory | None]] = deque()

        def start(count: int) -> None:
            for question in _some(rest, count):
                flying.append(asyncio.create_task(_run(agent, question, search, budget)))

        try:
            start(window)
            while flying:
                found = await flying[0]
                flying.popleft()
                start(1)
                if found is None:
                    outcome.pending += 1
                    continue
                file.write(found)
                outcome.asked += 1
                outcome.count(found)
                progress(outcome.kept + outcome.asked, len(questions))
        except RealHopError:
            if not stored and not outcome.asked:
                run.withdraw(agent.name, mode)
            raise
        finally:
            for task in flying:
                task.cancel()
            await asyncio.gather(*flying, return_exceptions=True)
    return outcome


async def _run(
    agent: Agent, question: AskedQuestion, search: Search | None, budget: int
) -> Trajectory | None:
    """Return a run, or None where it waits for a reply that a batch will bring."""
    try:
        return await converse(agent, question, search, budget)
    except WaitingError:
        return None


def _some(rest: Iterator[AskedQuestion], count: int) -> Iterator[AskedQuestion]:
    for _ in range(count):
        question = next(rest, None)
        if question is None:
            return
        yield question
