"""Reads the records of a file one by one: recognises the form, keeps ids apart, reports the rest.

What a record of a source becomes is the business of its own module; see `FormBuilder.item`.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from graph_builders.base import Excluded, printable
from graph_builders.normalize import Unusable, record_id
from realhop_kg.errors import InputError
from realhop_kg.jsonl import BadLine, RawRecord, read_records
from realhop_kg.model.finding import Code
from realhop_kg.model.item import SourceItem

__all__ = ["FormBuilder"]

_PROBE = 20
"""How many records may look foreign before the file is taken for one of another dataset."""


@dataclass(frozen=True)
class FormBuilder:
    """A `Builder` for sources of one record per question."""

    name: str
    form: str
    """What the form is called in messages."""
    other: str
    """What to do with a file that is not of this form."""
    marks: tuple[str, ...]
    """Fields of which a record of this form has one at least."""
    item: Callable[[object], SourceItem]
    """Makes an item of a raw record, or raises `Unusable`."""

    def read(self, path: Path, limit: int | None = None) -> Iterator[SourceItem | Excluded]:
        """Yield one outcome per record; see `Builder.read`."""
        if limit is not None and limit < 1:
            raise InputError(f"limit is {limit}; read at least one record")
        seen: set[bytes] = set()
        for record in islice(self._recognized(path), limit):
            yield self.outcome(record, seen)

    def outcome(self, record: RawRecord | BadLine, seen: set[bytes]) -> SourceItem | Excluded:
        """Return what becomes of one record.

        Args:
            record: as `read_records` gives it.
            seen: marks of the ids that came before; that of this one is added.
        """
        if isinstance(record, BadLine):
            return self.excluded(record, "", Unusable(Code.B2, "", record.reason))
        try:
            item = self.item(record.data)
        except Unusable as error:
            return self.excluded(record, record_id(record.data), error)
        # Digests, because ids of millions of records would be held otherwise.
        mark = hashlib.blake2b(item.id.encode(), digest_size=8).digest()
        if mark in seen:
            repeated = "`id` is that of an earlier record of the file; give each its own"
            return self.excluded(record, item.id, Unusable(Code.B2, "id", repeated))
        seen.add(mark)
        place = {"file": printable(Path(record.file).name), "line": record.line}
        return item.model_copy(update=place)

    def excluded(self, record: RawRecord | BadLine, item: str, why: Unusable) -> Excluded:
        """Return the exclusion of one record."""
        return Excluded(
            dataset=self.name,
            file=printable(Path(record.file).name),
            line=record.line,
            id=item,
            code=why.code,
            field=why.field,
            message=why.message,
        )

    def _recognized(self, path: Path) -> Iterator[RawRecord | BadLine]:
        """Yield the records after a look at the first few, whether they are of this form at all."""
        records = read_records(path)
        start: list[RawRecord | BadLine] = []
        for record in islice(records, _PROBE):
            start.append(record)
            if self._looks_right(record):
                break
        else:
            raise InputError(self._foreign(path, start))
        yield from start
        yield from records

    def _looks_right(self, record: RawRecord | BadLine) -> bool:
        return (
            isinstance(record, RawRecord)
            and isinstance(record.data, dict)
            and any(mark in record.data for mark in self.marks)
        )

    def _foreign(self, path: Path, start: list[RawRecord | BadLine]) -> str:
        bad = [record for record in start if isinstance(record, BadLine)]
        read = f"none of its first {_PROBE} records" if len(start) == _PROBE else "no record"
        broken = f" (record {bad[0].line}: {bad[0].reason})" if bad else ""
        marks = " or ".join(f"`{mark}`" for mark in self.marks)
        return f"{path} is no {self.form} file: {read} has {marks}{broken}; {self.other}"
