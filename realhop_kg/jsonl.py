"""Reads and writes records as JSON: any layout in, canonical lines out."""

from __future__ import annotations

import hashlib
import json
import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import BinaryIO, NoReturn, Self

from realhop_kg.errors import InputError
from realhop_kg.pieces import LIMIT, pieces

__all__ = [
    "BadLine",
    "JsonlWriter",
    "RawRecord",
    "canonical",
    "read_records",
    "write_records",
]

_SURROGATES = re.compile("[\ud800-\udbff][\udc00-\udfff]|[\ud800-\udfff]")


def canonical(value: object) -> str:
    r"""Return the one JSON text of a value: keys sorted, no spaces, non-ASCII as it is.

    A lone surrogate, which UTF-8 cannot hold, is escaped (`\ud83d`) and reads back as it was.

    Args:
        value: what `json` can write, with strings as keys; call `model_dump(mode="json")` first
            on a record.

    Raises:
        ValueError: if it holds NaN or an infinity, which JSON does not know.
        TypeError: if it holds what JSON cannot write.
    """
    text = json.dumps(
        value, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False
    )
    return _SURROGATES.sub(_joined_or_escaped, text)


def _joined_or_escaped(match: re.Match[str]) -> str:
    # Two halves side by side are one character to any reader, so they are written as that one.
    if len(match[0]) == 2:
        return match[0].encode("utf-16-le", "surrogatepass").decode("utf-16-le")
    return f"\\u{ord(match[0]):04x}"


@dataclass(frozen=True, slots=True)
class RawRecord:
    """One JSON value of a file, not looked into yet."""

    file: str
    """Path as it was given."""
    line: int
    """Line, counted from 1; in a file that is one JSON list, the element."""
    data: object


@dataclass(frozen=True, slots=True)
class BadLine:
    """A place in a file that holds no readable record."""

    file: str
    line: int
    """Line, counted from 1; in a file that is one JSON list, the element."""
    reason: str


class _NotAccepted(ValueError):
    """JSON that Python reads and this package does not."""


def read_records(path: Path, limit: int = LIMIT) -> Iterator[RawRecord | BadLine]:
    """Yield the records of a JSON file one by one; what cannot be read is yielded as `BadLine`.

    Lines, one list, `{"data": [...]}` or one object, each also gzipped: the content decides, not
    the suffix. A byte order mark, blank lines and CRLF do not matter. Duplicated keys, NaN and
    infinities make a record unreadable.

    Args:
        path: the file.
        limit: longest record that is read, in bytes.

    Raises:
        InputError: at the first step, if the file is missing, a folder, unreadable or empty.
    """
    file = str(path)
    for piece in pieces(path, limit):
        if piece.problem:
            yield BadLine(file, piece.number, piece.problem)
            continue
        try:
            value = _parse(piece.content)
        except (ValueError, RecursionError) as error:
            yield BadLine(file, piece.number, _reason(error))
            continue
        wrapped = value.get("data") if piece.alone and isinstance(value, dict) else None
        if isinstance(wrapped, list):
            for number, element in enumerate(wrapped, 1):
                yield RawRecord(file, number, element)
        else:
            yield RawRecord(file, piece.number, value)


def _parse(content: bytes) -> object:
    value: object = json.loads(
        content.decode("utf-8"),
        object_pairs_hook=_object,
        parse_constant=_refuse,
        parse_float=_finite,
    )
    return value


def _object(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found = dict(pairs)
    if len(found) != len(pairs):
        [(twice, _)] = Counter(key for key, _ in pairs).most_common(1)
        raise _NotAccepted(f"key {canonical(twice)} stands twice in one object; keep one")
    return found


def _refuse(constant: str) -> NoReturn:
    raise _NotAccepted(f"{constant} is no JSON; write null or leave the field out")


def _finite(text: str) -> float:
    value = float(text)
    if math.isinf(value):
        raise _NotAccepted(f"number {text[:20]} is out of range; write it as a string")
    return value


def _reason(error: ValueError | RecursionError) -> str:
    match error:
        case _NotAccepted():
            return str(error)
        case UnicodeDecodeError():
            return f"not UTF-8 at byte {error.start + 1}; save the file as UTF-8"
        case json.JSONDecodeError():
            return f"not JSON: {error.msg[:1].lower()}{error.msg[1:]} (character {error.pos + 1})"
        case RecursionError():
            return "nested too deeply; flatten it"
        case _:  # the only one left that json raises
            return "a number has too many digits; write it as a string"


class JsonlWriter:
    r"""Writes canonical lines, and counts and hashes them on the way.

    Attributes:
        count: lines written.
        bytes: bytes written, line ends included.
        path: the file.

    Examples:
        >>> import tempfile
        >>> path = Path(tempfile.mkdtemp()) / "items.jsonl"
        >>> with JsonlWriter(path) as lines:
        ...     lines.write({"id": "a", "answer": 1})
        >>> path.read_text(), lines.count, lines.bytes, lines.sha256[:8]
        ('{"answer":1,"id":"a"}\n', 1, 22, '17e99e78')
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.count = 0
        self.bytes = 0
        self._hash = hashlib.sha256()
        self._file: BinaryIO | None = None

    def __enter__(self) -> Self:
        self._file = self.path.open("wb")
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._file is not None:
            self._file.close()
            self._file = None

    def write(self, value: object) -> None:
        """Write one value as a line.

        Raises:
            ValueError: if the writer is not open, or the value has no canonical form.
        """
        if self._file is None:
            raise ValueError(f"the writer of {self.path} is not open; use it in a with statement")
        line = canonical(value).encode() + b"\n"
        self._file.write(line)
        self._hash.update(line)
        self.count += 1
        self.bytes += len(line)

    @property
    def sha256(self) -> str:
        """Hex digest of everything written so far: of the whole file once it is closed."""
        return self._hash.hexdigest()


def write_records(path: Path, records: Iterable[object]) -> None:
    """Write records, one a line; the file appears whole or not at all.

    Args:
        path: the file; one that stands there is replaced.
        records: what `canonical` takes.

    Raises:
        InputError: if it cannot be written.
    """
    partial = path.with_name(f".{path.name}.partial")
    try:
        with JsonlWriter(partial) as lines:
            for record in records:
                lines.write(record)
        partial.replace(path)
    except OSError as error:
        raise InputError(
            f"{path} cannot be written: {error.strerror}; choose another place"
        ) from error
    finally:
        with suppress(OSError):  # its folder may be none
            partial.unlink(missing_ok=True)
