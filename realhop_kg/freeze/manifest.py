"""What a frozen dataset says of itself: the records of `manifest.json`, and its digests.

Three digests lie inside each other. `files` has one for every data file. `digest`, the dataset's
own, covers the manifest with them, but neither the software versions nor itself: two machines that
freeze the same items agree on it. `seal` covers everything else in the manifest, so that no byte
of it can change unnoticed.
"""

from __future__ import annotations

import hashlib
import json
import uuid
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pydantic import Field, JsonValue, ValidationError

from realhop_kg import __version__
from realhop_kg.errors import InputError
from realhop_kg.jsonl import canonical
from realhop_kg.model.record import SCHEMA_VERSION, Record

__all__ = [
    "CROISSANT",
    "DATA_FILES",
    "ENVIRONMENT",
    "EXCLUDED",
    "FILES",
    "GRAPHS",
    "ITEMS",
    "MANIFEST",
    "OWN_PREDICATES",
    "README",
    "RELATIONS",
    "CertificateCounts",
    "CompetitorCounts",
    "Counts",
    "FileEntry",
    "InputFile",
    "Manifest",
    "Provenance",
    "Share",
    "Terms",
    "canary_of",
    "dataset_digest",
    "read_manifest",
    "seal_of",
    "sealed",
]

ITEMS = "items.jsonl"
EXCLUDED = "excluded.jsonl"
GRAPHS = "graphs.jsonl"
RELATIONS = "relations.json"
README = "README.md"
CROISSANT = "croissant.json"
MANIFEST = "manifest.json"
ENVIRONMENT = "environment.json"

OWN_PREDICATES = "predicates"
"""Key of a graph's line for the predicates that were made for its item alone."""

DATA_FILES = (ITEMS, EXCLUDED, GRAPHS, RELATIONS, README, CROISSANT)
"""The files that the dataset digest covers."""

FILES = (*DATA_FILES, MANIFEST, ENVIRONMENT)
"""Every file of a dataset folder."""


class FileEntry(Record):
    """One file of the folder."""

    sha256: str
    bytes: int
    records: int | None = None
    """Lines of a JSON lines file."""


class InputFile(Record):
    """One file that the run read."""

    file: str
    """Name without folders."""
    sha256: str
    bytes: int


class Terms(Record):
    """Under which terms the retained source text stands."""

    licence: str
    """Name of the licence, or `as the source`."""
    licence_id: str = "other"
    """Identifier as dataset hubs use it (`cc-by-4.0`)."""
    licence_url: str = ""
    attribution: str
    """Whom to name, and for what."""


class Share(Record):
    """How many of how many."""

    holds: int = 0
    of: int = 0

    def __str__(self) -> str:
        return f"{self.holds}/{self.of}"


class CertificateCounts(Record):
    """What was proved of the constructed items, each with its denominator."""

    unique: Share = Share()
    """Items whose only derivable answer is gold (U1)."""
    hop_necessity: Share = Share()
    """Hops without which the answer cannot be derived (N1)."""
    premise_necessity: Share = Share()
    """Premises of gold facts without which the answer cannot be derived."""
    v1: Share = Share()
    """Hops whose Drop leaves a complete competitor path (V1)."""
    v2: Share = Share()
    """Hops before the terminal one whose Drop leaves two continuations without prefix (V2)."""


class CompetitorCounts(Record):
    """Competitor paths that survived pruning."""

    strict: int = 0
    flexible: int = 0
    """Fragments included."""
    fragments: int = 0
    """Flexible paths that pruning left incomplete."""


class Counts(Record):
    """Figures of the whole dataset."""

    read: int = 0
    """Source records: constructed and excluded ones."""
    constructed: int = 0
    excluded: int = 0
    excluded_by_code: dict[str, int] = Field(default_factory=dict)
    topologies: dict[str, int] = Field(default_factory=dict)
    """Constructed items by shape of their dependency graph."""
    hops: int = 0
    """Hops of all constructed items."""
    competitors: CompetitorCounts = CompetitorCounts()
    certificates: CertificateCounts = CertificateCounts()


class Provenance(Record):
    """Where a dataset comes from: whatever decided its bytes, and nothing else."""

    name: str
    dataset: str
    """Name of the source dataset (musique, jsonl)."""
    seed: int
    config: dict[str, JsonValue] = Field(default_factory=dict)
    """Settings that decide the result; not the number of workers, not a path."""
    inputs: tuple[InputFile, ...] = ()
    templates: dict[str, str] = Field(default_factory=dict)
    """SHA-256 by id of each prompt template used."""
    catalogue: str
    """SHA-256 of the relation catalogue and of the material for names."""
    terms: Terms


class Manifest(Provenance):
    """The `manifest.json` of a frozen dataset."""

    schema_version: int = SCHEMA_VERSION
    created_by: str = f"realhop-kg {__version__}"
    counts: Counts
    files: dict[str, FileEntry]
    """Every data file, by name."""
    canary: str
    """GUID that shows up in training data if the dataset did."""
    digest: str = ""
    """SHA-256 of the canonical JSON of the manifest without digest, environment and seal."""
    environment: FileEntry
    """The software versions: verified, and outside the dataset digest."""
    seal: str = ""
    """SHA-256 of the canonical JSON of the manifest without the seal."""


def _hashed(raw: Mapping[str, Any], without: frozenset[str]) -> str:
    kept = {key: value for key, value in raw.items() if key not in without}
    return hashlib.sha256(canonical(kept).encode()).hexdigest()


def dataset_digest(raw: Mapping[str, Any]) -> str:
    """Return what `digest` should be, from the parsed JSON of a manifest."""
    return _hashed(raw, frozenset({"digest", "environment", "seal"}))


def seal_of(raw: Mapping[str, Any]) -> str:
    """Return what `seal` should be, from the parsed JSON of a manifest."""
    return _hashed(raw, frozenset({"seal"}))


def sealed(manifest: Manifest) -> Manifest:
    """Return the manifest with its digest and its seal."""
    digested = manifest.model_copy(
        update={"digest": dataset_digest(manifest.model_dump(mode="json"))}
    )
    return digested.model_copy(update={"seal": seal_of(digested.model_dump(mode="json"))})


def canary_of(items_sha256: str) -> str:
    """Return the canary GUID of a dataset, derived from the digest of its items file."""
    return str(uuid.uuid5(uuid.NAMESPACE_OID, f"realhop-kg/{items_sha256}"))


def read_manifest(folder: Path) -> Manifest:
    """Return the manifest of a dataset folder.

    Raises:
        InputError: if the folder has none, or it is of a newer schema or damaged.
    """
    path = folder / MANIFEST
    if not path.is_file():
        raise InputError(
            f"{folder} is no frozen dataset: it has no {MANIFEST}; name a folder that "
            "`realhop construct` wrote"
        )
    try:
        raw = json.loads(path.read_bytes())
        refuse_newer(raw, path)
        return Manifest.model_validate(raw)
    except (ValueError, RecursionError, ValidationError) as error:
        raise InputError(
            f"{path} is damaged; `realhop verify {folder}` says how, a fresh copy mends it"
        ) from error


def refuse_newer(raw: object, path: Path) -> None:
    """Refuse the manifest of a dataset that a newer version of this package wrote.

    Raises:
        InputError: if its schema version is above ours.
    """
    version = raw.get("schema_version") if isinstance(raw, dict) else None
    if isinstance(version, int) and version > SCHEMA_VERSION:
        raise InputError(
            f"{path} has schema version {version}, this realhop-kg reads up to {SCHEMA_VERSION}; "
            "upgrade realhop-kg"
        )
