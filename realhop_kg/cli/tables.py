"""Prints the rows of a query: as a table for the eye, as JSON, as CSV."""

from __future__ import annotations

import csv
import json
import math
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING

from realhop_kg.cli.output import echo, echo_json

if TYPE_CHECKING:
    from realhop_kg.stores.store import Table

__all__ = ["print_table"]

_WIDEST = 60


def print_table(table: Table, as_json: bool, as_csv: bool) -> None:
    """Print rows to standard output."""
    if as_json:
        echo_json([{name: _json(value) for name, value in row.items()} for row in table.dicts()])
    elif as_csv:
        writer = csv.writer(sys.stdout, lineterminator="\n")
        writer.writerow(table.columns)
        writer.writerows([_text(cell) for cell in row] for row in table.rows)
    else:
        for line in _lines(table):
            echo(line)


def _json(value: object) -> object:
    """Return a value as JSON can hold it: times, points and numbers that are none become text."""
    if isinstance(value, dict):
        return {str(key): _json(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_json(inner) for inner in value]
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    return value if value is None or isinstance(value, str | int | float) else str(value)


def _text(value: object) -> str:
    if isinstance(value, bool | list | dict):
        return json.dumps(_json(value), ensure_ascii=False)
    return "" if value is None else str(value)


def _shown(value: object) -> str:
    """Return a cell for the eye: nothing in data may move a terminal's cursor."""
    text = ", ".join(map(_text, value)) if isinstance(value, list) else _text(value)
    plain = "".join(
        char if char.isprintable() else repr(char)[1:-1] for char in text[: 4 * _WIDEST]
    )
    return plain if len(plain) <= _WIDEST else f"{plain[: _WIDEST - 1]}…"


def _lines(table: Table) -> Iterator[str]:
    cells = [table.columns, *(tuple(map(_shown, row)) for row in table.rows)]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    for row in cells:
        yield "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
    yield f"({len(table.rows)} row{'' if len(table.rows) == 1 else 's'})"
