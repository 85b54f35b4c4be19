"""`realhop demo`: the whole way on the bundled questions, without download or model."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from realhop_kg.cli.constructing import construct_to, summary_lines
from realhop_kg.cli.options import AsJson
from realhop_kg.cli.output import echo, echo_json

if TYPE_CHECKING:
    from realhop_kg.cli.refusal_demo import RefusalDemo

__all__ = ["demo_command"]


def demo_command(
    out: Annotated[Path, typer.Option("--out", help="Folder for the dataset.")] = Path("demo-out"),
    seed: Annotated[int, typer.Option("--seed", help="Seed of every draw.")] = 0,
    force: Annotated[bool, typer.Option("--force", help="Replace an earlier demo.")] = False,
    as_json: AsJson = False,
) -> None:
    """Construct, freeze and verify the bundled questions, then some that have no answer."""
    from realhop_kg.cli.refusal_demo import refusal_demo
    from realhop_kg.freeze.reader import FrozenDataset
    from realhop_kg.freeze.verify import verify
    from realhop_kg.resources import resource_folder
    from realhop_kg.settings import ConstructConfig

    source = resource_folder("data") / "questions.jsonl"
    config = ConstructConfig(dataset="musique", seed=seed)
    manifest = construct_to(source, config, out, workers=1, force=force, origin="bundled")
    report = verify(out)
    refusals = refusal_demo(out.with_name(f"{out.name}-refusal"), seed, force)
    ok = report.ok and refusals.ok
    if as_json:
        figures = {"digest": manifest.digest, **manifest.counts.model_dump(), "ok": ok}
        echo_json({"out": str(out.resolve()), **figures, "refusal": refusals.model_dump()})
        raise typer.Exit(0 if ok else 1)
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
    _print_refusals(refusals)
    raise typer.Exit(0 if ok else 1)


def _print_refusals(refusals: RefusalDemo) -> None:
    if refusals.skipped:
        echo(f"No questions without an answer: {refusals.skipped}")
        return
    echo(f"And {refusals.questions} questions that have no answer, from the bundled pages")
    for shown in refusals.shown:
        echo(f"  {shown.topology:<9} {shown.question}")
        echo(f"            {shown.cause}: {shown.rationale}")
    checked = "every check holds" if refusals.ok else "NOT ok"
    echo(f"Verified: {checked}; they lie in {refusals.out}")
