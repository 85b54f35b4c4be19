"""Reads a table of redirects: tab-separated, the title and the title it leads to."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from graph_builders.kilt_lines import PageLines
from realhop_kg.errors import InputError

__all__ = ["read_redirects"]

_LIMIT = 1 << 20
_TITLES = ("title", "from", "source", "redirect")
_TARGETS = ("redirect_to", "to", "target", "redirects_to")


def read_redirects(path: Path) -> Iterator[tuple[str, str]]:
    """Yield (title, title it leads to); plain or gzipped.

    A first line with the names of columns says which are meant (`title` and `redirect_to`, say);
    without one they are the first two. Lines with fewer columns are passed over.

    Raises:
        InputError: if the file cannot be read, or no line has two columns.
    """
    left, right, found = 0, 1, False
    for line in PageLines(path, _LIMIT):
        cells = line.content.decode("utf-8", "replace").rstrip("\r\n").split("\t")
        if line.number == 1 and (columns := _named(cells)):
            left, right = columns
            continue
        if len(cells) > max(left, right):
            found = True
            yield cells[left], cells[right]
    if not found:
        raise InputError(f"{path} has no line of two columns; give title, tab, target")


def _named(cells: list[str]) -> tuple[int, int] | None:
    names = [cell.strip().casefold() for cell in cells]
    left = next((names.index(name) for name in _TITLES if name in names), None)
    right = next((names.index(name) for name in _TARGETS if name in names), None)
    return None if left is None or right is None else (left, right)
