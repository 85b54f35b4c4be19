"""Builds the columns of links: outgoing, incoming, and the candidates of a walk.

Links of a page are kept in two runs, those of the opening paragraphs first, each sorted by page.
So there are two bounds a page (`bounds[2 * page]` and `bounds[2 * page + 1]`), and either kind,
or both, is one slice.
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from realhop_kg.graph.hyperlinks.arrays import ArrayWriter, open_array, write_array
from realhop_kg.graph.hyperlinks.places import DISAMBIGUATION, ELSEWHERE, REPEATED
from realhop_kg.graph.hyperlinks.resolve import Keys, NameTable, Pages
from realhop_kg.model.refusal import WalkSettings

__all__ = ["candidate_columns", "column", "outgoing", "transpose"]

_CHUNK = 1 << 16
"""Links worked on at a time: few enough to stay in the processor's cache."""
_ELSEWHERE = np.uint64(ELSEWHERE)
_LOW = np.uint64(0xFFFFFFFF)
_HALF = np.uint64(32)


def column(folder: Path, name: str) -> NDArray[Any]:
    """Return a column of an index as a numpy array on the mapped file."""
    view = open_array(folder / f"{name}.npy")
    # numpy reads `Q` of a memoryview as its own type of the same width.
    return np.frombuffer(view, dtype=view.format) if len(view) else np.empty(0, view.format)


class _Chunk(NamedTuple):
    """The links of some successive pages."""

    first: int
    """The first page."""
    counts: NDArray[np.uint32]
    """Links by page."""
    start: int
    """The first link."""
    end: int


def _chunks(links: array[int]) -> Iterator[_Chunk]:
    """Cut pages into runs of about `_CHUNK` links; a page is never cut."""
    counts = np.array(links, np.uint32)
    ends = np.cumsum(counts, dtype=np.int64)
    page, start = 0, 0
    while page < len(counts):
        until = int(np.searchsorted(ends, start + _CHUNK, side="right"))
        until = max(until, page + 1)
        end = int(ends[until - 1])
        yield _Chunk(page, counts[page:until], start, end)
        page, start = until, end


def outgoing(
    folder: Path,
    table: NameTable,
    links: array[int],
    noted: tuple[array[int], array[int]],
    counts: Counter[str],
) -> None:
    """Resolve spilled links and write `out_pages`, `out_places` and `out_bounds`.

    Args:
        folder: where the spill lies and the columns go.
        table: pages by name.
        links: spilled links by page.
        noted: numbers of the links that note a title, and the keys of the titles.
        counts: what is left out and kept is added here.
    """
    names, places = column(folder, "spill_names"), column(folder, "spill_places")
    at, keys = (np.array(values, np.uint64) for values in noted)
    degrees = np.zeros(2 * len(links), np.uint32)
    with (
        ArrayWriter(folder / "out_pages.npy", "<u4") as pages,
        ArrayWriter(folder / "out_places.npy", "<u8") as kept,
    ):
        for chunk in _chunks(links):
            first, last = np.searchsorted(at, (chunk.start, chunk.end))
            sides = at[first:last].astype(np.int64) - chunk.start, keys[first:last]
            found = _targets(table, names[chunk.start : chunk.end], sides, counts)
            by_run, targets, where = _distinct(chunk, found, places, counts)
            degrees[2 * chunk.first : 2 * chunk.first + len(by_run)] = by_run
            pages.write(targets.astype("<u4"))
            kept.write(where.astype("<u8", copy=False))
    counts["links"] = pages.count
    counts["lead_links"] = int(degrees[::2].sum())
    write_array(folder / "out_bounds.npy", _bounds(degrees))


def _targets(
    table: NameTable, names: Keys, noted: tuple[Pages, Keys], counts: Counter[str]
) -> Pages:
    """Return the page of each name, -1 for none: by address, by redirect, by the noted title."""
    found, raised = table.find(names)
    hit = found >= 0
    counts["by_first_letter"] += int(raised.sum())
    counts["as_written"] += int(hit.sum()) - int(raised.sum())
    missing = np.flatnonzero(~hit)
    found[missing] = table.find_redirect(names[missing])
    counts["by_redirect"] += int((found[missing] >= 0).sum())
    at, keys = noted
    lost = found[at] < 0
    at, keys = at[lost], keys[lost]
    by_title = table.find(keys).pages
    found[at] = np.where(by_title >= 0, by_title, table.find_redirect(keys))
    counts["by_noted_title"] += int((found[at] >= 0).sum())
    counts["dangling"] += int((found < 0).sum())
    return found


def _distinct(
    chunk: _Chunk, found: Pages, places: Keys, counts: Counter[str]
) -> tuple[NDArray[np.int64], NDArray[np.uint64], Keys]:
    """Return (links by run, targets, places) of the links to keep, in the order to keep."""
    sources = np.repeat(np.arange(len(chunk.counts), dtype=np.uint64), chunk.counts)
    own = found == sources.astype(np.int64) + chunk.first
    counts["self_links"] += int(own.sum())
    kept = np.flatnonzero((found >= 0) & ~own)
    if not len(kept):
        return np.zeros(2 * len(chunk.counts), np.int64), sources[:0], places[:0]
    targets = found[kept].astype(np.uint64)
    bits = max(int(targets.max()), 1).bit_length()
    pairs, order = _sorted(sources[kept] << np.uint64(bits) | targets)
    new = np.ones(len(pairs), bool)
    new[1:] = pairs[1:] != pairs[:-1]
    counts["duplicates"] += int(len(pairs) - new.sum())
    # Of several links to one page the least place is kept.
    first = np.flatnonzero(new)
    where = np.minimum.reduceat(places[chunk.start : chunk.end][kept][order], first)
    pairs = pairs[first]
    runs = (pairs >> np.uint64(bits)) * np.uint64(2) + (where >= _ELSEWHERE)
    runs, order = _sorted(runs)
    by_run = np.bincount(runs.astype(np.int64), minlength=2 * len(chunk.counts))
    return by_run, pairs[order] & np.uint64((1 << bits) - 1), where[order]


