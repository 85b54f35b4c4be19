"""`realhop refusal build` with models: live, from batch files, or from stored replies alone."""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from realhop_kg.cli.asking import Channel, interruptible, open_asker, until_interrupted, waits
from realhop_kg.cli.output import running

if TYPE_CHECKING:
    from realhop_kg.freeze.manifest import Manifest
    from realhop_kg.graph.hyperlinks.index import PageGraph
    from realhop_kg.llm.asking import Models
    from realhop_kg.llm.limits import Totals
    from realhop_kg.model.refusal import Seed
    from realhop_kg.refusal.build import BuildRequest
    from realhop_kg.settings import Backend, StageModel

__all__ = ["ModelReport", "ModelStages", "build_with_models", "refusal_stages"]


@dataclass(frozen=True)
class ModelStages:
    """Who fills each stage, and the models of those that models fill."""

    backend: dict[str, Backend]
    models: dict[str, StageModel]


@dataclass(frozen=True)
class ModelReport:
    """What a run came to."""

    manifest: Manifest
    totals: Totals
    models: Models


def refusal_stages(
    backend: str, model: str, stage_models: list[str] | None, params: list[str] | None
) -> ModelStages:
    """Return who fills which stage.

    Raises:
        InputError: saying what is wrong with an option.
    """
    from realhop_kg.errors import InputError
    from realhop_kg.llm.provider import Provider
    from realhop_kg.llm.stages import read_backend, read_stages
    from realhop_kg.settings import REFUSAL_STAGES

    who = read_backend(backend, REFUSAL_STAGES)
    if who["fuse"] != who["audit"]:
        raise InputError(
            f"--backend fuse={who['fuse']} needs audit={who['fuse']}: a model's wording is counted "
            "by a model, the rules count their own"
        )
    return ModelStages(
        who, read_stages(who, model, stage_models or [], params or [], Provider().json_mode)
    )


def build_with_models(
    graph: PageGraph,
    seeds: list[Seed],
    out: Path,
    request: BuildRequest,
    stages: ModelStages,
    asking: Channel,
    force: bool,
) -> ModelReport:
    """Build a dataset with models and return its manifest, with what they were asked.

    Raises:
        ProviderError: if replies are missing or the run has to stop; what came is in the store, so
            the same command goes on from there.
        InputError: if the input or an option cannot be used.
    """
    return until_interrupted(_build(graph, seeds, out, request, stages, asking, force))


async def _build(
    graph: PageGraph,
    seeds: list[Seed],
    out: Path,
    request: BuildRequest,
    stages: ModelStages,
    asking: Channel,
    force: bool,
) -> ModelReport:
    from realhop_kg.errors import ProviderError
    from realhop_kg.llm.asking import Models
    from realhop_kg.llm.replies import ReplyStore
    from realhop_kg.refusal.models.build import RepliesMissing, build_refusals_with_models

    done = 0
    with ExitStack() as stack:
        store = stack.enter_context(ReplyStore(asking.replies, write=True))
        show = stack.enter_context(running("building questions"))
        async with open_asker(asking, store, lambda totals: show(done, str(totals))) as asker:
            totals = asker.totals
            interruptible()
            models = Models(asker, stages.models, asking.prompt_dir, "refusal")

            def progress(count: int) -> None:
                nonlocal done
                done = count
                show(done, str(totals))

            try:
                manifest = await build_refusals_with_models(
                    graph,
                    seeds,
                    out,
                    request,
                    models,
                    stages.backend,
                    force=force,
                    progress=progress,
                )
            except RepliesMissing as missing:
                raise ProviderError(waits(missing.waiting, asking)) from missing
    return ModelReport(manifest, totals, models)
