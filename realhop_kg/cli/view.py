"""`realhop view` and `realhop draw`: items to look at, in a browser and in a paper."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from realhop_kg.cli.options import AsJson, DatasetFolder, ItemId
from realhop_kg.cli.output import counting, echo, echo_json
from realhop_kg.cli.refusal_judge import JudgeName, chosen_judge

if TYPE_CHECKING:
    from realhop_kg.view.answers import Run
    from realhop_kg.view.draw import Picture
    from realhop_kg.view.runs import ShownRuns
    from realhop_kg.view.shelf import Shelf

__all__ = ["draw_command", "view_command"]

Force = Annotated[bool, typer.Option("--force", help="Replace what stands at --out.")]


def view_command(
    folder: DatasetFolder,
    item: Annotated[
        str, typer.Argument(metavar="[ITEM]", help="Item id; without one, the whole dataset.")
    ] = "",
    out: Annotated[
        Path | None, typer.Option("--out", help="HTML file of an item; folder of a site.")
    ] = None,
    audit: Annotated[
        Path | None, typer.Option("--audit", help="Folder of an audit run: show its answers.")
    ] = None,
    run: Annotated[
        Path | None,
        typer.Option("--run", help="Folder of `realhop refusal run`: show its runs turn by turn."),
    ] = None,
    judge: JudgeName = "",
    force: Force = False,
    as_json: AsJson = False,
) -> None:
    """Write an item as an HTML page, or a dataset as a site; both open from disk."""
    from realhop_kg.view.files import file_name, write_file
    from realhop_kg.view.shelf import open_shelf

    shelf = open_shelf(folder, _opened_run(audit), _opened_runs(run, judge))
    if not item:
        _write_site(shelf, out, force, as_json)
        _warn(shelf)
        return
    name, key, content = shelf.page(item)
    path = out or Path(f"{file_name(name)}.html")
    write_file(path, content.encode(), force)
    if as_json:
        size = len(content.encode())
        echo_json({"out": str(path), "item": key, "bytes": size, "differs": list(shelf.differs)})
    else:
        echo(f"{key} is in {path}; open it in a browser")
    _warn(shelf)


def _warn(shelf: Shelf) -> None:
    """Say on standard error what of a dataset was changed, and end with 1 where anything was."""
    for line in shelf.differs:
        typer.echo(f"changed since it was frozen: {line}", err=True)
    if shelf.differs:
        raise typer.Exit(1)


def _opened_run(folder: Path | None) -> Run | None:
    from realhop_kg.view.answers import read_run

    if folder is None:
        return None
    run = read_run(folder)
    for unread in run.unread:
        typer.echo(f"not read: {unread}", err=True)
    return run


def _opened_runs(folder: Path | None, judge: str) -> ShownRuns | None:
    from realhop_kg.refusal.evaluate.folder import RefusalRun
    from realhop_kg.view.runs import ShownRuns

    if folder is None:
        return None
    run = RefusalRun.open(folder)
    # Runs that nobody judged yet can be read all the same.
    named = chosen_judge(run, judge) if judge or run.judges() else ""
    runs = ShownRuns(run, named)
    for unread in runs.unread:
        typer.echo(f"not read: {unread}", err=True)
    return runs


def _write_site(shelf: Shelf, out: Path | None, force: bool, as_json: bool) -> None:
    from realhop_kg.errors import InputError

    if out is None:
        raise InputError("name an item to see it, or a folder with --out for a site of all items")
    with counting("drawing") as advance:
        summary = shelf.site(out, force, advance)
    if as_json:
        echo_json({"out": str(out), **summary.model_dump(mode="json")})
        return
    for failed in summary.without_page:
        echo(failed)
    echo(f"{summary.items} items and {summary.excluded} exclusions; open {out / 'index.html'}")


def draw_command(
    folder: DatasetFolder,
    item: ItemId,
    form: Annotated[str, typer.Option("--format", help="svg, png, pdf, dot or mermaid.")] = "svg",
    out: Annotated[
        Path | None, typer.Option("--out", help="File; without it, text goes to standard output.")
    ] = None,
    width: Annotated[
        str,
        typer.Option(
            "--width",
            help="auto, column (238 pt), page (504 pt), or points; hops go on below where they do "
            "not fit beside one another.",
        ),
    ] = "auto",
    paths: Annotated[
        str, typer.Option("--paths", help="Competitor paths to show, such as s1a,f2a.")
    ] = "",
    source: Annotated[
        bool, typer.Option("--source/--no-source", help="Show the source entities.")
    ] = True,
    premises: Annotated[
        bool, typer.Option("--premises/--no-premises", help="Show the keys that join premises.")
    ] = True,
    force: Force = False,
) -> None:
    """Draw an item for a paper: gold against its competitors, or a refusal chain."""
    from realhop_kg.errors import InputError
    from realhop_kg.view.draw import Form
    from realhop_kg.view.figure import TALL
    from realhop_kg.view.files import file_name, write_file
    from realhop_kg.view.shelf import Figure, open_shelf

    if form not in list(Form):
        raise InputError(f"unknown format {form!r}; there are: {', '.join(Form)}")
    named = tuple(name.strip() for name in paths.split(",") if name.strip())
    figure = Figure(_points(width), named, source=source, premises=premises)
    shelf = open_shelf(folder)
    name, key, picture = shelf.picture(item, figure)
    drawn = _written(picture, form)
    if out is None and Form(form).is_text:
        echo(drawn.decode().rstrip())
        _warn(shelf)
        return
    path = out or Path(f"{file_name(name)}.{form}")
    write_file(path, drawn, force)
    echo(f"{key} is in {path}")
    if not Form(form).is_text and picture.scene.height > TALL:
        typer.echo(
            f"it is {picture.scene.height:.0f} points tall without its legend, more than a page "
            "has; name some --paths, or take --width page",
            err=True,
        )
    _warn(shelf)


def _written(picture: Picture, form: str) -> bytes:
    """Return a picture as the content of a file; what it lacks is a line on standard error."""
    with warnings.catch_warnings(record=True) as complaints:
        warnings.simplefilter("always", UserWarning)
        drawn = picture.write(form)
    for line in dict.fromkeys(str(complaint.message) for complaint in complaints):
        typer.echo(line, err=True)
    return drawn


def _points(width: str) -> float | None:
    from realhop_kg.errors import InputError
    from realhop_kg.view.figure import COLUMN, PAGE

    named = {"auto": None, "column": COLUMN, "page": PAGE}
    if width in named:
        return named[width]
    try:
        points = float(width)
    except ValueError:
        points = 0.0
    if not 0 < points < float("inf"):
        raise InputError(f"unknown width {width!r}; give auto, column, page, or points such as 345")
    return points
