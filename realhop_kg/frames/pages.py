"""Where pages come from: a folder of saved HTML, KILT pages, or a Wikipedia-compatible API."""

from __future__ import annotations

import time
import unicodedata
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Protocol
from urllib.parse import unquote

from graph_builders.wikilinks import PageLink
from realhop_kg.errors import InputError, ProviderError
from realhop_kg.frames.html import SavedPage, read_html
from realhop_kg.ids import digest
from realhop_kg.jsonl import RawRecord, canonical, read_records
from realhop_kg.model.record import Record

__all__ = ["ApiPages", "HtmlPages", "KiltPages", "MissingPage", "Pages"]


class MissingPage(Exception):
    """A page is not to be had; raised and caught within this package."""


class Pages(Protocol):
    """Gives pages by their links."""

    def page(self, link: PageLink) -> SavedPage:
        """Return a page.

        Raises:
            MissingPage: if it is missing or moved, with the reason.
        """
        ...


def _key(title: str) -> str:
    return " ".join(unicodedata.normalize("NFC", title).replace("_", " ").split()).casefold()


def _same(page: SavedPage, title: str, follow: bool = False) -> SavedPage:
    """Return a page with text that is the one asked for, or to which that one leads."""
    if page.title and not follow and _key(page.title) != _key(title):
        raise MissingPage(f"{title!r} has moved: the page is headed {page.title!r}")
    if not page.paragraphs and not page.rows:
        raise MissingPage(f"{title!r} has no text")
    return page


class HtmlPages:
    """Saved pages (`Orm_Lake.html`), found by their names; read one at a time.

    Args:
        folder: where they lie, in folders of their own or not.
        follow: whether a page with another heading, to which the link has moved, will do.
    """

    def __init__(self, folder: Path, follow: bool = False) -> None:
        self._follow = follow
        files = [*folder.rglob("*.html"), *folder.rglob("*.htm")] if folder.is_dir() else []
        if not files:
            raise InputError(f"{folder} holds no saved pages: put TITLE.html files there")
        self._files = {_key(unquote(file.stem)): file for file in sorted(files, reverse=True)}

    def page(self, link: PageLink) -> SavedPage:
        """Return a saved page; see `Pages.page`."""
        # A slash cannot stand in a name; browsers save it as one of these.
        names = [link.title.replace("/", mark) for mark in ("_", "%2F", "-", ":")]
        file = next((self._files[_key(n)] for n in names if _key(n) in self._files), None)
        if file is None:
            raise MissingPage(f"{link.title!r} is not among the saved pages")
        try:
            return _same(read_html(file.read_bytes()), link.title, self._follow)
        except OSError as error:
            raise MissingPage(f"{file.name} cannot be read: {error.strerror}") from error


class KiltPages:
    """KILT pages, of which those that are wanted are kept; they have no tables.

    Args:
        path: the file of pages.
        titles: the titles that will be asked for.
    """

    def __init__(self, path: Path, titles: Iterable[str]) -> None:
        wanted = {_key(title) for title in titles}
        self._pages: dict[str, SavedPage] = {}
        for record in read_records(path):
            data = record.data if isinstance(record, RawRecord) else None
            title = data.get("wikipedia_title") if isinstance(data, dict) else None
            if isinstance(data, dict) and isinstance(title, str) and _key(title) in wanted:
                self._pages.setdefault(_key(title), _kilt_page(title, data.get("text")))

    def page(self, link: PageLink) -> SavedPage:
        """Return a page; see `Pages.page`."""
        found = self._pages.get(_key(link.title))
        if found is None:
            raise MissingPage(f"{link.title!r} is not among the KILT pages")
        return _same(found, link.title)


def _kilt_page(title: str, text: object) -> SavedPage:
    lines = (
        [line.strip() for line in text if isinstance(line, str)] if isinstance(text, list) else []
    )
    body = lines[1:] if lines and lines[0] == title.strip() else lines
    plain = (line.removeprefix("Section::::").removeprefix("BULLET::::- ") for line in body)
    return SavedPage(title, tuple(line for line in plain if line), ())


class _Cached(Record):
    """What the API said of a page: its HTML, or that there is none."""

    title: str
    html: str = ""
    missing: str = ""


