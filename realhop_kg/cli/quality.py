"""`realhop quality` and `realhop sample`: how good a frozen dataset is, and sheets to read it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from realhop_kg.cli.options import AsJson, DatasetFolder
from realhop_kg.cli.output import echo, echo_json, tracked

if TYPE_CHECKING:
    from realhop_kg.freeze.reader import FrozenDataset
    from realhop_kg.quality.report import QualityReport

__all__ = ["quality_command", "quality_values", "sample_command"]


def quality_values(dataset: FrozenDataset) -> dict[str, Any]:
    """Return what `quality.json` holds of a dataset."""
    return _report(dataset).model_dump(mode="json")


def _report(dataset: FrozenDataset) -> QualityReport:
    from realhop_kg.quality.report import quality_report

    total = dataset.manifest.counts.constructed
    return quality_report(dataset, lambda graphs: tracked(graphs, "measuring", total))


def quality_command(folder: DatasetFolder, as_json: AsJson = False) -> None:
    """Recompute the quality report of a dataset: yield, wordings, lengths, hosts, A1."""
    from realhop_kg.freeze.reader import FrozenDataset
    from realhop_kg.quality.lines import quality_lines

    report = _report(FrozenDataset.open(folder))
    if as_json:
        echo_json(report.model_dump(mode="json"))
        return
    for line in quality_lines(report):
        echo(line)


def sample_command(
    folder: DatasetFolder,
    out: Annotated[Path, typer.Option("--out", help="Folder to write; must not exist yet.")],
    n: Annotated[int, typer.Option("--n", min=1, help="How many items to draw.")] = 40,
    seed: Annotated[int, typer.Option("--seed", help="Seed of the draw.")] = 0,
    as_json: AsJson = False,
) -> None:
    """Write a reading sheet of a sample, stratified by hops: reading.html and reading.jsonl."""
    from realhop_kg.freeze.reader import FrozenDataset
    from realhop_kg.quality.sheet import READING_HTML, READING_ROWS, write_sheet

    sample = write_sheet(FrozenDataset.open(folder), n, seed, out)
    if as_json:
        echo_json({"out": str(out), **sample.model_dump(mode="json")})
        return
    echo(sample.sentence)
    echo(f"read {out / READING_HTML}, fill in {out / READING_ROWS}")
