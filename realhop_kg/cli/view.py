"""`realhop view`: items to look at, in a browser."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from realhop_kg.cli.options import AsJson, DatasetFolder
from realhop_kg.cli.output import counting, echo, echo_json

if TYPE_CHECKING:
    from realhop_kg.freeze.reader import FrozenDataset
    from realhop_kg.view.page import ItemView

__all__ = ["opened_item", "view_command"]

Force = Annotated[bool, typer.Option("--force", help="Replace what stands at --out.")]


def view_command(
    folder: DatasetFolder,
    item: Annotated[
        str, typer.Argument(metavar="[ITEM]", help="Item id; without one, the whole dataset.")
    ] = "",
    out: Annotated[
        Path | None, typer.Option("--out", help="HTML file of an item; folder of a site.")
    ] = None,
    force: Force = False,
    as_json: AsJson = False,
) -> None:
    """Write an item as an HTML page, or a dataset as a site; both open from disk."""
    from realhop_kg.freeze.reader import FrozenDataset
    from realhop_kg.view.files import file_name, write_file
    from realhop_kg.view.page import item_page

    dataset = FrozenDataset.open(folder)
    if not item:
        _write_site(dataset, out, force, as_json)
        return
    view = opened_item(dataset, item)
    path = out or Path(f"{file_name(view.item.source.id)}.html")
    content = item_page(view).encode()
    write_file(path, content, force)
    if as_json:
        echo_json({"out": str(path), "item": view.item.id, "bytes": len(content)})
        return
    echo(f"{view.item.id} is in {path}; open it in a browser")


def _write_site(dataset: FrozenDataset, out: Path | None, force: bool, as_json: bool) -> None:
    from realhop_kg.errors import InputError
    from realhop_kg.view.explorer import write_site

    if out is None:
        raise InputError("name an item to see it, or a folder with --out for a site of all items")
    with counting("drawing") as advance:
        summary = write_site(dataset, out, force, advance)
    if as_json:
        echo_json({"out": str(out), **summary.model_dump(mode="json")})
        return
    for failed in summary.without_page:
        echo(failed)
    echo(f"{summary.items} items and {summary.excluded} exclusions; open {out / 'index.html'}")


def opened_item(dataset: FrozenDataset, name: str) -> ItemView:
    """Return an item of a dataset, read for drawing.

    Raises:
        InputError: if there is no such item, or it cannot be drawn.
    """
    from realhop_kg.view.page import read_item

    item = dataset.item(name)
    return read_item(item, dataset.graph(item.id), dataset.predicates_of(item.id))
