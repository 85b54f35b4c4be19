"""`realhop long`: questions in long carriers, their options and their spread."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from realhop_kg.cli.options import AsJson, DatasetFolder
from realhop_kg.cli.output import counting, echo, echo_json, tracked

if TYPE_CHECKING:
    from collections.abc import Iterator

    from realhop_kg.construct.worlds.settings import WorldSettings
    from realhop_kg.freeze.manifest import Manifest
    from realhop_kg.longcontext.check import LongReport
    from realhop_kg.longcontext.run import LongConfig
    from realhop_kg.longcontext.spread import Summary

__all__ = ["long_app"]

long_app = typer.Typer(
    help="Fictional questions in long carriers: text files, KILT pages, LongBench v2 rows.",
    no_args_is_help=True,
    rich_markup_mode=None,
)

_MOST_TOLD = 20
_Seed = Annotated[int, typer.Option("--seed", help="Seed of every draw.")]


@long_app.command("construct")
def construct_command(
    out: Annotated[Path, typer.Option("--out", help="Folder to write; must not exist yet.")],
    carrier: Annotated[
        Path | None,
        typer.Argument(
            metavar="[TEXT]",
            help="Long text: a .txt file, KILT pages, LongBench v2 rows, or a folder of them. "
            "Without it, text is generated.",
        ),
    ] = None,
    worlds: Annotated[
        Path | None,
        typer.Option("--worlds", help="Settings of the questions (YAML), as for `construct`."),
    ] = None,
    items: Annotated[int | None, typer.Option("--items", min=1, help="Number of items.")] = None,
    target_tokens: Annotated[
        str,
        typer.Option(
            "--target-tokens",
            help="Length of each context in words and marks, as 50k or 50k-500k: documents are "
            "joined to it, each whole. Without it, each document is a context.",
        ),
    ] = "",
    seed: _Seed = 0,
    workers: Annotated[
        int, typer.Option("--workers", min=1, help="Processes; the result is the same.")
    ] = 1,
    force: Annotated[
        bool, typer.Option("--force", help="Replace a dataset that stands at --out.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Construct fictional questions in long carriers, by rules alone, and freeze them."""
    from realhop_kg.cli.constructing import summary_lines
    from realhop_kg.longcontext.carriers import parse_target
    from realhop_kg.longcontext.documents import read_pool
    from realhop_kg.longcontext.run import LongConfig

    target = parse_target(target_tokens) if target_tokens else None
    config = LongConfig(
        worlds=_worlds(worlds, items),
        seed=seed,
        least_tokens=target.least if target else None,
        most_tokens=target.most if target else None,
    )
    pool, told = read_pool(carrier) if carrier else ([], [])
    for message in told[:_MOST_TOLD]:
        typer.echo(f"{message}; left out", err=True)
    if len(told) > _MOST_TOLD:
        typer.echo(f"and {len(told) - _MOST_TOLD} more", err=True)
    manifest = _write(config, worlds, carrier, out, workers, force)
    if as_json:
        figures = manifest.counts.model_dump()
        documents = {"documents": len(pool), "unreadable": len(told)}
        reasons = {"reasons": _reasons(out)}
        echo_json({"out": str(out), "digest": manifest.digest, **documents, **figures, **reasons})
        return
    for line in summary_lines(manifest):
        echo(line)
    for code, reason in _reasons(out).items():
        echo(f"{code:<12} {reason}")
    if carrier:
        echo(f"documents    {len(pool)}")
    echo(f"written to {out}; `realhop long check {out}` says what holds")


def _reasons(out: Path) -> dict[str, str]:
    """Return the reason of the first excluded item by code: those of others differ in figures."""
    from realhop_kg.freeze.reader import FrozenDataset

    reasons: dict[str, str] = {}
    for each in FrozenDataset.open(out).excluded():
        reasons.setdefault(str(each.code), f"{each.id}: {each.message}")
    return reasons


def _worlds(path: Path | None, items: int | None) -> WorldSettings:
    from realhop_kg.construct.worlds.settings import WorldSettings, read_settings

    # Names only: megabytes of text hold nearly every year. Passages come from the carrier.
    own: dict[str, object] = {"passages": 0, "ambiguity": 0}
    found = read_settings(path) if path else WorldSettings(answers="names")
    if items is not None:
        own["items"] = items
    return found.model_copy(update=own)


def _write(
    config: LongConfig,
    worlds: Path | None,
    carrier: Path | None,
    out: Path,
    workers: int,
    force: bool,
) -> Manifest:
    from realhop_kg.errors import OutputExistsError, RealHopError
    from realhop_kg.freeze.freeze import DatasetWriter
    from realhop_kg.longcontext.run import construct_long, long_provenance
    from realhop_kg.model.frozen import ExcludedItem
    from realhop_kg.relations.catalogue import catalogue

    if out.exists() and not force:
        raise OutputExistsError(f"{out} exists; choose another --out, or replace it with --force")
    relations = catalogue()
    provenance = long_provenance(config, worlds, carrier)
    with DatasetWriter(
        out,
        provenance,
        relations.predicates,
        relations.types.parents,
        force=force,
    ) as writer:
        run = construct_long(config, carrier, workers)
        for outcome in tracked(run, "constructing", config.worlds.items):
            if isinstance(outcome, ExcludedItem):
                writer.exclude(outcome)
            else:
                writer.write(outcome)
        writer.expect(config.worlds.items)
    if writer.manifest is None:
        raise RealHopError(f"{out} was not written; please report this")
    return writer.manifest


