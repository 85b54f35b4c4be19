"""Builds a frozen dataset of refusal questions with models."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from realhop_kg.errors import ProviderError
from realhop_kg.freeze.manifest import Manifest
from realhop_kg.graph.hyperlinks.coherence import Bm25Coherence
from realhop_kg.graph.hyperlinks.index import PageGraph
from realhop_kg.llm.asking import Models
from realhop_kg.model.refusal import Seed
from realhop_kg.refusal.annotate import Annotated, LinkedWords, RuleAnnotator, Unlinked
from realhop_kg.refusal.build import MOST_PAGES, BuildRequest, Named, finished, usable
from realhop_kg.refusal.freeze import refusal_writer
from realhop_kg.refusal.models.annotate import ModelAnnotator
from realhop_kg.refusal.models.pipeline import AsyncAnnotator, ModelBuilder
from realhop_kg.refusal.nominal import language
from realhop_kg.refusal.plan import Quotas
from realhop_kg.refusal.voices import LinkVoices
from realhop_kg.settings import Backend

__all__ = ["RepliesMissing", "build_refusals_with_models"]


class RepliesMissing(Exception):
    """Some questions wait for replies, so no dataset was written.

    Attributes:
        waiting: how many, by stage.
    """

    def __init__(self, waiting: Counter[str]) -> None:
        super().__init__()
        self.waiting = waiting


async def build_refusals_with_models(
    graph: PageGraph,
    seeds: Sequence[Seed],
    out: Path,
    request: BuildRequest,
    models: Models,
    backend: Mapping[str, Backend],
    *,
    force: bool = False,
    progress: Callable[[int], None] | None = None,
) -> Manifest:
    """Build questions and freeze them; return the manifest.

    Args:
        graph: the index.
        seeds: the seeds, of any sources.
        out: the dataset folder.
        request: what is to be built.
        models: the models.
        backend: who fills each stage.
        force: replace a dataset that stands there.
        progress: called with the number of questions built.

    Raises:
        RepliesMissing: if replies are missing that a batch will bring.
        ProviderError: if the run has to stop, or no model answers at all.
        InputError: if there is no seed to use, or the folder cannot be written.
    """
    wanted, used = usable(seeds, request)
    voices = LinkVoices(graph)
    words = LinkedWords.read(graph, MOST_PAGES)
    by_rules = "rules" in (backend["annotate"], backend["fuse"])
    if by_rules:
        language(request.language_model)  # a missing model is said before anybody is asked
    annotator: AsyncAnnotator
    if backend["annotate"] == "llm":
        annotator = ModelAnnotator(
            graph, words, models, backend["fuse"] == "rules", request.language_model
        )
    else:
        annotator = _Rules(RuleAnnotator(voices, words, request.language_model))
    builder = ModelBuilder(
        voices,
        annotator,
        models,
        backend,
        seed=request.seed,
        settings=request.walk,
        tries=request.tries,
    )
    quotas = Quotas(dict(request.plan))
    names = Named(
        "rules" if backend["fuse"] == "rules" else "llm",
        backend["annotate"],
        "llm" if backend["rank"] == "llm" else Bm25Coherence.name,
    )
    if not by_rules:
        request = replace(request, language_model="")
    with refusal_writer(out, force) as writer:
        done = 0
        async for item in builder.build(used, quotas):
            writer.add(item)
            done += 1
            if progress:
                progress(done)
        if builder.waiting:
            raise RepliesMissing(builder.waiting)
        if models.stages and not any(counts.asked for counts in models.counts.values()):
            # A dataset that says of each seed that nobody answered would help no one.
            why = f" ({builder.left_out[0].message})" if builder.left_out else ""
            raise ProviderError(
                f"no usable reply came from any model{why}; run again when they answer"
            )
        return finished(writer, graph, request, names, builder, quotas, (wanted, used), models)


class _Rules:
    """The rules' annotator, where a model does the rest."""

    def __init__(self, annotator: RuleAnnotator) -> None:
        self._annotator = annotator

    async def annotate(self, seed: Seed) -> Annotated | Unlinked:
        return self._annotator.annotate(seed)
