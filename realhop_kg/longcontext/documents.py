"""Reads long text as documents: text files, folders of them, KILT pages, LongBench v2 rows."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from realhop_kg.audit.tokens import count_tokens
from realhop_kg.errors import InputError
from realhop_kg.jsonl import BadLine, RawRecord, canonical, read_records

__all__ = [
    "LARGEST_POOL",
    "BadDocument",
    "Document",
    "document",
    "files_of",
    "read_documents",
    "read_pool",
]

LARGEST_POOL = 64_000_000
"""Characters of documents that are held at once; what comes after them is not read, and said so."""

_TEXT_FILES = frozenset((".txt", ".md", ".text", ""))
_RECORD_FILES = frozenset((".jsonl", ".json"))
_SECTION = re.compile(r"\ASection::::(.*?)\.?\Z")
_BULLET = re.compile(r"\A(?:BULLET::::)?[-*] ?")
_BLANK_LINES = re.compile(r"\n[ \t\r]*\n\s*")


@dataclass(frozen=True, slots=True)
class Document:
    """A text that a carrier takes whole or not at all.

    Attributes:
        name: file or record it comes from.
        title: what stands above it, or empty.
        text: paragraphs, a blank line between them.
        tokens: words and punctuation marks, its title counted too.
    """

    name: str
    title: str
    text: str
    tokens: int


@dataclass(frozen=True, slots=True)
class BadDocument:
    """What could not be read as a document, in one sentence."""

    message: str


def document(name: str, title: str, text: str) -> Document:
    """Return a document with its tokens counted."""
    return Document(name, title, text, count_tokens(title) + count_tokens(text))


def read_documents(path: Path) -> Iterator[Document | BadDocument]:
    """Yield the documents of a path one by one, in a fixed order.

    A folder: its text files and its files of records, by name. A text file: one document. A file
    of JSON records: each KILT page (`wikipedia_title`, `text`), each LongBench v2 row (`_id`,
    `context`) or each plain text (`title`, `text`) is one. Of a LongBench row the context alone is
    taken; question, options and answer belong to the source.

    Raises:
        InputError: at the first step, if the path cannot be read or holds no file of text.
    """
    if not path.is_dir():
        yield from _of_file(path, path.name)
        return
    files = files_of(path)
    if not files:
        raise InputError(f"{path} holds no text: put .txt, .md, .json or .jsonl files there")
    for file in files:
        yield from _of_file(file, file.relative_to(path).as_posix())
    for file in sorted(set(_own_files(path)) - set(files)):
        name = file.relative_to(path).as_posix()
        yield BadDocument(
            f"{name}: is neither text nor JSON records by its name, so it is not read"
        )


def files_of(folder: Path) -> list[Path]:
    """Return the files of a folder, and of those in it, that are read as text or records."""
    return sorted(each for each in _own_files(folder) if _kind(each) in _TEXT_FILES | _RECORD_FILES)


def _own_files(folder: Path) -> Iterator[Path]:
    return (each for each in folder.rglob("*") if each.is_file() and not each.name.startswith("."))


def _kind(file: Path) -> str:
    """Return the ending that says what a file holds, that of `rows.jsonl.gz` inside its `.gz`."""
    suffix = file.suffix.casefold()
    inner = Path(file.stem).suffix.casefold()
    return inner if suffix == ".gz" and inner in _RECORD_FILES else suffix


def _of_file(file: Path, name: str) -> Iterator[Document | BadDocument]:
    if _kind(file) in _RECORD_FILES or file.suffix.casefold() == ".gz":
        try:
            for record in read_records(file):
                yield _of_record(record, name)
        except InputError as error:
            yield BadDocument(str(error))  # an empty file, say, among others that are not
        return
    try:
        text = file.read_bytes().decode("utf-8-sig")
    except OSError as error:
        raise InputError(f"{file} cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        yield BadDocument(f"{name}: not UTF-8 at byte {error.start + 1}; save the file as UTF-8")
        return
    yield _checked(name, "", text)


def _checked(name: str, title: str, text: str) -> Document | BadDocument:
    plain = text.replace("\r\n", "\n").replace("\r", "\n").strip()
    if not plain:
        return BadDocument(f"{name}: has no text")
    if "\x00" in plain:
        return BadDocument(f"{name}: holds zero bytes, so it is no text; leave it out")
    return document(name, title.strip(), _BLANK_LINES.sub("\n\n", plain))


def _of_record(record: RawRecord | BadLine, name: str) -> Document | BadDocument:
    place = f"{name}:{record.line}"
    if isinstance(record, BadLine):
        return BadDocument(f"{place}: {record.reason}")
    data = record.data
    if not isinstance(data, dict):
        return BadDocument(f"{place}: no object; write one document a line")
    if "wikipedia_title" in data:
        return _page(place, data)
    for field in ("context", "text"):
        if field in data:
            text, title = data[field], data.get("title", "")
            if not isinstance(text, str) or not isinstance(title, str):
                return BadDocument(f"{place}: `{field}` and `title` must be texts")
            return _checked(place, title, text)
    fields = canonical(sorted(map(str, data))[:8])
    return BadDocument(f"{place}: has no `text`, `context` or `wikipedia_title` but {fields}")


def _page(place: str, data: dict[str, object]) -> Document | BadDocument:
    """Return a KILT page: section marks become headings, marks of lists go, links are no text."""
    title, text = data["wikipedia_title"], data.get("text")
    if isinstance(text, dict):
        text = text.get("paragraph")
    if not isinstance(title, str) or not isinstance(text, list):
        return BadDocument(f"{place}: `wikipedia_title` must be a text and `text` a list of texts")
    lines = [line.strip() for line in text if isinstance(line, str)]
    if lines and lines[0] == title.strip():
        lines = lines[1:]
    lines = [_BULLET.sub("", _SECTION.sub(r"\1", line)) for line in lines]
    return _checked(place, title, "\n\n".join(line for line in lines if line))


def read_pool(path: Path, largest: int = LARGEST_POOL) -> tuple[list[Document], list[str]]:
    """Return the documents of a path, and what is to be said of it: what could not be read.

    Args:
        path: as for `read_documents`.
        largest: characters at which reading stops.

    Raises:
        InputError: if there is no document at all.
    """
    found: list[Document] = []
    told: list[str] = []
    held = 0
    for each in read_documents(path):
        if isinstance(each, BadDocument):
            told.append(each.message)
            continue
        if held + len(each.text) > largest and found:
            told.append(
                f"{each.name} and what follows was not read: {largest:,} characters are held at "
                "most; split the text over several runs"
            )
            break
        held += len(each.text)
        found.append(each)
    if not found:
        reason = f" ({told[0]})" if told else ""
        raise InputError(f"{path} gives no document{reason}")
    return found, told
