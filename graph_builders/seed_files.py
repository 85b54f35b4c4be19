"""Reads the files of seed sources into rows: JSON of any layout, CSV, also gzipped or bzipped."""

from __future__ import annotations

import bz2
import csv
import io
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from realhop_kg.errors import InputError
from realhop_kg.jsonl import BadLine, read_records

__all__ = ["Row", "csv_rows", "first_row", "json_rows", "rows", "texts", "worded"]

_EMPTY: Mapping[str, object] = {}


class Row(NamedTuple):
    """One record of a file."""

    line: int
    """Line, counted from 1; in a file that is one JSON list, the element."""
    data: Mapping[str, object]
    problem: str = ""
    """Why there is no data."""

    def text(self, name: str) -> str:
        """Return a field that is a text, stripped; empty where it is none."""
        value = self.data.get(name)
        return value.strip() if isinstance(value, str) else ""


def rows(path: Path) -> Iterator[Row]:
    """Yield the rows of a file; what it begins with tells JSON from CSV.

    Raises:
        InputError: at the first step, if the file cannot be read or is empty.
    """
    yield from json_rows(path) if _start(path)[:1] in b"{[\x1fB" else csv_rows(path)


def first_row(path: Path) -> Row | None:
    """Return the first row of a file that can be read.

    Raises:
        InputError: if the file cannot be read or is empty.
    """
    return next((row for row in rows(path) if not row.problem), None)


def _start(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            start = file.read(64)
    except IsADirectoryError as error:
        raise InputError(f"{path} is a folder; give the files themselves") from error
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror}; check the path") from error
    if not start.strip():
        raise InputError(f"{path} is empty")
    # `BZh`: bzip2. A CSV file may well begin with B.
    if start[:1] == b"B" and not start.startswith(b"BZh"):
        return b"?"
    return start.removeprefix(b"\xef\xbb\xbf").lstrip() or b"?"


def json_rows(path: Path) -> Iterator[Row]:
    """Yield the rows of a JSON file: lines, a list, one object; plain, gzipped or bzipped.

    Raises:
        InputError: at the first step, if the file cannot be read or is empty.
    """
    if _start(path).startswith(b"BZh"):
        yield from _bzipped(path)
        return
    for record in read_records(path):
        if isinstance(record, BadLine):
            yield Row(record.line, _EMPTY, record.reason)
        else:
            yield _row(record.line, record.data)


def _row(line: int, value: object) -> Row:
    if isinstance(value, dict):
        return Row(line, value)
    return Row(line, _EMPTY, "it is no JSON object; give one record a line")


def _bzipped(path: Path) -> Iterator[Row]:
    number = 0
    try:
        with bz2.open(path) as file:
            for number, line in enumerate(file, 1):
                if not line.strip():
                    continue
                try:
                    yield _row(number, json.loads(line))
                except (ValueError, RecursionError) as error:
                    yield Row(number, _EMPTY, f"it is no JSON: {error}")
    except (OSError, EOFError) as error:
        yield Row(number + 1, _EMPTY, f"the compressed file is damaged here ({error})")


def csv_rows(path: Path) -> Iterator[Row]:
    """Yield the rows of a CSV file whose first line names the columns.

    Raises:
        InputError: at the first step, if the file cannot be read, is no CSV or not UTF-8.
    """
    _start(path)
    try:
        text = path.read_bytes().decode("utf-8-sig")
        reader = csv.DictReader(io.StringIO(text, newline=""), strict=True)
        before = reader.line_num
        names = reader.fieldnames
        if not names or len(names) < 2:
            raise InputError(f"{path} is no CSV file with named columns; give the file as released")
        before = reader.line_num
        for cells in reader:
            line, before = before + 1, reader.line_num
            if None in cells or None in cells.values():
                yield Row(line, _EMPTY, f"it has other than {len(names)} columns")
            else:
                yield Row(line, cells)
    except csv.Error as error:
        raise InputError(f"{path} is no CSV file after line {before}: {error}") from error
    except UnicodeDecodeError as error:
        raise InputError(
            f"{path} is not UTF-8 at byte {error.start + 1}; save it as UTF-8"
        ) from error
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror}; check the path") from error


def texts(value: object) -> tuple[str, ...]:
    """Return the texts of a field that is one text or a list of them, without empty ones."""
    found = value if isinstance(value, list) else [value]
    return tuple(text.strip() for text in found if isinstance(text, str) and text.strip())


def worded(question: str) -> str:
    """Return a question with a mark at its end, where the source leaves it out."""
    asked = " ".join(question.split())
    return asked if asked.endswith(("?", ".", "!", '"')) else f"{asked}?"