class ApiPages:
    """Pages of a MediaWiki API, asked for politely and kept, so that a stopped run goes on.

    Args:
        base: root of the wiki, as `https://{wiki}.wikipedia.org`; `{wiki}` is that of the link.
        cache: folder in which each answer is kept, missing pages too.
        interval: seconds between two requests at least.
        attempts: tries of one page while the server is busy or away.
        follow: whether the page to which a title has moved will do.
        wait: how to wait, for tests.

    Raises:
        InputError: if the base is no address.
    """

    def __init__(
        self,
        base: str,
        cache: Path,
        *,
        interval: float = 1.0,
        attempts: int = 5,
        follow: bool = False,
        wait: Callable[[float], None] = time.sleep,
    ) -> None:
        if not base.startswith(("http://", "https://")):
            raise InputError(f"--fetch {base!r}: write an address with https://")
        self._base = base.rstrip("/")
        self._cache = cache
        self._interval = interval
        self._attempts = attempts
        self._follow = follow
        self._wait = wait
        self._asked = False

    def page(self, link: PageLink) -> SavedPage:
        """Return a page; see `Pages.page`.

        Raises:
            ProviderError: if the server does not answer; what was fetched is kept.
        """
        file = self._cache / f"{digest(self._base, link.wiki, link.title, length=32)}.json"
        known = self._known(file)
        if known is None:
            known = self._fetched(link)
            self._keep(file, known)
        if known.missing:
            raise MissingPage(known.missing)
        page = read_html(f"<div id='mw-content-text'>{known.html}</div>")
        found = SavedPage(known.title, page.paragraphs, page.rows)
        return _same(found, link.title, self._follow)

    def _known(self, file: Path) -> _Cached | None:
        try:
            return _Cached.model_validate_json(file.read_bytes())
        except (OSError, ValueError):
            return None  # not there, or half written by something else: ask again

    def _keep(self, file: Path, answer: _Cached) -> None:
        try:
            self._cache.mkdir(parents=True, exist_ok=True)
            partial = file.with_suffix(".partial")
            partial.write_text(canonical(answer.model_dump()), encoding="utf-8")
            partial.replace(file)
        except OSError as error:
            raise InputError(f"{self._cache} cannot be written: {error.strerror}") from error

    def _fetched(self, link: PageLink) -> _Cached:
        import httpx

        address = self._base.replace("{wiki}", link.wiki or "en") + "/w/api.php"
        query = {"action": "parse", "page": link.title, "prop": "text", "redirects": "1",
                 "format": "json", "formatversion": "2"}  # fmt: skip
        agent = {"User-Agent": "realhop-kg (benchmark construction; one request at a time)"}
        reason = ""
        for attempt in range(self._attempts):
            if self._asked:
                self._wait(self._interval * 2**attempt)
            self._asked = True
            try:
                response = httpx.get(
                    address, params=query, headers=agent, timeout=30, follow_redirects=True
                )
            except httpx.HTTPError as error:
                reason = f"{type(error).__name__}: {error}"
                continue
            if response.status_code == 429 or response.status_code >= 500:
                reason = f"status {response.status_code}"
                asked = response.headers.get("Retry-After", "")
                if asked.isascii() and asked.isdigit():
                    self._wait(min(float(asked), 120.0))
                continue
            try:
                return _answer(link, response.json())
            except ValueError:
                reason = f"status {response.status_code} without the JSON of an API"
        raise ProviderError(
            f"{address} does not give {link.title!r} ({reason}); what was fetched is kept, run the "
            "same command again later"
        )


def _answer(link: PageLink, data: object) -> _Cached:
    """Return what an answer of the API says.

    Raises:
        ValueError: if it is none.
    """
    if isinstance(data, dict) and isinstance(data.get("error"), dict):
        code = str(data["error"].get("code", ""))
        if code in ("missingtitle", "invalidtitle", "pagecannotexist", "nosuchpageid"):
            return _Cached(title=link.title, missing=f"{link.title!r} does not exist ({code})")
    parsed = data.get("parse") if isinstance(data, dict) else None
    if not isinstance(parsed, dict) or not isinstance(parsed.get("title"), str):
        raise ValueError("no answer of an API")
    text = parsed.get("text")
    html = text.get("*") if isinstance(text, dict) else text
    if not isinstance(html, str):
        raise ValueError("no text")
    return _Cached(title=parsed["title"], html=html)
