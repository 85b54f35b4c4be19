"""`realhop agreement`, `verdicts` and `screen`: what people read, and what they said of it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from realhop_kg.cli.options import AsJson
from realhop_kg.cli.output import echo, echo_json

if TYPE_CHECKING:
    from realhop_kg.audit.agreement import Agreement, Labels
    from realhop_kg.model.record import Record

__all__ = ["agreement_command", "screen_command", "verdicts_command"]

RunArgument = Annotated[Path, typer.Argument(metavar="RUN", help="Folder of an audit run.")]
Sheet = Annotated[Path, typer.Option("--out", help="JSONL file to write; must not exist yet.")]


def agreement_command(
    labels: Annotated[
        list[Path],
        typer.Argument(metavar="LABELS...", help="Filled sheets (JSONL), one per reader."),
    ],
    field: Annotated[
        list[str] | None,
        typer.Option("--field", help="Label field; all that are filled in by default."),
    ] = None,
    adjudicate: Annotated[
        Path | None,
        typer.Option("--adjudicate", help="Sheet of the reader who settled disagreements."),
    ] = None,
    run: Annotated[
        Path | None,
        typer.Option("--run", help="Audit run whose judge counts as one more reader."),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Score the labels of two or more readers: agreement, kappa, what is left to settle."""
    from realhop_kg.audit.agreement import FIELDS, agreement, read_labels
    from realhop_kg.errors import InputError

    fields = tuple(field or FIELDS)
    readers = [read_labels(path, fields) for path in labels]
    if run is not None:
        readers.append(_judge_of(run, {item for reader in readers for item, _ in reader.given}))
    if len(readers) < 2:
        raise InputError("agreement needs two readers; name two sheets, or one and a --run")
    third = read_labels(adjudicate, fields) if adjudicate else None
    for reader in [*readers, *([third] if third else [])]:
        for problem in reader.problems:
            typer.echo(problem, err=True)
    found = [
        agreement(readers, name, third)
        for name in fields
        if sum(bool(reader.of(name)) for reader in readers) > 1
    ]
    if not found:
        raise InputError(f"no two readers filled in any of {', '.join(fields)}; see --field")
    if as_json:
        echo_json([each.model_dump(mode="json") for each in found])
        return
    for each in found:
        _tell(each)


def _judge_of(folder: Path, read: set[str]) -> Labels:
    """Return what the judge of a run said of the answers that people read."""
    from realhop_kg.audit.agreement import Labels
    from realhop_kg.audit.folder import RunFolder
    from realhop_kg.audit.reporting.records import read_run
    from realhop_kg.audit.sheets import judge_labels

    run = RunFolder.open(folder)
    given = judge_labels(read_run(run))
    shared = {place: label for place, label in given.items() if place[0] in read}
    return Labels(f"judge {run.settings.judge}", shared, ())


def _tell(found: Agreement) -> None:
    echo(f"{found.field}: {found.n} items labelled by {', '.join(found.readers)}")
    echo(f"  all accept   {found.both_accept}")
    echo(f"  none accepts {found.both_reject}")
    for pair in found.pairs:
        shown = "not defined" if pair.kappa is None else f"{pair.kappa:.3f}"
        echo(f"  {pair.first} and {pair.second}: agree on {pair.agree}/{pair.n}, kappa {shown}")
    if found.accepted is not None:
        echo(f"  accepted     {found.accepted}/{found.n}")
    if found.disagreements:
        echo(f"  to settle    {', '.join(found.disagreements)} ({found.settled} settled)")
    if found.unlabelled:
        echo(f"  not labelled by everyone: {len(found.unlabelled)}")


def verdicts_command(
    folder: RunArgument,
    out: Sheet,
    n: Annotated[int, typer.Option("--n", min=1, help="How many answers.")] = 100,
    seed: Annotated[int, typer.Option("--seed", help="Seed of the draw.")] = 0,
) -> None:
    """Write a sheet of judged answers to label anew, the judge's verdicts withheld."""
    from realhop_kg.audit.folder import RunFolder
    from realhop_kg.audit.reporting.records import read_run
    from realhop_kg.audit.sheets import verdict_sheet

    run = RunFolder.open(folder)
    rows = verdict_sheet(run, read_run(run), n, seed)
    _write(out, rows)
    echo(f"{len(rows)} answers written to {out}; fill in `verdict` and score the sheets with")
    echo(f"realhop agreement {out} --run {folder}")


def screen_command(
    folder: RunArgument,
    out: Sheet,
    at_most: Annotated[
        int, typer.Option("--at-most", min=0, help="Models that answer the source question.")
    ] = 2,
) -> None:
    """Write a sheet of source questions that few models answer, to be read for defects."""
    from realhop_kg.audit.folder import RunFolder
    from realhop_kg.audit.reporting.records import read_run
    from realhop_kg.audit.sheets import suspects

    run = RunFolder.open(folder)
    rows = suspects(run, read_run(run), at_most)
    _write(out, rows)
    echo(f"{len(rows)} questions written to {out}; put the ids of defective ones into a file and")
    echo(f"leave them out with: realhop report {folder} --exclude FILE")


def _write(path: Path, rows: Sequence[Record]) -> None:
    from realhop_kg.errors import InputError, OutputExistsError

    if path.exists():
        raise OutputExistsError(
            f"{path} exists, and a sheet may be filled in; choose another --out"
        )
    text = "".join(
        json.dumps(row.model_dump(mode="json"), ensure_ascii=False) + "\n" for row in rows
    )
    try:
        path.write_text(text, encoding="utf-8", errors="backslashreplace", newline="\n")
    except OSError as error:
        raise InputError(f"{path} cannot be written: {error.strerror}") from error
