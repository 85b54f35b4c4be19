"""One KILT page: decoded quickly where it is well-formed, and saved piece by piece where not."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import cache

import msgspec

__all__ = [
    "Anchor",
    "Page",
    "body",
    "decode_page",
    "is_disambiguation",
    "lead_end",
    "lead_text",
]

_SECTION = "Section::::"
_LIST_ITEM = re.compile(r"^BULLET::::-?\s*")


class Anchor(msgspec.Struct, gc=False):
    """One link of a page, as the file has it."""

    text: str = ""
    href: str = ""
    paragraph_id: int = -1
    start: int = -1
    end: int = -1
    wikipedia_title: str | None = None


class _Anchors(msgspec.Struct, gc=False):
    """The links of a page in columns, as the Hugging Face copy has them."""

    text: list[str] = []
    href: list[str] = []
    paragraph_id: list[int] = []
    start: list[int] = []
    end: list[int] = []
    wikipedia_title: list[str | None] = []


class _Text(msgspec.Struct, gc=False):
    """The text of a page in the Hugging Face copy."""

    paragraph: list[str]


class _Raw(msgspec.Struct, gc=False):
    # In the order of the file, which is the quickest to decode.
    kilt_id: str | int | None = None
    wikipedia_id: str | int | None = None
    wikipedia_title: str = ""
    text: list[str] | _Text = []
    anchors: list[Anchor] | _Anchors = []
    categories: str | None = None


class Page(
    msgspec.Struct, gc=False, rename={"page_id": "wikipedia_id", "title": "wikipedia_title"}
):
    """One page: its title, its text items and its links."""

    # Nearly all lines are decoded into this at once; in the order of the file, as above.
    page_id: str
    title: str
    text: list[str]
    anchors: list[Anchor]
    categories: str
    broken: int = 0
    """Links that could not be read."""


@cache
def _decode() -> Callable[[bytes], Page]:
    return msgspec.json.Decoder(Page).decode


@cache
def _decoder() -> msgspec.json.Decoder[_Raw]:
    # Not strict: some files hold numbers as texts.
    return msgspec.json.Decoder(_Raw, strict=False)


def decode_page(line: bytes) -> Page:
    """Return the page of a JSON line, in KILT's own form or in columns.

    A page with a field of a wrong kind is kept as far as it can be read; links that cannot are
    counted.

    Raises:
        ValueError: if it is no JSON object, or has no title; the message says which.
    """
    try:
        page = _decode()(line)
    except msgspec.ValidationError:
        return _other_form(line)
    except (ValueError, RecursionError) as error:
        raise ValueError(_reason(error)) from error
    page.broken = 0  # whatever the file says of it
    return page if page.title and not page.title.isspace() else _named(page)


def _other_form(line: bytes) -> Page:
    """Return a page in columns, with numbers as texts or texts as numbers, or with faults."""
    try:
        raw = _decoder().decode(line)
    except msgspec.ValidationError:
        return _salvaged(line)
    except (ValueError, RecursionError) as error:
        raise ValueError(_reason(error)) from error
    text = raw.text if isinstance(raw.text, list) else raw.text.paragraph
    anchors, broken = (raw.anchors, 0) if isinstance(raw.anchors, list) else _rows(raw.anchors)
    page_id = raw.wikipedia_id if raw.wikipedia_id not in (None, "") else raw.kilt_id
    return _named(
        Page(
            page_id="" if page_id is None else str(page_id),
            title=raw.wikipedia_title,
            text=text,
            anchors=anchors,
            categories=raw.categories or "",
            broken=broken,
        )
    )


def _named(page: Page) -> Page:
    if not page.title.strip() and page.text:
        page.title = page.text[0].strip()  # item 0 is the title
    if not page.title.strip():
        raise ValueError("it has no title; give it a wikipedia_title")
    return page


def _rows(columns: _Anchors) -> tuple[list[Anchor], int]:
    """Return links from columns; where columns differ in length, the rows that all have."""
    needed: list[Sequence[object]] = [
        columns.text, columns.href, columns.paragraph_id, columns.start, columns.end
    ]  # fmt: skip
    count = min(map(len, needed))
    titles = [*columns.wikipedia_title[:count]]
    titles += [None] * (count - len(titles))
    rows = zip(
        columns.text,
        columns.href,
        columns.paragraph_id,
        columns.start,
        columns.end,
        titles,
        strict=False,
    )
    return [Anchor(*row) for row in rows], max(map(len, needed)) - count


def _reason(error: ValueError | RecursionError) -> str:
    if isinstance(error, RecursionError):
        return "it is nested too deeply; flatten it"
    if isinstance(error, UnicodeDecodeError) or "utf-8" in str(error).lower():
        return "it is not UTF-8; save the file as UTF-8"
    return f"it is no JSON: {error}"


def _salvaged(line: bytes) -> Page:
    """Return what can be read of a page that has a field of a wrong kind."""
    try:
        value = msgspec.json.decode(line)
    except (ValueError, RecursionError) as error:
        raise ValueError(_reason(error)) from error
    if not isinstance(value, dict):
        raise ValueError("it is no JSON object; give one page a line")
    text = value.get("text")
    if isinstance(text, dict):
        text = text.get("paragraph")
    items = [item if isinstance(item, str) else "" for item in text or ()] if _listed(text) else []
    anchors: list[Anchor] = []
    found = value.get("anchors")
    rows = found if isinstance(found, list) else []
    broken = 0
    for row in rows:
        try:
            anchors.append(msgspec.convert(row, Anchor, strict=False))
        except msgspec.ValidationError:
            broken += 1
    broken += isinstance(found, dict)  # columns of a wrong kind: all of them
    title, page_id, categories = (
        value.get(name) for name in ("wikipedia_title", "wikipedia_id", "categories")
    )
    return _named(
        Page(
            page_id=str(page_id) if isinstance(page_id, str | int) else "",
            title=title if isinstance(title, str) else "",
            text=items,
            anchors=anchors,
            categories=categories if isinstance(categories, str) else "",
            broken=broken,
        )
    )


def _listed(value: object) -> bool:
    return isinstance(value, list)


def lead_end(text: Sequence[str]) -> int:
    """Return the number of the first section heading, or of items where there is none."""
    for place, item in enumerate(text):
        if item.startswith(_SECTION):
            return place
    return len(text)


def body(item: str) -> str:
    """Return a text item without the marks of lists and headings."""
    return _LIST_ITEM.sub("", item.strip()).removeprefix(_SECTION)


def lead_text(text: Sequence[str]) -> str:
    """Return the opening paragraphs: the items between the title and the first heading."""
    return " ".join(filter(None, (body(item) for item in text[1 : lead_end(text)])))


_ASKS_WHICH = re.compile(
    r"\b(?:may|can|could|might) (?:also )?(?:refer to|mean|stand for)\b[^.]*:$"
)


def is_disambiguation(title: str, lead: Sequence[str], categories: str) -> bool:
    """Return whether a page only says which others its name may mean; KILT marks none.

    It is if title or categories say so, or if an opening paragraph ends as "may refer to:" does.

    Args:
        title: its title.
        lead: its opening paragraphs.
        categories: its categories, as one text.
    """
    if title.endswith("(disambiguation)") or "disambiguation pages" in categories.lower():
        return True
    return any(_ASKS_WHICH.search(item.rstrip()) for item in lead if item.rstrip().endswith(":"))
