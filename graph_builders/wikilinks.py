"""Turns links to Wikipedia, as people paste them, into titles of pages."""

from __future__ import annotations

import re
import unicodedata
from urllib.parse import parse_qs, unquote, urlsplit

from realhop_kg.model.record import Record

__all__ = ["PageLink", "page_link", "split_links"]

_BETWEEN = re.compile(r"(?:\s*[,;|]\s*|\s+)(?=https?://)")
_SCHEME = re.compile(r"\Ahttps?://", re.IGNORECASE)
_HOST = re.compile(r"\A(?:www\.)?(?P<wiki>[a-z][a-z0-9-]*)(?:\.m|\.zero)?\.wikipedia\.org\Z")
_NOT_PAGES = ("special:", "file:", "category:", "help:", "talk:", "user:", "template:")


class PageLink(Record):
    """One link and the page that it leads to."""

    link: str
    """As it was written, without white space at its edges."""
    wiki: str = ""
    """Which Wikipedia: `en`, `simple`; empty where the link does not say."""
    title: str = ""
    """Title of the page, empty where the link does not say it."""
    problem: str = ""
    """Why there is no title, and what to do; otherwise empty."""


def split_links(cell: str) -> list[str]:
    """Return the links of a cell, which may hold several.

    Commas belong to titles (`Bridgeton,_Glasgow`), so that links part only where the next begins.

    Examples:
        >>> split_links(" https://a.org/x,_y, https://a.org/z ")
        ['https://a.org/x,_y', 'https://a.org/z']
    """
    parts = (part.strip().strip(",;").strip() for part in _BETWEEN.split(cell.strip()))
    return [part for part in parts if part]


def page_link(link: str) -> PageLink:
    """Return the page that a link leads to: no fragment, no mobile host, no escapes.

    A short link (`w.wiki/...`) says no title: only the network knows it.

    Examples:
        >>> page_link("https://en.m.wikipedia.org/wiki/Pok%C3%A9mon_cards#Rules ").title
        'Pokémon cards'
    """
    written = link.strip()
    if not _SCHEME.match(written):
        return PageLink(link=written, problem="is no link; write it with https://")
    try:
        parts = urlsplit(written)
        host = (parts.hostname or "").casefold()
    except ValueError:
        return PageLink(link=written, problem="is no link that can be read; mend it")
    if host in ("w.wiki", "wikipedia.org", "www.wikipedia.org"):
        return PageLink(link=written, problem="names no page; write the link of the page itself")
    match = _HOST.match(host)
    if match is None:
        return PageLink(link=written, problem="leads to no Wikipedia; leave it out")
    title = _title(parts.path, parts.query)
    if not title or title.casefold().startswith(_NOT_PAGES):
        return PageLink(link=written, wiki=match["wiki"], problem="names no article; mend it")
    return PageLink(link=written, wiki=match["wiki"], title=title)


def _title(path: str, query: str) -> str:
    if path.startswith("/wiki/"):
        raw = path.removeprefix("/wiki/")
    else:
        raw = next(iter(parse_qs(query).get("title", ())), "")
    plain = unicodedata.normalize("NFC", unquote(raw, errors="replace"))
    title = " ".join(plain.replace("_", " ").split())
    return title[:1].upper() + title[1:]
