"""Opens an index in milliseconds by memory map, and reads pages, links and sentences from it."""

from __future__ import annotations

import mmap
import zlib
from bisect import bisect_left
from functools import cached_property
from pathlib import Path
from typing import Self

from realhop_kg.errors import InputError
from realhop_kg.graph.hyperlinks.arrays import TextColumn, open_array
from realhop_kg.graph.hyperlinks.manifest import TEXTS, IndexManifest, broken_files, sources_of
from realhop_kg.graph.hyperlinks.names import RAISED, clean_href, name_key
from realhop_kg.graph.hyperlinks.page import Page, decode_page, lead_text
from realhop_kg.graph.hyperlinks.places import Place, unpack
from realhop_kg.graph.hyperlinks.sentence import sentence_of
from realhop_kg.model.refusal import Hyperlink

__all__ = ["PageGraph"]


class PageGraph:
    """The hyperlink graph of one index; pages are numbers from 0, in the order of the source.

    Attributes:
        folder: the index.
        manifest: what it says of itself.
        titles: title by page.
        ids: id in the source by page; empty where it has none.
        flags: what is known of a page, see `realhop_kg.graph.hyperlinks.places`.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.manifest = IndexManifest.read(folder)
        self.titles, self.ids = TextColumn(folder, "titles"), TextColumn(folder, "ids")
        self.flags = self.column("flags")
        self._out, self._out_bounds = self.column("out_pages"), self.column("out_bounds")
        self._in, self._in_bounds = self.column("in_pages"), self.column("in_bounds")
        self._files: dict[int, mmap.mmap] = {}
        self._check_sizes()

    @classmethod
    def open(cls, folder: Path, verify: bool = False) -> Self:
        """Open an index; its columns are mapped, and read where they are used.

        Args:
            folder: the index.
            verify: read every column once and compare its checksum, so that nothing is built on
                damaged ones (a second for each gigabyte).

        Raises:
            InputError: if the folder is no index, or one of another format or not whole.
        """
        graph = cls(folder)
        if verify and (broken := next(broken_files(folder, graph.manifest, texts=False), None)):
            raise InputError(f"{folder} is damaged: {broken}; index the pages again")
        return graph

    def _check_sizes(self) -> None:
        pages = len(self.flags)
        sizes = {"titles": len(self.titles), "ids": len(self.ids)}
        sizes |= {
            name: len(column) // 2
            for name, column in (("out_bounds", self._out_bounds), ("in_bounds", self._in_bounds))
        }
        wrong = [name for name, size in sizes.items() if size != pages]
        for name, bounds, links in (
            ("out_bounds", self._out_bounds, self._out),
            ("in_bounds", self._in_bounds, self._in),
        ):
            if not len(bounds) or bounds[-1] != len(links):
                wrong.append(name)
        if wrong:
            raise InputError(
                f"{self.folder} is damaged: {wrong[0]}.npy does not fit {pages} pages; index the "
                "pages again"
            )

    def column(self, name: str) -> memoryview[int]:
        """Return a column of numbers by the name of its file."""
        return open_array(self.folder / f"{name}.npy")

    def close(self) -> None:
        """Let go of the page files."""
        while self._files:
            self._files.popitem()[1].close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def __len__(self) -> int:
        return len(self.flags)

    @property
    def links(self) -> int:
        """Number of links: pairs of pages."""
        return len(self._out)

    # --- pages by name

    @cached_property
    def _names(self) -> tuple[memoryview[int], memoryview[int]]:
        return self.column("name_keys"), self.column("name_pages")

    @cached_property
    def _redirects(self) -> tuple[memoryview[int], memoryview[int]]:
        return self.column("redirect_keys"), self.column("redirect_pages")

    def find(self, name: str) -> int | None:
        """Return the page that a title or a link's address leads to, by redirect if need be."""
        key = name_key(clean_href(name))
        for keys, pages in (self._names, self._redirects):
            base = key & ~RAISED
            at = bisect_left(keys, base)
            near = [(keys[place], place) for place in (at, at + 1) if place < len(keys)]
            # As written first, then with the other first letter.
            for wanted in (key, key ^ RAISED):
                for found, place in near:
                    if found == wanted:
                        return pages[place]
        return None

    def page(self, name: str) -> int:
        """Return the page of a title.

        Raises:
            InputError: if no page and no redirect has that name.
        """
        found = self.find(name)
        if found is None:
            raise InputError(
                f"no page {name!r} in {self.folder}; give a title as it stands in the pages"
            )
        return found

    # --- links

    def targets(self, page: int, lead: bool = False) -> list[int]:
        """Return the pages that a page links to, those of its opening paragraphs first.

        Args:
            page: the page.
            lead: only those of the opening paragraphs.
        """
        bounds = self._out_bounds
        return self._out[bounds[2 * page] : bounds[2 * page + (1 if lead else 2)]].tolist()

    def sources(self, page: int, lead: bool = False) -> list[int]:
        """Return the pages that link to a page, those that do in their opening first."""
        bounds = self._in_bounds
        return self._in[bounds[2 * page] : bounds[2 * page + (1 if lead else 2)]].tolist()

    def degree(self, page: int) -> int:
        """Return how many links lead from a page and to it."""
        return sum(
            bounds[2 * page + 2] - bounds[2 * page]
            for bounds in (self._out_bounds, self._in_bounds)
        )

    def place(self, source: int, target: int) -> Place:
        """Return where a link stands.

        Raises:
            KeyError: if there is no such link.
        """
        for run in (2 * source, 2 * source + 1):
            start, end = self._out_bounds[run], self._out_bounds[run + 1]
            at = bisect_left(self._out, target, start, end)
            if at < end and self._out[at] == target:
                return unpack(self._places[at])
        raise KeyError((source, target))

    @cached_property
    def _places(self) -> memoryview[int]:
        return self.column("out_places")

    def link(self, source: int, target: int) -> Hyperlink:
        """Return a link with its words and its sentence.

        Raises:
            KeyError: if there is no such link.
            InputError: if the pages are not where they were indexed, or not as they were.
        """
        lead, paragraph, start, end = self.place(source, target)
        text = self.read(source).text[paragraph]
        return Hyperlink(
            source=self.titles[source],
            target=self.titles[target],
            lead=lead,
            paragraph=paragraph,
            start=start,
            end=end,
            anchor=text[start:end],
            sentence=sentence_of(text, start, end),
        )

    # --- texts

    def read(self, page: int) -> Page:
        """Return a page as the source has it.

        Raises:
            InputError: if the pages are not where they were indexed, or not as they were.
        """
        number = self._text_file[page]
        offset, length = self._text_offset[page], self._text_length[page]
        file = self._files.get(number)
        if file is None:
            file = self._mapped(number)
        record = file[offset : offset + length]
        try:
            if self.manifest.sources[number].copied:
                record = zlib.decompress(record)
            return decode_page(record)
        except (ValueError, zlib.error) as error:
            raise InputError(
                f"{self.manifest.sources[number].file} is not as it was indexed (page "
                f"{self.titles[page]!r}); index it again"
            ) from error

    def lead(self, page: int) -> str:
        """Return the opening paragraphs of a page."""
        return lead_text(self.read(page).text)

    @cached_property
    def _text_file(self) -> memoryview[int]:
        return self.column("text_file")

    @cached_property
    def _text_offset(self) -> memoryview[int]:
        return self.column("text_offset")

    @cached_property
    def _text_length(self) -> memoryview[int]:
        return self.column("text_length")

    def _mapped(self, number: int) -> mmap.mmap:
        source = self.manifest.sources[number]
        path = self.folder / TEXTS if source.copied else self._where(number)
        try:
            if not source.copied and path.stat().st_size != source.bytes:
                raise InputError(
                    f"{path.resolve()} has changed since it was indexed; index it again"
                )
            with path.open("rb") as file:
                mapped = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        except (OSError, ValueError) as error:
            raise InputError(
                f"the pages of the index are not at {path.resolve()}; put them back, or index "
                "them with --copy"
            ) from error
        self._files[number] = mapped
        return mapped

    def _where(self, number: int) -> Path:
        try:
            return sources_of(self.folder)[number]
        except (OSError, ValueError, LookupError) as error:
            raise InputError(f"{self.folder} lacks its sources.json; index again") from error
