"""`realhop verify`, `show` and `explain`: of a frozen dataset."""

from __future__ import annotations

from typing import Annotated

import typer

from realhop_kg.cli.options import AsJson, DatasetFolder, ItemId
from realhop_kg.cli.output import counting, echo, echo_json

__all__ = ["explain_command", "show_command", "verify_command"]


def verify_command(folder: DatasetFolder, as_json: AsJson = False) -> None:
    """Recompute every hash and every blocking check of a dataset; exit 1 if something differs."""
    from realhop_kg.freeze.verify import verify

    with counting("verifying") as advance:
        report = verify(folder, progress=advance)
    if as_json:
        echo_json({"ok": report.ok, **report.model_dump(mode="json")})
    else:
        for discrepancy in report.discrepancies:
            echo(str(discrepancy))
        if report.omitted:
            echo(f"and {report.omitted} more")
        checked = f"{report.counts.constructed} items, {report.counts.excluded} exclusions"
        echo(
            f"{'ok' if report.ok else 'NOT ok'}: {checked}, digest {report.digest or 'unreadable'}"
        )
    raise typer.Exit(0 if report.ok else 1)


def show_command(
    folder: DatasetFolder,
    item: ItemId,
    passages: Annotated[
        bool, typer.Option("--passages/--no-passages", help="Show the passages, marked.")
    ] = True,
    as_json: AsJson = False,
) -> None:
    """Show an item: gold chain, competitor paths hop by hop, hosts, passages with insertions."""
    from realhop_kg.freeze.reader import FrozenDataset
    from realhop_kg.view.text import item_lines

    dataset = FrozenDataset.open(folder)
    record = dataset.item(item)
    if as_json:
        echo_json(record.model_dump(mode="json"))
        return
    for line in item_lines(record, dataset.graph(record.id), passages=passages):
        echo(line)


def explain_command(folder: DatasetFolder, item: ItemId, as_json: AsJson = False) -> None:
    """Say why an item was refused, or what was pruned from it: code, sentence, nearest fix."""
    from realhop_kg.errors import InputError
    from realhop_kg.freeze.reader import FrozenDataset
    from realhop_kg.view.text import excluded_lines, explained_lines

    dataset = FrozenDataset.open(folder)
    try:
        exclusions = dataset.exclusions(item)
    except InputError as not_excluded:
        try:
            record = dataset.item(item)
        except InputError as not_constructed:
            raise InputError(f"{not_excluded}; {not_constructed}") from None
        if as_json:
            echo_json({"id": record.id, "constructed": True, "pruned": list(record.pruned)})
            return
        for line in explained_lines(record, dataset.graph(record.id)):
            echo(line)
        return
    if as_json:
        echo_json([entry.model_dump(mode="json") for entry in exclusions])
        return
    for entry in exclusions:
        for line in excluded_lines(entry):
            echo(line)
