"""Verifies the files of a dataset folder as a whole: manifest, hashes, metadata, relations."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from realhop_kg.freeze.card import CANARY
from realhop_kg.freeze.differences import differences
from realhop_kg.freeze.hashes import describe_file
from realhop_kg.freeze.manifest import (
    CROISSANT,
    DATA_FILES,
    ENVIRONMENT,
    FILES,
    ITEMS,
    MANIFEST,
    QUALITY,
    README,
    RELATIONS,
    Counts,
    FileEntry,
    Manifest,
    canary_of,
    dataset_digest,
    refuse_newer,
    seal_of,
)
from realhop_kg.freeze.report import Discrepancies, VerifyReport
from realhop_kg.jsonl import canonical
from realhop_kg.relations.predicates import RelationsFile

__all__ = [
    "check_counts",
    "check_files",
    "check_manifest",
    "check_relations",
    "numbered_lines",
    "verify_report",
]


def numbered_lines(path: Path) -> Iterator[tuple[int, bytes]]:
    """Yield the lines of a file from 1 on; none of a missing one, which is reported elsewhere."""
    if path.is_file():
        with path.open("rb") as stream:
            for number, line in enumerate(stream, 1):
                yield number, line.removesuffix(b"\n")


def check_counts(manifest: Manifest, counts: Counts, found: Discrepancies) -> None:
    """Compare the figures of a manifest with those of the files."""
    recorded, real = manifest.counts.model_dump(), counts.model_dump()
    for field, claimed, counted in differences(recorded, real, "counts"):
        message = f"records {claimed}, the files give {counted}"
        found.add("counts", MANIFEST, message, field=field)


def verify_report(
    folder: Path, manifest: Manifest | None, counts: Counts, found: Discrepancies
) -> VerifyReport:
    """Return what a verification found."""
    return VerifyReport(
        folder=folder.resolve().name,
        digest=manifest.digest if manifest else "",
        counts=counts,
        discrepancies=tuple(found.found),
        omitted=found.omitted,
    )


def check_manifest(folder: Path, found: Discrepancies) -> Manifest | None:
    """Check that the manifest matches itself, and return it if it can be read.

    Raises:
        InputError: if it is sound and of a newer schema.
    """
    path = folder / MANIFEST
    if not path.is_file():
        return None  # reported with the other missing files
    try:
        text = path.read_bytes()
        raw = json.loads(text)
        written = canonical(raw).encode() + b"\n"
    except (OSError, ValueError, RecursionError) as error:
        found.add("unreadable", MANIFEST, f"is no JSON: {error}")
        return None
    if not isinstance(raw, dict):
        found.add("unreadable", MANIFEST, "is no JSON object")
        return None
    if text != written:
        found.add("seal", MANIFEST, "is not the canonical JSON that was written")
    if raw.get("seal") != seal_of(raw):
        found.add("seal", MANIFEST, "was changed: its seal does not match", field="seal")
    else:
        refuse_newer(raw, path)
    if raw.get("digest") != dataset_digest(raw):
        message = "was changed: the dataset digest does not match"
        found.add("seal", MANIFEST, message, field="digest")
    try:
        manifest = Manifest.model_validate(raw)
    except ValidationError as error:
        for trouble in error.errors():
            field = ".".join(str(part) for part in trouble["loc"])
            found.add("unreadable", MANIFEST, trouble["msg"], field=field)
        return None
    _check_entries(manifest, found)
    return manifest


def _check_entries(manifest: Manifest, found: Discrepancies) -> None:
    for name in sorted(manifest.files.keys() ^ set(DATA_FILES)):
        told = "lists a file that is no part of a dataset" if name in manifest.files else "lacks"
        found.add("differs", MANIFEST, f"{told}: {name}", field="files")
    items = manifest.files.get(ITEMS)
    if items and manifest.canary != canary_of(items.sha256):
        message = f"is not the canary of {ITEMS}"
        found.add("differs", MANIFEST, message, field="canary")


def check_files(folder: Path, manifest: Manifest | None, found: Discrepancies) -> None:
    """Check which files there are, and each against what the manifest records of it."""
    present = {path.name: path for path in folder.iterdir()}
    allowed, required = set(FILES), list(FILES)
    if manifest is None or manifest.quality is None:
        required.remove(QUALITY)
    if manifest is not None and manifest.quality is None:
        allowed.remove(QUALITY)
    for name in sorted(present.keys() - allowed):
        found.add("unknown", name, "is no file of a frozen dataset; move it elsewhere")
    for name in required:
        if name not in present or not present[name].is_file():
            found.add("missing", name, "is missing; take it from a fresh copy")
    if manifest is None:
        found.add("unchecked", MANIFEST, "hashes were not compared: there is no readable manifest")
        return
    recorded = {**manifest.files, ENVIRONMENT: manifest.environment, QUALITY: manifest.quality}
    for name in (*DATA_FILES, ENVIRONMENT, QUALITY):
        entry = recorded.get(name)
        if entry and name in present and present[name].is_file():
            _check_bytes(present[name], entry, found)
    _check_card(folder / README, manifest, found)
    _check_croissant(folder / CROISSANT, manifest, found)


def _check_bytes(path: Path, recorded: FileEntry, found: Discrepancies) -> None:
    try:
        real = describe_file(path)
    except OSError as error:
        found.add("unreadable", path.name, f"cannot be read: {error.strerror}")
        return
    if real == recorded:
        return
    sizes = [
        f"{there} {what} where {MANIFEST} records {claimed}"
        for what, there, claimed in (
            ("bytes", real.bytes, recorded.bytes),
            ("lines", real.records, recorded.records),
        )
        if there != claimed
    ]
    same = real.sha256 == recorded.sha256
    hashes = (
        "" if same else f"SHA-256 {real.sha256[:12]}… where {recorded.sha256[:12]}… is recorded"
    )
    found.add("hash", path.name, f"does not match: {', '.join(filter(None, (hashes, *sizes)))}")


def _check_card(path: Path, manifest: Manifest, found: Discrepancies) -> None:
    if not path.is_file():
        return
    if CANARY.format(guid=manifest.canary).encode() not in path.read_bytes():
        found.add("differs", README, "does not carry the canary line of the dataset")


def _check_croissant(path: Path, manifest: Manifest, found: Discrepancies) -> None:
    """Check that the metadata has the hashes of the manifest."""
    if not path.is_file():
        return
    try:
        described = {
            entry["contentUrl"]: entry["sha256"]
            for entry in json.loads(path.read_bytes())["distribution"]
        }
    except (OSError, ValueError, LookupError, TypeError, RecursionError) as error:
        found.add("unreadable", CROISSANT, f"is no Croissant metadata: {error}")
        return
    recorded = {
        name: entry.sha256
        for name, entry in manifest.files.items()
        if name not in (README, CROISSANT)
    }
    for name, here, there in differences(described, recorded):
        message = f"says SHA-256 {here} of {name}, {MANIFEST} says {there}"
        found.add("differs", CROISSANT, message, field="distribution")


def check_relations(folder: Path, found: Discrepancies) -> RelationsFile | None:
    """Check that the declared predicates are closed, and return them if they can be read."""
    path = folder / RELATIONS
    if not path.is_file():
        return None
    try:
        relations = RelationsFile.model_validate_json(path.read_bytes())
    except (OSError, ValueError) as error:
        found.add("unreadable", RELATIONS, _first_line(error))
        return None
    declared: set[str] = set()
    for predicate in relations.predicates:
        if predicate.id in declared:
            found.add("differs", RELATIONS, "is declared twice", field=predicate.id)
        declared.add(predicate.id)
    for predicate in relations.predicates:
        for other in sorted({*predicate.entails, predicate.inverse, predicate.parent} - {""}):
            if other not in declared:
                message = f"names predicate {other!r}, which is not declared"
                found.add("differs", RELATIONS, message, field=predicate.id)
    return relations


def _first_line(error: Any) -> str:  # noqa: ANN401 - whatever reading raised
    if isinstance(error, ValidationError):
        first = error.errors()[0]
        place = ".".join(str(part) for part in first["loc"])
        return f"cannot be read: {place + ': ' if place else ''}{first['msg']}"
    return f"cannot be read: {error}"
