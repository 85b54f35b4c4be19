"""What all builders share: their protocol, the registry, and the record of what was left out."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Protocol

from pydantic import Field

from realhop_kg.errors import InputError
from realhop_kg.jsonl import canonical
from realhop_kg.model.finding import Code
from realhop_kg.model.item import SourceItem
from realhop_kg.model.record import Record

__all__ = ["Builder", "Excluded", "builder", "builder_names", "printable"]


class Excluded(Record):
    """A record of the input that did not become an item."""

    dataset: str
    file: str
    """Name of the file without its folder, so that output does not depend on where it lay."""
    line: int = Field(ge=1)
    """Line, counted from 1; in a file that is one JSON list, the element."""
    id: str = ""
    """Id of the record, empty where none could be read."""
    code: Code
    field: str = ""
    """Where in the record it is wrong, as in `paragraphs[3].title`; empty for all of it."""
    message: str
    """What is wrong, the field named, and what to do about it."""

    @property
    def sentence(self) -> str:
        """The exclusion as one line: file, line, id, code, field, reason, what to do."""
        name = f" {canonical(self.id)}" if self.id else ""
        return f"{self.file}:{self.line}{name}: {self.code} {self.message}"


def printable(text: str) -> str:
    """Return a text that UTF-8 can hold: half characters (in ids, in file names) are escaped."""
    return text.encode(errors="backslashreplace").decode()


class Builder(Protocol):
    """Reads the files of one dataset."""

    @property
    def name(self) -> str:
        """What `--dataset` calls it, and the `dataset` of its items."""
        ...

    def read(self, path: Path, limit: int | None = None) -> Iterator[SourceItem | Excluded]:
        """Yield one outcome per record of a file, in file order.

        Args:
            path: the file.
            limit: how many records to read at most, excluded ones counted too.

        Raises:
            InputError: at the first step, if the file cannot be read or is of another dataset.
        """
        ...


_MODULES = {
    "distractors": "graph_builders.distractors",
    "evidence": "graph_builders.evidence",
    # Draws items by the construction rules, so it lives with them; it is named here, not imported.
    "fictional": "realhop_kg.construct.worlds.builder",
    "frames": "graph_builders.frames_items",
    "hotpotqa": "graph_builders.hotpotqa",
    "jsonl": "graph_builders.plain",
    "longbench": "graph_builders.longbench",
    "musique": "graph_builders.musique",
    "twowiki": "graph_builders.twowiki",
}
"""Module by dataset name; each has a `BUILDER`, imported when it is asked for."""


def builder_names() -> tuple[str, ...]:
    """Return what `--dataset` accepts."""
    return tuple(sorted(_MODULES))


def builder(name: str) -> Builder:
    """Return the builder of a dataset.

    Raises:
        InputError: if there is none of that name.
    """
    if name not in _MODULES:
        raise InputError(
            f"no dataset {canonical(name)} is known; choose one of {', '.join(builder_names())}"
        )
    found: Builder = import_module(_MODULES[name]).BUILDER
    return found
