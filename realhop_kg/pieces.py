"""Cuts a file of JSON records, whatever its layout, into the bytes of one record after another.

Only structure is looked at here (line ends, or brackets outside of strings), so that one broken
record costs one record; `realhop_kg.jsonl` reads the values.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterable, Iterator
from contextlib import closing
from itertools import chain
from pathlib import Path
from typing import Literal, NamedTuple

from realhop_kg.errors import InputError
from realhop_kg.unpacked import Unpacked

__all__ = ["LIMIT", "Piece", "pieces"]

LIMIT = 64 * 1024 * 1024
"""Longest record that is read, in bytes; of a longer one nothing is kept."""

_PROBE = 4 * 1024 * 1024
"""How much may be used up to tell the layout, in bytes."""
_LIST = re.compile(rb'\s*(?P<wrapper>\{\s*"data"\s*:\s*)?\[')
# A line end is no part of a string, so that an unclosed string ends with its line.
_IN_STRING = rb'[^"\\\n]*+(?:\\.[^"\\\n]*+)*+'
_STRING_REST = re.compile(_IN_STRING, re.DOTALL)
# Up to the next mark outside of strings; in an element commas are none. A string that does not
# close in the data at hand stops them at its first quote.
_TO_MARK, _TO_BRACKET = (
    re.compile(rb'[^%b]*+(?:"%b"[^%b]*+)*+' % (marks, _IN_STRING, marks), re.DOTALL)
    for marks in (rb'"\[\]{},', rb'"\[\]{}')
)


class Piece(NamedTuple):
    """The bytes of one record, or the reason why there are none."""

    number: int
    """Line, or in a JSON list the element, counted from 1."""
    content: bytes
    problem: str = ""
    alone: bool = False
    """Whether it is one object that fills the file, and so may wrap the records."""


def pieces(path: Path, limit: int = LIMIT) -> Iterator[Piece]:
    """Yield the records of a file as bytes; memory does not grow with their number.

    The layout is told by content: lines, one list, `{"data": [...]}` or one object; gzip by its
    first bytes. A list is followed element by element.

    Raises:
        InputError: if the file is missing, a folder, unreadable, empty or not UTF-8 at all.
    """
    source = Unpacked(path)
    with closing(source.chunks()) as chunks:
        first, second, taken = _beginning(chunks)
        if not first and not source.damage:
            raise InputError(f"{path} is empty; give a file with one record a line")
        replayed = chain(taken, chunks)
        match _layout(first, second):
            case "list":
                yield from _list_pieces(source, replayed, limit)
            case "object":
                yield from _object_pieces(source, replayed, limit)
            case "lines":
                yield from _line_pieces(source, replayed, limit)


def _beginning(text: Iterator[bytes]) -> tuple[bytes, bytes, list[bytes]]:
    """Return the first two lines that are not blank, and the chunks that were used up for them.

    Of long lines only the beginning, closed by a NUL so that it passes for no whole line.
    """
    taken: list[bytes] = []

    def recorded() -> Iterator[bytes]:
        while sum(map(len, taken)) < _PROBE and (chunk := next(text, b"")):
            taken.append(chunk)
            yield chunk

    lines = (line.strip() for line, _ in _lines(recorded(), sys.maxsize) if line)
    filled = filter(None, lines)
    first, second = next(filled, b""), next(filled, b"")
    cut = b"\0" if sum(map(len, taken)) >= _PROBE else b""
    return (first, second + cut, taken) if second else (first + cut, cut, taken)


def _layout(first: bytes, second: bytes) -> Literal["lines", "list", "object"]:
    """Tell lines from a list or one object by the first two lines.

    A broken first line must not turn lines into a document: where the second line is an object by
    itself, only a first line that opens a list can still begin one.
    """
    opens = first[-1:] in b"[{,:"
    is_list = _LIST.match(first + b"\n" + second) is not None
    if second and ((_is_object(second) and not (is_list and opens)) or _is_object(first)):
        return "lines"
    if is_list:
        return "list"
    return "object" if first.startswith(b"{") and (opens or not second) else "lines"


def _is_object(content: bytes) -> bool:
    try:
        return isinstance(json.loads(content), dict)
    except (ValueError, RecursionError):
        return False


def _lines(chunks: Iterable[bytes], limit: int) -> Iterator[tuple[bytes | None, bool]]:
    """Yield (line or, where it is too long, None; whether a line end follows)."""
    parts: list[bytes] = []
    size = 0
    for chunk in chunks:
        *complete, rest = chunk.split(b"\n")
        for end in complete:
            size += len(end)
            yield (b"".join((*parts, end)) if size <= limit else None), True
            parts, size = [], 0
        size += len(rest)
        parts.append(rest)
        if size > limit:
            parts.clear()
    if size:
        yield (b"".join(parts) if size <= limit else None), False


def _too_long(limit: int) -> str:
    return f"longer than {limit / 1024 / 1024:g} MB; split it, or leave the record out"


def _line_pieces(source: Unpacked, chunks: Iterable[bytes], limit: int) -> Iterator[Piece]:
    number = 0
    for line, ended in _lines(chunks, limit):
        if not ended and source.damage and (line is None or not _is_object(line)):
            break  # the half line is part of the damage
        number += 1
        if line is None:
            yield Piece(number, b"", _too_long(limit))
        elif line.strip():
            yield Piece(number, line)
    if source.damage:
        yield Piece(number + 1, b"", source.damage)


def _object_pieces(source: Unpacked, chunks: Iterable[bytes], limit: int) -> Iterator[Piece]:
    content = bytearray()
    for chunk in chunks:
        content += chunk
        if len(content) > limit:
            yield Piece(1, b"", _too_long(limit))
            return
    if not source.damage or _is_object(bytes(content)):
        yield Piece(1, bytes(content), alone=True)
    if source.damage:
        yield Piece(2, b"", source.damage)


def _list_pieces(source: Unpacked, chunks: Iterator[bytes], limit: int) -> Iterator[Piece]:
    start = b""
    while (opening := _LIST.match(start)) is None:
        start += next(chunks)
    rest = chain([start[opening.end() :]], chunks)
    scan = _ListScan(limit)
    number = 0
    for element in scan.elements(rest):
        number += 1
        yield Piece(number, element or b"", "" if element is not None else _too_long(limit))
    if not scan.closed:
        problem = "the list is not closed; a bracket, or the rest of the file, is missing here"
    elif not _ends_well(chain([scan.after], rest), bool(opening["wrapper"]), limit):
        problem = "what follows the end of the list was not read; remove it, or mend the list"
    else:
        problem = ""
    if source.damage or problem:
        yield Piece(number + 1, b"", source.damage or problem)


def _ends_well(chunks: Iterable[bytes], wrapped: bool, limit: int) -> bool:
    """Whether nothing follows a list, or only the rest of the object around it."""
    tail = bytearray(b'{"data":[]' if wrapped else b"")
    for chunk in chunks:
        tail += chunk if len(tail) <= limit else b""
    return len(tail) <= limit and (_is_object(bytes(tail)) if wrapped else not tail.strip())


class _ListScan:
    """Finds the commas of one list, and its end, chunk by chunk."""

    def __init__(self, limit: int) -> None:
        self.closed = False
        self.after = b""
        """What follows the closing bracket in its chunk."""
        self._limit = limit
        self._depth = 0
        self._quoted = False

    def elements(self, chunks: Iterable[bytes]) -> Iterator[bytes | None]:
        """Yield each element, or None where it is too long; one that is cut off is left out."""
        parts: list[bytes] = []
        size = 0
        carried = b""
        for chunk in chunks:
            data = carried + chunk
            start = 0
            while (end := self._separator(data, start)) >= 0:
                size += end - start
                element = b"".join((*parts, data[start:end])) if size <= self._limit else None
                self.closed = data[end] == ord("]")
                start = end + 1
                if not self.closed or element is None or element.strip():
                    yield element
                if self.closed:
                    self.after = data[start:]
                    return
                parts.clear()
                size = 0
            # In a string, a backslash at the edge belongs to the first byte of the next chunk.
            carried = data[self._scanned :]
            size += self._scanned - start
            parts.append(data[start : self._scanned])
            if size > self._limit:
                parts.clear()
        if not self._depth and not self._quoted and size <= self._limit:
            yield from filter(bytes.strip, [b"".join(parts)])

    def _separator(self, data: bytes, at: int) -> int:
        """Return where the element at hand ends, or -1 if the data end before it does."""
        while True:
            if self._quoted:
                at = _end(_STRING_REST, data, at)
                if data[at : at + 1] not in (b'"', b"\n"):
                    break
                at += 1
                self._quoted = False
            at = _end(_TO_BRACKET if self._depth else _TO_MARK, data, at)
            mark = data[at : at + 1]
            if not self._depth and mark in (b",", b"]"):
                return at
            if not mark:
                break
            at += 1
            self._quoted = mark == b'"'
            self._depth += (mark in b"[{") - (mark in b"]}" and self._depth > 0)
        self._scanned = at
        return -1


def _end(pattern: re.Pattern[bytes], data: bytes, at: int) -> int:
    match = pattern.match(data, at)
    return match.end() if match else at
