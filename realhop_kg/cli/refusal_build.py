"""`realhop refusal build`: questions without an answer, walked, worded, checked and frozen."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from realhop_kg.cli import model_options as ask
from realhop_kg.cli.flatten import flattened
from realhop_kg.cli.options import DEFAULT_REPLIES, AsJson, DatasetFolder, Replies
from realhop_kg.cli.output import counting, echo, echo_json
from realhop_kg.cli.seed_files import named_file, read_seeds

if TYPE_CHECKING:
    from realhop_kg.cli.asking import Channel
    from realhop_kg.cli.refusal_models import ModelReport, ModelStages
    from realhop_kg.freeze.manifest import Manifest, Terms
    from realhop_kg.model.refusal import Seed

__all__ = ["WithModels", "build_command", "build_to", "drops_command", "refusal_lines"]


_SHOWN = 20
"""Lines without a seed that are named."""


class WithModels(NamedTuple):
    """Which models fill which stages, and how they are asked."""

    stages: ModelStages
    asking: Channel


@flattened
def build_command(
    index: Annotated[
        Path, typer.Option("--index", metavar="INDEX", envvar="REALHOP_INDEX", help="The index.")
    ],
    seeds: Annotated[
        list[str],
        typer.Option(
            "--seeds", metavar="[SOURCE=]FILE", help="Seeds; may be given more than once."
        ),
    ],
    out: Annotated[Path, typer.Option("--out", metavar="DIR", help="Folder of the dataset.")],
    n: Annotated[int, typer.Option("--n", min=1, help="Questions, spread over all cells.")] = 200,
    plan: Annotated[
        str,
        typer.Option(
            "--plan",
            metavar="PLAN",
            help="Instead of --n: cause:topology:depth=number ..., * for any.",
        ),
    ] = "",
    backend: Annotated[
        str,
        typer.Option(
            "--backend",
            help="Who fills the slots: rules, llm, or by stage: rank=llm,review=llm "
            "(stages: annotate, rank, fuse, review, audit; the others are filled by rules).",
        ),
    ] = "rules",
    seed: Annotated[int, typer.Option("--seed", help="Seed of every draw.")] = 0,
    free_only: Annotated[
        bool, typer.Option("--free-only", help="Leave out seeds that may not be passed on.")
    ] = False,
    low: Annotated[int, typer.Option("--low", min=0, help="Least degree of a page.")] = 10,
    high: Annotated[int, typer.Option("--high", min=0, help="Greatest degree.")] = 200,
    force: Annotated[bool, typer.Option("--force", help="Replace a dataset.")] = False,
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
    """Set seeds into chains of hyperlinks, word, check and freeze them; unfilled cells are said.

    Exit code 1: some lines held no seed; the rest was built.
    """
    from realhop_kg.llm.stages import asks_models
    from realhop_kg.refusal.plan import parse_plan, spread
    from realhop_kg.settings import REFUSAL_STAGES

    wanted = parse_plan(plan) if plan else spread(n)
    by_models: WithModels | None = None
    given = ask.named(model, stage_model, param, api_base, prompt_dir, batch, offline)
    if asks_models(backend, given, REFUSAL_STAGES):
        from realhop_kg.cli.asking import Channel
        from realhop_kg.cli.refusal_models import refusal_stages

        by_models = WithModels(
            refusal_stages(backend, model, stage_model, param),
            Channel(
                replies=replies,
                limits=limits.read(),
                api_base=api_base,
                prompt_dir=prompt_dir,
                batch=batch,
                offline=offline,
            ),
        )
    degree = low, high
    manifest, asked = build_to(
        index, seeds, out, wanted, seed, free_only, degree, force, by_models=by_models
    )
    if as_json:
        figures = manifest.counts.model_dump(include={"constructed", "excluded", "topologies"})
        calls = _asked(asked) if asked else {}
        said = {"out": str(out), "digest": manifest.digest, **figures, "figures": manifest.config}
        echo_json(said | calls)
    else:
        _print(out, manifest, asked)
    raise typer.Exit(1 if manifest.config["unreadable"] else 0)


def _print(out: Path, manifest: Manifest, asked: ModelReport | None) -> None:
    for line in refusal_lines(manifest):
        echo(line)
    if asked:
        from realhop_kg.cli.asking import model_lines

        for line in model_lines(asked.models, asked.totals):
            echo(f"  {line}")
    echo(f"written to {out}")


def drops_command(
    folder: DatasetFolder,
    out: Annotated[Path, typer.Option("--out", metavar="DIR", help="Folder of the dataset.")],
    force: Annotated[bool, typer.Option("--force", help="Replace a dataset.")] = False,
    as_json: AsJson = False,
) -> None:
    """Turn each Drop of a frozen REALHOP dataset that leaves no answer into a refusal question."""
    from realhop_kg.errors import OutputExistsError
    from realhop_kg.refusal.drops_dataset import freeze_drops

    if out.exists() and not force:
        raise OutputExistsError(f"{out} exists; choose another --out, or replace it with --force")
    with counting("verifying, then deriving without each passage") as advance:
        manifest = freeze_drops(folder, out, force=force, progress=advance)
    counts = manifest.counts
    if as_json:
        figures = counts.model_dump(include={"read", "constructed", "excluded", "topologies"})
        echo_json({"out": str(out), "digest": manifest.digest, **figures})
        return
    places = ", ".join(f"{name} {count}" for name, count in counts.topologies.items())
    echo(f"{counts.constructed} of {counts.read} Drops leave no derivable answer: {places}")
    echo(f"written to {out}")


def build_to(
    index: Path,
    files: list[str],
    out: Path,
    plan: dict,  # type: ignore[type-arg]  # of Cell to int, which is not imported for this
    seed: int = 0,
    free_only: bool = False,
    degree: tuple[int, int] = (10, 200),
    force: bool = False,
    terms: Terms | None = None,
    by_models: WithModels | None = None,
) -> tuple[Manifest, ModelReport | None]:
    """Build a dataset of refusal questions and return its manifest, and what models were asked.

    Args:
        index: the index folder.
        files: files of seeds, as `[SOURCE=]FILE`.
        out: the dataset folder.
        plan: questions wanted by cell.
        seed: seed of every draw.
        free_only: leave out seeds that may not be passed on.
        degree: least and greatest degree of walked pages.
        force: replace a dataset that stands there.
        terms: terms of the dataset, where they are not those of its sources.
        by_models: which models fill which stages, and how they are asked; rules do all by default.

    Raises:
        RealHopError: if the input cannot be used, or the folder is in the way.
    """
    from realhop_kg.errors import InputError, OutputExistsError
    from realhop_kg.graph.hyperlinks.index import PageGraph
    from realhop_kg.model.refusal import WalkSettings
    from realhop_kg.refusal.build import BuildRequest, build_refusals

    if out.exists() and not force:
        raise OutputExistsError(f"{out} exists; choose another --out, or replace it with --force")
    if degree[0] > degree[1]:
        raise InputError(f"--low {degree[0]} is above --high {degree[1]}; swap them")
    inputs = tuple(_inputs(files))
    found, unreadable = _seeds(files)
    request = BuildRequest(
        plan=plan,
        seed=seed,
        free_only=free_only,
        walk=WalkSettings(low=degree[0], high=degree[1]),
        inputs=inputs,
        unreadable=unreadable,
        terms=terms,
    )
    with PageGraph.open(index, verify=True) as graph:
        if by_models is not None:
            from realhop_kg.cli.refusal_models import build_with_models

            report = build_with_models(graph, found, out, request, *by_models, force)
            return report.manifest, report
        with counting("building questions") as advance:
            manifest = build_refusals(graph, found, out, request, force=force, progress=advance)
        return manifest, None


def _asked(report: ModelReport) -> dict[str, object]:
    from dataclasses import asdict

    stages = {stage: asdict(counts) for stage, counts in report.models.counts.items()}
    return {"stages": stages, "calls": asdict(report.totals)}


def _seeds(files: list[str]) -> tuple[list[Seed], int]:
    """Return the seeds of some files, and how many of their lines could not be read."""
    from graph_builders.seeds import NotSeed, distinct

    seeds: list[Seed] = []
    unreadable = 0
    for outcome in distinct(read_seeds(files)):
        if not isinstance(outcome, NotSeed):
            seeds.append(outcome)
        elif outcome.why == "unreadable":
            unreadable += 1
            if unreadable <= _SHOWN:
                typer.echo(f"realhop: {outcome.sentence}", err=True)
    if unreadable > _SHOWN:
        typer.echo(f"realhop: and {unreadable - _SHOWN} more lines that hold no seed", err=True)
    return seeds, unreadable


def _inputs(files: list[str]) -> Iterator:  # type: ignore[type-arg]  # of InputFile, as above
    from realhop_kg.errors import InputError
    from realhop_kg.freeze.hashes import describe_input

    for text in files:
        path = named_file(text)[1]
        try:
            yield describe_input(path)
        except OSError as error:
            raise InputError(f"{path} cannot be read: {error.strerror}; check the path") from error


def _reasons(what: str, counts: dict[str, int]) -> str:
    listed = ", ".join(f"{code} {count}" for code, count in counts.items())
    return f"{what}: {listed}" if listed else ""


def refusal_lines(manifest: Manifest) -> Iterator[str]:
    """Yield the figures of a dataset as lines: cells, what is missing, seeds by source."""
    from realhop_kg.model.refusal_item import RefusalFigures

    figures = RefusalFigures.model_validate(manifest.config)
    wanted = sum(row["wanted"] for row in figures.cells.values())
    yield f"{manifest.counts.constructed} of {wanted} questions, digest {manifest.digest}"
    by_cell = {
        name.rpartition(":")[0]: [
            f"{other.rpartition(':')[2]}: {row['filled']}/{row['wanted']}"
            for other, row in figures.cells.items()
            if other.rpartition(":")[0] == name.rpartition(":")[0]
        ]
        for name in figures.cells
    }
    for name, depths in by_cell.items():
        yield f"  {name:<12} depth {', '.join(depths)}"
    for name, source in figures.sources.items():
        yield (
            f"  {name}: {source.read} seeds, {source.linked} linked, {source.questions} questions"
            f"{f', {source.barred} left out by terms' if source.barred else ''}"
            f"{_reasons('; no use', source.left_out)}{_reasons('; unfilled uses', source.unused)}"
        )
    if figures.unreadable:
        yield f"  {figures.unreadable} lines of the files hold no seed"
    for name, counts in (("draws", figures.draws), ("repairs", figures.repairs)):
        if counts:
            yield f"  {name}: {', '.join(f'{code} {count}' for code, count in counts.items())}"
