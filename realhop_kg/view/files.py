"""Writes the files that people look at: whole or not at all, and over nothing by accident."""

from __future__ import annotations

import os
import re
from pathlib import Path

from realhop_kg.errors import InputError, OutputExistsError
from realhop_kg.ids import digest

__all__ = ["file_name", "write_file"]

_LONGEST = 80


def file_name(key: str) -> str:
    """Return a file name for an item key or id, safe on every file system.

    What had to be changed, or differs from another key in case alone, bears a digest.

    Examples:
        >>> file_name("musique/2hop__1_2")
        'musique-2hop__1_2'
        >>> file_name("jsonl/a b")
        'jsonl-a-b-60ed7796'
    """
    plain = re.sub(r"[^A-Za-z0-9_-]+", "-", key).strip("-")[:_LONGEST]
    if plain in (key, key.replace("/", "-", 1)) and plain == plain.lower():
        return plain
    # Half a character, which a key may hold, has no bytes of its own.
    whole = key.encode("utf-8", "backslashreplace").decode()
    return f"{plain}-{digest(whole, length=8)}".lstrip("-")


def write_file(path: Path, content: bytes, force: bool = False) -> None:
    """Write a file, in one step as far as other readers can see.

    Args:
        path: where; missing folders are made.
        content: what.
        force: whether a file that stands there is replaced.

    Raises:
        OutputExistsError: if something stands there and `force` is not set.
        InputError: if it cannot be written.
    """
    if path.exists() and not force:
        raise OutputExistsError(f"{path} exists; choose another --out, or replace it with --force")
    partial = path.with_name(f".{path.name}.partial-{os.getpid()}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        partial.write_bytes(content)
        partial.replace(path)
    except OSError as error:
        partial.unlink(missing_ok=True)
        raise InputError(
            f"{path} cannot be written: {error.strerror}; choose another --out"
        ) from error
