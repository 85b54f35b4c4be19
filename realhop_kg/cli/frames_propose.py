"""`realhop frames propose`: asks a model for the steps behind FRAMES questions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from realhop_kg.cli import model_options as ask
from realhop_kg.cli.asking import Channel, answering, model_lines, until_interrupted, waits
from realhop_kg.cli.flatten import flattened
from realhop_kg.cli.frames_files import questions_of
from realhop_kg.cli.options import DEFAULT_REPLIES, AsJson, Limit, Replies
from realhop_kg.cli.output import echo, echo_json, running
from realhop_kg.jsonl import write_records

if TYPE_CHECKING:
    from realhop_kg.frames.assemble import FramesQuestion
    from realhop_kg.frames.chains import Chain
    from realhop_kg.frames.propose import Unproposed
    from realhop_kg.llm.asking import Models
    from realhop_kg.llm.limits import Totals
    from realhop_kg.settings import StageModel

__all__ = ["propose_command"]


@flattened
def propose_command(
    questions: Annotated[
        Path, typer.Argument(metavar="QUESTIONS", help="What `realhop frames assemble` wrote.")
    ],
    out: Annotated[Path, typer.Option("--out", help="File for `realhop frames chains`.")],
    model: Annotated[str, typer.Option("--model", help="Who proposes (openai/gpt-4o-mini).")],
    param: ask.Params = None,
    api_base: ask.ApiBase = "",
    prompt_dir: ask.PromptDir = None,
    replies: Replies = DEFAULT_REPLIES,
    batch: ask.Batch = None,
    offline: ask.Offline = False,
    limits: ask.LimitOptions = ask.DEFAULT_LIMITS,
    limit: Limit = None,
    force: Annotated[bool, typer.Option("--force", help="Replace a file at --out.")] = False,
    as_json: AsJson = False,
) -> None:
    """Ask a model for a chain of steps to each question; exit 1 if one has none that holds."""
    from itertools import islice

    from realhop_kg.errors import OutputExistsError
    from realhop_kg.frames.propose import STAGE
    from realhop_kg.llm.provider import Provider
    from realhop_kg.llm.stages import read_stages

    if out.exists() and not force:
        raise OutputExistsError(f"{out} exists; choose another --out, or replace it with --force")
    stages = read_stages({STAGE: "llm"}, model, [], param or [], Provider().json_mode)
    channel = Channel(
        replies=replies,
        limits=limits.read(),
        api_base=api_base,
        prompt_dir=prompt_dir,
        batch=batch,
        offline=offline,
    )
    asked = islice(questions_of(questions).values(), limit)
    done = until_interrupted(_propose(asked, stages, channel))
    for each in done.refused:
        typer.echo(f"{each.id}: {each.code} {each.message}; left out", err=True)
    write_records(out, (chain.model_dump(mode="json") for chain in done.chains))
    figures = {"proposed": len(done.chains), "refused": len(done.refused)}
    if as_json:
        echo_json({"out": str(out), **figures})
    else:
        for name, value in figures.items():
            echo(f"{name:<12} {value}")
        for line in model_lines(done.models, done.totals):
            echo(line)
        echo(f"check and join them: realhop frames chains {questions} {out} --out FILE")
    raise typer.Exit(1 if done.refused else 0)


@dataclass(frozen=True)
class _Done:
    chains: list[Chain]
    refused: list[Unproposed]
    models: Models
    totals: Totals


async def _propose(
    questions: Iterable[FramesQuestion], stages: Mapping[str, StageModel], channel: Channel
) -> _Done:
    """Ask for every chain.

    Raises:
        ProviderError: if replies are missing or the run has to stop; what came is in the store, so
            the same command goes on from there.
    """
    from realhop_kg.errors import ProviderError
    from realhop_kg.frames.chains import Chain
    from realhop_kg.frames.propose import STAGE, Waits, propose_chains
    from realhop_kg.llm.asking import Models

    chains: list[Chain] = []
    refused: list[Unproposed] = []
    waiting: Counter[str] = Counter()
    with running("proposing") as show:
        async with answering(channel) as (asker, _):
            models = Models(asker, stages, channel.prompt_dir, "frames")
            window = 4 * channel.limits.concurrency
            async for outcome in propose_chains(questions, models, window):
                if isinstance(outcome, Waits):
                    waiting[STAGE] += 1
                elif isinstance(outcome, Chain):
                    chains.append(outcome)
                else:
                    refused.append(outcome)
                show(len(chains) + len(refused), str(asker.totals))
            totals = asker.totals
    if waiting:
        raise ProviderError(waits(waiting, channel))
    return _Done(chains, refused, models, totals)
