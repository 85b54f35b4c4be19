"""What constructing by rules and with models share: where records come from and what is printed."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from realhop_kg.cli.output import tracked
from realhop_kg.cli.quality import quality_values

if TYPE_CHECKING:
    from graph_builders.base import Excluded
    from realhop_kg.freeze.manifest import Manifest, Provenance
    from realhop_kg.model.frozen import ExcludedItem
    from realhop_kg.model.item import SourceItem
    from realhop_kg.settings import ConstructConfig, ModelsConfig

__all__ = ["as_frozen", "construct_to", "provenance", "summary_lines"]

_MOST_TOLD = 20
"""Broken records of which a run speaks; all of them are in excluded.jsonl."""


def construct_to(
    path: Path,
    config: ConstructConfig,
    out: Path,
    workers: int,
    force: bool,
    origin: str = "",
) -> Manifest:
    """Construct a source file into a frozen dataset folder and return its manifest.

    Args:
        path: the source file.
        config: the settings that decide the output.
        out: the folder to write.
        workers: number of processes.
        force: whether a dataset that stands there is replaced.
        origin: whose terms the text stands under, where it is not the dataset form's own source.

    Raises:
        RealHopError: if the input cannot be used, or the folder is in the way.
    """
    from graph_builders.base import builder
    from realhop_kg.construct.run import construct_all
    from realhop_kg.errors import OutputExistsError, RealHopError
    from realhop_kg.freeze.freeze import DatasetWriter
    from realhop_kg.model.frozen import ExcludedItem
    from realhop_kg.relations.catalogue import catalogue

    source = builder(config.dataset)
    if out.exists() and not force:
        raise OutputExistsError(f"{out} exists; choose another --out, or replace it with --force")
    relations = catalogue()
    read = broken = 0
    with DatasetWriter(
        out,
        provenance(path, config, origin or config.dataset),
        relations.predicates,
        relations.types.parents,
        force=force,
        quality=quality_values,
    ) as writer:
        outcomes = (as_frozen(outcome) for outcome in source.read(path, config.limit))
        for outcome in tracked(construct_all(outcomes, config.seed, workers), "constructing"):
            read += 1
            if isinstance(outcome, ExcludedItem):
                broken += _told(outcome, broken)
                writer.exclude(outcome)
            else:
                writer.write(outcome)
        writer.expect(read)
    if broken > _MOST_TOLD:
        typer.echo(f"and {broken - _MOST_TOLD} more; see excluded.jsonl", err=True)
    if writer.manifest is None:
        raise RealHopError(f"{out} was not written; please report this")
    return writer.manifest


def _told(outcome: ExcludedItem, before: int) -> int:
    """Say on standard error what is wrong with a broken record; return 1 if it is one."""
    if outcome.stage != "read" or outcome.code == "B1":
        return 0
    if before < _MOST_TOLD:
        name = f" {outcome.id}" if outcome.id else ""
        typer.echo(
            f"{outcome.file}:{outcome.line}{name}: {outcome.code} {outcome.message}", err=True
        )
    return 1


def provenance(
    path: Path,
    config: ConstructConfig | ModelsConfig,
    origin: str,
    templates: dict[str, str] | None = None,
) -> Provenance:
    """Return where a dataset comes from.

    Args:
        path: the source file.
        config: the settings that decide the output.
        origin: whose terms the text stands under.
        templates: SHA-256 of each prompt template by its name.

    Raises:
        InputError: if the file cannot be read.
    """
    from realhop_kg.errors import InputError
    from realhop_kg.freeze.hashes import describe_input, folder_digest
    from realhop_kg.freeze.manifest import Provenance
    from realhop_kg.freeze.terms import source_terms
    from realhop_kg.resources import resource_folder

    try:
        inputs = (describe_input(path),)
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror}") from error
    return Provenance(
        name=f"realhop-{origin}",
        dataset=config.dataset,
        seed=config.seed,
        config=config.model_dump(mode="json"),
        inputs=inputs,
        templates=templates or {},
        catalogue=folder_digest(resource_folder("relations"), resource_folder("construct")),
        terms=source_terms(origin),
    )


def as_frozen(outcome: SourceItem | Excluded) -> SourceItem | ExcludedItem:
    """Return a record that a builder left out as the exclusion that a dataset lists."""
    from graph_builders.base import Excluded
    from realhop_kg.ids import item_key
    from realhop_kg.model.frozen import ExcludedItem

    if not isinstance(outcome, Excluded):
        return outcome
    return ExcludedItem(
        id=item_key(outcome.dataset, outcome.id) if outcome.id else "",
        dataset=outcome.dataset,
        file=outcome.file,
        line=outcome.line,
        stage="read",
        code=outcome.code,
        field=outcome.field,
        message=outcome.message,
    )


def summary_lines(manifest: Manifest) -> Iterator[str]:
    """Yield the figures of a dataset as lines of text."""
    counts = manifest.counts
    yield f"read         {counts.read}"
    shapes = ", ".join(f"{shape} {n}" for shape, n in counts.topologies.items())
    yield f"constructed  {counts.constructed}" + (f"  ({shapes})" if shapes else "")
    codes = ", ".join(f"{code} {n}" for code, n in counts.excluded_by_code.items())
    yield f"excluded     {counts.excluded}" + (f"  ({codes})" if codes else "")
    yield f"hops         {counts.hops}"
    paths = counts.competitors
    yield (
        f"competitors  {paths.strict} strict, {paths.flexible} flexible"
        f" ({paths.fragments} fragments)"
    )
    proved = counts.certificates
    yield (
        f"certificates unique answer {proved.unique}, necessary hops {proved.hop_necessity}, "
        f"necessary premises {proved.premise_necessity}"
    )
    yield f"diagnostics  V1 {proved.v1}, V2 {proved.v2}"
    yield f"digest       {manifest.digest}"
