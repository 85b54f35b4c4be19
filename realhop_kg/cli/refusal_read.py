"""`realhop refusal show` and `sample`: questions without an answer, to be read."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from realhop_kg.cli.options import AsJson, DatasetFolder
from realhop_kg.cli.output import echo, echo_json

__all__ = ["sample_command", "show_command"]


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


def sample_command(
    folder: DatasetFolder,
    out: Annotated[Path, typer.Option("--out", help="Folder to write; must not exist yet.")],
    n: Annotated[int, typer.Option("--n", min=1, help="How many questions to draw.")] = 40,
    seed: Annotated[int, typer.Option("--seed", help="Seed of the draw.")] = 0,
    as_json: AsJson = False,
) -> None:
    """Write a reading sheet of a sample over all causes and topologies."""
    from realhop_kg.refusal.reader import RefusalDataset
    from realhop_kg.refusal.sheet import READING_HTML, READING_ROWS, write_sheet

    items = write_sheet(RefusalDataset.open(folder), n, seed, out)
    if as_json:
        echo_json({"out": str(out), "items": [item.id for item in items]})
        return
    echo(f"{len(items)} questions: read {out / READING_HTML}, fill in {out / READING_ROWS}")
