"""`realhop report` and `compare`: tables from stored answers, without asking any model."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from realhop_kg.cli.options import AsJson
from realhop_kg.cli.output import echo, echo_json, tracked

if TYPE_CHECKING:
    from realhop_kg.audit.reporting.records import RunRecords
    from realhop_kg.audit.reporting.report import Report
    from realhop_kg.audit.reporting.table import Table

__all__ = ["compare_command", "print_fitted", "report_command"]


Exclude = Annotated[
    list[Path] | None,
    typer.Option("--exclude", help="File of item ids to leave out, one a line; repeatable."),
]


def report_command(
    folder: Annotated[Path, typer.Argument(metavar="RUN", help="Folder of an audit run.")],
    resamples: Annotated[
        int, typer.Option("--resamples", min=0, help="Bootstrap resamples; 0 for none.")
    ] = 10_000,
    exclude: Exclude = None,
    against: Annotated[
        Path | None,
        typer.Option(
            "--against",
            help="Source ranking for changes of rank: another run, or a CSV of model and score.",
        ),
    ] = None,
    draw_figures: Annotated[
        bool, typer.Option("--figures/--no-figures", help="Draw figures as SVG and PNG.")
    ] = True,
    as_json: AsJson = False,
) -> None:
    """Print the tables of a run, and write them into its folder (md, html, csv, tex, json)."""
    from realhop_kg.audit.folder import RunFolder
    from realhop_kg.audit.reporting.records import read_run
    from realhop_kg.audit.reporting.report import build_report
    from realhop_kg.audit.reporting.source_board import read_board

    before = read_board(against) if against else None
    run = RunFolder.open(folder)
    left_out = _left_out(exclude)
    records = read_run(run, left_out)
    [report] = tracked((build_report(run, records, resamples, before) for _ in "1"), "computing")
    _publish(folder, report, records, draw_figures, as_json)


def compare_command(
    source: Annotated[
        Path, typer.Argument(metavar="RUN_SOURCE", help="Run that has the source side.")
    ],
    constructed: Annotated[
        Path, typer.Argument(metavar="RUN_CONSTRUCTED", help="Run that has the constructed side.")
    ],
    out: Annotated[Path, typer.Option("--out", help="Folder to write; must not exist yet.")],
    resamples: Annotated[
        int, typer.Option("--resamples", min=0, help="Bootstrap resamples; 0 for none.")
    ] = 10_000,
    exclude: Exclude = None,
    draw_figures: Annotated[
        bool, typer.Option("--figures/--no-figures", help="Draw figures as SVG and PNG.")
    ] = True,
    as_json: AsJson = False,
) -> None:
    """Compare two runs question by question: differences, common-Full BNR, changes of rank."""
    from realhop_kg.audit.folder import RunFolder
    from realhop_kg.audit.reporting.compare import compare_runs
    from realhop_kg.audit.reporting.records import read_run
    from realhop_kg.errors import InputError, OutputExistsError

    if out.exists():
        raise OutputExistsError(f"{out} exists; choose another --out")
    first, second = RunFolder.open(source), RunFolder.open(constructed)
    left_out = _left_out(exclude)
    sides = (first, read_run(first, left_out)), (second, read_run(second, left_out))
    [(report, records)] = tracked((compare_runs(*sides, resamples) for _ in "1"), "computing")
    try:
        out.mkdir(parents=True)
    except OSError as error:
        raise InputError(f"{out} cannot be written: {error.strerror}") from error
    _publish(out, report, records, draw_figures, as_json)


def _left_out(lists: list[Path] | None) -> tuple[str, ...]:
    from realhop_kg.audit.reporting.records import read_exclusions

    return tuple(name for path in lists or () for name in read_exclusions(path))


def _publish(
    folder: Path, report: Report, records: RunRecords, draw_figures: bool, as_json: bool
) -> None:
    """Write a report into a folder, and print it."""
    from realhop_kg.audit.reporting.draw import draw
    from realhop_kg.audit.reporting.tables import tables
    from realhop_kg.audit.reporting.write_report import facts_of, summary_of, write_report

    write_report(folder, report, records, draw(report) if draw_figures else ())
    if as_json:
        echo_json(summary_of(report))
        return
    for fact in facts_of(report):
        echo(fact)
    for table in tables(report):
        _print(table)
    echo(f"written to {folder / 'report.md'}, report.html, summary.json, tables/ and figures/")


def _print(table: Table) -> None:
    """Print a table: fitted to a terminal, as wide as it is into a file or a pipe."""
    if sys.stdout.isatty():
        print_fitted(table)
        return
    from realhop_kg.audit.reporting.formats import shown

    rows = [table.heads, *(tuple(map(shown, row)) for row in table.shown)]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    echo()
    echo(table.title)
    for row in rows:
        echo("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip())
    if table.said:
        echo(table.said)


def print_fitted(table: Table) -> None:
    """Print a table within the width of the terminal, intervals under their values."""
    from rich.box import SIMPLE_HEAD
    from rich.console import Console
    from rich.table import Table as Fitted
    from rich.text import Text

    from realhop_kg.audit.reporting.formats import parts_shown

    # Texts of data are data: no markup, no emoji codes.
    found = Fitted(
        title=Text(table.title, style="bold"),
        title_justify="left",
        caption=Text(table.said) if table.said else None,
        caption_justify="left",
        box=SIMPLE_HEAD,
        padding=(0, 2, 0, 0),
        pad_edge=False,
    )
    for at, head in enumerate(table.heads):
        counts = head == "n" or all(isinstance(row[at], int) for row in table.shown)
        found.add_column(Text(head), justify="right" if counts else "left", overflow="fold")
    for row in table.shown:
        found.add_row(*(Text("\n".join(parts_shown(cell))) for cell in row))
    Console().print(found)
