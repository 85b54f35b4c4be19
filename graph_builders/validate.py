"""Validates a source file without constructing anything from it: `realhop validate PATH`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from graph_builders.base import Builder, Excluded, builder, printable
from realhop_kg.graph.dependency import topology
from realhop_kg.model.finding import Code
from realhop_kg.model.item import SourceItem
from realhop_kg.model.record import Record

__all__ = ["Validation", "ValidationReport", "validate"]


class ValidationReport(Record):
    """What a source file holds."""

    dataset: str
    file: str
    """Name of the file without its folder."""
    read: int
    """Records read: usable and excluded ones."""
    usable: int
    excluded: dict[Code, int]
    """Excluded records by code, in the order of the codes."""
    topologies: dict[str, int]
    """Usable questions by shape of their dependencies (2hop, 3hop1, ..., dag), or by the number of
    their deletion units (`2 units`) where no steps are annotated; sorted."""
    hops: int
    """Hops of the usable questions."""


@dataclass
class Validation:
    """A run over one file: yields what is wrong, counts on the way, keeps no record."""

    path: Path
    builder: Builder
    limit: int | None = None
    _usable: Counter[str] = field(default_factory=Counter, init=False)
    _excluded: Counter[Code] = field(default_factory=Counter, init=False)
    _hops: int = field(default=0, init=False)

    def __iter__(self) -> Iterator[Excluded]:
        """Yield each excluded record; counting starts anew.

        Raises:
            InputError: if the file cannot be read or is of another dataset.
        """
        self._usable.clear()
        self._excluded.clear()
        self._hops = 0
        for outcome in self.builder.read(self.path, self.limit):
            if isinstance(outcome, Excluded):
                self._excluded[outcome.code] += 1
                yield outcome
            else:
                self._usable[_shape(outcome)] += 1
                self._hops += len(outcome.hops)

    def report(self) -> ValidationReport:
        """Return the counts of what was read so far: of the whole file after the last finding."""
        usable, excluded = self._usable.total(), self._excluded.total()
        return ValidationReport(
            dataset=self.builder.name,
            file=printable(self.path.name),
            read=usable + excluded,
            usable=usable,
            excluded={code: self._excluded[code] for code in Code if self._excluded[code]},
            topologies=dict(sorted(self._usable.items())),
            hops=self._hops,
        )


def _shape(item: SourceItem) -> str:
    return topology(item.dependencies) if item.hops else f"{len(item.units)} units"


def validate(path: Path, dataset: str, limit: int | None = None) -> Validation:
    """Return a run over a source file; iterate it for the findings, then ask for its report.

    Args:
        path: the file.
        dataset: name of its builder.
        limit: how many records to read at most.

    Raises:
        InputError: if there is no such dataset.

    Examples:
        >>> import tempfile
        >>> path = Path(tempfile.mkdtemp()) / "own.jsonl"
        >>> path.write_text('{"id": 7, "hops": []}') and None
        >>> run = validate(path, "jsonl")
        >>> [finding.sentence for finding in run]
        ['own.jsonl:1 "7": B2 `question` is missing or null; write a text in quotes']
        >>> run.report().excluded
        {<Code.B2: 'B2'>: 1}
    """
    return Validation(path, builder(dataset), limit)
