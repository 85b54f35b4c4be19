"""Checks an index by reading it: its own files, and the pages that it points to."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from realhop_kg.errors import InputError
from realhop_kg.graph.hyperlinks.index import PageGraph
from realhop_kg.graph.hyperlinks.manifest import (
    TEXTS,
    IndexManifest,
    PageSource,
    broken_files,
    file_digest,
    sources_of,
)
from realhop_kg.graph.hyperlinks.names import clean_title
from realhop_kg.graph.hyperlinks.page import decode_page

__all__ = ["broken_index"]

_NAMED = 20
"""Pages of one file that are named one by one; the others are counted."""

Advance = Callable[[int], None]
"""Called with the number of bytes that were read since the last call."""


def broken_index(
    folder: Path, manifest: IndexManifest, progress: Callable[[int, int], None] | None = None
) -> Iterator[str]:
    """Yield each fault of an index and of its pages, one line for each.

    Every byte is read once. Where a file of pages differs, its pages are read one by one, to say
    which of them can no longer be read as they were indexed.

    Args:
        folder: the index.
        manifest: what it says of itself.
        progress: called with (bytes read, bytes to read).
    """
    total = sum(each.bytes for each in manifest.files)
    total += sum(each.bytes for each in manifest.sources if not each.copied)
    done = 0

    def advance(count: int) -> None:
        nonlocal done
        done += count
        if progress:
            progress(done, total)

    own = list(broken_files(folder, manifest, advance=advance))
    yield from own
    changed: list[int] = []
    for number, source in enumerate(manifest.sources):
        if source.copied:
            if f"{TEXTS} has changed" in own:
                changed.append(number)
            continue
        path, fault = _fault(folder, number, source, advance)
        if fault:
            yield fault
            if path is not None:
                changed.append(number)
    # Places of pages are known only where the columns that hold them are whole.
    if changed and not [fault for fault in own if not fault.startswith(TEXTS)]:
        yield from _broken_pages(folder, manifest, changed)


def _fault(
    folder: Path, number: int, source: PageSource, advance: Advance
) -> tuple[Path | None, str]:
    """Return where a file of pages is, if it can be read, and what is wrong with it."""
    again = "put it back, or index the pages again"
    try:
        path = sources_of(folder)[number]
        size = path.stat().st_size
        digest = file_digest(path, advance)
    except (OSError, ValueError, LookupError, TypeError) as error:
        why = getattr(error, "strerror", None) or "the index does not say where it is"
        return None, f"{source.file} cannot be read: {why}; {again}"
    if size != source.bytes:
        said = f"has {size:,} bytes, {source.bytes:,} when it was indexed"
        return path, f"{source.file} {said}; {again}"
    if digest != source.xxh3:
        return path, f"{source.file} has changed since it was indexed; {again}"
    return path, ""


def _broken_pages(folder: Path, manifest: IndexManifest, changed: list[int]) -> Iterator[str]:
    """Yield which pages of some files cannot be read as they were indexed."""
    try:
        graph = PageGraph(folder)
    except InputError as error:
        yield str(error)
        return
    with graph:
        numbers = graph.column("text_file")
        for number in changed:
            source = manifest.sources[number]
            path = folder / TEXTS if source.copied else sources_of(folder)[number]
            held = (page for page in range(len(graph)) if numbers[page] == number)
            bad = [graph.titles[page] for page in _unread(graph, held, path, source.copied)]
            yield from (f"{source.file}: page {title!r} is not there" for title in bad[:_NAMED])
            if len(bad) > _NAMED:
                yield f"{source.file}: and {len(bad) - _NAMED:,} more pages"


def _unread(graph: PageGraph, pages: Iterable[int], path: Path, packed: bool) -> Iterator[int]:
    """Yield the pages whose place in a file holds no page of their title."""
    offsets, lengths = graph.column("text_offset"), graph.column("text_length")
    with path.open("rb") as file:
        for page in pages:
            file.seek(offsets[page])
            record = file.read(lengths[page])
            try:
                title = decode_page(zlib.decompress(record) if packed else record).title
            except (ValueError, zlib.error):
                yield page
                continue
            if graph.titles[page] not in (title, clean_title(title)):
                yield page
