"""Ways to damage a dataset, to hide it, and to look for what `verify` says of it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from realhop_kg.freeze.hashes import describe_file
from realhop_kg.freeze.manifest import (
    DATA_FILES,
    ENVIRONMENT,
    MANIFEST,
    QUALITY,
    Manifest,
    sealed,
)
from realhop_kg.freeze.report import Discrepancy, VerifyReport
from realhop_kg.jsonl import canonical

KEYS = [f"musique/2hop__{number}" for number in (1, 2, 3)]
"""Items of the dataset that is damaged."""


def lines_of(path: Path) -> list[bytes]:
    return path.read_bytes().splitlines(keepends=True)


def edit(path: Path, line: int, change: Callable[[Any], object]) -> None:
    """Change the JSON of one line in place, counted from 1."""
    lines = lines_of(path)
    data = json.loads(lines[line - 1])
    change(data)
    lines[line - 1] = canonical(data).encode() + b"\n"
    path.write_bytes(b"".join(lines))


def reseal(folder: Path, **changes: Any) -> None:
    """Make the manifest match changed files, as someone would who hides the change."""
    raw = json.loads((folder / MANIFEST).read_text())
    raw["files"] = {name: describe_file(folder / name).model_dump() for name in DATA_FILES}
    raw["environment"] = describe_file(folder / ENVIRONMENT).model_dump()
    raw["quality"] = describe_file(folder / QUALITY).model_dump()
    manifest = sealed(Manifest.model_validate({**raw, **changes}))
    (folder / MANIFEST).write_text(canonical(manifest.model_dump(mode="json")) + "\n")


def found(report: VerifyReport, **wanted: object) -> list[Discrepancy]:
    """Return the discrepancies with these fields."""
    return [
        discrepancy
        for discrepancy in report.discrepancies
        if all(getattr(discrepancy, field) == value for field, value in wanted.items())
    ]
