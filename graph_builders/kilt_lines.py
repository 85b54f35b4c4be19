"""Lines of a file of pages with their byte offsets, plain or gzipped, whatever their length."""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from io import BufferedReader, RawIOBase
from pathlib import Path
from typing import Any, BinaryIO

import msgspec
import xxhash

from realhop_kg.errors import InputError

__all__ = ["Line", "PageLines"]

_BUFFER = 1 << 18
"""Bytes read at a time: few enough to stay in the processor's cache."""


class Line(msgspec.Struct, gc=False):
    """One line that is not blank; of the kind that is made most quickly."""

    number: int
    offset: int
    """First byte, in the unpacked file."""
    content: bytes
    problem: str = ""
    """Why there is no content."""
    too_long: bool = False


class PageLines:
    """The lines of one file; digest and damage are known once they are all read.

    Attributes:
        path: the file.
        zipped: whether it is gzipped, by its first bytes.
        damage: why a gzipped file ends early, once its end is reached.
    """

    def __init__(self, path: Path, limit: int) -> None:
        self.path, self._limit = path, limit
        self.damage = ""
        self._digest = xxhash.xxh3_128()
        self._file: BinaryIO | None = None
        try:
            with path.open("rb") as file:
                start = file.read(4)
        except IsADirectoryError as error:
            raise InputError(f"{path} is a folder; give the files themselves") from error
        except OSError as error:
            raise InputError(
                f"{path} cannot be read: {error.strerror or error}; check the path"
            ) from error
        self.zipped = start.startswith(b"\x1f\x8b")
        if start[:2] in (b"\xff\xfe", b"\xfe\xff") or (not self.zipped and b"\0" in start):
            raise InputError(f"{path} is UTF-16, UTF-32 or binary; give KILT pages as JSON lines")

    @property
    def read(self) -> int:
        """Bytes of the file read so far, packed where it is."""
        return self._file.tell() if self._file else 0

    @property
    def digest(self) -> str:
        """XXH3 of what was read, unpacked."""
        return self._digest.hexdigest()

    def __iter__(self) -> Iterator[Line]:
        """Yield the lines in order; of one that is too long only where it is."""
        number = offset = 0
        limit, update = self._limit, self._digest.update
        try:
            with self._unpacked() as file:
                while content := file.readline(limit + 1):
                    number += 1
                    update(content)
                    length = len(content)
                    if length > limit and content[-1:] != b"\n":
                        length += self._skip(file)
                        size = f"{limit / 1024 / 1024:g} MB"
                        reason = f"it is longer than {size}, so it is left out; see --longest"
                        yield Line(number, offset, b"", reason, too_long=True)
                    elif self.damage and content[-1:] != b"\n":
                        number -= 1  # half a line is part of the damage
                    elif not content.isspace():
                        mark = 3 if not offset and content.startswith(b"\xef\xbb\xbf") else 0
                        yield Line(number, offset + mark, content[mark:])
                    offset += length
        except OSError as error:
            raise InputError(
                f"{self.path} cannot be read to its end: {error.strerror or error}"
            ) from error
        if self.damage:
            yield Line(number + 1, offset, b"", self.damage)

    def _skip(self, file: BinaryIO) -> int:
        """Read to the end of a line that is too long, and return how much that was."""
        skipped = 0
        while rest := file.readline(_BUFFER):
            self._digest.update(rest)
            skipped += len(rest)
            if rest.endswith(b"\n"):
                break
        return skipped

    @contextmanager
    def _unpacked(self) -> Iterator[BinaryIO]:
        with self.path.open("rb", buffering=_BUFFER) as file:
            self._file = file
            if self.zipped:
                with BufferedReader(_Unzipped(file, self), _BUFFER) as unzipped:
                    yield unzipped
            else:
                yield file
            self._file = None


class _Unzipped(RawIOBase):
    """What a gzipped file holds, up to any damage."""

    def __init__(self, file: BinaryIO, lines: PageLines) -> None:
        self._zipped, self._lines = gzip.GzipFile(fileobj=file), lines

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:  # noqa: ANN401 - no name for buffers before 3.12
        try:
            # read1 hands out all that was unpacked before any damage; read would drop it.
            found = self._zipped.read1(len(buffer))
        except EOFError:
            self._lines.damage = "the compressed file is cut off here; fetch it again"
            return 0
        except (gzip.BadGzipFile, zlib.error) as error:
            self._lines.damage = f"the compressed file is damaged here ({error}); fetch it again"
            return 0
        buffer[: len(found)] = found
        return len(found)
