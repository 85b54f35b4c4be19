"""`realhop construct` and `realhop validate`: from a source file."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from realhop_kg.cli import model_options as ask
from realhop_kg.cli.constructing import construct_to, summary_lines
from realhop_kg.cli.flatten import flattened
from realhop_kg.cli.options import (
    DEFAULT_REPLIES,
    AsJson,
    DatasetName,
    Limit,
    Replies,
    SourceFile,
)
from realhop_kg.cli.output import echo, echo_json, tracked

if TYPE_CHECKING:
    pass

__all__ = ["construct_command", "validate_command"]


@flattened
def construct_command(
    path: SourceFile,
    dataset: DatasetName,
    out: Annotated[Path, typer.Option("--out", help="Folder to write; must not exist yet.")],
    seed: Annotated[int, typer.Option("--seed", help="Seed of every draw.")] = 0,
    limit: Limit = None,
    backend: ask.BackendText = "rules",
    workers: Annotated[
        int, typer.Option("--workers", min=1, help="Processes; the result is the same.")
    ] = 1,
    force: Annotated[
        bool, typer.Option("--force", help="Replace a dataset that stands at --out.")
    ] = False,
    as_json: AsJson = False,
    model: ask.Model = "",
    stage_model: ask.StageModels = None,
    param: ask.Params = None,
    api_base: ask.ApiBase = "",
    prompt_dir: ask.PromptDir = None,
    replies: Replies = DEFAULT_REPLIES,
    batch: ask.Batch = None,
    offline: ask.Offline = False,
    limits: ask.LimitOptions = ask.DEFAULT_LIMITS,
) -> None:
    """Construct a frozen REALHOP dataset from a multi-hop dataset, by rules or with models."""
    from realhop_kg.llm.stages import asks_models
    from realhop_kg.settings import ConstructConfig

    given = ask.named(model, stage_model, param, api_base, prompt_dir, batch, offline)
    if asks_models(backend, given):
        from realhop_kg.cli.construct_models import (
            ModelRun,
            construct_with_models,
            models_config,
            print_report,
        )

        run = ModelRun(
            config=models_config(dataset, seed, limit, backend, model, stage_model, param),
            replies=replies,
            limits=limits.read(),
            api_base=api_base,
            prompt_dir=prompt_dir,
            batch=batch,
            offline=offline,
        )
        print_report(construct_with_models(path, run, out, force), out, as_json)
        return
    config = ConstructConfig(dataset=dataset, seed=seed, backend="rules", limit=limit)
    manifest = construct_to(path, config, out, workers, force)
    if as_json:
        echo_json({"out": str(out), "digest": manifest.digest, **manifest.counts.model_dump()})
        return
    for line in summary_lines(manifest):
        echo(line)
    echo(f"written to {out}")


def validate_command(
    path: SourceFile, dataset: DatasetName = "musique", limit: Limit = None, as_json: AsJson = False
) -> None:
    """Check a source file without constructing anything; exit 1 if a record is unusable."""
    from graph_builders.validate import validate

    run = validate(path, dataset, limit)
    findings = []
    for finding in tracked(run, "reading"):
        if as_json:
            findings.append(finding.model_dump(mode="json"))
        else:
            echo(finding.sentence)
    report = run.report()
    if as_json:
        echo_json({**report.model_dump(mode="json"), "findings": findings})
    else:
        shapes = "".join(f"; {shape} {n}" for shape, n in report.topologies.items())
        codes = ", ".join(f"{code} {n}" for code, n in report.excluded.items())
        echo(f"read      {report.read}")
        echo(f"usable    {report.usable}  ({report.hops} hops{shapes})")
        echo(f"excluded  {report.read - report.usable}" + (f"  ({codes})" if codes else ""))
    raise typer.Exit(1 if report.excluded else 0)
