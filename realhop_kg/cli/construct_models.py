"""`realhop construct` with models: live, from batch files, or from stored replies alone."""

from __future__ import annotations

import sys
from collections import Counter
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from realhop_kg.cli.asking import (
    Channel,
    interruptible,
    model_lines,
    open_asker,
    until_interrupted,
    waits,
)
from realhop_kg.cli.constructing import as_frozen, provenance, summary_lines
from realhop_kg.cli.output import echo, echo_json, tallying

if TYPE_CHECKING:
    from realhop_kg.freeze.manifest import Manifest
    from realhop_kg.llm.asking import Models
    from realhop_kg.llm.limits import Totals
    from realhop_kg.settings import ModelsConfig

__all__ = ["ModelRun", "Report", "construct_with_models", "models_config", "print_report"]


@dataclass(frozen=True, kw_only=True)
class ModelRun(Channel):
    """One run with models: what decides its output, and what does not."""

    config: ModelsConfig


@dataclass(frozen=True)
class Report:
    """What a run came to."""

    manifest: Manifest
    totals: Totals
    models: Models


def models_config(
    dataset: str,
    seed: int,
    limit: int | None,
    backend: str,
    model: str,
    stage_models: list[str] | None,
    params: list[str] | None,
) -> ModelsConfig:
    """Return the settings of a run.

    Raises:
        InputError: saying what is wrong with an option.
    """
    from realhop_kg.llm.provider import Provider
    from realhop_kg.llm.stages import read_backend, read_stages
    from realhop_kg.settings import ModelsConfig

    who = read_backend(backend)
    return ModelsConfig(
        dataset=dataset,
        seed=seed,
        backend=who,
        stages=read_stages(who, model, stage_models or [], params or [], Provider().json_mode),
        limit=limit,
    )


def construct_with_models(path: Path, run: ModelRun, out: Path, force: bool) -> Report:
    """Construct a source file with models into a frozen dataset folder.

    Raises:
        ProviderError: if replies are missing or the run has to stop; what came is in the store, so
            the same command goes on from there.
        InputError: if the input or an option cannot be used.
    """
    return until_interrupted(_construct(path, run, out, force))


async def _construct(path: Path, run: ModelRun, out: Path, force: bool) -> Report:
    from graph_builders.base import builder
    from realhop_kg.construct.models.run import Waiting, construct_all
    from realhop_kg.errors import OutputExistsError, ProviderError, RealHopError
    from realhop_kg.freeze.freeze import DatasetWriter
    from realhop_kg.llm.asking import Models
    from realhop_kg.llm.replies import ReplyStore
    from realhop_kg.model.frozen import ExcludedItem
    from realhop_kg.relations.catalogue import catalogue

    if out.exists() and not force:
        raise OutputExistsError(f"{out} exists; choose another --out, or replace it with --force")
    config, relations = run.config, catalogue()
    source = builder(config.dataset)
    waiting: Counter[str] = Counter()
    read = 0
    with ExitStack() as stack:
        store = stack.enter_context(ReplyStore(run.replies, write=True))
        show = stack.enter_context(tallying("constructing"))
        # Reading is quick beside asking; without the number nobody knows how long it will take.
        whole = sum(1 for _ in source.read(path, config.limit)) if sys.stderr.isatty() else 0
        async with open_asker(run, store, lambda totals: show(read, whole, str(totals))) as asker:
            totals = asker.totals
            interruptible()
            models = Models(asker, config.stages, run.prompt_dir)
            origin = provenance(path, config, config.dataset, models.hashes)
            writer = stack.enter_context(
                DatasetWriter(
                    out, origin, relations.predicates, relations.types.parents, force=force
                )
            )
            outcomes = (as_frozen(outcome) for outcome in source.read(path, config.limit))
            window = 4 * run.limits.concurrency
            async for outcome in construct_all(
                outcomes, config.seed, config.backend, models, window
            ):
                read += 1
                show(read, whole, str(totals))
                if isinstance(outcome, Waiting):
                    waiting[outcome.stage] += 1
                elif isinstance(outcome, ExcludedItem):
                    writer.exclude(outcome)
                else:
                    writer.write(outcome)
            writer.expect(read)
        if waiting:
            raise ProviderError(waits(waiting, run))
    if writer.manifest is None:
        raise RealHopError(f"{out} was not written; please report this")
    return Report(writer.manifest, totals, models)


def print_report(report: Report, out: Path, as_json: bool) -> None:
    """Print the figures of a dataset and of what its models were asked."""
    from dataclasses import asdict

    manifest, models = report.manifest, report.models
    if as_json:
        echo_json(
            {
                "out": str(out),
                "digest": manifest.digest,
                **manifest.counts.model_dump(),
                "stages": {stage: asdict(counts) for stage, counts in models.counts.items()},
                "marks": {mark: dict(sorted(n.items())) for mark, n in models.scores.items()},
                "calls": asdict(report.totals),
            }
        )
        return
    for line in (*summary_lines(manifest), *model_lines(report.models, report.totals)):
        echo(line)
    echo(f"written to {out}")
