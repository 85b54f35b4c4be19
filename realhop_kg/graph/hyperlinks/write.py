"""Collects pages and their links, and writes the index: bounded memory, whole or not at all.

Links name their targets before these are known, so they are spilled to disk as they come (a name
key and a packed position each) and resolved once all titles are there.
"""

from __future__ import annotations

import os
from array import array
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path

from realhop_kg.errors import InputError
from realhop_kg.folder import Replaceable, atomic_folder, stranger
from realhop_kg.graph.hyperlinks.adjacency import candidate_columns, outgoing, transpose
from realhop_kg.graph.hyperlinks.arrays import ArrayWriter, TextWriter, write_array
from realhop_kg.graph.hyperlinks.manifest import (
    NAME,
    SOURCES,
    IndexCounts,
    IndexFile,
    IndexManifest,
    PageSource,
    file_digest,
)
from realhop_kg.graph.hyperlinks.names import clean_href, clean_title, name_key
from realhop_kg.graph.hyperlinks.resolve import NameTable, resolve_redirects
from realhop_kg.jsonl import canonical
from realhop_kg.model.refusal import WalkSettings

__all__ = ["IndexWriter", "PlacedLink", "index_writer"]

_SPILL = 1 << 18
"""Links held before they are written."""
_LONGEST_MEMO = 1 << 18


PlacedLink = tuple[str, int, str | None]
"""Address, packed place (see `realhop_kg.graph.hyperlinks.places`), and the title of the target
where the link notes it."""


_OWN = 1
"""Stands for the key of the page itself, where an address names a section only."""


class _KeyByHref(dict[str, int]):
    """Keys of addresses seen before: most links of a Wikipedia lead to few pages."""

    def __missing__(self, href: str) -> int:
        name = clean_href(href)
        key = name_key(name) if name or not href.strip() else _OWN
        self[href] = key
        return key


