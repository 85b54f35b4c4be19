"""`realhop refusal report` and `compare`: figures of stored runs, without asking any model."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from realhop_kg.cli.options import AsJson
from realhop_kg.cli.output import echo, echo_json, tracked
from realhop_kg.cli.refusal_judge import JudgeName, RunArgument, chosen_judge

if TYPE_CHECKING:
    from realhop_kg.refusal.evaluate.report import RefusalReport
    from realhop_kg.refusal.evaluate.timeline import MeasureSettings

__all__ = ["compare_command", "report_command"]

Resamples = Annotated[
    int, typer.Option("--resamples", min=0, help="Bootstrap resamples; 0 for none.")
]
Over = Annotated[
    str, typer.Option("--eifr-over", help="documents (V: shown the evidence) or exposed (E).")
]
AnswerTokens = Annotated[
    bool, typer.Option("--answer-tokens", help="Count tokens of the final answer in PTTW too.")
]


def report_command(
    folder: RunArgument,
    judge: JudgeName = "",
    resamples: Resamples = 10_000,
    eifr_over: Over = "documents",
    answer_tokens: AnswerTokens = False,
    as_json: AsJson = False,
) -> None:
    """Print the tables of a folder of runs, and write page, tables and figures into it."""
    from realhop_kg.refusal.evaluate.folder import RefusalRun
    from realhop_kg.refusal.evaluate.report import build_report

    run = RefusalRun.open(folder)
    settings = _settings(eifr_over, answer_tokens)
    name = chosen_judge(run, judge)
    [report] = tracked((build_report(run, name, settings, resamples) for _ in "1"), "computing")
    for bad in run.bad:
        typer.echo(f"realhop: {bad}", err=True)
    _publish(folder, report, as_json)


def compare_command(
    folders: Annotated[
        list[Path], typer.Argument(metavar="RUN RUN...", help="Folders of runs on one dataset.")
    ],
    out: Annotated[Path, typer.Option("--out", help="Folder to write; must not exist yet.")],
    judge: JudgeName = "",
    resamples: Resamples = 10_000,
    eifr_over: Over = "documents",
    answer_tokens: AnswerTokens = False,
    as_json: AsJson = False,
) -> None:
    """Put the models of several folders of runs on the same dataset side by side."""
    from realhop_kg.errors import InputError, OutputExistsError
    from realhop_kg.refusal.evaluate.folder import RefusalRun
    from realhop_kg.refusal.evaluate.report import build_report, joined

    if out.exists():
        raise OutputExistsError(f"{out} exists; choose another --out")
    if len(folders) < 2:
        raise InputError("name two folders of runs or more; `realhop refusal report` shows one")
    settings = _settings(eifr_over, answer_tokens)
    runs = [RefusalRun.open(folder) for folder in folders]
    reports = [
        build_report(run, chosen_judge(run, judge), settings, resamples)
        for run in tracked(runs, "computing")
    ]
    for run in runs:
        for bad in run.bad:
            typer.echo(f"realhop: {run.folder.name}/{bad}", err=True)
    _publish(out, joined(runs, reports), as_json)


def _settings(eifr_over: str, answer_tokens: bool) -> MeasureSettings:
    from pydantic import ValidationError

    from realhop_kg.errors import InputError
    from realhop_kg.refusal.evaluate.timeline import MeasureSettings

    try:
        return MeasureSettings.model_validate(
            {"eifr_over": eifr_over, "answer_tokens": answer_tokens}
        )
    except ValidationError as error:
        raise InputError(f"--eifr-over {eifr_over!r}: choose documents or exposed") from error


def _publish(folder: Path, report: RefusalReport, as_json: bool) -> None:
    from realhop_kg.audit.reporting.formats import shown
    from realhop_kg.refusal.evaluate.report import report_tables
    from realhop_kg.refusal.evaluate.write_report import facts_of, summary_of, write_report

    write_report(folder, report)
    if as_json:
        echo_json(summary_of(report))
        return
    for fact in facts_of(report):
        echo(fact)
    for table in report_tables(report):
        rows = [table.columns, *(tuple(map(shown, row)) for row in table.rows)]
        widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
        echo()
        echo(table.title)
        for row in rows:
            line = "  ".join(text.ljust(width) for text, width in zip(row, widths, strict=True))
            echo(line.rstrip())
        if table.note:
            echo(table.note)
    echo(f"written to {folder / 'report.html'}, report.md, summary.json, tables/, figures/, runs/")
