"""The bytes of a text file: unpacked, without a byte order mark, up to any damage."""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Generator, Iterator
from io import BufferedReader
from pathlib import Path

from realhop_kg.errors import InputError

__all__ = ["Unpacked"]

_CHUNK = 1 << 20


class Unpacked:
    """A UTF-8 file, gzipped or not, as chunks of bytes.

    Attributes:
        path: the file.
        damage: why a gzipped file ends early; empty if it does not, and before its end is reached.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.damage = ""

    def chunks(self) -> Generator[bytes, None, None]:
        """Yield the bytes in chunks of a megabyte at most, up to any damage.

        Raises:
            InputError: if the file is missing, a folder, unreadable or not UTF-8 at all.
        """
        raw = self._raw()
        start = b""
        while len(start) < 4 and (chunk := next(raw, b"")):
            start += chunk
        if start[:2] in (b"\xff\xfe", b"\xfe\xff") or b"\0" in start[:2]:
            raise InputError(f"{self.path} is UTF-16, UTF-32 or binary; save it as UTF-8 text")
        yield start.removeprefix(b"\xef\xbb\xbf")
        yield from raw

    def _raw(self) -> Iterator[bytes]:
        try:
            with self.path.open("rb") as file:
                if file.peek(2)[:2] == b"\x1f\x8b":
                    yield from self._unzipped(file)
                else:
                    while chunk := file.read1(_CHUNK):
                        yield chunk
        except IsADirectoryError as error:
            raise InputError(f"{self.path} is a folder; give the file itself") from error
        except OSError as error:
            reason = f"{error.strerror or error}; check the path"
            raise InputError(f"{self.path} cannot be read: {reason}") from error

    def _unzipped(self, file: BufferedReader) -> Iterator[bytes]:
        with gzip.GzipFile(fileobj=file) as zipped:
            try:
                # read1 hands out all that was unpacked before the damage; read would drop it.
                while chunk := zipped.read1(_CHUNK):
                    yield chunk
            except EOFError:
                self.damage = "the compressed file is cut off here; fetch it again"
            except (gzip.BadGzipFile, zlib.error) as error:
                self.damage = f"the compressed file is damaged here ({error}); fetch it again"
