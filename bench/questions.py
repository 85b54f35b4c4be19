"""The bundled questions as input of any size."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path

from graph_builders.base import builder
from realhop_kg.construct.outcome import Constructed
from realhop_kg.construct.pipeline import construct_item
from realhop_kg.model.item import SourceItem
from realhop_kg.relations.catalogue import catalogue
from realhop_kg.resources import resource_folder

__all__ = ["built", "repeated", "sources"]


def repeated(folder: Path, times: int) -> Path:
    """Write the bundled questions several times over, each with an id of its own."""
    lines = (resource_folder("data") / "questions.jsonl").read_text(encoding="utf-8").splitlines()
    path = folder / f"questions-{times}.jsonl"
    with path.open("w", encoding="utf-8") as stream:
        for turn in range(times):
            for line in lines:
                record = json.loads(line)
                record["id"] = f"{record['id']}_{turn}"
                stream.write(json.dumps(record) + "\n")
    return path


def sources(times: int) -> list[SourceItem]:
    """Return the bundled questions several times over, read."""
    with tempfile.TemporaryDirectory() as folder:
        outcomes = list(builder("musique").read(repeated(Path(folder), times)))
    return [outcome for outcome in outcomes if isinstance(outcome, SourceItem)]


def built() -> list[Constructed]:
    """Return the bundled questions, constructed."""
    outcomes = [construct_item(item, catalogue(), 0) for item in sources(1)]
    return [outcome for outcome in outcomes if isinstance(outcome, Constructed)]
