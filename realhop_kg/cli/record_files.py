"""Files of records that commands write."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

__all__ = ["write_records"]


def write_records(out: Path, records: Iterable[dict[str, object]]) -> None:
    """Write records, one a line; the file appears whole or not at all.

    Raises:
        InputError: if it cannot be written.
    """
    from realhop_kg.errors import InputError
    from realhop_kg.jsonl import JsonlWriter

    partial = out.with_name(f".{out.name}.partial")
    try:
        with JsonlWriter(partial) as lines:
            for record in records:
                lines.write(record)
        partial.replace(out)
    except OSError as error:
        raise InputError(f"{out} cannot be written: {error.strerror}") from error
    finally:
        partial.unlink(missing_ok=True)
