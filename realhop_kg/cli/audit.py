"""`realhop audit`: ask models under Full, Drop and Control, and keep every answer."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from realhop_kg.cli import audit_options as of
from realhop_kg.cli import model_options as ask
from realhop_kg.cli.flatten import flattened
from realhop_kg.cli.options import DEFAULT_REPLIES, AsJson, Limit, Replies

__all__ = ["audit_command"]


@flattened
def audit_command(
    path: Annotated[
        Path, typer.Argument(metavar="DATASET", help="Frozen dataset folder, or a source file.")
    ],
    model: of.Models,
    out: Annotated[Path, typer.Option("--out", help="Folder of the run; resumed if it exists.")],
    dataset: Annotated[
        str, typer.Option("--dataset", help="Form of a source file, as for `validate`.")
    ] = "",
    side: of.Side = "",
    conditions: of.Conditions = "full,drop,control",
    trials: of.Trials = 1,
    unit: of.Unit = "",
    choices: of.Choices = None,
    budget: of.ControlBudget = "tokens",
    closure: of.Closure = False,
    mask_shape: of.MaskShape = "circular",
    judge: of.JudgeModel = "offline",
    template: of.Templates = None,
    param: of.Params = None,
    api_base: of.Addresses = None,
    replies: Replies = DEFAULT_REPLIES,
    batch: of.Batch = None,
    batch_form: of.BatchForm = "both",
    offline: ask.Offline = False,
    limits: ask.LimitOptions = ask.DEFAULT_LIMITS,
    seed: Annotated[int, typer.Option("--seed", help="Seed of the draw of controls.")] = 0,
    limit: Limit = None,
    dry_run: Annotated[
        bool,
        typer.Option("--dry-run", help="Count calls and tokens as `estimate` does; ask nobody."),
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Audit items by deleting evidence; every answer is stored, and a stopped run goes on.

    Exits with 3 where an answer or a verdict failed: the rest is stored and can be reported, and
    the same command asks for what failed alone.
    """
    from realhop_kg.cli.asking import Channel
    from realhop_kg.cli.audit_estimate import print_audit_estimate
    from realhop_kg.cli.audit_run import AuditRun, run_and_tell
    from realhop_kg.cli.audit_settings import addresses_of, opened, parameters_of
    from realhop_kg.errors import InputError

    if batch_form not in ("openai", "plain", "both"):
        raise InputError(f"--batch-form {batch_form!r}: choose openai, plain or both")
    models = tuple(dict.fromkeys(model))
    everywhere, addresses = addresses_of(api_base or ())
    parameters, judge_parameters = parameters_of(param or (), models)
    audited = opened(
        path,
        dataset,
        side,
        conditions,
        template or (),
        judge,
        limit,
        choices,
        models=models,
        trials=trials,
        unit=unit,
        closure=closure,
        budget=budget,
        mask_shape=mask_shape,
        seed=seed,
        parameters=parameters,
        judge_parameters=judge_parameters,
    )
    if dry_run:
        print_audit_estimate(audited, judge, replies, as_json)
        return
    channel = Channel(
        replies=replies,
        limits=limits.read(),
        api_base=everywhere,
        addresses=addresses,
        batch=batch,
        openai=batch_form != "plain",
        plain=batch_form != "openai",
        offline=offline,
    )
    run_and_tell(AuditRun(audited, models, judge, channel, out), as_json)
