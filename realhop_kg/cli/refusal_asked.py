"""Reads the questions of a refusal run, and warns of what makes its outcome doubtful."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from realhop_kg.model.trajectory import AskedQuestion
    from realhop_kg.refusal.evaluate.run import Outcome
    from realhop_kg.refusal.evaluate.settings import Arm, RunSettings

__all__ = ["read_questions", "warn_of"]


def read_questions(
    folder: Path, search: bool, prompt_dir: Path | None, limit: int | None
) -> tuple[RunSettings, list[AskedQuestion]]:
    """Return the questions of a dataset, and what a run of them records.

    Raises:
        InputError: if it is of another kind, or Drops are to be searched for.
    """
    from itertools import islice

    from realhop_kg.errors import InputError
    from realhop_kg.freeze.manifest import read_manifest
    from realhop_kg.llm.prompts import load_template
    from realhop_kg.refusal.drops_reader import DropsDataset
    from realhop_kg.refusal.evaluate.settings import RunSettings, asked, asked_with_passages
    from realhop_kg.refusal.reader import RefusalDataset

    manifest, template = read_manifest(folder), None
    if manifest.dataset == DropsDataset.KIND:
        if search:
            raise InputError(
                "--search is for questions about the world; Drops are asked with their passages, "
                "whose entities are in no corpus"
            )
        template = load_template("refusal/grounded", prompt_dir)
        drops = islice(DropsDataset.open(folder).items(), limit)
        questions = [asked_with_passages(drop, template) for drop in drops]
    else:
        items = islice(RefusalDataset.open(folder).items(), limit)
        questions = [asked(item) for item in items]
    settings = RunSettings(
        dataset=folder.resolve().name,
        dataset_digest=manifest.digest,
        limit=limit,
        template=f"{template.name} {template.hash}" if template else "",
    )
    return settings, questions


def warn_of(arm: Arm, outcome: Outcome) -> None:
    """Say on standard error what makes the runs of a model doubtful."""
    covered = arm.coverage
    if covered and covered.found is not None and covered.found < covered.pages:
        typer.echo(
            f"warning: {covered.pages - covered.found} of {covered.pages} pages of the chains are "
            "not in the index; no search can find them",
            err=True,
        )
    if outcome.silent and outcome.silent == sum(outcome.endings.values()):
        typer.echo(
            f"warning: {arm.model} made no tool call at all; it saw no need to, or does not "
            "support tools",
            err=True,
        )
