"""What a verification finds, as data."""

from __future__ import annotations

from typing import Literal

from realhop_kg.freeze.manifest import Counts
from realhop_kg.model.record import Record

__all__ = ["Discrepancies", "Discrepancy", "Trouble", "VerifyReport"]

Trouble = Literal[
    "missing",
    "unknown",
    "unreadable",
    "hash",
    "seal",
    "differs",
    "counts",
    "contract",
    "unchecked",
]
"""Kind of a discrepancy: a file is absent, or is no part of a dataset; a file or line cannot be
read; bytes are not those recorded; the manifest does not match itself; two files contradict each
other; figures do not add up; an item breaks a contract; a check could not run."""


_LONGEST = 400


class Discrepancy(Record):
    """One thing that does not hold of a frozen dataset."""

    trouble: Trouble
    file: str
    line: int = 0
    """Line of the file, from 1; 0 for the file as a whole."""
    item: str = ""
    """Key of the item concerned, where there is one."""
    field: str = ""
    """Field concerned, as a dotted path."""
    code: str = ""
    """The contract that is broken."""
    message: str

    def __str__(self) -> str:
        place = f"{self.file}:{self.line}" if self.line else self.file
        subject = " ".join(filter(None, (self.item, self.field, self.code)))
        return f"{place}: {subject}: {self.message}" if subject else f"{place}: {self.message}"


class Discrepancies:
    """Collects discrepancies up to a limit, beyond which they are only counted."""

    def __init__(self, limit: int) -> None:
        self.found: list[Discrepancy] = []
        self.omitted = 0
        self._limit = limit

    def add(
        self,
        trouble: Trouble,
        file: str,
        message: str,
        *,
        line: int = 0,
        item: str = "",
        field: str = "",
        code: str = "",
    ) -> None:
        """Record one discrepancy."""
        if len(self.found) >= self._limit:
            self.omitted += 1
            return
        self.found.append(
            Discrepancy(
                trouble=trouble,
                file=_line(file),
                line=line,
                item=_line(item),
                field=_line(field),
                code=_line(code),
                message=_line(message),
            )
        )


def _line(text: str) -> str:
    """Return a text as one line that any terminal and any JSON can hold."""
    line = " ".join(text.encode("utf-8", "backslashreplace").decode().split())
    return line if len(line) <= _LONGEST else f"{line[:_LONGEST]}…"


class VerifyReport(Record):
    """What `verify` found."""

    folder: str
    """Name of the folder."""
    digest: str
    """Dataset digest that the manifest claims, or empty if it could not be read."""
    counts: Counts
    """Recomputed from the files."""
    discrepancies: tuple[Discrepancy, ...]
    """In the order found: manifest, files, relations, items, excluded records, counts."""
    omitted: int = 0
    """Further discrepancies, beyond the limit."""

    @property
    def ok(self) -> bool:
        """Whether the folder is whole and every item keeps its contracts."""
        return not self.discrepancies
