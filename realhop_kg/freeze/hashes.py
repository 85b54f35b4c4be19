"""Digests of files and folders, computed in chunks."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from pathlib import Path

from realhop_kg.freeze.manifest import FileEntry, InputFile
from realhop_kg.jsonl import canonical

__all__ = ["describe_file", "describe_input", "folder_digest"]

_CHUNK = 1 << 20


def describe_file(path: Path) -> FileEntry:
    """Return the digest and size of a file, and the number of its lines if it is JSON lines.

    A last line without a line end counts.

    Raises:
        OSError: if the file cannot be read.
    """
    hashed = hashlib.sha256()
    size = lines = 0
    last = b"\n"
    with path.open("rb") as stream:
        while chunk := stream.read(_CHUNK):
            hashed.update(chunk)
            size += len(chunk)
            lines += chunk.count(b"\n")
            last = chunk[-1:]
    records = lines + (last != b"\n") if path.suffix == ".jsonl" else None
    return FileEntry(sha256=hashed.hexdigest(), bytes=size, records=records)


def describe_input(path: Path) -> InputFile:
    """Return what the manifest says of an input file: its name without folders, digest, size.

    Raises:
        OSError: if the file cannot be read.
    """
    entry = describe_file(path)
    return InputFile(file=path.name, sha256=entry.sha256, bytes=entry.bytes)


def folder_digest(*folders: Path, suffixes: Iterable[str] = (".yaml",)) -> str:
    """Return one digest for all files with these suffixes in some folders and below them.

    It depends on relative names and contents only: a wheel and a checkout give the same.

    Raises:
        OSError: if a file cannot be read.
    """
    wanted = set(suffixes)
    files = {
        f"{number}/{path.relative_to(folder).as_posix()}": describe_file(path).sha256
        for number, folder in enumerate(folders)
        for path in folder.rglob("*")
        if path.is_file() and path.suffix in wanted
    }
    return hashlib.sha256(canonical(files).encode()).hexdigest()
