"""A dataset of as many items as wanted: those of another one, over and over, under new keys."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from realhop_kg.freeze.manifest import EXCLUDED, GRAPHS, ITEMS, MANIFEST, RELATIONS
from realhop_kg.freeze.reader import FrozenDataset
from tests.freeze.samples import exclusion

__all__ = ["repeated"]


def repeated(
    dataset: FrozenDataset,
    folder: Path,
    items: int,
    excluded: int = 0,
    change: Callable[[dict[str, Any], dict[str, Any]], None] = lambda item, graph: None,
) -> FrozenDataset:
    """Write a dataset to look at; its digests are not those of its files.

    Args:
        dataset: where the items are from.
        folder: where to write.
        items: number of items.
        excluded: number of excluded records.
        change: changes an item and its graph, as JSON, before they are written.
    """
    folder.mkdir(parents=True)
    lines = [
        (dataset.folder / name).read_text(encoding="utf-8").splitlines() for name in (ITEMS, GRAPHS)
    ]
    with (folder / ITEMS).open("w") as item_lines, (folder / GRAPHS).open("w") as graph_lines:
        for number in range(items):
            item, graph = (json.loads(of[number % len(of)]) for of in lines)
            item["id"] += f"_{number}"
            item["source"]["id"] += f"_{number}"
            graph["id"] = item["id"]
            change(item, graph)
            item_lines.write(json.dumps(item) + "\n")
            graph_lines.write(json.dumps(graph) + "\n")
    with (folder / EXCLUDED).open("w") as excluded_lines:
        for number in range(1, excluded + 1):
            code = ("Q4", "Q5", "U1")[number % 3]
            excluded_lines.write(exclusion(number, code).model_dump_json() + "\n")
    (folder / RELATIONS).write_bytes((dataset.folder / RELATIONS).read_bytes())
    manifest = json.loads((dataset.folder / MANIFEST).read_bytes())
    manifest["counts"] |= {"constructed": items, "excluded": excluded, "read": items + excluded}
    (folder / MANIFEST).write_text(json.dumps(manifest), encoding="utf-8")
    return FrozenDataset.open(folder)
