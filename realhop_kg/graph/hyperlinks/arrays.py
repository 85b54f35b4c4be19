"""Columns on disk: `.npy` files, written in a stream and read by memory map, without numpy."""

from __future__ import annotations

import ast
import mmap
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, BinaryIO, Literal, Self

from realhop_kg.errors import InputError

__all__ = [
    "ArrayWriter",
    "DamagedIndexError",
    "TextColumn",
    "TextWriter",
    "open_array",
    "write_array",
]

_Code = Literal["B", "H", "I", "i", "Q", "q"]

_MAGIC = b"\x93NUMPY\x01\x00"
_MEND = "`realhop kilt info --verify` names what is damaged; build the index again"
_HEADER = 128
"""Bytes before the data: fixed, so that the length can be written at the end."""
_CODES: dict[str, _Code] = {"|u1": "B", "<u2": "H", "<u4": "I", "<i4": "i", "<u8": "Q", "<i8": "q"}
"""Code of `memoryview` and `array` by type as numpy writes it."""


def _header(kind: str, count: int) -> bytes:
    text = f"{{'descr': '{kind}', 'fortran_order': False, 'shape': ({count},), }}"
    size = _HEADER - len(_MAGIC) - 2
    return _MAGIC + size.to_bytes(2, "little") + text.ljust(size - 1).encode() + b"\n"


class ArrayWriter:
    """Writes one column of numbers in parts; whole only once it is closed.

    Attributes:
        count: numbers written so far.
    """

    def __init__(self, path: Path, kind: str) -> None:
        self._size = int(kind[-1])
        self._kind = kind
        self.count = 0
        self._file: BinaryIO = path.open("wb")
        self._file.write(b"\0" * _HEADER)

    def write(self, values: Any) -> None:  # noqa: ANN401 - anything with a buffer
        """Append numbers: an array, or bytes of this column's type."""
        view = memoryview(values).cast("B")
        self._file.write(view)
        self.count += len(view) // self._size

    def close(self) -> None:
        """Write the length and close the file; once closed, nothing more happens."""
        if self._file.closed:
            return
        self._file.seek(0)
        self._file.write(_header(self._kind, self.count))
        self._file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


def write_array(path: Path, values: Any) -> None:  # noqa: ANN401 - numpy is not imported here
    """Write a one-dimensional numpy array, little-endian."""
    kind = values.dtype.newbyteorder("<").str
    with ArrayWriter(path, kind) as column:
        column.write(values.astype(kind, copy=False))


def open_array(path: Path) -> memoryview:
    """Map a column into memory; nothing of it is read before it is used.

    Raises:
        InputError: if the file is missing or no such column.
    """
    try:
        with path.open("rb") as file:
            head = file.read(_HEADER)
            if not head.startswith(_MAGIC):
                raise ValueError("it is no .npy file")
            fields = ast.literal_eval(head[len(_MAGIC) + 2 :].decode("ascii").strip())
            code, (count,) = _CODES[fields["descr"]], fields["shape"]
            if not count:
                return memoryview(b"").cast(code)
            mapped = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        size = count * int(fields["descr"][-1])
        if len(mapped) != _HEADER + size:
            raise ValueError(f"it has {len(mapped)} bytes, not {_HEADER + size}")
    except (OSError, ValueError, KeyError, SyntaxError) as error:
        raise InputError(f"{path} cannot be used: {error}; build the index again") from error
    return memoryview(mapped)[_HEADER:].cast(code)


class DamagedIndexError(InputError, IndexError):
    """A column points outside another one; a sequence has to say that by an `IndexError`."""


class TextWriter:
    """Collects texts into one blob with offsets."""

    def __init__(self) -> None:
        from array import array

        self._blob = bytearray()
        self._offsets = array("Q", [0])

    def __len__(self) -> int:
        return len(self._offsets) - 1

    def append(self, text: str) -> None:
        """Add a text; half characters, which JSON can hold, are kept."""
        self._blob += text.encode("utf-8", "surrogatepass")
        self._offsets.append(len(self._blob))

    def __getitem__(self, index: int) -> str:
        start, end = self._offsets[index : index + 2]
        return self._blob[start:end].decode("utf-8", "surrogatepass")

    def write(self, folder: Path, name: str) -> None:
        """Write `NAME.npy` and `NAME_at.npy`."""
        for part, kind, values in (("", "|u1", self._blob), ("_at", "<u8", self._offsets)):
            with ArrayWriter(folder / f"{name}{part}.npy", kind) as column:
                column.write(values)


class TextColumn(Sequence[str]):
    """The texts that a `TextWriter` wrote, read by memory map."""

    def __init__(self, folder: Path, name: str) -> None:
        self._path = folder / f"{name}.npy"
        self._blob = open_array(self._path)
        self._offsets = open_array(folder / f"{name}_at.npy")

    def __len__(self) -> int:
        return len(self._offsets) - 1

    def __getitem__(self, index: Any) -> Any:  # noqa: ANN401 - Sequence has two forms of it
        if isinstance(index, slice):
            return [self[place] for place in range(*index.indices(len(self)))]
        if not 0 <= index < len(self):
            raise DamagedIndexError(f"{self._path} has {len(self)} texts, none {index}; {_MEND}")
        start, end = self._offsets[index], self._offsets[index + 1]
        try:
            if not start <= end <= len(self._blob):
                raise ValueError(f"it has no bytes {start} to {end}")
            return bytes(self._blob[start:end]).decode("utf-8", "surrogatepass")
        except ValueError as error:
            raise InputError(
                f"{self._path} is damaged at text {index}: {error}; {_MEND}"
            ) from error
