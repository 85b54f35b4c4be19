"""Options that several commands share."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

__all__ = [
    "DEFAULT_REPLIES",
    "AsJson",
    "DatasetFolder",
    "DatasetName",
    "ItemId",
    "Limit",
    "Replies",
    "SourceFile",
]

SourceFile = Annotated[
    Path, typer.Argument(metavar="PATH", help="Source file: .jsonl or .json, also .gz.")
]
DatasetName = Annotated[
    str,
    typer.Option(
        "--dataset",
        help="Form of the source: musique, twowiki, hotpotqa, distractors, jsonl (the plain form "
        "with hops), evidence (the plain form for audits), frames (what `realhop frames "
        "chains` writes), longbench (rows of LongBench v2, for audits) or fictional (worlds drawn "
        "as a settings file says).",
    ),
]
DatasetFolder = Annotated[Path, typer.Argument(metavar="DIR", help="Frozen dataset folder.")]
ItemId = Annotated[str, typer.Argument(metavar="ITEM", help="Item id, with or without dataset.")]
Limit = Annotated[
    int | None, typer.Option("--limit", min=1, help="Read at most this many records.")
]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON instead of text.")]
Replies = Annotated[Path, typer.Option("--replies", help="Store of model replies: an SQLite file.")]
DEFAULT_REPLIES = Path("replies.sqlite")
