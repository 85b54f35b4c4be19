"""What all builders of seeds share: their protocol, the registry, and what is left out.

A seed is a question that has no answer. Each source has a builder of its own, which maps the right
field to one of the three causes and keeps id, licence and the reasons that the source gives.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from enum import StrEnum
from importlib import import_module
from pathlib import Path
from typing import Protocol

from pydantic import Field

from graph_builders.seed_files import Row, first_row
from realhop_kg.errors import InputError
from realhop_kg.jsonl import canonical
from realhop_kg.model.record import Record
from realhop_kg.model.refusal import Seed, SeedTerms

__all__ = [
    "LeftOut",
    "NotSeed",
    "SeedBuilder",
    "detect",
    "distinct",
    "not_seed",
    "seed_builder",
    "seed_sources",
]


class LeftOut(StrEnum):
    """Why a record is no seed."""

    CONTROL = "control"
    """It has an answer: a look-alike that the source gives beside its unanswerable questions."""
    OTHER_CAUSE = "other cause"
    """It has none, for a reason that is none of the three causes."""
    UNREADABLE = "unreadable"
    """A field is missing or of a wrong kind."""
    DUPLICATE = "duplicate"
    """An earlier seed asks the same."""


class NotSeed(Record):
    """A record that is no seed, and why."""

    source: str
    file: str
    """Name of the file without its folder."""
    line: int = Field(ge=1)
    why: LeftOut
    message: str

    @property
    def sentence(self) -> str:
        """The record as one line: file, line, reason."""
        return f"{self.file}:{self.line}: {self.why}: {self.message}"


class SeedBuilder(Protocol):
    """Reads the files of one source of seeds."""

    @property
    def name(self) -> str:
        """The `source` of its seeds."""
        ...

    @property
    def terms(self) -> SeedTerms:
        """Under which terms its questions may be used."""
        ...

    def recognises(self, row: Row) -> bool:
        """Return whether a record is in the form of this source."""
        ...

    def read(self, path: Path) -> Iterator[Seed | NotSeed]:
        """Yield one outcome per record of a file, in file order.

        Raises:
            InputError: at the first step, if the file cannot be read.
        """
        ...


_MODULES = {
    name: f"graph_builders.seeds_{name}"
    for name in ("coconot", "bigbench", "kuq", "falseqa", "qaqa", "worldsense", "plain")
}
"""Module by source; each has a `BUILDER`. The first that recognises a record reads its file."""


def seed_sources() -> tuple[str, ...]:
    """Return the names of the sources."""
    return tuple(_MODULES)


def seed_builder(name: str) -> SeedBuilder:
    """Return the builder of a source.

    Raises:
        InputError: if there is none of that name.
    """
    if name not in _MODULES:
        raise InputError(
            f"no source of seeds {canonical(name)} is known; choose one of "
            f"{', '.join(seed_sources())}"
        )
    found: SeedBuilder = import_module(_MODULES[name]).BUILDER
    return found


def detect(path: Path) -> SeedBuilder:
    """Return the builder whose form a file has, by its first readable record.

    Raises:
        InputError: if the file cannot be read, or has the form of no source.
    """
    row = first_row(path)
    for name in seed_sources():
        found = seed_builder(name)
        if row is not None and found.recognises(row):
            return found
    raise InputError(
        f"{path} has the form of none of {', '.join(seed_sources())}; name the source, as in "
        f"kuq={path.name}"
    )


def not_seed(builder: SeedBuilder, path: Path, row: Row, why: LeftOut, message: str) -> NotSeed:
    """Return the record of what a builder left out."""
    return NotSeed(source=builder.name, file=path.name, line=row.line, why=why, message=message)


def distinct(outcomes: Iterable[Seed | NotSeed]) -> Iterator[Seed | NotSeed]:
    """Yield outcomes, with seeds that ask what an earlier one asks turned into duplicates."""
    seen: dict[str, str] = {}
    for outcome in outcomes:
        if isinstance(outcome, NotSeed):
            yield outcome
            continue
        asked = " ".join("".join(c if c.isalnum() else " " for c in outcome.question).split())
        first = seen.setdefault(asked.casefold(), outcome.id)
        if first == outcome.id:
            yield outcome
            continue
        yield NotSeed(
            source=outcome.source,
            file=outcome.file,
            line=outcome.line,
            why=LeftOut.DUPLICATE,
            message=f"asks what {first} asks",
        )
