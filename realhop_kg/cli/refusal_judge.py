"""`realhop refusal judge` and `sheet`: what runs show, and what people say of it."""

from __future__ import annotations

from collections import Counter
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
from realhop_kg.cli.options import AsJson
from realhop_kg.cli.output import counting, echo, echo_json

if TYPE_CHECKING:
    from pydantic import JsonValue

    from realhop_kg.llm.limits import Totals
    from realhop_kg.refusal.evaluate.folder import RefusalRun
    from realhop_kg.refusal.evaluate.judge import JudgeOutcome, RefusalJudge

__all__ = ["JudgeName", "RunArgument", "judge_command", "sheet_command"]

RULES = "rules"

RunArgument = Annotated[
    Path, typer.Argument(metavar="RUN", help="Folder that `realhop refusal run --out` wrote.")
]
JudgeName = Annotated[
    str, typer.Option("--judge", help="Whose judgements; the only one there is by default.")
]


@flattened
def judge_command(
    folder: RunArgument,
    judge: Annotated[
        str, typer.Option("--judge", help="rules (words alone, a floor), or a model.")
    ] = RULES,
    params: Annotated[
        list[str] | None,
        typer.Option("--param", help="NAME=VALUE sent to the judge (reasoning_effort=high)."),
    ] = None,
    tries: Annotated[
        int,
        typer.Option(
            "--tries", min=1, help="Replies asked for before a judgement fails; stored ones count."
        ),
    ] = 2,
    prompt_dir: PromptDir = None,
    replies: Annotated[
        Path | None, typer.Option("--replies", help="Store of replies; RUN/replies.sqlite if none.")
    ] = None,
    api_base: ApiBase = "",
    batch: Batch = None,
    offline: Offline = False,
    limits: LimitOptions = DEFAULT_LIMITS,
    as_json: AsJson = False,
) -> None:
    """Judge every run that is not judged yet: its state, and with search its timeline."""
    from realhop_kg.refusal.evaluate.folder import REPLIES, RefusalRun
    from realhop_kg.refusal.evaluate.settings import read_parameters

    run = RefusalRun.open(folder)
    if any(arm.model == judge for arm in run.settings.arms):
        typer.echo(f"warning: {judge} judges its own runs", err=True)
    channel = Channel(
        replies=replies or folder / REPLIES,
        limits=limits.read(),
        api_base=api_base,
        batch=batch,
        offline=offline,
    )
    parameters = read_parameters(params or [], {})
    found, totals = until_interrupted(_judge(run, judge, parameters, tries, prompt_dir, channel))
    for bad in run.bad:
        typer.echo(f"realhop: {bad}", err=True)
    if as_json:
        arms = {name: vars(outcome) for name, outcome in found.items()}
        echo_json({"judge": judge, "arms": arms, "calls": vars(totals)})
    else:
        for name, each in found.items():
            told = f"{each.judged} judged, {each.kept} kept, {each.failed} failed"
            echo(f"{name}: {told}" + (f", {each.pending} pending" if each.pending else ""))
            for why, count in each.failures.most_common():
                echo(f"    {count} times: {why}")
        if any(each.failed for each in found.values()):
            echo(
                "what failed stays without an outcome; run this again with more --tries or another "
                "--judge"
            )
        echo(f"calls: {totals}")
        pending = sum(each.pending for each in found.values())
        if pending:
            echo(waits(Counter({"judgements": pending}), channel))
        echo(f"realhop refusal report {folder} shows what was found")
    open_ends = sum(each.failed + each.pending for each in found.values())
    raise typer.Exit(1 if open_ends else 0)


async def _judge(
    run: RefusalRun,
    name: str,
    parameters: dict[str, JsonValue],
    tries: int,
    prompt_dir: Path | None,
    channel: Channel,
) -> tuple[dict[str, JudgeOutcome], Totals]:
    from realhop_kg.llm.limits import Totals
    from realhop_kg.llm.prompts import load_template
    from realhop_kg.refusal.evaluate.judge import ModelJudge
    from realhop_kg.refusal.evaluate.rules import RuleJudge

    if name == RULES:
        return await _judge_arms(run, RuleJudge(), channel.limits.concurrency), Totals()
    templates = {
        kind: load_template(f"refusal/{kind}", prompt_dir) for kind in ("state", "timeline")
    }
    async with answering(channel) as (asker, _):
        totals = asker.totals
        judge = ModelJudge(name, asker, templates, parameters, tries)
        found = await _judge_arms(run, judge, channel.limits.concurrency)
    return found, totals


async def _judge_arms(run: RefusalRun, judge: RefusalJudge, window: int) -> dict[str, JudgeOutcome]:
    from realhop_kg.appending import Appender
    from realhop_kg.refusal.evaluate.folder import JUDGED
    from realhop_kg.refusal.evaluate.judge import judge_runs

    questions = run.questions()
    outcomes = {}
    with Appender(run.folder / JUDGED) as file, counting("judging") as progress:
        for arm in run.settings.arms:
            runs = run.trajectories(arm.model, arm.mode)
            pairs = [(each, runs[each.item]) for each in questions if each.item in runs]
            known = run.judged(arm.model, arm.mode, judge.name)
            outcomes[arm.name] = await judge_runs(judge, pairs, known, file.write, window, progress)
    return outcomes


def sheet_command(
    folder: RunArgument,
    out: Annotated[Path, typer.Option("--out", help="Folder to write; must not exist yet.")],
    n: Annotated[int, typer.Option("--n", min=1, help="How many runs to draw.")] = 86,
    seed: Annotated[int, typer.Option("--seed", help="Seed of the draw.")] = 0,
    judge: JudgeName = "",
    as_json: AsJson = False,
) -> None:
    """Draw runs for people to judge; `realhop agreement` compares them with the judge."""
    from realhop_kg.refusal.evaluate.folder import RefusalRun
    from realhop_kg.refusal.evaluate.sheet import draw_rows, write_rows

    run = RefusalRun.open(folder)
    name = chosen_judge(run, judge)
    questions = {each.item: each for each in run.questions()}
    rows = []
    for arm in run.settings.arms:
        runs, judged = run.trajectories(arm.model, arm.mode), run.judged(arm.model, arm.mode, name)
        rows += [
            (questions[item], runs[item], found)
            for item, found in judged.items()
            if item in runs and item in questions
        ]
    paths = write_rows(draw_rows(rows, n, seed), out, name)
    if as_json:
        echo_json({key: str(path) for key, path in paths.items()})
        return
    echo(f"fill in `state` and `evidence` (yes, no) in {paths['readers']}, then run")
    echo(f"realhop agreement --field state --field evidence {paths['readers']} {paths['judge']}")


def chosen_judge(run: RefusalRun, given: str) -> str:
    """Return the judge that is meant.

    Raises:
        InputError: if nobody judged, several did and none is named, or the one named did not.
    """
    from realhop_kg.errors import InputError

    found = run.judges()
    if not found:
        raise InputError(f"{run.folder} is not judged; `realhop refusal judge` does that")
    if given and given not in found:
        raise InputError(f"{given} judged nothing in {run.folder}; there are {', '.join(found)}")
    if not given and len(found) > 1:
        raise InputError(
            f"{run.folder} has several judges; choose with --judge: {', '.join(found)}"
        )
    return given or found[0]
