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
    """Write a reading sheet of a sample: reading.html to read, reading.jsonl to fill in.

    Items are drawn by hops, questions without an answer by cause and topology.
    """
    from realhop_kg.quality.markup import READING_HTML, READING_ROWS

    drawn, said = _sampled(folder, n, seed, out)
    if as_json:
        echo_json({"out": str(out), **drawn})
        return
    echo(said)
    echo(f"read {out / READING_HTML}, fill in {out / READING_ROWS}")


def _sampled(folder: Path, n: int, seed: int, out: Path) -> tuple[dict[str, Any], str]:
    """Write the sheet that fits the kind of a dataset; return what it holds, as data and words."""
    from realhop_kg.freeze.manifest import read_manifest
    from realhop_kg.freeze.reader import FrozenDataset
    from realhop_kg.quality import sheet
    from realhop_kg.refusal import sheet as refusal_sheet
    from realhop_kg.refusal.freeze import DATASET
    from realhop_kg.refusal.reader import RefusalDataset

    if read_manifest(folder).dataset == DATASET:
        items = refusal_sheet.write_sheet(RefusalDataset.open(folder), n, seed, out)
        return {"items": [item.id for item in items]}, f"{len(items)} questions"
    sample = sheet.write_sheet(FrozenDataset.open(folder), n, seed, out)
    return sample.model_dump(mode="json"), sample.sentence
