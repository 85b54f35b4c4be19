"""`realhop refusal run`: models on questions without an answer, with and without search."""

from __future__ import annotations

from collections import Counter
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from realhop_kg.cli.asking import Channel, answering, until_interrupted, waits
from realhop_kg.cli.flatten import flattened
from realhop_kg.cli.model_options import (
    DEFAULT_LIMITS,
    ApiBase,
    Batch,
    LimitOptions,
    Offline,
    PromptDir,
)
from realhop_kg.cli.options import AsJson, DatasetFolder, Limit
from realhop_kg.cli.output import counting, echo, echo_json
from realhop_kg.cli.refusal_asked import read_questions, warn_of

if TYPE_CHECKING:
    from realhop_kg.llm.client import Asker
    from realhop_kg.llm.limits import Totals
    from realhop_kg.llm.replies import ReplyStore
    from realhop_kg.model.trajectory import AskedQuestion
    from realhop_kg.refusal.evaluate.agents import Agent
    from realhop_kg.refusal.evaluate.folder import RefusalRun
    from realhop_kg.refusal.evaluate.run import Outcome
    from realhop_kg.refusal.evaluate.settings import Arm, SearchSettings
    from realhop_kg.search.check import Coverage, SearchFinding
    from realhop_kg.search.retriever import Retriever

__all__ = ["run_command"]


@dataclass(frozen=True)
class _Searching:
    """The retriever of a run, tried."""

    retriever: Retriever
    settings: SearchSettings
    checks: tuple[SearchFinding, ...]
    coverage: Coverage


@flattened
def run_command(
    folder: DatasetFolder,
    model: Annotated[
        str,
        typer.Option(
            "--model",
            help="Who answers (openai/gpt-4o-mini), or a script: scripted/halts-right, answers, "
            "searches, wrong-reason, vague, stops-early, knows-and-searches, parallel, faulty.",
        ),
    ],
    out: Annotated[
        Path, typer.Option("--out", help="Folder of the runs; resumed, and added to, if it exists.")
    ],
    search: Annotated[
        bool, typer.Option("--search", help="Let it search, through its own tool calls.")
    ] = False,
    index: Annotated[
        str,
        typer.Option("--index", help="Index of `realhop search index`, or address of a /retrieve."),
    ] = "",
    budget: Annotated[int, typer.Option("--budget", min=1, help="Search calls a question.")] = 8,
    top_k: Annotated[int, typer.Option("--top-k", min=1, help="Passages a search.")] = 3,
    encoder: Annotated[
        str, typer.Option("--encoder", help="Model of a dense index, if it has moved.")
    ] = "",
    params: Annotated[
        list[str] | None,
        typer.Option(
            "--param",
            help="NAME=VALUE sent with every request (max_tokens=2000); null takes one out. By "
            "default temperature=0, and reasoning_effort=none where the model reasons.",
        ),
    ] = None,
    untried: Annotated[
        bool, typer.Option("--no-self-test", help="Run even if the self-test of the index fails.")
    ] = False,
    prompt_dir: PromptDir = None,
    replies: Annotated[
        Path | None, typer.Option("--replies", help="Store of replies; RUN/replies.sqlite if none.")
    ] = None,
    api_base: ApiBase = "",
    batch: Batch = None,
    offline: Offline = False,
    limits: LimitOptions = DEFAULT_LIMITS,
    limit: Limit = None,
    as_json: AsJson = False,
) -> None:
    """Ask a model every question; each turn is stored, and a stopped run goes on at the turn.

    The questions of `realhop refusal from-drops` are asked with their passages, the others bare.
    """
    from realhop_kg.refusal.evaluate.folder import REPLIES, RefusalRun

    settings, questions = read_questions(folder, search, prompt_dir, limit)
    searching = _searching(index, encoder, questions, budget, top_k, untried) if search else None
    arm = _arm(model, searching, params or [])
    run = RefusalRun.start(out, settings, arm, questions)
    channel = Channel(
        replies=replies or out / REPLIES,
        limits=limits.read(),
        api_base=api_base,
        batch=batch,
        offline=offline,
    )
    outcome, totals = until_interrupted(_go(run, arm, questions, searching, channel))
    _tell(run, arm, outcome, totals, channel, as_json)


def _searching(
    index: str,
    encoder: str,
    questions: list[AskedQuestion],
    budget: int,
    top_k: int,
    untried: bool,
) -> _Searching:
    """Open and try the retriever of a run.

    Raises:
        InputError: if there is none, or its self-test fails.
    """
    from realhop_kg.cli.search import opened
    from realhop_kg.errors import InputError
    from realhop_kg.refusal.evaluate.settings import SearchSettings
    from realhop_kg.search.check import check_search, coverage, known_queries

    if not index:
        raise InputError("--search needs a retriever; name an index or an address with --index")
    retriever, opened_index = opened(index, encoder)
    queries = known_queries(opened_index) if opened_index else []
    queries += [(question.question, "") for question in questions[:32]]
    checks = tuple(check_search(retriever, queries, top_k))
    failed = [f"{each.name}: {each.message}" for each in checks if not each.ok]
    if failed and not untried:
        raise InputError(
            f"the retriever does not pass its self-test ({'; '.join(failed)}); mend it, or go on "
            "with --no-self-test"
        )
    return _Searching(
        retriever,
        SearchSettings(
            budget=budget,
            top_k=top_k,
            retriever=retriever.settings,
            index=opened_index.manifest.digest if opened_index else "",
        ),
        checks,
        coverage(retriever, (page for question in questions for page in question.pages)),
    )


