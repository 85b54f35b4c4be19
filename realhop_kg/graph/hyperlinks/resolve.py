"""Finds the pages that names lead to, many names at a time."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from realhop_kg.errors import InputError
from realhop_kg.graph.hyperlinks.arrays import TextWriter, write_array
from realhop_kg.graph.hyperlinks.names import RAISED, clean_href, clean_title, name_key
from realhop_kg.graph.hyperlinks.places import REPEATED

__all__ = ["Found", "KeyTable", "NameTable", "Texts", "resolve_redirects"]

Keys = NDArray[np.uint64]
Pages = NDArray[np.int64]

_RAISED = np.uint64(RAISED)
_LONGEST_CHAIN = 32
"""Redirects to redirects that are followed; a longer way is a loop."""


class Texts(Protocol):
    """Titles by page."""

    def __getitem__(self, index: int) -> str:
        """Return the title of a page."""
        ...


class Found(NamedTuple):
    """Where names lead."""

    pages: Pages
    """Page by name; -1 where there is none."""
    raised: NDArray[np.bool_]
    """Whether the first letter differs."""


class KeyTable:
    """Sorted keys with what each leads to, and where the keys of each first few bits begin.

    Keys are evenly spread, so a key is nearly at the place that its first bits give: a few steps
    instead of a search through everything.
    """

    def __init__(self, keys: Keys, pages: NDArray[np.uint32]) -> None:
        self.keys, self.pages = keys, pages
        bits = max(len(keys), 2).bit_length()
        self._shift = np.uint64(64 - bits)
        starts = np.arange(1 << bits, dtype=np.uint64) << self._shift
        self._starts = np.searchsorted(keys, starts).astype(np.uint32)
        # What no name has: so that the step after the last key needs no special case.
        self._padded = np.append(keys, np.full(2, ~np.uint64(0)))

    def find(self, wanted: Keys) -> Found:
        """Return where names lead: as written, else with the first letter changed."""
        if not len(self.keys):
            return Found(np.full(len(wanted), -1, np.int64), np.zeros(len(wanted), bool))
        base = wanted & ~_RAISED
        at = self._starts[base >> self._shift].astype(np.int64)
        behind = np.flatnonzero(self._padded[at] < base)
        while len(behind):
            at[behind] += 1
            behind = behind[self._padded[at[behind]] < base[behind]]
        near = self._padded[at]
        close = (near | _RAISED) == (wanted | _RAISED)
        second = self._padded[at + 1] == wanted
        raised = close & (near != wanted) & ~second
        hit = close | second
        at += second
        pages = np.full(len(wanted), -1, np.int64)
        pages[hit] = self.pages[at[hit]]
        return Found(pages, raised)


class NameTable:
    """Pages by the key of their title, and later by their redirects.

    Attributes:
        titles: pages by title.
        redirects: pages by redirect.
        repeated: number of pages whose title an earlier one has.
    """

    def __init__(self, titles: KeyTable, repeated: int) -> None:
        self.titles, self.repeated = titles, repeated
        self.redirects = KeyTable(np.empty(0, np.uint64), np.empty(0, np.uint32))

    @classmethod
    def of_titles(cls, keys: Keys, titles: Texts, flags: NDArray[np.uint8]) -> NameTable:
        """Return the table of titles, and flag the pages whose title an earlier one has.

        Raises:
            InputError: if two titles have one key, which is all but impossible.
        """
        order = np.argsort(keys, kind="stable")
        ordered = keys[order]
        again = np.zeros(len(keys), bool)
        again[1:] = ordered[1:] == ordered[:-1]
        for place in np.flatnonzero(again).tolist():
            one, other = (titles[int(order[at])] for at in (place - 1, place))
            if clean_title(one) != clean_title(other):
                raise InputError(f"{one!r} and {other!r} have one key; leave one of them out")
        flags[order[again]] |= REPEATED
        return cls(KeyTable(ordered[~again], order[~again].astype(np.uint32)), int(again.sum()))

    def find(self, keys: Keys) -> Found:
        """Return where names lead by title: as written, else with the first letter changed."""
        return self.titles.find(keys)

    def find_redirect(self, keys: Keys) -> Pages:
        """Return where names lead by redirect."""
        return self.redirects.find(keys).pages


def resolve_redirects(
    table: NameTable,
    redirects: Iterable[tuple[str, str]],
    folder: Path,
    counts: Counter[str],
) -> None:
    """Follow redirects to their pages, put them into the table and write them.

    Redirects to redirects are followed; loops and those that lead to no page are counted.
    """
    names = TextWriter()
    sources, targets = array("Q"), array("Q")
    for source, target in redirects:
        name = clean_href(source)
        names.append(name)
        sources.append(name_key(name))
        targets.append(name_key(clean_href(target)))
    keys, goals = np.array(sources, np.uint64), np.array(targets, np.uint64)
    # The first of several redirects of one name counts.
    first = np.unique(keys, return_index=True)[1]
    own = table.find(keys[first]).pages >= 0
    counts["redirects_from_pages"] = int(own.sum())
    first = first[~own]
    keys, goals = keys[first], goals[first]
    pages = _followed(table, keys, goals, counts)
    kept = pages >= 0
    counts["redirects"] = int(kept.sum())
    table.redirects = KeyTable(keys[kept], pages[kept].astype(np.uint32))
    _write_redirects(table, (names[place] for place in first[kept].tolist()), folder)


def _followed(table: NameTable, keys: Keys, goals: Keys, counts: Counter[str]) -> Pages:
    pages = table.find(goals).pages
    places = KeyTable(keys, np.arange(len(keys), dtype=np.uint32))
    open_ = np.flatnonzero(pages < 0)
    goals = goals.copy()
    for _ in range(_LONGEST_CHAIN):
        onward = places.find(goals[open_]).pages
        nothing = onward < 0
        counts["redirects_to_nothing"] += int(nothing.sum())
        open_, onward = open_[~nothing], onward[~nothing]
        pages[open_] = pages[onward]
        goals[open_] = goals[onward]
        open_ = open_[pages[open_] < 0]
        if not len(open_):
            break
    counts["redirect_loops"] = len(open_)
    return pages


def _write_redirects(table: NameTable, names: Iterable[str], folder: Path) -> None:
    texts = TextWriter()
    for name in names:
        texts.append(name)
    texts.write(folder, "redirects")
    columns: dict[str, NDArray[Any]] = {
        "redirect_keys": table.redirects.keys,
        "redirect_pages": table.redirects.pages,
    }
    for name, column in columns.items():
        write_array(folder / f"{name}.npy", column)
