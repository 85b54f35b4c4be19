"""`realhop frames`: the FRAMES table, and the articles of its questions."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from realhop_kg.cli.frames_check import check_command
from realhop_kg.cli.frames_files import questions_of
from realhop_kg.cli.frames_propose import propose_command
from realhop_kg.cli.options import AsJson, Limit
from realhop_kg.cli.output import echo, echo_json, tracked
from realhop_kg.jsonl import write_records

if TYPE_CHECKING:
    from collections.abc import Iterable

    from realhop_kg.frames.pages import Pages

__all__ = ["frames_app"]

frames_app = typer.Typer(
    help="FRAMES: read its table, put the articles of its questions together.",
    no_args_is_help=True,
    rich_markup_mode=None,
)

frames_app.command("propose")(propose_command)
frames_app.command("check")(check_command)

_Table = Annotated[
    Path, typer.Argument(metavar="TABLE", help="FRAMES as csv or tsv, also gzipped.")
]


@frames_app.command("rows")
def rows_command(table: _Table, limit: Limit = None, as_json: AsJson = False) -> None:
    """Print the questions of a table with the titles of their pages; exit 1 if one is unusable."""
    from graph_builders.base import Excluded
    from graph_builders.frames import read_frames

    unusable = read = 0
    found = []
    for row in tracked(read_frames(table, limit), "reading"):
        read += 1
        if isinstance(row, Excluded):
            unusable += 1
            typer.echo(row.sentence, err=True)
        elif as_json:
            found.append({**row.model_dump(mode="json"), "titles": row.titles})
        else:
            echo(f"{row.id}\t{' | '.join(row.titles)}")
        if not isinstance(row, Excluded) and row.unresolved and not as_json:
            echo(f"\t{'; '.join(f'{each.link} {each.problem}' for each in row.unresolved)}")
    if as_json:
        echo_json({"read": read, "unusable": unusable, "rows": found})
    raise typer.Exit(1 if unusable else 0)


@frames_app.command("assemble")
def assemble_command(
    table: _Table,
    out: Annotated[Path, typer.Option("--out", help="File to write: one question a line.")],
    pages: Annotated[
        Path | None, typer.Option("--pages", help="Folder of saved pages, TITLE.html.")
    ] = None,
    kilt: Annotated[
        Path | None, typer.Option("--kilt", help="KILT pages (.jsonl); they have no tables.")
    ] = None,
    fetch: Annotated[
        str,
        typer.Option(
            "--fetch", help="Wiki to ask for pages, as https://{wiki}.wikipedia.org, one a second."
        ),
    ] = "",
    cache: Annotated[
        Path, typer.Option("--cache", help="Folder in which fetched pages are kept.")
    ] = Path("frames-pages"),
    interval: Annotated[
        float, typer.Option("--interval", min=0.0, help="Seconds between two requests.")
    ] = 1.0,
    redirects: Annotated[
        str,
        typer.Option(
            "--redirects",
            help="exclude: an article that has moved leaves its question out by name. follow: the "
            "page that a title leads to is taken, under its own title.",
        ),
    ] = "exclude",
    limit: Limit = None,
    force: Annotated[bool, typer.Option("--force", help="Replace a file at --out.")] = False,
    as_json: AsJson = False,
) -> None:
    """Put the articles of each question together; what lacks one is listed and left out.

    A stopped run goes on: pages that were fetched are not asked for again.
    """
    from graph_builders.base import Excluded
    from graph_builders.frames import read_frames
    from realhop_kg.errors import InputError, OutputExistsError
    from realhop_kg.frames.assemble import assemble

    if out.exists() and not force:
        raise OutputExistsError(f"{out} exists; choose another --out, or replace it with --force")
    if redirects not in ("exclude", "follow"):
        raise InputError(f"--redirects {redirects!r}: choose exclude or follow")
    source = _source(table, pages, kilt, fetch, cache, interval, redirects == "follow", limit)
    counts: dict[str, int] = {"read": 0, "assembled": 0, "excluded": 0, "articles": 0}

    def kept() -> Iterable[dict[str, object]]:
        outcomes = assemble(read_frames(table, limit), source, table.name)
        for outcome in tracked(outcomes, "assembling"):
            counts["read"] += 1
            if isinstance(outcome, Excluded):
                counts["excluded"] += 1
                typer.echo(outcome.sentence, err=True)
                continue
            counts["assembled"] += 1
            counts["articles"] += len(outcome.passages)
            yield outcome.model_dump(mode="json")

    write_records(out, kept())
    if as_json:
        echo_json({"out": str(out), **counts})
        return
    for name, value in counts.items():
        echo(f"{name:<10} {value}")


def _source(
    table: Path,
    pages: Path | None,
    kilt: Path | None,
    fetch: str,
    cache: Path,
    interval: float,
    follow: bool,
    limit: int | None,
) -> Pages:
    from graph_builders.frames import FramesRow, read_frames
    from realhop_kg.errors import InputError
    from realhop_kg.frames.pages import ApiPages, HtmlPages, KiltPages

    if sum((pages is not None, kilt is not None, bool(fetch))) != 1:
        raise InputError("say where pages come from: one of --pages, --kilt and --fetch")
    if pages is not None:
        return HtmlPages(pages, follow)
    if kilt is not None:
        rows = read_frames(table, limit)
        titles = [t for row in rows if isinstance(row, FramesRow) for t in row.titles]
        return KiltPages(kilt, titles)
    return ApiPages(fetch, cache, interval=interval, follow=follow)


@frames_app.command("chains")
def chains_command(
    questions: Annotated[
        Path, typer.Argument(metavar="QUESTIONS", help="What `realhop frames assemble` wrote.")
    ],
    chains: Annotated[
        Path,
        typer.Argument(
            metavar="CHAINS",
            help="Proposed steps (.jsonl): id, and hops with question, answer and quote.",
        ),
    ],
    out: Annotated[Path, typer.Option("--out", help="File for `construct --dataset frames`.")],
    force: Annotated[bool, typer.Option("--force", help="Replace a file at --out.")] = False,
    as_json: AsJson = False,
) -> None:
    """Check proposed chains of steps against the articles; exit 1 if one is refused."""
    from graph_builders.base import Excluded
    from realhop_kg.errors import OutputExistsError
    from realhop_kg.frames.chains import chain_items
    from realhop_kg.jsonl import read_records

    if out.exists() and not force:
        raise OutputExistsError(f"{out} exists; choose another --out, or replace it with --force")
    found = chain_items(questions_of(questions), read_records(chains), chains.name)
    kept: list[dict[str, object]] = []
    refused = 0
    for outcome in tracked(found, "checking"):
        if isinstance(outcome, Excluded):
            refused += 1
            typer.echo(outcome.sentence, err=True)
        else:
            kept.append(outcome.model_dump(mode="json"))
    write_records(out, kept)
    if as_json:
        echo_json({"out": str(out), "kept": len(kept), "refused": refused})
    else:
        echo(f"kept      {len(kept)}")
        echo(f"refused   {refused}")
    raise typer.Exit(1 if refused else 0)
