"""Runs an audit: plan the contexts, ask what is not answered, judge what is not judged."""

from __future__ import annotations

import asyncio
from collections import Counter, deque
from collections.abc import AsyncGenerator, Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import aclosing, suppress
from dataclasses import dataclass, field

from realhop_kg.appending import Appender
from realhop_kg.audit.asked import AskedSolver
from realhop_kg.audit.auditable import Auditable
from realhop_kg.audit.cells import AnyJudge, AnySolver, CellContext, cells
from realhop_kg.audit.choices import lettered
from realhop_kg.audit.folder import TRIALS, BadTrial, RunFolder
from realhop_kg.audit.plan import AuditSettings, plan_item
from realhop_kg.audit.shortcuts import Shortcuts, shortcuts
from realhop_kg.audit.solvers import PENDING, Answer, Prompt, answers_side
from realhop_kg.ids import digest
from realhop_kg.llm.prompts import Template
from realhop_kg.model.record import Record
from realhop_kg.model.run import (
    AuditedItem,
    Cell,
    ConditionRecord,
    TrialRecord,
)

__all__ = ["Outcome", "cells_of", "run_audit", "run_audit_live"]

Progress = Callable[[int, int], None]


@dataclass
class Outcome:
    """What a run did; every cell is kept, judged, failed, pending or without options."""

    cells: int = 0
    """Answers that the whole run needs of the models that were asked now."""
    kept: int = 0
    """Cells that an earlier run had answered and judged."""
    judged: int = 0
    """Cells that this run judged."""
    failed: int = 0
    """Cells without an answer or without a verdict, pending ones left out."""
    unanswered: int = 0
    """Failed cells that have no answer either."""
    optionless: int = 0
    """Cells of multiple-choice questions with too few planned endpoints for four options."""
    asked: int = 0
    """Answers that came in this run, whatever became of their verdicts."""
    reasons: Counter[str] = field(default_factory=Counter)
    """Why not, of the cells that this run tried."""
    pending: int = 0
    """Cells that wait for a batch."""
    infeasible: int = 0
    """Contexts that cannot be made, once per side, not per model."""
    bad_lines: list[BadTrial] = field(default_factory=list)
    """Stored lines that could not be read."""


@dataclass(frozen=True, slots=True)
class _Known:
    """What is stored of a cell."""

    prompt: str
    response: str | None
    """The answer while it is not judged; afterwards only its verdict matters."""
    judged: bool
    failure: str = ""
    """What went wrong; the same again needs no new record."""


def run_audit(
    run: RunFolder,
    items: Callable[[], Iterable[Auditable]],
    solvers: Sequence[AnySolver],
    judge: AnyJudge,
    templates: Mapping[str, Template],
    progress: Progress = lambda done, total: None,
    excluded: Callable[[], Iterable[Record]] = tuple,
) -> Outcome:
    """Bring a run as far as it goes now, one answer after the other: `run_audit_live` in a loop.

    It may be called where a loop runs already, as in a notebook.

    Raises:
        InputError: if the run cannot be written.
    """

    def whole() -> Outcome:
        return asyncio.run(
            run_audit_live(run, items, solvers, judge, templates, progress, excluded)
        )

    with ThreadPoolExecutor(max_workers=1) as apart:
        return apart.submit(whole).result()


async def run_audit_live(
    run: RunFolder,
    items: Callable[[], Iterable[Auditable]],
    solvers: Sequence[AnySolver],
    judge: AnyJudge,
    templates: Mapping[str, Template],
    progress: Progress = lambda done, total: None,
    excluded: Callable[[], Iterable[Record]] = tuple,
    window: int = 1,
) -> Outcome:
    """Bring a run as far as it goes now; call it again to go on.

    Answers are stored as they come, so nothing is asked twice: a stored answer whose request is
    unchanged is judged again at most, and what is judged is left alone. Records are stored in the
    order of the plan, whatever comes back first; a reply that came before a stop is in the reply
    store.

    Args:
        run: a folder opened by `RunFolder.start`.
        items: gives the questions anew at each call, always in the same order.
        solvers: who answers; each model of the settings that is asked now.
        judge: grades what is no exact match.
        templates: `solver` for prompts with a context, `closed_book` for those without.
        progress: told (done, total) cells.
        excluded: gives the records that are left out, once the items have been read.
        window: cells under way at a time; more of them keep more calls busy.

    Raises:
        InputError: if the run cannot be written.
        ProviderError: if the run has to stop; the same call goes on from there.
    """
    settings = run.settings
    if not run.planned:
        run.store_plan(_planned(items(), settings), excluded)
    outcome = Outcome()
    known = _known(run, outcome)
    total = cells_of(run.conditions(), [each.name for each in solvers], settings.trials)
    outcome.infeasible = sum(not record.feasible for record in run.conditions())
    outcome.cells = total
    done = 0
    progress(done, total)
    found = cells(items(), solvers, settings, templates)
    with Appender(run.folder / TRIALS) as writer:
        async with aclosing(_records(found, judge, known, outcome, window)) as records:
            async for record in records:
                if record is not None:
                    writer.write(record)
                done += 1
                progress(done, total)
    return outcome


