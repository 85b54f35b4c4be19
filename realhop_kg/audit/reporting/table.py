"""One table of a report, as data."""

from __future__ import annotations

from dataclasses import dataclass

from realhop_kg.audit.figures import Figure

__all__ = ["LISTED", "Cell", "Table"]

LISTED = 40
"""Rows of a list of single cases that a page shows."""


Cell = str | int | float | Figure | None
"""A float is a fraction of 1; a figure shows with its interval."""


@dataclass(frozen=True)
class Table:
    """One table.

    Attributes:
        name: of its files.
        title: what it shows, with its source in the paper.
        columns: heads.
        rows: cells.
        note: what a reader must know.
        limit: rows that pages and terminals show; files of exact values have all.
    """

    name: str
    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    note: str = ""
    limit: int | None = None

    @property
    def heads(self) -> tuple[str, ...]:
        """The heads for the eye: a count stands beside its figure and is called `n` alone."""
        return tuple("n" if head.startswith("n (") else head for head in self.columns)

    @property
    def shown(self) -> tuple[tuple[Cell, ...], ...]:
        """The rows for the eye."""
        return self.rows[: self.limit]

    @property
    def said(self) -> str:
        """The note, with how many rows are not shown."""
        hidden = len(self.rows) - len(self.shown)
        more = f"{hidden} more rows are in tables/{self.name}.csv." if hidden else ""
        return f"{self.note} {more}".strip()
