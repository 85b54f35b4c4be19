"""Runs an audit for the command line: who answers, who judges, what is said of it."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from realhop_kg.cli.asking import Channel, interruptible, open_asker, until_interrupted
from realhop_kg.cli.output import echo, echo_json, tallying

if TYPE_CHECKING:
    from realhop_kg.audit.asked import AskedJudge, AskedSolver
    from realhop_kg.audit.judge import Judge
    from realhop_kg.audit.run import Outcome
    from realhop_kg.audit.solvers import Solver
    from realhop_kg.cli.audit_settings import Audited
    from realhop_kg.llm.batch import BatchAsker
    from realhop_kg.llm.client import Asker
    from realhop_kg.llm.limits import Totals

__all__ = ["AuditRun", "Done", "perform", "run_and_tell"]

_MEANING = {
    "cells": "answers that the run needs: contexts x models x trials",
    "kept": "of them judged by an earlier run",
    "judged": "judged now",
    "failed": "without an answer or a verdict; they are in no figure",
    "pending": "wait for a batch",
    "optionless": "multiple choice with too few planned endpoints for four options",
    "asked": "answers that came now",
    "unanswered": "failed cells without an answer",
    "infeasible": "contexts that cannot be made, such as a control without enough background",
    "excluded": "records of the source that could not be audited",
    "unreadable": "stored lines that hold no answer",
}
_RARE = frozenset(("optionless", "unanswered", "unreadable"))
"""Counts that are told in words only where there is something to tell."""

_REASONS = 5
"""Reasons of failure that a run tells, the commonest first; the report has all."""


@dataclass(frozen=True)
class AuditRun:
    """One run of `realhop audit`.

    Attributes:
        audited: what is audited.
        models: who answers now; the run's folder may hold others.
        judge: as `--judge` says it.
        channel: where the replies of models come from.
        out: folder of the run.
    """

    audited: Audited
    models: tuple[str, ...]
    judge: str
    channel: Channel
    out: Path

    @property
    def asked(self) -> tuple[str, ...]:
        """The models that are asked, the judge among them; scripted solvers are none."""
        from realhop_kg.audit.judge import local_judge
        from realhop_kg.audit.scripted import PREFIX

        judge = () if local_judge(self.judge) else (self.judge,)
        return (*(model for model in self.models if not model.startswith(PREFIX)), *judge)


@dataclass
class Done:
    """What a run came to."""

    outcome: Outcome
    excluded: int
    totals: Totals | None = None
    batch: BatchAsker | None = None


def run_and_tell(run: AuditRun, as_json: bool) -> None:
    """Run, print the figures, and fail where stored replies alone are not enough.

    Raises:
        ProviderError: if the run has to stop, or `--offline` lacks replies; what came is stored.
        InputError: if the folder or an option cannot be used, or nothing can be audited.
    """
    from realhop_kg.errors import InputError, ProviderError

    _warn(run)
    done = until_interrupted(perform(run))
    _tell(run, done, as_json)
    outcome = done.outcome
    if not outcome.cells:
        raise InputError(
            f"no record of {run.audited.settings.source} can be audited; "
            f"{run.out / 'excluded.jsonl'} says why of each"
        )
    if run.asked and outcome.unanswered == outcome.cells > 0:
        raise ProviderError("no answer came at all; run again when the provider answers")
    if run.channel.offline and done.outcome.pending:
        raise ProviderError(
            f"{done.outcome.pending} answers or verdicts are not in {run.channel.replies}; run "
            "without --offline"
        )
    if outcome.failed:
        raise ProviderError(
            f"{outcome.failed} of {outcome.cells} cells have no answer or no verdict; run the same "
            "command again to ask for them alone, or report without them"
        )


async def perform(run: AuditRun) -> Done:
    """Bring a run as far as it goes now; models are asked where its channel says.

    Raises:
        ProviderError: if the run has to stop; what came is stored.
        InputError: if the folder, the reply store or an option cannot be used.
    """
    from realhop_kg.llm.batch import BatchAsker
    from realhop_kg.llm.provider import Provider
    from realhop_kg.llm.replies import ReplyStore

    with ExitStack() as stack:
        show = stack.enter_context(tallying("auditing"))
        if not run.asked:
            return await _audit(run, None, lambda done, total: show(done, total, ""))
        if run.channel.batch is None and not run.channel.offline:
            provider = Provider()
            for model in run.asked:
                provider.check(model)
        writes = not run.channel.offline
        store = stack.enter_context(ReplyStore(run.channel.replies, write=writes))
        place = (0, 0)

        def count(totals: Totals) -> None:
            show(*place, str(totals))

        async with open_asker(run.channel, store, count) as asker:
            interruptible()

            def move(done: int, total: int) -> None:
                nonlocal place
                place = (done, total)
                show(done, total, str(asker.totals))

            done = await _audit(run, asker, move)
            done.totals = asker.totals
            done.batch = asker if isinstance(asker, BatchAsker) else None
            return done


async def _audit(run: AuditRun, asker: Asker | None, progress: Callable[[int, int], None]) -> Done:
    from realhop_kg.audit.folder import RunFolder
    from realhop_kg.audit.run import run_audit_live
    from realhop_kg.errors import InputError

    audited = run.audited
    solvers = [_solver(name, run, asker) for name in run.models]
    judge = _judge(run, asker)
    is_new = not run.out.exists()
    folder = RunFolder.start(run.out, audited.settings)
    try:
        outcome = await run_audit_live(
            folder,
            audited.items,
            solvers,
            judge,
            audited.templates,
            progress,
            audited.excluded,
            window=4 * run.channel.limits.concurrency if asker else 1,
        )
    except InputError:
        # What cannot be read is no run: the corrected command may take the same --out. Once there
        # is a plan there may be answers, which nothing removes.
        if is_new and not folder.planned:
            shutil.rmtree(run.out)
        raise
    return Done(outcome, folder.excluded())


def _solver(name: str, run: AuditRun, asker: Asker | None) -> Solver | AskedSolver:
    from realhop_kg.audit.asked import AskedSolver
    from realhop_kg.audit.scripted import PREFIX, scripted

    if name.startswith(PREFIX) or asker is None:
        return scripted(name, run.audited.dataset)
    return AskedSolver(name, asker, run.audited.settings.parameters.get(name))


def _judge(run: AuditRun, asker: Asker | None) -> Judge | AskedJudge:
    from realhop_kg.audit.asked import AskedJudge
    from realhop_kg.audit.judge import OfflineJudge, local_judge
    from realhop_kg.llm.prompts import load_template

    local = local_judge(run.judge)
    if local is not None or asker is None:
        return local or OfflineJudge()
    return AskedJudge(
        run.judge,
        run.audited.templates["judge"],
        load_template("audit/reask"),
        asker,
        run.audited.settings.judge_parameters,
    )


def _warn(run: AuditRun) -> None:
    """Say up front what a reader of the figures would ask about."""
    from realhop_kg.audit.judge import judges_itself
    from realhop_kg.audit.solvers import answers_side

    for model in run.models:
        for side in run.audited.settings.sides:
            if not answers_side(model, side):
                typer.echo(
                    f"{model} derives from constructed items: not asked on the {side} side",
                    err=True,
                )

    own = judges_itself(run.judge, run.models)
    if own:
        typer.echo(f"warning: {run.judge} judges its own answers ({own})", err=True)


def _tell(run: AuditRun, done: Done, as_json: bool) -> None:
    outcome, batch = done.outcome, done.batch
    figures = {
        "cells": outcome.cells,
        "kept": outcome.kept,
        "judged": outcome.judged,
        "failed": outcome.failed,
        "pending": outcome.pending,
        "optionless": outcome.optionless,
        "asked": outcome.asked,
        "unanswered": outcome.unanswered,
        "infeasible": outcome.infeasible,
        "excluded": done.excluded,
        "unreadable": len(outcome.bad_lines),
    }
    for problem in _problems(done):
        typer.echo(f"{problem}; left out", err=True)
    for reason, count in outcome.reasons.most_common(_REASONS):
        if count:
            typer.echo(f"{count} failed: {reason}", err=True)
    if as_json:
        waiting = batch.waiting.total() if batch else 0
        calls = {"calls": asdict(done.totals)} if done.totals else {}
        echo_json({"out": str(run.out), **figures, "prompts": waiting, **calls})
        return
    for name, value in figures.items():
        if value or name not in _RARE:
            echo(f"{name:<11} {value:>7}  {_MEANING[name]}".rstrip())
    if done.totals:
        echo(f"calls       {done.totals}")
        if done.totals.unpriced:
            echo(
                f"price       unknown for {done.totals.unpriced} replies; the cost is without them"
            )
    if batch and batch.waiting:
        _tell_batch(run, batch)
    elif outcome.cells:
        echo(f"realhop report {run.out} shows what was found")


def _tell_batch(run: AuditRun, batch: BatchAsker) -> None:
    ways = []
    if run.channel.openai:
        ways.append(
            f"send {' and '.join(f'{stage}.jsonl' for stage in sorted(batch.waiting))} to a batch "
            "API and take the results in with `realhop replies import FILE... --replies "
            f"{run.channel.replies}`"
        )
    if run.channel.plain:
        ways.append("put answers to prompts.jsonl into responses.jsonl beside it")
    echo(
        f"{batch.waiting.total()} requests lie in {batch.folder}: {', or '.join(ways)}; then run "
        "the same command again"
    )


def _problems(done: Done) -> list[str]:
    found = [bad.said for bad in done.outcome.bad_lines]
    plain = done.batch.plain if done.batch else None
    if plain is not None:
        found += plain.problems
        if plain.unknown:
            found.append(f"responses.jsonl: {plain.unknown} answers to no prompt of this store")
    return found
