"""What an index says of itself: its sources, its files and everything it counted."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Literal

import xxhash
from pydantic import ValidationError

from realhop_kg.errors import InputError
from realhop_kg.jsonl import canonical
from realhop_kg.model.record import Record
from realhop_kg.model.refusal import WalkSettings

__all__ = [
    "FORMAT",
    "NAME",
    "SOURCES",
    "TEXTS",
    "IndexCounts",
    "IndexFile",
    "IndexManifest",
    "PageSource",
    "broken_files",
    "file_digest",
    "sources_of",
]

FORMAT = 1
"""Version of the index format; a reader refuses another one."""
NAME = "manifest.json"
SOURCES = "sources.json"
"""Where the files of pages lie, from the index folder on; no part of what the index is."""
TEXTS = "texts.bin"
"""File of the pages that an index holds itself."""
_BLOCK = 1 << 22


class IndexCounts(Record):
    """What was read, kept and left out; links are counted as they stand in the pages."""

    pages: int = 0
    unreadable_lines: int = 0
    """Lines that hold no page."""
    too_long_lines: int = 0
    """Of these, lines longer than the longest page that is read."""
    damaged_files: int = 0
    """Compressed files that end early or are damaged; their pages up to there are kept."""
    repeated_titles: int = 0
    """Pages whose title an earlier page has; links lead to the earlier one."""
    without_text: int = 0
    """Pages with nothing but a title."""
    without_lead: int = 0
    """Pages with text, but none before the first heading."""
    disambiguation: int = 0
    anchors: int = 0
    """Links in the pages, all of them."""
    broken_anchors: int = 0
    """Not readable: a field of a wrong kind."""
    empty_anchors: int = 0
    """Without linked words."""
    misplaced_anchors: int = 0
    """Words that do not stand in the paragraph that the link names: left out."""
    moved_anchors: int = 0
    """Words found elsewhere in that paragraph: kept, at the place nearest to the one named."""
    dangling: int = 0
    """To a page that is not there."""
    self_links: int = 0
    duplicates: int = 0
    """More links from a page to the same page; the first of the opening paragraphs is kept."""
    links: int = 0
    """Kept: pairs of pages."""
    lead_links: int = 0
    """Of these, those with an anchor in the opening paragraphs."""
    as_written: int = 0
    """Anchors, self-links and duplicates too, that lead to a page by their address as it is."""
    by_first_letter: int = 0
    """By their address with the first letter changed."""
    by_redirect: int = 0
    """By the redirect table."""
    by_noted_title: int = 0
    """By the title that stands on the anchor, where the address leads nowhere."""
    redirects: int = 0
    """Redirects that lead to a page."""
    redirects_to_nothing: int = 0
    redirect_loops: int = 0
    redirects_from_pages: int = 0
    """Redirects whose name is that of a page: left out."""


class PageSource(Record):
    """One file of pages."""

    file: str
    """Its name, without folder."""
    bytes: int
    xxh3: str
    copied: bool
    """Whether the index holds the texts, because they cannot be read in place."""


class IndexFile(Record):
    """One file of the index."""

    file: str
    bytes: int
    xxh3: str


class IndexManifest(Record):
    """The manifest of an index."""

    kind: Literal["hyperlinks"] = "hyperlinks"
    format: int = FORMAT
    created_by: str
    sources: tuple[PageSource, ...]
    redirects: str = ""
    """XXH3 of the redirect table; empty if none was given."""
    walk: WalkSettings
    """Settings of the prepared candidate links."""
    counts: IndexCounts
    files: tuple[IndexFile, ...]

    def write(self, folder: Path) -> None:
        """Write the manifest; last, because a folder without one is no index."""
        text = canonical(self.model_dump(mode="json"))
        (folder / NAME).write_text(f"{text}\n", encoding="utf-8")

    @classmethod
    def read(cls, folder: Path) -> IndexManifest:
        """Read the manifest of an index.

        Raises:
            InputError: if the folder is no index, or one of another format.
        """
        path = folder / NAME
        try:
            data = json.loads(path.read_text(encoding="utf-8"))
            if data["kind"] != "hyperlinks":
                raise KeyError("kind")
            if data["format"] != FORMAT:
                raise InputError(
                    f"{folder} has index format {data['format']}, not {FORMAT}; index again"
                )
            return cls.model_validate(data)
        except (OSError, ValueError, KeyError, TypeError, ValidationError) as error:
            raise InputError(
                f"{folder} is no hyperlink index; make one with `realhop kilt index`"
            ) from error


def sources_of(folder: Path) -> list[Path]:
    """Return where the files of pages of an index lie, in their order; kept ones lie in the index.

    Raises:
        OSError: if the list cannot be read.
        ValueError: if it is no list of paths.
    """
    relative = json.loads((folder / SOURCES).read_text(encoding="utf-8"))
    if not isinstance(relative, list) or not all(isinstance(path, str) for path in relative):
        raise ValueError(f"{folder / SOURCES} is no list of paths")
    return [folder / path for path in relative]


def broken_files(
    folder: Path,
    manifest: IndexManifest,
    texts: bool = True,
    advance: Callable[[int], None] | None = None,
) -> Iterator[str]:
    """Yield each file of an index that is not as it was written.

    Args:
        folder: the index.
        manifest: what it says of itself.
        texts: whether kept texts are read, too; damage in them is found where they are used.
        advance: called with the number of bytes that were read since the last call.
    """
    for entry in manifest.files:
        path = folder / entry.file
        if entry.file == TEXTS and not texts:
            continue
        if not path.is_file():
            yield f"{entry.file} is missing"
        elif path.stat().st_size != entry.bytes or file_digest(path, advance) != entry.xxh3:
            yield f"{entry.file} has changed"


def file_digest(path: Path, advance: Callable[[int], None] | None = None) -> str:
    """Return the XXH3 of a file, 128 bits in hex.

    Args:
        path: the file.
        advance: called with the number of bytes of each block.
    """
    state = xxhash.xxh3_128()
    with path.open("rb") as file:
        while block := file.read(_BLOCK):
            state.update(block)
            if advance:
                advance(len(block))
    return state.hexdigest()
