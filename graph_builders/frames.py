"""Reads the FRAMES table as it is in the wild: csv or tsv, links in many forms.

What real files hold, and what becomes of it:

- The first column has no name, or is called `id` or `Unnamed: 0`; without one, rows are numbered
  from 0.
- `wiki_links` is a Python list written as text. Where it is none, the columns `wikipedia_link_*`
  are read; where both stand there and differ, pages of either are taken, those of the list first.
- Cells hold several links, white space at their edges, and gaps lie between them.
- Links have fragments (also `#:~:text=`), mobile hosts and escapes; two may lead to one page. Short
  links name no page: they are kept with the problem, and the row goes on with its other pages.
- A row without question, answer or any page is excluded, with its line.

Source: Krishna et al., "Fact, Fetch, and Reason: A Unified Evaluation of Retrieval-Augmented
Generation", NAACL 2025.
"""

from __future__ import annotations

import ast
import csv
import gzip
import io
from collections.abc import Iterator, Mapping
from itertools import islice
from pathlib import Path
from typing import BinaryIO, TextIO, cast

from graph_builders.base import Excluded, printable
from graph_builders.wikilinks import PageLink, page_link, split_links
from realhop_kg.errors import InputError
from realhop_kg.model.finding import Code
from realhop_kg.model.record import Record

__all__ = ["DATASET", "FramesRow", "read_frames"]

DATASET = "frames"
_LONGEST = 100_000
"""Characters of the first line that are looked at."""

_IDS = ("id", "unnamed: 0", "")
_QUESTIONS = ("prompt", "question")
_ANSWERS = ("answer",)


class FramesRow(Record):
    """One question with the pages that it needs."""

    id: str
    line: int
    """Line of the file at which the row begins, from 1; the header is line 1."""
    question: str
    answer: str
    pages: tuple[PageLink, ...]
    """Each page once, in order."""
    unresolved: tuple[PageLink, ...] = ()
    """Links that lead to no page, each with its problem."""
    reasoning: tuple[str, ...] = ()

    @property
    def titles(self) -> tuple[str, ...]:
        """Titles of the pages."""
        return tuple(page.title for page in self.pages)


def read_frames(path: Path, limit: int | None = None) -> Iterator[FramesRow | Excluded]:
    """Yield one outcome per row of a FRAMES table, in order.

    Args:
        path: a csv or tsv file, also gzipped.
        limit: how many rows to read at most.

    Raises:
        InputError: at the first step, if the file cannot be read or has no such columns.
    """
    name = printable(path.name)
    seen: set[str] = set()
    with _opened(path) as raw, _text(raw) as stream:
        rows = islice(_rows(path, stream), limit)
        for number, (line, row) in enumerate(rows):
            outcome = _outcome(name, number, line, row)
            if isinstance(outcome, FramesRow):
                if outcome.id in seen:
                    repeated = "`id` is that of an earlier row; give each its own"
                    outcome = _excluded(name, line, outcome.id, "id", repeated)
                else:
                    seen.add(outcome.id)
            yield outcome


def _opened(path: Path) -> BinaryIO:
    try:
        return path.open("rb")
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror}") from error


def _text(raw: BinaryIO) -> TextIO:
    zipped = raw.read(2) == b"\x1f\x8b"
    raw.seek(0)
    binary = cast("BinaryIO", gzip.GzipFile(fileobj=raw)) if zipped else raw
    # What is no UTF-8 becomes a mark that the row is told by, so that the other rows go on.
    return io.TextIOWrapper(binary, encoding="utf-8-sig", errors="replace", newline="")


def _rows(path: Path, stream: TextIO) -> Iterator[tuple[int, Mapping[str, str] | str]]:
    """Yield line and cells by folded column name of each row; a problem instead of cells."""
    try:
        head = stream.readline(_LONGEST)
    except (OSError, EOFError) as error:
        raise InputError(f"{path} cannot be read: {error}") from error
    tabs = head.count("\t") > head.count(",")
    names = next(csv.reader([head], delimiter="\t" if tabs else ","), [])
    columns = [name.strip().casefold() for name in names]
    if not any(each in columns for each in _QUESTIONS) or "answer" not in columns:
        raise InputError(
            f"{path} is no FRAMES table: its first line names no columns Prompt and Answer"
        )
    reader = csv.reader(stream, delimiter="\t" if tabs else ",")
    while True:
        line = reader.line_num + 2
        try:
            cells = next(reader)
        except StopIteration:
            return
        except (csv.Error, OSError, EOFError) as error:
            yield line, f"cannot be read ({error}); mend quotes and bytes"
            if isinstance(error, OSError | EOFError):
                return
            continue
        if not any(cell.strip() for cell in cells):
            continue
        if len(cells) > len(columns):
            yield (
                line,
                f"has {len(cells)} cells, the header {len(columns)}; quote cells with commas",
            )
            continue
        yield line, dict(zip(columns, cells, strict=False))


def _outcome(
    file: str, number: int, line: int, row: Mapping[str, str] | str
) -> FramesRow | Excluded:
    if isinstance(row, str):
        return _excluded(file, line, "", "", row)
    identity = printable(_cell(row, _IDS) or str(number))
    for field, names in (("Prompt", _QUESTIONS), ("Answer", _ANSWERS)):
        text = _cell(row, names)
        if not text:
            return _excluded(file, line, identity, field, f"`{field}` is empty; fill it")
        if "\ufffd" in text:
            mend = f"`{field}` is not UTF-8; save the file as UTF-8"
            return _excluded(file, line, identity, field, mend)
    links = [page_link(link) for link in _links(row)]
    pages: dict[tuple[str, str], PageLink] = {}
    for link in links:
        if not link.problem:
            pages.setdefault((link.wiki, link.title), link)
    unresolved = {link.link: link for link in links if link.problem}
    if not pages:
        told = "; ".join(f"{link.link[:60]!r} {link.problem}" for link in unresolved.values())
        reason = f"no link leads to a page ({told or 'there is none'}); name the pages it needs"
        return _excluded(file, line, identity, "wiki_links", reason)
    return FramesRow(
        id=identity,
        line=line,
        question=_cell(row, _QUESTIONS),
        answer=_cell(row, _ANSWERS),
        pages=tuple(pages.values()),
        unresolved=tuple(unresolved.values()),
        reasoning=tuple(
            each.strip() for each in row.get("reasoning_types", "").split("|") if each.strip()
        ),
    )


def _cell(row: Mapping[str, str], names: tuple[str, ...]) -> str:
    return next((row[name].strip() for name in names if row.get(name, "").strip()), "")


def _links(row: Mapping[str, str]) -> list[str]:
    cells = [cell for column, cell in row.items() if column.startswith("wikipedia_link")]
    found = [*_listed(row.get("wiki_links", "")), *cells]
    return [link for cell in found for link in split_links(cell)]


def _listed(text: str) -> list[str]:
    """Return the texts of a Python list that is written as text; of any other text, the text."""
    try:
        value = ast.literal_eval(text.strip())
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return [text] if "://" in text else []
    return [each for each in value if isinstance(each, str)] if isinstance(value, list) else []


def _excluded(file: str, line: int, item: str, field: str, message: str) -> Excluded:
    return Excluded(
        dataset=DATASET, file=file, line=line, id=item, code=Code.B2, field=field, message=message
    )
