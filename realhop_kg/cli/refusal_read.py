"""`realhop refusal show`: questions without an answer, to be read."""

from __future__ import annotations

from typing import Annotated

import typer

from realhop_kg.cli.options import AsJson, DatasetFolder
from realhop_kg.cli.output import echo, echo_json

__all__ = ["show_command"]


def show_command(
    folder: DatasetFolder,
    item: Annotated[str, typer.Argument(metavar="ITEM", help="Its id, or `all`.")] = "all",
    as_json: AsJson = False,
) -> None:
    """Show questions with their chains: each step with the sentence behind it, and the reason."""
    from realhop_kg.refusal.reader import RefusalDataset
    from realhop_kg.refusal.sheet import item_lines

    dataset = RefusalDataset.open(folder)
    for record in dataset.items() if item == "all" else [dataset.item(item)]:
        if as_json:
            echo_json(record.model_dump(mode="json"))
            continue
        echo(f"{record.id}  {record.cause} {record.topology}, depth {record.depth}")
        echo(f"  {record.question}")
        for line in item_lines(record):
            echo(f"    {line}")
