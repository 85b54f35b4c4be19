"""Builds a frozen dataset of refusal questions from an index and seeds, by rules."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from realhop_kg.errors import InputError
from realhop_kg.freeze.hashes import folder_digest
from realhop_kg.freeze.manifest import InputFile, Manifest, Provenance, Terms
from realhop_kg.graph.hyperlinks.coherence import Bm25Coherence
from realhop_kg.graph.hyperlinks.index import PageGraph
from realhop_kg.model.refusal import Seed, WalkSettings
from realhop_kg.model.refusal_item import RefusalFigures, SourceFigures
from realhop_kg.refusal.annotate import LinkedWords, RuleAnnotator
from realhop_kg.refusal.freeze import DATASET, RefusalTally, refusal_writer
from realhop_kg.refusal.fuse import RuleFuser
from realhop_kg.refusal.nominal import LANGUAGE_MODEL, language
from realhop_kg.refusal.pipeline import Builder
from realhop_kg.refusal.plan import Cell, Quotas
from realhop_kg.refusal.voices import LinkVoices
from realhop_kg.resources import resource_folder

__all__ = ["BuildRequest", "build_refusals"]

_MOST_PAGES = 200_000
"""Pages of an index up to which all linked words are read, to find anchors by them."""


@dataclass(frozen=True, slots=True)
class BuildRequest:
    """What is to be built.

    Attributes:
        plan: questions wanted by cell.
        seed: seed of every draw.
        free_only: leave out seeds that may not be passed on.
        walk: which links walks may take.
        tries: walks drawn for one use of a seed.
        language_model: name of the spaCy model.
        inputs: the files of seeds, for the manifest.
        terms: under which terms the dataset stands; made from its sources where none are given.
    """

    plan: dict[Cell, int]
    seed: int = 0
    free_only: bool = False
    walk: WalkSettings = field(default_factory=WalkSettings)
    tries: int = 12
    language_model: str = LANGUAGE_MODEL
    inputs: tuple[InputFile, ...] = ()
    terms: Terms | None = None


def build_refusals(
    graph: PageGraph,
    seeds: Sequence[Seed],
    out: Path,
    request: BuildRequest,
    *,
    force: bool = False,
    progress: Callable[[int, int], None] | None = None,
) -> Manifest:
    """Build questions and freeze them; return the manifest.

    Args:
        graph: the index.
        seeds: the seeds, of any sources.
        out: the dataset folder.
        request: what is to be built.
        force: replace a dataset that stands there.
        progress: called with (questions built, questions wanted).

    Raises:
        InputError: if there is no seed to use, the language model is missing, or the folder
            cannot be written.
    """
    causes = {cell.cause for cell, count in request.plan.items() if count}
    wanted = [seed for seed in seeds if seed.cause in causes]
    used = [seed for seed in wanted if seed.terms.redistributable or not request.free_only]
    if not used:
        raise InputError("no seed is left to use; give seeds of the causes that the plan asks for")
    language(request.language_model)  # a missing model is said before anything is written
    voices = LinkVoices(graph)
    words = LinkedWords.read(graph, _MOST_PAGES)
    builder = Builder(
        voices,
        RuleAnnotator(voices, words, request.language_model),
        RuleFuser(),
        seed=request.seed,
        settings=request.walk,
        tries=request.tries,
    )
    quotas = Quotas(dict(request.plan))
    whole = sum(request.plan.values())
    with refusal_writer(out, force) as writer:
        for done, item in enumerate(builder.build(used, quotas), 1):
            writer.add(item)
            if progress:
                progress(done, whole)
        writer.exclude(builder.left_out)
        sources = _sources(wanted, used, builder, writer.tally)
        figures = _figures(graph, request, quotas, builder, sources)
        return writer.finish(_provenance(graph, request, figures))


def _sources(
    wanted: Iterable[Seed], used: Iterable[Seed], builder: Builder, tally: RefusalTally
) -> dict[str, SourceFigures]:
    read = Counter(seed.source for seed in wanted)
    kept = Counter(seed.source for seed in used)
    terms = {seed.source: seed.terms for seed in wanted}
    return {
        name: SourceFigures(
            licence=terms[name].licence,
            redistributable=terms[name].redistributable,
            read=count,
            barred=count - kept[name],
            linked=builder.tally.seeds[name, "linked"],
            questions=tally.sources[name],
        )
        for name, count in sorted(read.items())
    }


def _figures(
    graph: PageGraph,
    request: BuildRequest,
    quotas: Quotas,
    builder: Builder,
    sources: dict[str, SourceFigures],
) -> RefusalFigures:
    return RefusalFigures(
        backend=RuleFuser.name,
        annotator=RuleAnnotator.name,
        coherence=Bm25Coherence.name,
        language_model=request.language_model,
        index="+".join(source.xxh3 for source in graph.manifest.sources),
        walk=request.walk,
        tries=request.tries,
        cells=quotas.table(),
        draws=dict(sorted(builder.tally.draws.items())),
        sources=sources,
    )


def _provenance(graph: PageGraph, request: BuildRequest, figures: RefusalFigures) -> Provenance:
    return Provenance(
        name="refusal-questions",
        dataset=DATASET,
        seed=request.seed,
        config=figures.model_dump(mode="json"),
        inputs=request.inputs,
        catalogue=folder_digest(resource_folder("refusal")),
        terms=request.terms or _terms(figures.sources),
    )


def _terms(sources: dict[str, SourceFigures]) -> Terms:
    """Return terms that name every source; what may not be passed on is said first."""
    closed = [name for name, row in sources.items() if row.questions and not row.redistributable]
    said = ", ".join(f"{name} ({row.licence})" for name, row in sources.items() if row.questions)
    warning = (
        f"Not to be passed on: questions from {', '.join(closed)} stand under terms that do not "
        "allow it; build again with --free-only to leave them out. "
        if closed
        else ""
    )
    return Terms(
        licence="as the sources",
        attribution=f"{warning}Seeds come from {said or 'no source'}. Sentences of links are "
        "quoted from the indexed pages; those of Wikipedia stand under CC BY-SA and GFDL.",
    )
