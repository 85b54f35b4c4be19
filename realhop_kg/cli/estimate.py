"""`realhop estimate`: what a construction or an audit will take, before any call."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from realhop_kg.cli import audit_options as of
from realhop_kg.cli import model_options as ask
from realhop_kg.cli.options import DEFAULT_REPLIES, AsJson, Limit, Replies
from realhop_kg.cli.output import echo, echo_json, tracked

if TYPE_CHECKING:
    from realhop_kg.construct.models.estimate import Estimate
    from realhop_kg.settings import ModelsConfig

__all__ = ["estimate_command"]


def estimate_command(
    path: Annotated[
        Path,
        typer.Argument(
            metavar="PATH", help="Source file to construct or audit, or frozen dataset to audit."
        ),
    ],
    dataset: Annotated[
        str, typer.Option("--dataset", help="Form of a source file, as for `validate`.")
    ] = "",
    audit: Annotated[
        bool,
        typer.Option("--audit", help="Of an audit; so is whatever is asked about a folder."),
    ] = False,
    model: Annotated[
        list[str] | None,
        typer.Option("--model", help="Model of every stage, or who is audited (repeat)."),
    ] = None,
    backend: ask.BackendText = "llm",
    stage_model: ask.StageModels = None,
    param: ask.Params = None,
    prompt_dir: ask.PromptDir = None,
    side: of.Side = "",
    conditions: of.Conditions = "full,drop,control",
    trials: of.Trials = 1,
    unit: of.Unit = "",
    budget: of.ControlBudget = "tokens",
    closure: of.Closure = False,
    judge: of.JudgeModel = "offline",
    template: of.Templates = None,
    replies: Replies = DEFAULT_REPLIES,
    seed: Annotated[int, typer.Option("--seed", help="Seed of the run.")] = 0,
    limit: Limit = None,
    as_json: AsJson = False,
) -> None:
    """Print calls, tokens and cost of a construction or an audit, without any call."""
    from realhop_kg.errors import InputError

    models = tuple(dict.fromkeys(model or ()))
    if audit or path.is_dir():
        from realhop_kg.cli.audit_estimate import print_audit_estimate
        from realhop_kg.cli.audit_settings import opened, parameters_of

        if not models:
            raise InputError("name who would answer with --model; repeat it for several")
        parameters, judge_parameters = parameters_of(param or (), models)
        audited = opened(
            path,
            dataset,
            side,
            conditions,
            template or (),
            judge,
            limit,
            models=models,
            trials=trials,
            unit=unit,
            budget=budget,
            closure=closure,
            seed=seed,
            parameters=parameters,
            judge_parameters=judge_parameters,
        )
        print_audit_estimate(audited, judge, replies, as_json)
        return
    if not dataset:
        raise InputError(f"{path} is a file; name its form with --dataset")
    from realhop_kg.cli.construct_models import models_config
    from realhop_kg.llm.stages import asks_models

    asks_models(backend, {"--model": models, "--stage-model": stage_model, "--param": param})
    _estimate_construction(
        path,
        dataset,
        models_config(
            dataset, seed, limit, backend, models[-1] if models else "", stage_model, param
        ),
        prompt_dir,
        replies,
        as_json,
    )


def _estimate_construction(
    path: Path,
    dataset: str,
    config: ModelsConfig,
    prompt_dir: Path | None,
    replies: Path,
    as_json: bool,
) -> None:
    from graph_builders.base import builder
    from realhop_kg.construct.models.estimate import estimate
    from realhop_kg.llm.asking import Models
    from realhop_kg.llm.batch import StoredAsker
    from realhop_kg.llm.provider import Provider
    from realhop_kg.llm.replies import ReplyStore
    from realhop_kg.model.item import SourceItem

    provider = Provider()
    with ExitStack() as stack:
        stored = stack.enter_context(ReplyStore(replies)) if replies.is_file() else None
        models = Models(StoredAsker(stored, unusable=False), config.stages, prompt_dir)
        read = builder(dataset).read(path, config.limit)
        items = (each for each in tracked(read, "estimating") if isinstance(each, SourceItem))
        found = estimate(
            items, config.seed, config.backend, models, stored, provider.tokens, provider.price
        )
    if as_json:
        echo_json(_figures(found))
        return
    for line in _lines(found):
        echo(line)


def _figures(found: Estimate) -> dict[str, object]:
    from dataclasses import asdict

    return {
        "items": found.items,
        "finished": found.finished,
        "hopeless": found.hopeless,
        "hopeless_by_code": found.codes,
        "cost": found.cost,
        "stages": [asdict(stage) for stage in found.stages.values()],
    }


def _lines(found: Estimate) -> Iterator[str]:
    yield f"{'stage':<9}{'calls':>9}{'tokens in':>14}{'tokens out':>13}{'cost':>12}  model"
    for each in found.stages.values():
        cost = "unknown" if each.cost is None else f"${each.cost:.4f}"
        if not each.calls:
            source = "nothing to ask"
        elif each.learned_from:
            source = f"replies as long as {each.learned_from} stored ones"
        else:
            source = "length of replies assumed"
        yield (
            f"{each.stage:<9}{each.calls:>9,}{each.prompt_tokens:>14,}"
            f"{each.completion_tokens:>13,.0f}{cost:>12}  {each.model}, {source}"
        )
    total = "of unknown price" if found.cost is None else f"${found.cost:.4f}"
    calls = sum(stage.calls for stage in found.stages.values())
    codes = ", ".join(f"{code} {count}" for code, count in sorted(found.codes.items()))
    yield (
        f"{calls:,} calls for {found.items} items, {total}; {found.finished} items need none, "
        f"{found.hopeless} cannot be constructed" + (f" ({codes})" if codes else "")
    )
    yield "Repairs and questions asked again come on top."
