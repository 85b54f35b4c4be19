"""Verifies a dataset folder from its files alone, and names precisely what differs."""

from __future__ import annotations

from pathlib import Path

from realhop_kg.errors import InputError
from realhop_kg.freeze.counts import Tally
from realhop_kg.freeze.manifest import ITEMS, MANIFEST
from realhop_kg.freeze.report import Discrepancies, VerifyReport
from realhop_kg.freeze.verify_files import (
    check_counts,
    check_files,
    check_manifest,
    check_relations,
    verify_report,
)
from realhop_kg.freeze.verify_lines import Progress, check_excluded, check_items

__all__ = ["verify"]


def verify(
    path: str | Path, *, progress: Progress | None = None, limit: int = 1000
) -> VerifyReport:
    """Recompute every hash, record, figure and blocking check of a frozen dataset.

    Records stream through, and nothing that is found stops the checks that follow.

    Args:
        path: the dataset folder.
        progress: called with (items checked, items in all) after each item.
        limit: number of discrepancies that are reported in full.

    Raises:
        InputError: if the folder is no dataset at all, or is of a newer schema.
    """
    folder = Path(path)
    if not (folder / MANIFEST).is_file() and not (folder / ITEMS).is_file():
        raise InputError(
            f"{folder} is no frozen dataset: it has neither {MANIFEST} nor {ITEMS}; name a folder "
            "that `realhop construct` wrote"
        )
    found, tally = Discrepancies(limit), Tally()
    manifest = check_manifest(folder, found)
    check_files(folder, manifest, found)
    relations = check_relations(folder, found)
    total = manifest.counts.constructed if manifest else 0
    whole = check_items(folder, relations, tally, found, progress or _silent, total)
    whole = check_excluded(folder, tally, found) and whole
    counts = tally.counts()
    if manifest and whole:
        check_counts(manifest, counts, found)
    elif manifest:
        found.add("unchecked", MANIFEST, "figures were not compared: some lines did not count")
    return verify_report(folder, manifest, counts, found)


def _silent(done: int, total: int) -> None:
    """Report no progress."""
