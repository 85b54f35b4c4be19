"""Reads a saved Wikipedia page: title, body as plain text, and table rows, flattened."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bs4 import Tag

__all__ = ["SavedPage", "read_html"]

_DROPPED = (
    "script, style, noscript, sup.reference, .mw-editsection, .navbox, .reflist, .references, "
    "#toc, .toc, .metadata, .noprint, .mw-empty-elt, .mw-cite-backlink"
)
_BREAKS = ("br", "div", "dd", "dl", "dt", "hr", "li", "ol", "p", "ul")
"""Tags that part words, though no space stands in the markup."""
_BLOCKS = ("p", "h2", "h3", "h4", "li", "blockquote", "dd", "dt")
_SUFFIX = re.compile(r"\s+[-–—]\s+(?:Simple English )?Wikipedia.*\Z")
_CITED = re.compile(r"\[(?:\d+|[a-z]|note \d+|citation needed)\]")
_MOST_SPAN = 100
"""Rows or columns that a cell spans at most; a larger number is an error of the page."""


@dataclass(frozen=True, slots=True)
class SavedPage:
    """What is used of a page.

    Attributes:
        title: its heading.
        paragraphs: text blocks of the body in their order, those in tables left out.
        rows: table rows in source order, cells joined by ` | `; a cell that spans rows stands in
            each of them.
    """

    title: str
    paragraphs: tuple[str, ...]
    rows: tuple[str, ...]


def read_html(markup: str | bytes) -> SavedPage:
    """Return the title, body and table rows of a page.

    Any text is read as far as it goes: what is no HTML is one paragraph, or none.
    """
    from bs4 import BeautifulSoup

    soup = BeautifulSoup(markup, "lxml")
    title = _heading(soup)
    for each in soup.select(_DROPPED):
        each.decompose()
    for each in soup.find_all(_BREAKS):
        each.insert_before(" ")
        each.insert_after(" ")
    content = soup.select_one("#mw-content-text") or soup.select_one("main") or soup.body
    if content is None:
        return SavedPage(title, (), ())
    return SavedPage(title, tuple(_paragraphs(content)), tuple(_rows(content)))


def _heading(soup: Tag) -> str:
    for found in (soup.select_one("#firstHeading"), soup.select_one("h1"), soup.title):
        if found is not None and _plain(found):
            return _SUFFIX.sub("", _plain(found))
    return ""


def _plain(tag: Tag) -> str:
    return " ".join(_CITED.sub("", tag.get_text("", strip=False)).split())


def _paragraphs(content: Tag) -> Iterator[str]:
    blocks = content.find_all(_BLOCKS)
    if not blocks and _plain(content) and content.find("table") is None:
        yield _plain(content)
    for block in blocks:
        # A block inside another is part of its text.
        if block.find_parent("table") is None and block.find_parent(_BLOCKS) is None:
            text = _plain(block)
            if text:
                yield text


def _rows(content: Tag) -> Iterator[str]:
    for table in content.find_all("table"):
        held: dict[int, tuple[str, int]] = {}
        for row in table.find_all("tr"):
            if row.find_parent("table") is table:
                cells = _cells(row, held)
                if any(cells):
                    yield " | ".join(cell for cell in cells if cell)


def _cells(row: Tag, held: dict[int, tuple[str, int]]) -> list[str]:
    """Return the cells of a row with those that reach into it from above; keep what reaches on."""
    own = iter(row.find_all(["td", "th"], recursive=False))
    cells: list[str] = []
    column = 0
    while True:
        if column in held:
            text, left = held.pop(column)
            if left > 1:
                held[column] = (text, left - 1)
            cells.append(text)
            column += 1
            continue
        cell = next(own, None)
        if cell is None:
            break
        text, down, across = _plain(cell), _span(cell, "rowspan"), _span(cell, "colspan")
        cells.append(text)
        if down > 1:
            held.update({column + at: (text if at == 0 else "", down - 1) for at in range(across)})
        column += across
    return cells


def _span(cell: Tag, name: str) -> int:
    value = str(cell.get(name, "1")).strip()
    return min(max(int(value), 1), _MOST_SPAN) if value.isascii() and value.isdigit() else 1
