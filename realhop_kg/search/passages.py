"""The passages of an index on disk: written in a stream, read by memory map."""

from __future__ import annotations

from array import array
from bisect import bisect_left
from pathlib import Path
from types import TracebackType
from typing import Self

from realhop_kg.graph.hyperlinks.arrays import ArrayWriter, TextColumn, open_array
from realhop_kg.graph.hyperlinks.names import RAISED, clean_title, name_key
from realhop_kg.model.trajectory import Document
from realhop_kg.search.corpora import Passage

__all__ = ["FILES", "PassageWriter", "Passages"]

_COLUMNS = ("ids", "titles", "texts")
_TITLE_KEYS = "title_keys.npy"
FILES = (*(f"{name}{end}.npy" for name in _COLUMNS for end in ("", "_at")), _TITLE_KEYS)
"""The files that are written."""
_BUFFER = 1 << 20


class _TextStream:
    """Writes one column of texts, a megabyte at a time."""

    def __init__(self, folder: Path, name: str) -> None:
        self._blob = ArrayWriter(folder / f"{name}.npy", "|u1")
        self._offsets = ArrayWriter(folder / f"{name}_at.npy", "<u8")
        self._waiting, self._ends, self._end = bytearray(), array("Q", [0]), 0

    def append(self, text: str) -> None:
        content = text.encode("utf-8", "surrogatepass")
        self._waiting += content
        self._end += len(content)
        self._ends.append(self._end)
        if len(self._waiting) > _BUFFER:
            self._flush()

    def _flush(self) -> None:
        self._blob.write(self._waiting)
        self._offsets.write(self._ends)
        self._waiting, self._ends = bytearray(), array("Q")

    def close(self) -> None:
        self._flush()
        self._blob.close()
        self._offsets.close()


class PassageWriter:
    """Writes passages into an index folder, one by one.

    Attributes:
        count: passages written.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.count = 0
        self._columns = [_TextStream(folder, name) for name in _COLUMNS]
        self._keys: set[int] = set()

    def write(self, passage: Passage) -> None:
        """Append a passage."""
        for column, text in zip(self._columns, passage, strict=True):
            column.append(text)
        self._keys.add(_key(passage.title))
        self.count += 1

    @property
    def titles(self) -> int:
        """Different titles so far."""
        return len(self._keys)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        for column in self._columns:
            column.close()
        with ArrayWriter(self._folder / _TITLE_KEYS, "<u8") as keys:
            keys.write(array("Q", sorted(self._keys)))


class Passages:
    """The passages of an index, by their place from 0."""

    def __init__(self, folder: Path) -> None:
        self._ids, self._titles, self._texts = (TextColumn(folder, name) for name in _COLUMNS)
        self._keys = open_array(folder / _TITLE_KEYS)

    def __len__(self) -> int:
        return len(self._ids)

    def title(self, place: int) -> str:
        """Return the title of a passage."""
        return str(self._titles[place])

    def text(self, place: int) -> str:
        """Return the text of a passage."""
        return str(self._texts[place])

    def document(self, place: int, score: float) -> Document:
        """Return a passage as the result of a search."""
        return Document(
            id=self._ids[place], title=self.title(place), text=self.text(place), score=score
        )

    def has_title(self, title: str) -> bool:
        """Return whether a passage bears a title, whatever the case of its first letter."""
        key = _key(title)
        at = bisect_left(self._keys, key)
        return at < len(self._keys) and self._keys[at] == key


def _key(title: str) -> int:
    return name_key(clean_title(title)) & ~RAISED