async def _records(
    cells: Iterable[tuple[CellContext, AnySolver, int]],
    judge: AnyJudge,
    known: Mapping[str, _Known],
    outcome: Outcome,
    window: int,
) -> AsyncGenerator[TrialRecord | None, None]:
    """Yield what became of each cell, in order, with several under way at a time."""
    if window == 1:  # a task for each would only cost time
        for context, solver, trial in cells:
            yield await _settled(context, solver, trial, judge, known, outcome)
        return
    under_way: deque[asyncio.Task[TrialRecord | None]] = deque()
    try:
        for context, solver, trial in cells:
            settled = _settled(context, solver, trial, judge, known, outcome)
            under_way.append(asyncio.create_task(settled))
            if len(under_way) >= window:
                yield await under_way.popleft()
        while under_way:
            yield await under_way.popleft()
    finally:
        for task in under_way:
            task.cancel()
        for task in under_way:
            with suppress(Exception, asyncio.CancelledError):
                await task


def cells_of(conditions: Iterable[ConditionRecord], models: Sequence[str], trials: int) -> int:
    """Return how many answers some contexts need."""
    sides = Counter(record.side for record in conditions if record.feasible)
    return trials * sum(
        count * sum(answers_side(model, side) for model in models) for side, count in sides.items()
    )


def _planned(
    items: Iterable[Auditable], settings: AuditSettings
) -> Iterator[tuple[AuditedItem, Shortcuts, Iterator[ConditionRecord]]]:
    for item in items:
        removals = plan_item(item, settings)
        yield item.record(), shortcuts(item), (removal.record(item) for removal in removals)


def _known(run: RunFolder, outcome: Outcome) -> dict[str, _Known]:
    found: dict[str, _Known] = {}
    for record in run.trials():
        if isinstance(record, BadTrial):
            outcome.bad_lines.append(record)
            continue
        judged = record.verdict is not None
        found[_place(record.cell)] = _Known(
            record.prompt, "" if judged else record.response, judged, record.failure
        )
    return found


def _place(cell: Cell) -> str:
    # A digest, since a large run has millions of cells.
    return digest(*cell, length=24)


async def _answer(solver: AnySolver, prompt: Prompt) -> Answer:
    if isinstance(solver, AskedSolver):
        return await solver.answer(prompt)
    answer = solver.answer(prompt)
    if answer.text is None or not prompt.choices:
        return answer
    return answer.model_copy(update={"text": lettered(answer.text, prompt.choices)})


async def _settled(
    context: CellContext,
    solver: AnySolver,
    trial: int,
    judge: AnyJudge,
    known: Mapping[str, _Known],
    outcome: Outcome,
) -> TrialRecord | None:
    """Return the new record of a cell, or None where what is stored still holds."""
    prompt = context.prompt(solver.name, trial)
    record = TrialRecord(
        item=context.item.item,
        side=context.item.side,
        ablation=context.record.ablation,
        condition=context.record.condition,
        target=context.record.target,
        model=solver.name,
        trial=trial,
        prompt=prompt.key,
    )
    stored = known.get(_place(record.cell))
    if stored is not None and stored.prompt != prompt.key:
        stored = None
    if stored is not None and stored.judged:
        outcome.kept += 1
        return None
    response = stored.response if stored is not None else None
    again = response is not None
    if context.choosing and not context.choices:
        outcome.optionless += 1
        few = "too few planned endpoints for four options"
        return record.model_copy(update={"failure": few}) if stored is None else None
    if response is None:
        answer = await _answer(solver, prompt)
        if answer.text is None:
            outcome.pending += answer.pending
            # That a batch is out needs no record: asking again is what finds its responses.
            if answer.pending:
                return None
            why = answer.failure or "no answer"
            outcome.failed += 1
            outcome.unanswered += 1
            outcome.reasons[why] += 1
            told = stored is not None and stored.failure == why
            return None if told else record.model_copy(update={"failure": why})
        outcome.asked += 1
        response = answer.text
    judged, named = await context.judged(response, judge)
    waits = judged.failure == PENDING
    outcome.pending += waits
    outcome.judged += judged.verdict is not None
    if judged.verdict is None and not waits:
        outcome.failed += 1
        outcome.reasons[judged.failure] += 1
    same = stored is not None and again and stored.failure == judged.failure
    if judged.verdict is None and again and (waits or same):
        return None
    return record.model_copy(
        update={
            "response": response,
            "read_as": named,
            "verdict": judged.verdict,
            "judged_by": judged.by,
            "failure": judged.failure,
        }
    )
