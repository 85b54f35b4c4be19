"""Reads corpora as passages: KILT pages, DPR's `psgs_w100.tsv`, and JSON lines as Search-R1 has.

Sources: Petroni et al., KILT, NAACL 2021; Karpukhin et al., DPR, EMNLP 2020 (passages of 100
words); Jin et al., Search-R1, 2025 (`{"id", "contents"}`, the title in quotes on the first line).
"""

from __future__ import annotations

import codecs
import csv
from collections.abc import Iterator
from pathlib import Path
from typing import Literal, NamedTuple

from realhop_kg.errors import InputError
from realhop_kg.graph.hyperlinks.page import body, decode_page
from realhop_kg.jsonl import BadLine, read_records
from realhop_kg.pieces import pieces
from realhop_kg.unpacked import Unpacked

__all__ = ["FORMS", "BadPassage", "Form", "Passage", "detect_form", "read_passages"]

Form = Literal["kilt", "dpr", "jsonl"]
FORMS: tuple[Form, ...] = ("kilt", "dpr", "jsonl")

_HEADING = "Section::::"
_LONGEST_FIELD = 1 << 24


class Passage(NamedTuple):
    """One passage of a corpus."""

    id: str
    title: str
    text: str


class BadPassage(NamedTuple):
    """A place in a corpus that holds no passage."""

    file: str
    line: int
    reason: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.reason}"


def detect_form(path: Path) -> Form:
    """Return the form of a corpus file by its first record.

    Raises:
        InputError: if it is none of the known forms.
    """
    start = next(Unpacked(path).chunks())[:200].lstrip()
    if start[:1] not in (b"{", b"["):
        if start.startswith(b"id\ttext\ttitle"):
            return "dpr"
    else:
        for record in read_records(path):
            data = record.data if not isinstance(record, BadLine) else None
            if isinstance(data, dict):
                return "kilt" if "wikipedia_title" in data else "jsonl"
            break
    raise InputError(
        f"{path} is of no known form; name it with --form: kilt (pages), dpr (id, text, title "
        "between tabs) or jsonl (id and contents)"
    )


def read_passages(path: Path, form: Form, words: int) -> Iterator[Passage | BadPassage]:
    """Yield the passages of a corpus in their order; what holds none is yielded as such.

    Args:
        path: plain or gzipped.
        form: of the file.
        words: longest passage that KILT pages are cut into; the other forms are cut already.

    Raises:
        InputError: if the file cannot be read at all.
    """
    if form == "kilt":
        return _kilt(path, words)
    return _dpr(path) if form == "dpr" else _lines(path)


def _kilt(path: Path, words: int) -> Iterator[Passage | BadPassage]:
    for piece in pieces(path):
        try:
            if piece.problem:
                raise ValueError(piece.problem)
            page = decode_page(piece.content)
        except ValueError as error:
            yield BadPassage(path.name, piece.number, str(error))
            continue
        name = page.page_id or page.title
        for number, text in enumerate(_cut(page.text[1:], words)):
            yield Passage(f"{name}#{number}", page.title, text)


def _cut(items: list[str], words: int) -> Iterator[str]:
    """Yield the texts of a page in passages of up to so many words; headings are left out.

    Paragraphs that fit go together; one that does not is cut.
    """
    waiting: list[str] = []
    for item in items:
        if item.startswith(_HEADING):
            continue
        found = body(item).split()
        if waiting and len(waiting) + len(found) > words:
            yield " ".join(waiting)
            waiting = []
        waiting += found
        while len(waiting) > words:
            yield " ".join(waiting[:words])
            waiting = waiting[words:]
    if waiting:
        yield " ".join(waiting)


def _dpr(path: Path) -> Iterator[Passage | BadPassage]:
    csv.field_size_limit(_LONGEST_FIELD)
    rows = csv.reader(_text_lines(path), delimiter="\t")
    number = 0
    while True:
        try:
            row = next(rows)
        except StopIteration:
            return
        except csv.Error as error:
            yield BadPassage(path.name, rows.line_num, f"{error}; mend the row")
            continue
        number += 1
        if number == 1 and row == ["id", "text", "title"]:
            continue
        if len(row) != 3:
            reason = f"{len(row)} columns; a row is id, text and title between tabs"
            yield BadPassage(path.name, rows.line_num, reason)
        elif not row[1].strip():
            yield BadPassage(path.name, rows.line_num, "no text")
        else:
            yield Passage(*(row[at] for at in (0, 2, 1)))


def _text_lines(path: Path) -> Iterator[str]:
    source = Unpacked(path)
    decoder = codecs.getincrementaldecoder("utf-8")("replace")
    rest = ""
    for chunk in source.chunks():
        *whole, rest = (rest + decoder.decode(chunk)).split("\n")
        yield from (f"{line}\n" for line in whole)
    rest += decoder.decode(b"", final=True)
    if rest:
        yield rest
    if source.damage:
        raise InputError(f"{path}: {source.damage}")


def _lines(path: Path) -> Iterator[Passage | BadPassage]:
    for number, record in enumerate(read_records(path)):
        if isinstance(record, BadLine):
            yield BadPassage(path.name, record.line, record.reason)
            continue
        data = record.data if isinstance(record.data, dict) else {}
        name = data.get("id", number)
        title, text = data.get("title"), data.get("text", data.get("contents"))
        if not isinstance(text, str) or not text.strip():
            yield BadPassage(path.name, record.line, "neither `contents` nor `text` is a text")
        elif not isinstance(name, str | int) or not isinstance(title, str | None):
            yield BadPassage(path.name, record.line, "`id` or `title` is of a wrong kind")
        elif isinstance(title, str):
            yield Passage(str(name), title, text)
        else:
            yield Passage(str(name), *titled(text))


def titled(contents: str) -> tuple[str, str]:
    r"""Return title and text of a Search-R1 `contents`.

    Examples:
        >>> titled('"Ada"\nAda is a language.')
        ('Ada', 'Ada is a language.')
        >>> titled("Ada is a language.")
        ('', 'Ada is a language.')
    """
    first, line_end, rest = contents.partition("\n")
    if not line_end or not rest.strip():
        return "", contents.strip()
    return first.strip().removeprefix('"').removesuffix('"').strip(), rest.strip()
