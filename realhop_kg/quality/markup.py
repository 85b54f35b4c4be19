"""What every reading sheet has in common: its head, its boxes to tick, its two files.

No script, nothing from elsewhere, all text escaped.
"""

from __future__ import annotations

import html
import json
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Literal, NamedTuple, TextIO

from realhop_kg.errors import OutputExistsError
from realhop_kg.folder import atomic_folder
from realhop_kg.model.record import Record
from realhop_kg.resources import resource_folder

__all__ = [
    "READING_HTML",
    "READING_ROWS",
    "Asked",
    "Html",
    "Label",
    "Sheet",
    "closing",
    "join",
    "judgement",
    "opening",
    "sheet_folder",
    "tag",
]

READING_HTML = "reading.html"
READING_ROWS = "reading.jsonl"

Label = Literal["", "yes", "no", "unsure"]

_POLICY = "default-src 'none'; style-src 'unsafe-inline'"
"""Even markup that slipped in could load nothing and run nothing."""

_UNPRINTABLE = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ufffe\uffff]"
)
"""What HTML forbids, and what turns the direction of the text that follows."""

_CHOICES = ("yes", "no", "unsure")


class Asked(NamedTuple):
    """One question to the reader, and the label that answers it."""

    label: str
    question: str


class Html(str):
    """Text that is markup already."""

    __slots__ = ()


def tag(name: str, *parts: str, **attributes: str) -> Html:
    """Return an element; whatever is no markup of ours is escaped."""
    opened = "".join(f' {key.rstrip("_")}="{_safe(value)}"' for key, value in attributes.items())
    return Html(f"<{name}{opened}>{join(*parts)}</{name}>")


def join(*parts: str) -> Html:
    """Return parts one after the other; whatever is no markup of ours is escaped."""
    return Html("".join(part if isinstance(part, Html) else _safe(part) for part in parts))


def _safe(text: str) -> str:
    return html.escape(_UNPRINTABLE.sub("\ufffd", text))


def opening(
    name: str, digest: str, seed: int, sample: str, asked: Sequence[Asked], advice: str
) -> str:
    """Return the page up to its first item.

    Args:
        name: of the dataset.
        digest: of the dataset.
        seed: of the sample.
        sample: what it holds, in words.
        asked: the questions to the reader.
        advice: how to judge.
    """
    title = f"Reading sheet of {name}"
    style = (resource_folder("quality") / "sheet.css").read_text(encoding="utf-8")
    head = join(
        Html('<meta charset="utf-8">'),
        Html(f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">'),
        Html('<meta name="viewport" content="width=device-width, initial-scale=1">'),
        tag("title", title),
        tag("style", Html(style)),
    )
    facts = join(
        tag("p", f"Sample: {sample}. Dataset digest ", tag("code", digest), f", seed {seed}."),
        tag("ol", *(tag("li", each.question) for each in asked)),
        tag(
            "p",
            f"{advice} Mark the boxes here to print the sheet, and write ",
            tag("code", "yes"),
            ", ",
            tag("code", "no"),
            " or ",
            tag("code", "unsure"),
            " into the labels of ",
            tag("code", READING_ROWS),
            ", which has the same items in the same order; this page saves nothing.",
        ),
    )
    header = tag("header", tag("h1", title), facts)
    return f'<!DOCTYPE html>\n<html lang="en"><head>{head}</head>\n<body>{header}<main>\n'


def closing() -> str:
    """Return the end of the page."""
    return "</main></body></html>\n"


def judgement(number: int, asked: Sequence[Asked]) -> Html:
    """Return the boxes and lines of one item.

    Args:
        number: its place in the sheet, from 1.
        asked: the questions to the reader.
    """
    rows = (
        tag(
            "tr",
            tag("td", question),
            *(tag("td", _box(f"{name}-{number}", choice)) for choice in _CHOICES),
        )
        for name, question in asked
    )
    lines = tag("p", "Reader: ", tag("span", class_="line"), class_="fill") + tag(
        "p", "Comment: ", tag("span", class_="line long"), class_="fill"
    )
    return tag("div", tag("table", *rows), Html(lines), class_="judgement")


def _box(name: str, choice: str) -> Html:
    box = f'<input type="radio" name="{_safe(name)}" value="{_safe(choice)}">'
    return tag("label", Html(box), choice)


class Sheet(NamedTuple):
    """The two files of a sheet while they are written."""

    page: TextIO
    rows: TextIO

    def add(self, section: str, row: Record) -> None:
        """Write one item: to read, and to fill in."""
        self.page.write(section)
        self.rows.write(json.dumps(row.model_dump(mode="json"), ensure_ascii=False) + "\n")


@contextmanager
def sheet_folder(out: Path) -> Iterator[Sheet]:
    """Give the files of a new sheet, which appear together or not at all.

    Args:
        out: folder to write.

    Raises:
        OutputExistsError: if the folder exists, since a sheet there may be filled in.
        InputError: if it cannot be written.
    """
    if out.exists():
        raise OutputExistsError(
            f"{out} exists, and a sheet there may be filled in; choose another --out"
        )
    with (
        atomic_folder(out) as folder,
        _text(folder / READING_HTML) as page,
        _text(folder / READING_ROWS) as rows,
    ):
        yield Sheet(page, rows)


def _text(path: Path) -> TextIO:
    # What UTF-8 cannot hold becomes an escape, which is JSON's own in the rows.
    return path.open("w", encoding="utf-8", errors="backslashreplace", newline="\n")