class IndexWriter:
    """Takes pages one after another; `finish` resolves the links and writes the columns.

    Attributes:
        folder: where the index is being written.
        counts: what was counted so far, by field of `IndexCounts`.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.counts: Counter[str] = Counter()
        self._keys = array("Q")
        self._titles, self._ids = TextWriter(), TextWriter()
        self._flags = array("B")
        self._file, self._offset, self._length = array("H"), array("Q"), array("I")
        self._links = array("I")
        self._spilled = 0
        self._names, self._places = array("Q"), array("Q")
        self._noted_at, self._noted = array("Q"), array("Q")
        self._memo = _KeyByHref()
        self._spill_names = ArrayWriter(folder / "spill_names.npy", "<u8")
        self._spill_places = ArrayWriter(folder / "spill_places.npy", "<u8")
        self._sources: list[PageSource] = []
        self._paths: list[str] = []

    def __len__(self) -> int:
        return len(self._keys)

    def add(
        self,
        title: str,
        page_id: str,
        flags: int,
        where: tuple[int, int, int],
        links: Sequence[PlacedLink],
    ) -> None:
        """Add a page.

        Args:
            title: title as the source has it.
            page_id: id in the source, or empty.
            flags: see `realhop_kg.graph.hyperlinks.places`.
            where: number of its source, offset and length of its record in bytes.
            links: its links, each with a place that was verified.
        """
        own = name_key(clean_title(title))
        self._keys.append(own)
        self._titles.append(title)
        self._ids.append(page_id)
        self._flags.append(flags)
        for column, value in zip((self._file, self._offset, self._length), where, strict=True):
            column.append(value)
        memo = self._memo
        keys = [memo[href] for href, _, _ in links]
        if _OWN in keys:
            keys = [own if key == _OWN else key for key in keys]
        first = self._spilled + len(self._names)
        for number, (_, _, noted) in enumerate(links):
            if noted:
                self._noted_at.append(first + number)
                self._noted.append(name_key(clean_href(noted)))
        self._names.extend(keys)
        self._places.extend([place for _, place, _ in links])
        self._links.append(len(links))
        if len(memo) > _LONGEST_MEMO:
            memo.clear()
        if len(self._names) >= _SPILL:
            self._flush()

    def _flush(self) -> None:
        self._spill_names.write(self._names)
        self._spill_places.write(self._places)
        self._spilled += len(self._names)
        # New ones: an array that was handed out as a buffer may not shrink.
        self._names, self._places = array("Q"), array("Q")

    def add_source(self, path: Path, xxh3: str, copied: bool) -> None:
        """Note a source file once its pages are added, in the order of their numbers."""
        size = path.stat().st_size
        self._sources.append(PageSource(file=path.name, bytes=size, xxh3=xxh3, copied=copied))
        self._paths.append("" if copied else str(path.resolve()))

    def close(self) -> None:
        """Close the spill; `finish` does, and whoever gives up before it has to."""
        for spill in (self._spill_names, self._spill_places):
            spill.close()

    def finish(
        self, created_by: str, redirects: Iterable[tuple[str, str]] = (), redirect_digest: str = ""
    ) -> IndexManifest:
        """Resolve the links, write every column and the manifest.

        Args:
            created_by: software and version.
            redirects: (title, title it leads to).
            redirect_digest: XXH3 of their table.
        """
        self._flush()
        self.close()
        table = self._write_pages()
        resolve_redirects(table, redirects, self.folder, self.counts)
        outgoing(self.folder, table, self._links, (self._noted_at, self._noted), self.counts)
        for name in ("spill_names", "spill_places"):
            (self.folder / f"{name}.npy").unlink()
        transpose(self.folder, len(self._keys))
        walk = WalkSettings()
        for name, column in candidate_columns(self.folder, walk).items():
            write_array(self.folder / f"{name}.npy", column)
        manifest = IndexManifest(
            created_by=created_by,
            sources=tuple(self._sources),
            redirects=redirect_digest,
            walk=walk,
            counts=IndexCounts(**self.counts),
            files=tuple(_listed(self.folder)),
        )
        # Where the pages lie is no part of what the index is: it is left out of its digests.
        relative = [path and os.path.relpath(path, self.folder) for path in self._paths]
        (self.folder / SOURCES).write_text(canonical(relative) + "\n", encoding="utf-8")
        manifest.write(self.folder)
        return manifest

    def _write_pages(self) -> NameTable:
        import numpy as np

        folder = self.folder
        flags = np.array(self._flags, np.uint8)
        table = NameTable.of_titles(np.array(self._keys, np.uint64), self._titles, flags)
        self.counts["pages"] = len(self._keys)
        self.counts["repeated_titles"] = table.repeated
        self._titles.write(folder, "titles")
        self._ids.write(folder, "ids")
        for name, column in (
            ("flags", flags),
            ("text_file", np.array(self._file, np.uint16)),
            ("text_offset", np.array(self._offset, np.uint64)),
            ("text_length", np.array(self._length, np.uint32)),
            ("name_keys", table.titles.keys),
            ("name_pages", table.titles.pages),
        ):
            write_array(folder / f"{name}.npy", column)
        return table


def _listed(folder: Path) -> Iterator[IndexFile]:
    for path in sorted(folder.iterdir()):
        yield IndexFile(file=path.name, bytes=path.stat().st_size, xxh3=file_digest(path))


def _why_not(folder: Path) -> str:
    """Return why a folder is no index that may be replaced; nothing if it is one."""
    try:
        manifest = IndexManifest.read(folder)
    except InputError:
        return f"it has no {NAME} that this version reads"
    return stranger(folder, {NAME, SOURCES, *(each.file for each in manifest.files)})


@contextmanager
def index_writer(target: Path, force: bool = False) -> Iterator[IndexWriter]:
    """Give a writer for a new index; the index bears its name only once it is finished.

    Args:
        target: the index folder.
        force: replace an index that is there; nothing else is ever replaced.

    Raises:
        OutputExistsError: if the folder exists and `force` is not set.
        InputError: if it is there and no index, or cannot be written.
    """
    own = Replaceable("hyperlink index", _why_not)
    with atomic_folder(target, force, own) as partial, closing(IndexWriter(partial)) as writer:
        yield writer
