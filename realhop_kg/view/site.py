"""What every site is made of: tables of rows in scripts, a page of each item, charts, an index."""

from __future__ import annotations

import gc
import json
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from itertools import islice
from pathlib import Path
from typing import Any, Protocol

from realhop_kg.errors import InputError
from realhop_kg.folder import Replaceable, atomic_folder, stranger
from realhop_kg.freeze.manifest import Manifest
from realhop_kg.model.record import Record
from realhop_kg.view.charts import Drawn
from realhop_kg.view.html import asset, page, policy, safe_json

__all__ = [
    "SITE",
    "Column",
    "Contents",
    "Filter",
    "Progress",
    "SiteSummary",
    "Table",
    "write_folder",
]

SITE = "site.json"
"""The file by which a folder is known as a site, which `force` may replace."""

_INDEX = "index.html"
_FOLDERS = ("assets", "data", "items")
_CHUNK = 250
"""Rows of one data file: the first is shown while the others are read."""


class SiteSummary(Record):
    """What a site holds: its `site.json`."""

    dataset: str
    digest: str
    """Of the dataset."""
    items: int
    excluded: int
    without_page: tuple[str, ...] = ()
    """What could not be drawn, each `id: reason`."""


Progress = Callable[[int, int], None]
"""Told (items done, items in all)."""


@dataclass(frozen=True, slots=True)
class Column:
    """One column of a table."""

    head: str
    at: int
    """Place of its value in a row."""
    style: str = ""
    """Class of its width."""
    bold: bool = False
    sorts: bool = True
    told: str = ""
    """What the heading means, where it needs saying."""


@dataclass(frozen=True, slots=True)
class Filter:
    """A choice that leaves rows out."""

    id: str
    label: str
    at: int
    options: tuple[str, ...]
    how: str = "same"
    """`same`; `holds`, of a list, with `none` and `some`; `least`, of a number."""
    head: bool = False
    """Whether it stands in the head of its column, not above the table."""


@dataclass(frozen=True, slots=True)
class Table:
    """How rows are shown, searched and filtered; place 0 has the page, place 1 the id."""

    columns: tuple[Column, ...]
    search: tuple[int, ...]
    """Places that are searched."""
    filters: tuple[Filter, ...] = ()
    problem: int = -1
    """Place of the reason why there is no page."""
    outcomes: int = -1
    """Place of the outcomes of models."""
    detail: tuple[tuple[str, int], ...] = ()
    """Name and place of what is told of a chosen row that has no page."""


class Contents(Protocol):
    """What a kind of dataset puts on its site; rows are asked for before the rest."""

    failed: list[str]
    """What could not be drawn."""

    differs: tuple[str, ...]
    """What of the dataset is not as it was frozen."""

    @property
    def manifest(self) -> Manifest:
        """What the dataset says of itself."""
        ...

    @property
    def scripts(self) -> tuple[str, ...]:
        """The scripts of its pages."""
        ...

    @property
    def models(self) -> tuple[str, ...]:
        """Models of which there are outcomes."""
        ...

    def rows(self, folder: Path) -> Iterator[list[Any]]:
        """Yield the row of each item, and write its page into a folder."""
        ...

    def excluded_rows(self) -> Iterator[list[Any]]:
        """Yield the row of each excluded record."""
        ...

    def said(self) -> str:
        """Return what stands at the top."""
        ...

    def tables(self) -> tuple[Table, Table]:
        """Return how items, and excluded records, are shown."""
        ...

    def charts(self) -> Iterable[Drawn]:
        """Return the charts."""
        ...


def write_folder(contents: Contents, out: Path, force: bool = False) -> SiteSummary:
    """Write a site and return what it holds.

    Args:
        contents: what is on it.
        out: the folder to write.
        force: whether a site that stands there is replaced.

    Raises:
        InputError: if the dataset cannot be read, or the folder cannot be written.
    """
    if (out / "manifest.json").is_file():
        raise InputError(f"{out} is a dataset; choose another --out for its site")
    with atomic_folder(out, force, Replaceable("site", _why_not), durable=False) as folder:
        for name in _FOLDERS:
            (folder / name).mkdir()
        with _rare_collection():
            items = _write_rows(folder, "items", contents.rows(folder / "items"))
        excluded = _write_rows(folder, "excluded", contents.excluded_rows())
        manifest = contents.manifest
        summary = SiteSummary(
            dataset=manifest.name,
            digest=manifest.digest,
            items=items,
            excluded=excluded,
            without_page=tuple(contents.failed),
        )
        _write(folder / _INDEX, _index(contents, summary))
        _write(folder / SITE, summary.model_dump_json(indent=2) + "\n")
        for name in (*contents.scripts, "list.js", "explorer.js", "page.css", "cytoscape.LICENSE"):
            _write(folder / "assets" / name, asset(name))
    return summary


def _why_not(folder: Path) -> str:
    """Return why a folder is no site that may be replaced; nothing if it is one."""
    try:
        SiteSummary.model_validate_json((folder / SITE).read_bytes())
    except (OSError, ValueError):
        return f"it is not empty and has no {SITE} of one"
    return stranger(folder, {_INDEX, SITE}, _FOLDERS)


@contextmanager
def _rare_collection() -> Iterator[None]:
    """Look for cycles of dead objects once a chunk only.

    A graph is freed with its last reference; to look through the living ones takes a seventh of
    the time.
    """
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def _write(path: Path, text: str) -> None:
    path.write_bytes(text.encode())


def _write_rows(folder: Path, table: str, rows: Iterator[list[Any]]) -> int:
    """Write rows as scripts that call `rows(table, [...])`, since pages on disk cannot fetch."""
    count = 0
    for chunk in iter(lambda: list(islice(rows, _CHUNK)), []):
        path = folder / "data" / f"{table}-{count // _CHUNK:04d}.js"
        _write(path, f"rows({json.dumps(table)},{safe_json(chunk)});\n")
        count += len(chunk)
        gc.collect()
    return count


def _index(contents: Contents, summary: SiteSummary) -> str:
    items, excluded = contents.tables()
    data = {
        "items": {"count": summary.items, **asdict(items)},
        "excluded": {"count": summary.excluded, **asdict(excluded)},
        "chunk": _CHUNK,
        "models": list(contents.models),
    }
    return page(
        "explorer.html.jinja",
        {
            "manifest": contents.manifest,
            "said": contents.said(),
            "models": contents.models,
            "summary": summary,
            "differs": contents.differs,
            "items": items,
            "excluded": excluded,
            "charts": list(contents.charts()),
            "data": safe_json(data),
            "policy": policy(files=True),
        },
    )