def _arm(model: str, searching: _Searching | None, params: list[str]) -> Arm:
    from realhop_kg.llm.provider import Provider
    from realhop_kg.model.trajectory import Mode
    from realhop_kg.refusal.evaluate.scripted import PREFIX, scripted
    from realhop_kg.refusal.evaluate.settings import Arm, read_parameters

    if model.startswith(PREFIX):
        scripted(model, searching is not None)  # so that a wrong name leaves no folder
        parameters = {}
    else:
        read_parameters(params, {})  # what is wrong with them is told before anything is loaded
        parameters = read_parameters(params, Provider().plain_parameters(model))
    return Arm(
        model=model,
        mode=Mode.SEARCH if searching else Mode.PLAIN,
        parameters=parameters,
        search=searching.settings if searching else None,
        checks=searching.checks if searching else (),
        coverage=searching.coverage if searching else None,
    )


async def _go(
    run: RefusalRun,
    arm: Arm,
    questions: list[AskedQuestion],
    searching: _Searching | None,
    channel: Channel,
) -> tuple[Outcome, Totals]:
    from realhop_kg.llm.limits import Totals
    from realhop_kg.refusal.evaluate.folder import SEARCHES
    from realhop_kg.refusal.evaluate.run import run_agent
    from realhop_kg.refusal.evaluate.scripted import PREFIX, scripted
    from realhop_kg.refusal.evaluate.searches import Searches

    with ExitStack() as stack:
        found = None
        if searching:
            found = stack.enter_context(
                Searches(
                    run.folder / SEARCHES,
                    searching.retriever,
                    searching.settings.index,
                    searching.settings.top_k,
                )
            )
        progress = stack.enter_context(counting(f"asking {arm.model}"))
        budget = searching.settings.budget if searching else 0
        search, window = found.search if found else None, 2 * channel.limits.concurrency
        if arm.model.startswith(PREFIX):
            agent: Agent = scripted(arm.model, searching is not None)
            return (
                await run_agent(run, questions, agent, search, budget, window, progress),
                Totals(),
            )
        async with answering(channel) as (asker, store):
            totals = asker.totals
            agent = _model(arm, asker, store)
            outcome = await run_agent(run, questions, agent, search, budget, window, progress)
        return outcome, totals


def _model(arm: Arm, asker: Asker, store: ReplyStore) -> Agent:
    from realhop_kg.refusal.evaluate.agents import ModelAgent

    return ModelAgent(arm.model, asker, store, arm.parameters, arm.search is not None)


def _tell(
    run: RefusalRun, arm: Arm, outcome: Outcome, totals: Totals, channel: Channel, as_json: bool
) -> None:
    from dataclasses import asdict

    from realhop_kg.model.trajectory import Ending

    for bad in run.bad:
        typer.echo(f"realhop: {bad}", err=True)
    figures = {
        "asked": outcome.asked,
        "kept": outcome.kept,
        "pending": outcome.pending,
        "endings": {str(each): count for each, count in sorted(outcome.endings.items())},
        "tool_calls": outcome.calls,
        "not_served": {str(each): count for each, count in sorted(outcome.faults.items())},
        "without_calls": outcome.silent,
    }
    coverage = arm.coverage.model_dump(mode="json") if arm.coverage else None
    if as_json:
        parts = {"parameters": arm.parameters, "coverage": coverage, "calls": asdict(totals)}
        echo_json(
            {"out": str(run.folder), "model": arm.model, "mode": str(arm.mode), **figures, **parts}
        )
    else:
        for name, value in figures.items():
            shown = (
                ", ".join(f"{key} {count}" for key, count in value.items()) or "none"
                if isinstance(value, dict)
                else value
            )
            echo(f"{name.replace('_', ' '):<14} {shown}")
        if arm.coverage:
            echo(f"{'pages covered':<14} {arm.coverage.found} of {arm.coverage.pages}")
        echo(f"{'calls':<14} {totals}")
        if outcome.pending:
            echo(waits(Counter({"refusal-run": outcome.pending}), channel))
        else:
            echo(f"realhop refusal judge {run.folder} says what each run shows")
    failed = outcome.endings[Ending.FAILED]
    warn_of(arm, outcome)
    raise typer.Exit(1 if outcome.pending or failed else 0)
