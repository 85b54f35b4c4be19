"""Builds a frozen dataset of refusal questions from an index and seeds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, Protocol

from realhop_kg.errors import InputError
from realhop_kg.freeze.hashes import folder_digest
from realhop_kg.freeze.manifest import InputFile, Manifest, Provenance, Terms
from realhop_kg.graph.hyperlinks.coherence import Bm25Coherence
from realhop_kg.graph.hyperlinks.index import PageGraph
from realhop_kg.model.refusal import Seed, WalkSettings
from realhop_kg.model.refusal_item import LeftOutSeed, RefusalFigures, SourceFigures
from realhop_kg.refusal.annotate import LinkedWords, RuleAnnotator
from realhop_kg.refusal.freeze import DATASET, RefusalTally, RefusalWriter, refusal_writer
from realhop_kg.refusal.fuse import RuleFuser
from realhop_kg.refusal.nominal import LANGUAGE_MODEL, language
from realhop_kg.refusal.pipeline import Builder, BuildTally
from realhop_kg.refusal.plan import Cell, Quotas
from realhop_kg.refusal.voices import LinkVoices
from realhop_kg.resources import resource_folder

if TYPE_CHECKING:
    from realhop_kg.llm.asking import Models

__all__ = ["MOST_PAGES", "BuildRequest", "Named", "build_refusals", "finished", "usable"]

MOST_PAGES = 200_000
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
        unreadable: lines of these files that hold no seed.
        terms: under which terms the dataset stands; made from its sources where none are given.
    """

    plan: dict[Cell, int]
    seed: int = 0
    free_only: bool = False
    walk: WalkSettings = field(default_factory=WalkSettings)
    tries: int = 12
    language_model: str = LANGUAGE_MODEL
    inputs: tuple[InputFile, ...] = ()
    unreadable: int = 0
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
    wanted, used = usable(seeds, request)
    language(request.language_model)  # a missing model is said before anything is written
    voices = LinkVoices(graph)
    words = LinkedWords.read(graph, MOST_PAGES)
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
        names = Named(RuleFuser.name, RuleAnnotator.name, Bm25Coherence.name)
        return finished(writer, graph, request, names, builder, quotas, (wanted, used))


def usable(seeds: Sequence[Seed], request: BuildRequest) -> tuple[list[Seed], list[Seed]]:
    """Return the seeds of the causes that are wanted, and those of them that may be used.

    Raises:
        InputError: if there is none.
    """
    causes = {cell.cause for cell, count in request.plan.items() if count}
    wanted = [seed for seed in seeds if seed.cause in causes]
    used = [seed for seed in wanted if seed.terms.redistributable or not request.free_only]
    if not used:
        raise InputError("no seed is left to use; give seeds of the causes that the plan asks for")
    return wanted, used


class Named(NamedTuple):
    """Who did what, as a manifest says it."""

    backend: str
    annotator: str
    coherence: str


class Built(Protocol):
    """What a builder has counted, whoever worded the questions."""

    tally: BuildTally
    left_out: list[LeftOutSeed]


def finished(
    writer: RefusalWriter,
    graph: PageGraph,
    request: BuildRequest,
    names: Named,
    builder: Built,
    quotas: Quotas,
    seeds: tuple[Sequence[Seed], Sequence[Seed]],
    models: Models | None = None,
) -> Manifest:
    """Finish a dataset whose questions are written, and return its manifest.

    Args:
        writer: of the dataset.
        graph: the index.
        request: what was to be built.
        names: who did what.
        builder: what became of seeds and draws.
        quotas: what was wanted and filled.
        seeds: those of the wanted causes, and those of them that were used.
        models: the models, where any were asked.
    """
    writer.exclude(builder.left_out)
    figures = RefusalFigures(
        **names._asdict(),
        language_model=request.language_model,
        index="+".join(source.xxh3 for source in graph.manifest.sources),
        walk=request.walk,
        tries=request.tries,
        unreadable=request.unreadable,
        stages=dict(models.stages) if models else {},
        cells=quotas.table(),
        draws=dict(sorted(builder.tally.draws.items())),
        repairs=dict(sorted(builder.tally.repairs.items())),
        sources=_sources(*seeds, builder.tally, writer.tally),
    )
    provenance = Provenance(
        name="refusal-questions",
        dataset=DATASET,
        seed=request.seed,
        config=figures.model_dump(mode="json"),
        inputs=request.inputs,
        templates=models.hashes if models else {},
        catalogue=folder_digest(resource_folder("refusal")),
        terms=request.terms or _terms(figures.sources),
    )
    return writer.finish(provenance)


def _sources(
    wanted: Iterable[Seed], used: Iterable[Seed], built: BuildTally, tally: RefusalTally
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
            linked=built.seeds[name, "linked"],
            questions=tally.sources[name],
            left_out=tally.reasons_of(name, True),
            unused=tally.reasons_of(name, False),
        )
        for name, count in sorted(read.items())
    }


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
