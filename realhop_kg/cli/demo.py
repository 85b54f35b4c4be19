"""`realhop demo`: the whole way on the bundled questions, without download or model."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from realhop_kg.cli.construct import construct_to, summary_lines
from realhop_kg.cli.options import AsJson
from realhop_kg.cli.output import echo, echo_json

__all__ = ["demo_command"]


def demo_command(
    out: Annotated[Path, typer.Option("--out", help="Folder for the dataset.")] = Path("demo-out"),
    seed: Annotated[int, typer.Option("--seed", help="Seed of every draw.")] = 0,
    force: Annotated[bool, typer.Option("--force", help="Replace an earlier demo.")] = False,
    as_json: AsJson = False,
) -> None:
    """Construct, freeze and verify a dataset from the bundled questions."""
    from realhop_kg.freeze.reader import FrozenDataset
    from realhop_kg.freeze.verify import verify
    from realhop_kg.resources import resource_folder
    from realhop_kg.settings import ConstructConfig

    source = resource_folder("data") / "questions.jsonl"
    config = ConstructConfig(dataset="musique", seed=seed)
    manifest = construct_to(source, config, out, workers=1, force=force, origin="bundled")
    report = verify(out)
    if as_json:
        figures = {"digest": manifest.digest, **manifest.counts.model_dump(), "ok": report.ok}
        echo_json({"out": str(out.resolve()), **figures})
        raise typer.Exit(0 if report.ok else 1)
    echo("The bundled questions, constructed by rules")
    for line in summary_lines(manifest):
        echo(f"  {line}")
    for discrepancy in report.discrepancies:
        echo(str(discrepancy))
    echo(f"Verified: {'every hash and every blocking check holds' if report.ok else 'NOT ok'}")
    first = next(FrozenDataset.open(out).items(), None)
    if first is not None:
        echo("One of them")
        echo(f"  before  {first.source.question} -> {first.source.answer}")
        echo(f"  after   {first.question} -> {first.answer}")
        echo(f"Look at it whole:  realhop show {out} {first.source.id}")
    echo(f"The dataset lies in {out.resolve()}; its README.md is the dataset card")
    raise typer.Exit(0 if report.ok else 1)
