"""Append-only files of records that survive a killed process, and are read record by record."""

from __future__ import annotations

import os
from collections.abc import Iterator
from errno import ENOSPC
from io import FileIO
from pathlib import Path
from types import TracebackType
from typing import Self, TypeVar

from pydantic import ValidationError

from realhop_kg.errors import InputError
from realhop_kg.jsonl import BadLine, canonical, read_records
from realhop_kg.model.record import Record

__all__ = ["Appender", "BadRecord", "read_lines"]

Kind = TypeVar("Kind", bound=Record)


class BadRecord(Record):
    """A stored line that cannot be used."""

    file: str
    line: int
    reason: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.reason}; left out"


class Appender:
    """Appends records to a file, each whole or not at all.

    Unbuffered: what is written is out of this process before the next is asked for. A half line
    that a killed run left at the end is cut off: it was never a record.

    Attributes:
        path: the file.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._file: FileIO | None = None

    def __enter__(self) -> Self:
        try:
            if self.path.is_file():
                _cut_half_line(self.path)
            self._file = FileIO(self.path, "ab")
        except OSError as error:
            raise InputError(f"{self.path} cannot be written: {error.strerror}") from error
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._file is not None:
            if error is None:
                os.fsync(self._file.fileno())
            self._file.close()
            self._file = None

    def write(self, record: Record) -> None:
        """Append a record as one line.

        Raises:
            InputError: if it cannot be written, a full disk among the reasons.
        """
        if self._file is None:
            raise ValueError(f"{self.path} is not open; use it in a with statement")
        line = canonical(record.model_dump(mode="json")).encode() + b"\n"
        try:
            if self._file.write(line) != len(line):
                raise OSError(ENOSPC, os.strerror(ENOSPC))
        except OSError as error:
            raise InputError(
                f"{self.path} cannot be written: {error.strerror}; what came before is stored, so "
                "make room and run the same command again"
            ) from error


def read_lines(path: Path, kind: type[Kind]) -> Iterator[Kind | BadRecord]:
    """Yield the records of a file; a line that holds none is yielded as such.

    Args:
        path: the file; one that is missing or empty has no records.
        kind: of the records.
    """
    if not path.is_file() or not path.stat().st_size:
        return
    for record in read_records(path):
        if isinstance(record, BadLine):
            yield BadRecord(file=path.name, line=record.line, reason=record.reason)
            continue
        try:
            yield kind.model_validate(record.data)
        except ValidationError as error:
            first = error.errors()[0]
            where = ".".join(map(str, first["loc"]))
            yield BadRecord(
                file=path.name, line=record.line, reason=f"{where or 'line'}: {first['msg']}"
            )


def _cut_half_line(path: Path) -> None:
    """Remove what a killed process left of its last line."""
    with path.open("rb+") as file:
        end = at = file.seek(0, os.SEEK_END)
        while at:
            step = min(at, 1 << 16)
            file.seek(at - step)
            found = file.read(step).rfind(b"\n")
            if found >= 0:
                at = at - step + found + 1
                break
            at -= step
        if at != end:
            file.truncate(at)
