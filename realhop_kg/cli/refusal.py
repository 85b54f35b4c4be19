"""`realhop refusal`: questions that have no answer."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from realhop_kg.cli.options import AsJson
from realhop_kg.cli.output import echo, echo_json, tracked
from realhop_kg.cli.quality import sample_command
from realhop_kg.cli.refusal_build import build_command, drops_command
from realhop_kg.cli.refusal_judge import judge_command, sheet_command
from realhop_kg.cli.refusal_read import show_command
from realhop_kg.cli.refusal_report import compare_command, report_command
from realhop_kg.cli.refusal_run import run_command
from realhop_kg.cli.seed_files import read_seeds
from realhop_kg.jsonl import write_records

if TYPE_CHECKING:
    from graph_builders.seeds import NotSeed
    from realhop_kg.model.refusal import Seed

__all__ = ["refusal_app"]

refusal_app = typer.Typer(
    help="Questions that have no answer, and where in a chain they break.",
    no_args_is_help=True,
    rich_markup_mode=None,
)

refusal_app.command("build")(build_command)
refusal_app.command("from-drops")(drops_command)
refusal_app.command("show")(show_command)
refusal_app.command("sample")(sample_command)
refusal_app.command("run")(run_command)
refusal_app.command("judge")(judge_command)
refusal_app.command("sheet")(sheet_command)
refusal_app.command("report")(report_command)
refusal_app.command("compare")(compare_command)

_SHOWN = 20


@refusal_app.callback()
def _root() -> None:
    """Questions that have no answer, and where in a chain they break."""


@refusal_app.command("seeds")
def seeds_command(
    files: Annotated[
        list[str],
        typer.Argument(
            metavar="[SOURCE=]FILE...", help="Files of seeds; the source is told by the fields."
        ),
    ],
    out: Annotated[
        Path | None, typer.Option("--out", metavar="FILE", help="Write the seeds as JSON lines.")
    ] = None,
    free_only: Annotated[
        bool, typer.Option("--free-only", help="Leave out what may not be passed on.")
    ] = False,
    force: Annotated[bool, typer.Option("--force", help="Replace the file.")] = False,
    as_json: AsJson = False,
) -> None:
    """Read unanswerable questions of public sources, or your own; print them by source and cause.

    Sources: coconot, bigbench, kuq, falseqa, qaqa, worldsense, plain.
    """
    from graph_builders.seeds import NotSeed, distinct
    from realhop_kg.errors import OutputExistsError

    if out is not None and out.exists() and not force:
        raise OutputExistsError(f"{out} exists; choose another file, or replace it with --force")
    seeds: list[Seed] = []
    left_out: list[NotSeed] = []
    barred: Counter[str] = Counter()
    for outcome in tracked(distinct(read_seeds(files)), "reading seeds"):
        if isinstance(outcome, NotSeed):
            left_out.append(outcome)
        elif free_only and not outcome.terms.redistributable:
            barred[outcome.source] += 1
        else:
            seeds.append(outcome)
    if out is not None:
        write_records(out, (seed.model_dump(mode="json") for seed in seeds))
    _print(seeds, left_out, barred, as_json)
    for entry in [e for e in left_out if e.why == "unreadable"][:_SHOWN]:
        typer.echo(f"realhop: {entry.sentence}", err=True)
    raise typer.Exit(1 if any(entry.why == "unreadable" for entry in left_out) else 0)


def _print(seeds: list[Seed], left_out: list[NotSeed], barred: Counter[str], as_json: bool) -> None:
    from realhop_kg.model.refusal import Cause

    by_cause = Counter((seed.source, str(seed.cause)) for seed in seeds)
    by_reason = Counter((entry.source, str(entry.why)) for entry in left_out)
    terms = {seed.source: seed.terms for seed in seeds}
    sources = sorted({*terms, *barred, *(source for source, _ in by_reason)})
    reasons = sorted({why for _, why in by_reason})
    table = [
        {
            "source": source,
            **{str(cause): by_cause[source, str(cause)] for cause in Cause},
            **{why: by_reason[source, why] for why in reasons},
            **({"not free": barred[source]} if barred else {}),
            "licence": terms[source].licence if source in terms else "",
            "redistributable": source in terms and terms[source].redistributable,
        }
        for source in sources
    ]
    if as_json:
        echo_json({"seeds": len(seeds), "sources": table})
        return
    if not table:
        return
    names = list(table[0])
    cells = [names, *([str(row[name]) for name in names] for row in table)]
    widths = [max(len(row[place]) for row in cells) for place in range(len(names))]
    for row in cells:
        echo("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip())
    echo(f"{len(seeds)} seeds")