def _sorted(values: NDArray[np.uint64]) -> tuple[NDArray[np.uint64], NDArray[np.int64]]:
    """Return the values sorted, and the stable order that sorts them.

    Sorting numbers that hold their own place is several times as fast as sorting places.
    """
    bits = max(len(values) - 1, 1).bit_length()
    if int(values.max()).bit_length() + bits > 64:
        order = np.argsort(values, kind="stable")
        return values[order], order
    held = values << np.uint64(bits) | np.arange(len(values), dtype=np.uint64)
    held.sort()
    return held >> np.uint64(bits), (held & np.uint64((1 << bits) - 1)).astype(np.int64)


def _bounds(degrees: NDArray[Any]) -> NDArray[Any]:
    bounds = np.zeros(len(degrees) + 1, np.uint64)
    np.cumsum(degrees, out=bounds[1:], dtype=np.uint64)
    return bounds if len(bounds) and bounds[-1] > _LOW else bounds.astype(np.uint32)


def transpose(folder: Path, count: int) -> None:
    """Write `in_pages` and `in_bounds` from the outgoing columns."""
    from scipy.sparse import csr_matrix

    bounds = column(folder, "out_bounds").astype(np.int64)
    # A column for each kind of link to a page, so that the transposed order is the one to keep.
    pages = column(folder, "out_pages")
    kinds = np.empty(len(pages), np.int64 if count >= 1 << 30 else np.int32)
    for start in range(0, len(kinds), _CHUNK):
        part = pages[start : start + _CHUNK].astype(kinds.dtype)
        kinds[start : start + _CHUNK] = part * 2 + _elsewhere(bounds, start, start + len(part))
    ones = np.ones(len(kinds), np.int8)
    matrix = csr_matrix((ones, kinds, bounds[::2]), shape=(count, 2 * count), copy=False)
    turned = matrix.tocsc()
    del matrix, kinds, ones
    write_array(folder / "in_pages.npy", turned.indices.astype(np.uint32, copy=False))
    ends = turned.indptr.astype(np.uint64)
    small = not len(ends) or ends[-1] <= _LOW
    write_array(folder / "in_bounds.npy", ends.astype(np.uint32) if small else ends)


def _elsewhere(bounds: NDArray[np.int64], start: int, end: int) -> NDArray[np.bool_]:
    """Return which of some links stand outside the opening paragraphs."""
    end = min(end, int(bounds[-1]))
    # The run that holds a link is the last that begins at or before it.
    first = int(np.searchsorted(bounds, start, side="right")) - 1
    last = int(np.searchsorted(bounds, end, side="left"))
    clipped: NDArray[np.int64] = np.clip(bounds[first : last + 1], start, end)
    lengths = clipped[1:] - clipped[:-1]
    kinds = np.arange(first, last) & 1
    return np.repeat(kinds.astype(bool), lengths)


def candidate_columns(folder: Path, settings: WalkSettings) -> dict[str, NDArray[Any]]:
    """Return the links that a walk may take, both ways, as four columns.

    Returns:
        `walk_out_pages`, `walk_out_bounds`, `walk_in_pages`, `walk_in_bounds`; one bound a page.
    """
    allowed = _allowed(folder, settings)
    columns: dict[str, NDArray[Any]] = {}
    for way in ("out", "in"):
        bounds = column(folder, f"{way}_bounds").astype(np.int64)
        pages = column(folder, f"{way}_pages")
        counts = np.zeros(len(allowed), np.int64)
        parts = [np.empty(0, np.uint32)]
        for start in range(0, len(pages), _CHUNK):
            part = pages[start : start + _CHUNK]
            kept = allowed[part]
            if settings.lead_only:
                kept &= ~_elsewhere(bounds, start, start + len(part))
            parts.append(part[kept])
            _count_rows(counts, bounds[::2], kept, start)
        columns[f"walk_{way}_pages"] = np.concatenate(parts)
        columns[f"walk_{way}_bounds"] = _bounds(counts)
    return columns


def _count_rows(
    counts: NDArray[np.int64], bounds: NDArray[np.int64], kept: NDArray[np.bool_], start: int
) -> None:
    """Add to the count of each page how many of its links in a chunk are kept."""
    first = int(np.searchsorted(bounds, start, side="right")) - 1
    last = int(np.searchsorted(bounds, start + len(kept), side="left"))
    before = np.zeros(len(kept) + 1, np.int64)
    np.cumsum(kept, out=before[1:])
    ends = np.clip(bounds[first : last + 1] - start, 0, len(kept))
    counts[first:last] += before[ends[1:]] - before[ends[:-1]]


def _allowed(folder: Path, settings: WalkSettings) -> NDArray[np.bool_]:
    """Return which pages a walk may enter."""
    flags = column(folder, "flags")
    degree = np.zeros(len(flags), np.int64)
    for way in ("out", "in"):
        if settings.degree in ("total", way):
            bounds = column(folder, f"{way}_bounds").astype(np.int64)
            end = bounds[1::2] if settings.degree_over == "lead" else bounds[2::2]
            degree += end - bounds[:-1:2]
    barred = REPEATED | (0 if settings.disambiguation else DISAMBIGUATION)
    within = (degree >= settings.low) & (degree <= settings.high)
    free: NDArray[np.bool_] = (flags & barred) == 0
    return within & free