@long_app.command("choices")
def choices_command(
    folder: DatasetFolder,
    out: Annotated[Path, typer.Option("--out", help="File to write: options, one item a line.")],
    seed: _Seed = 0,
    force: Annotated[bool, typer.Option("--force", help="Replace a file at --out.")] = False,
    as_json: AsJson = False,
) -> None:
    """Write four options for each item, gold balanced over A to D; list what has too few."""
    from realhop_kg.errors import OutputExistsError
    from realhop_kg.freeze.reader import FrozenDataset
    from realhop_kg.jsonl import write_records
    from realhop_kg.longcontext.choices import balance, plan_choices

    if out.exists() and not force:
        raise OutputExistsError(f"{out} exists; choose another --out, or replace it with --force")
    dataset = FrozenDataset.open(folder)
    total = dataset.manifest.counts.constructed
    found = list(tracked(plan_choices(dataset.items(), seed), "choosing", total))
    write_records(out, (each.model_dump(mode="json") for each in found))
    told = balance(found)
    if as_json:
        echo_json({"out": str(out), **told.model_dump(mode="json")})
        return
    for each in told.infeasible:
        echo(f"mcq-infeasible  {each}")
    letters = ", ".join(f"{letter} {count}" for letter, count in told.letters.items())
    echo(f"feasible    {told.feasible}  ({letters}; chi-square p = {told.p:.3f})")
    echo(f"infeasible  {len(told.infeasible)}")


@long_app.command("spread")
def spread_command(folder: DatasetFolder, as_json: AsJson = False) -> None:
    """Measure how far apart and how deep in its context each item's evidence stands."""
    from realhop_kg.freeze.reader import FrozenDataset
    from realhop_kg.longcontext.spread import spread_of, summarize

    dataset = FrozenDataset.open(folder)
    total = dataset.manifest.counts.constructed
    found = [spread_of(item) for item in tracked(dataset.items(), "measuring", total)]
    summary = summarize(found)
    if as_json:
        echo_json(
            {
                "summary": summary.model_dump(mode="json") if summary else None,
                "items": [each.model_dump(mode="json") for each in found],
            }
        )
        return
    for line in _spread_lines(summary):
        echo(line)


def _spread_lines(summary: Summary | None) -> Iterator[str]:
    if summary is None:
        yield "no items, so no spread"
        return
    yield (
        f"context tokens     {summary.least_tokens:,} to {summary.most_tokens:,}, median "
        f"{summary.median_tokens:,.0f}  (words and marks; a model counts about a third more)"
    )
    yield (
        f"between hops       at least {summary.least_hop_distance:,}, median "
        f"{summary.median_hop_distance:,.0f} tokens"
    )
    yield (
        f"between premises   at least {summary.least_premise_distance:,}, median "
        f"{summary.median_premise_distance:,.0f} tokens"
    )
    for name, quarters, mean in (
        ("gold", summary.gold_quarters, summary.gold_depth),
        ("competitors", summary.competitor_quarters, summary.competitor_depth),
    ):
        shares = " ".join(f"{100 * share:.0f} %" for share in quarters)
        yield f"{name + ' depth':<18} mean {mean:.2f}; by quarter of the context {shares}"


@long_app.command("check")
def check_command(folder: DatasetFolder, seed: _Seed = 0, as_json: AsJson = False) -> None:
    """Verify a dataset, let scripted solvers answer it, and report options and spread.

    Exits with 1 unless every contract holds, the reader answers all of Full and none of Drop, the
    recaller everything, and gold is balanced over A to D.
    """
    from realhop_kg.freeze.reader import FrozenDataset
    from realhop_kg.freeze.verify import verify
    from realhop_kg.longcontext.check import check_long

    with counting("verifying") as advance:
        verified = verify(folder, progress=advance)
    with counting("answering") as advance:
        report = check_long(FrozenDataset.open(folder), seed, advance)
    problems = [*map(str, verified.discrepancies), *report.problems]
    if as_json:
        echo_json({**report.model_dump(mode="json"), "problems": problems, "ok": not problems})
    else:
        for line in _report_lines(report):
            echo(line)
        for problem in problems:
            echo(problem)
        state = "every blocking check holds" if verified.ok else "NOT verified"
        echo(f"verified           {state}")
    raise typer.Exit(1 if problems else 0)


def _report_lines(report: LongReport) -> Iterator[str]:
    yield f"items              {report.items} constructed, {report.excluded} excluded"
    for score in (report.reader, report.recaller):
        bnr = "not defined" if score.bnr is None else f"{100 * score.bnr:.1f} %"
        yield f"{score.solver:<18} Full {100 * score.full:.1f} %, BNR {bnr}"
    letters = ", ".join(f"{letter} {count}" for letter, count in report.choices.letters.items())
    yield (
        f"options            {letters}; chi-square p = {report.choices.p:.3f}; "
        f"{len(report.choices.infeasible)} infeasible"
    )
    yield from _spread_lines(report.spread)
