"""Reads KILT's knowledge source into an index of the hyperlink graph.

What real files hold, and what becomes of it:

- Nearly all links lack `wikipedia_id`, so they lead where their `href` says: percent signs and
  entities decoded, cut at `#`, underscores as blanks, the first letter raised, then redirects.
- Item 0 of `text` is the title; opening paragraphs are the items before the first `Section::::`.
- `paragraph_id` and offsets are sometimes wrong (KILT issue 51): if the linked words do not stand
  there, they are looked for in that paragraph; if they are not in it, the link is left out.
- Disambiguation pages bear no mark; titles repeat; pages lack text; links lead to the page itself
  or to pages that are not there. All of that is counted.
- The Hugging Face copy has the links of a page in columns; either form is read.

Source: Petroni et al., "KILT: a Benchmark for Knowledge Intensive Language Tasks", NAACL 2021.
"""

from __future__ import annotations

import zlib
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import BinaryIO, NamedTuple

from graph_builders.kilt_lines import PageLines
from graph_builders.kilt_redirects import read_redirects
from realhop_kg.errors import InputError
from realhop_kg.graph.hyperlinks.manifest import IndexManifest, file_digest
from realhop_kg.graph.hyperlinks.page import (
    Anchor,
    Page,
    decode_page,
    is_disambiguation,
    lead_end,
)
from realhop_kg.graph.hyperlinks.places import DISAMBIGUATION, NO_LEAD, NO_TEXT, pack
from realhop_kg.graph.hyperlinks.write import IndexWriter, PlacedLink, index_writer

__all__ = ["BadPage", "KiltReport", "build_index", "placed_links"]

LIMIT = 256 * 1024 * 1024
"""Longest page that is read, in bytes: a million links are 75 to 200 MB."""
_MOST_FILES = 1 << 16
_SHOWN = 100
_LOOKED_AT = 64


class BadPage(NamedTuple):
    """A line that holds no page."""

    file: str
    line: int
    reason: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.reason}"


@dataclass(slots=True)
class KiltReport:
    """What a build did.

    Attributes:
        manifest: the manifest of the index.
        bad: the first lines that hold no page; `manifest.counts` has their number.
    """

    manifest: IndexManifest
    bad: list[BadPage] = field(default_factory=list)


def build_index(
    paths: Sequence[Path],
    out: Path,
    *,
    created_by: str,
    redirects: Path | None = None,
    copy: bool = False,
    force: bool = False,
    longest: int = LIMIT,
    progress: Callable[[int, int], None] | None = None,
) -> KiltReport:
    """Read pages and write an index; nothing bears its name before it is whole.

    Memory grows with the number of pages (about 120 bytes each), not with their text or links.

    Args:
        paths: files of pages, one JSON object a line, each plain or gzipped.
        out: folder of the index.
        created_by: software and version, for the manifest.
        redirects: table of redirects, see `graph_builders.kilt_redirects`.
        copy: keep the texts in the index, so that the files are not needed later. Texts of
            gzipped files always are kept, because they cannot be read in the middle.
        force: replace an index that is there; by what a damaged file holds it never is.
        longest: bytes of the longest page that is read; of longer ones none is, and the rest is.
        progress: called with (bytes read, bytes in all).

    Raises:
        InputError: if a file cannot be read, or no file holds a page, or `out` cannot be written.
    """
    if not paths or len(paths) >= _MOST_FILES:
        raise InputError(f"{len(paths)} files of pages; give 1 to {_MOST_FILES - 1}")
    sources = [PageLines(path, longest) for path in paths]
    # Looked at before hours of reading, read after them, so that they need no memory meanwhile.
    moves_digest = file_digest(PageLines(redirects, LIMIT).path) if redirects else ""
    total = sum(path.stat().st_size for path in paths)
    bad: list[BadPage] = []
    with index_writer(out, force) as writer:
        build = _Build(writer, bad, total, progress)
        texts = writer.folder / "texts.bin"
        with texts.open("wb") as kept:
            for number, lines in enumerate(sources):
                copied = copy or lines.zipped
                build.add_file(number, lines, kept if copied else None)
                writer.add_source(lines.path, lines.digest, copied)
                if lines.damage and out.exists():
                    raise InputError(
                        f"{lines.path}: {lines.damage}; the index at {out} stays as it was, "
                        "because the new one would lack what follows"
                    )
        if not texts.stat().st_size:
            texts.unlink()
        if not len(writer):
            first = f" ({bad[0]})" if bad else ""
            raise InputError(f"no page in {', '.join(str(path) for path in paths)}{first}")
        moves = read_redirects(redirects) if redirects else ()
        return KiltReport(writer.finish(created_by, moves, moves_digest), bad)


class _Build:
    """Turns lines into pages of the writer, and counts what is wrong with them."""

    def __init__(
        self,
        writer: IndexWriter,
        bad: list[BadPage],
        total: int,
        progress: Callable[[int, int], None] | None,
    ) -> None:
        self._writer, self._bad = writer, bad
        self._total, self._progress = total, progress
        self._before = 0

    def add_file(self, number: int, lines: PageLines, kept: BinaryIO | None) -> None:
        """Add the pages of one file."""
        counts = self._writer.counts
        for line in lines:
            if self._progress and not line.number & 0xFF:
                self._progress(self._before + lines.read, self._total)
            try:
                page = decode_page(line.content) if not line.problem else None
                reason = line.problem
            except ValueError as error:
                page, reason = None, str(error)
            if page is None:
                counts["unreadable_lines"] += 1
                counts["too_long_lines"] += line.too_long
                counts["damaged_files"] += bool(lines.damage)
                if len(self._bad) < _SHOWN:
                    self._bad.append(BadPage(lines.path.name, line.number, reason))
                continue
            where = line.offset, len(line.content)
            if kept is not None:
                packed = zlib.compress(line.content, 1)
                where = kept.tell(), len(packed)
                kept.write(packed)
            self._add(page, (number, *where))
        self._before += lines.path.stat().st_size

    def _add(self, page: Page, where: tuple[int, int, int]) -> None:
        counts = self._writer.counts
        title = page.title.strip()
        first = lead_end(page.text)
        flags = 0
        if is_disambiguation(title, page.text[1:first], page.categories):
            flags |= DISAMBIGUATION
            counts["disambiguation"] += 1
        if not any(item.strip() for item in page.text[1:]):
            flags |= NO_TEXT
            counts["without_text"] += 1
        elif first <= 1:
            flags |= NO_LEAD
            counts["without_lead"] += 1
        counts["anchors"] += len(page.anchors) + page.broken
        counts["broken_anchors"] += page.broken
        links = placed_links(page.text, page.anchors, first, counts)
        self._writer.add(title, page.page_id, flags, where, links)


def placed_links(
    text: Sequence[str], anchors: Sequence[Anchor], first: int, counts: Counter[str]
) -> list[PlacedLink]:
    """Return the links whose words stand where they say, or elsewhere in that paragraph.

    Args:
        text: items of the page.
        anchors: its links.
        first: number of its first section heading.
        counts: what was moved or left out is added here.
    """
    items = len(text)
    placed = []
    # 141 million links of a whole Wikipedia pass here, nearly all of them by the first branch.
    for anchor in anchors:
        words, number, start, end = anchor.text, anchor.paragraph_id, anchor.start, anchor.end
        if not (
            0 <= number < items
            and start >= 0
            and text[number][start:end] == words
            and words
            and not words.isspace()
        ):
            found = _found(text, anchor, counts)
            if found < 0:
                continue
            start, end = found, found + len(words)
        place = pack(0 < number < first, number, start, end)
        if place is None:
            counts["misplaced_anchors"] += 1
            continue
        placed.append((anchor.href, place, anchor.wikipedia_title))
    return placed


def _found(text: Sequence[str], anchor: Anchor, counts: Counter[str]) -> int:
    """Return where the words of a link stand that do not stand where it says, or -1."""
    if not anchor.text.strip():
        counts["empty_anchors"] += 1
        return -1
    inside = 0 <= anchor.paragraph_id < len(text)
    found = _nearest(text[anchor.paragraph_id], anchor.text, anchor.start) if inside else -1
    counts["moved_anchors" if found >= 0 else "misplaced_anchors"] += 1
    return found


def _nearest(item: str, words: str, start: int) -> int:
    """Return where words stand nearest to a place, as whole words if they do anywhere; or -1.

    Of words that stand there very often only the `_LOOKED_AT` places on either side are looked at,
    so that no page takes time without end.
    """
    start = min(max(start, 0), len(item))
    found = list(islice(_onward(item, words, start), _LOOKED_AT))
    found += islice(_backward(item, words, start), _LOOKED_AT)
    return min(found, key=lambda at: (_cut(item, at, len(words)), abs(at - start)), default=-1)


def _onward(item: str, words: str, at: int) -> Iterator[int]:
    while (at := item.find(words, at)) >= 0:
        yield at
        at += 1


def _backward(item: str, words: str, at: int) -> Iterator[int]:
    # Begins before `at`, so that no place comes twice.
    while at > 0 and (at := item.rfind(words, 0, at - 1 + len(words))) >= 0:
        yield at


def _cut(item: str, at: int, length: int) -> bool:
    """Return whether the words at a place are part of longer ones."""
    before, after = item[max(at - 1, 0) : at], item[at + length : at + length + 1]
    return before.isalnum() or after.isalnum()
