"""Verifies a refusal dataset from its files alone: hashes, records, checks, counts."""

from __future__ import annotations

import json
from collections.abc import Callable
from itertools import zip_longest
from pathlib import Path
from typing import TypeVar

from pydantic import ValidationError

from realhop_kg.freeze.manifest import EXCLUDED, GRAPHS, ITEMS, MANIFEST, Counts, Manifest
from realhop_kg.freeze.report import Discrepancies, VerifyReport
from realhop_kg.freeze.verify import verify
from realhop_kg.freeze.verify_files import (
    check_counts,
    check_files,
    check_manifest,
    check_relations,
    numbered_lines,
    verify_report,
)
from realhop_kg.ids import digest
from realhop_kg.jsonl import canonical
from realhop_kg.model.record import Record
from realhop_kg.model.refusal_item import LeftOutSeed, RefusalFigures, RefusalItem
from realhop_kg.refusal.draw import item_id
from realhop_kg.refusal.drops_dataset import DROPS
from realhop_kg.refusal.drops_verify import verify_drops
from realhop_kg.refusal.freeze import DATASET, RefusalTally, chain_data
from realhop_kg.refusal.quality import check_question

__all__ = ["verifier_of", "verify_refusal"]

Verifier = Callable[..., VerifyReport]

Read = TypeVar("Read", bound=Record)


def verifier_of(folder: Path) -> Verifier:
    """Return what verifies a dataset folder, by the kind that its manifest names."""
    try:
        found = json.loads((folder / MANIFEST).read_bytes())
    except (OSError, ValueError, RecursionError):
        found = None
    kind = found.get("dataset") if isinstance(found, dict) else None
    if kind == DATASET:
        return verify_refusal
    return verify_drops if kind == DROPS else verify


def verify_refusal(
    folder: Path, *, progress: Callable[[int, int], None] | None = None, limit: int = 1000
) -> VerifyReport:
    """Recompute every hash, record, figure and check of a dataset.

    Args:
        folder: the dataset folder.
        progress: called with (questions checked, questions in all).
        limit: number of discrepancies that are reported in full.
    """
    found, tally = Discrepancies(limit), RefusalTally()
    manifest = check_manifest(folder, found)
    check_files(folder, manifest, found)
    relations = check_relations(folder, found)
    total = manifest.counts.constructed if manifest else 0
    _check_items(folder, tally, found, progress, total)
    for number, text in numbered_lines(folder / EXCLUDED):
        left_out = _record(text, LeftOutSeed, EXCLUDED, number, found)
        if left_out is not None:
            tally.leave_out(left_out)
    counts = tally.counts()
    if manifest is not None:
        _check_figures(manifest, counts, tally, found)
    if relations is not None and dict(relations.types) != dict(sorted(tally.kinds.items())):
        found.add("differs", "relations.json", "its nouns are not those of the questions")
    return verify_report(folder, manifest, counts, found)


def _check_items(
    folder: Path,
    tally: RefusalTally,
    found: Discrepancies,
    progress: Callable[[int, int], None] | None,
    total: int,
) -> None:
    ids: set[str] = set()
    wordings: set[str] = set()
    lines = zip_longest(numbered_lines(folder / ITEMS), numbered_lines(folder / GRAPHS))
    for done, (line, graph) in enumerate(lines, 1):
        if line is None:
            found.add("differs", GRAPHS, "has a chain without a question", line=graph[0])
            continue
        number, text = line
        item = _record(text, RefusalItem, ITEMS, number, found)
        if item is None:
            continue
        _check_item(item, number, found)
        if item.id in ids or digest(item.question.casefold()) in wordings:
            message = "has the id or the wording of an earlier question"
            found.add("contract", ITEMS, message, line=number, item=item.id, code="W3")
        ids.add(item.id)
        wordings.add(digest(item.question.casefold()))
        chain = canonical({"id": item.id, **chain_data(item.chain)}).encode()
        if graph is None or graph[1] != chain:
            message = f"its chain is not the one in {GRAPHS}"
            found.add("differs", ITEMS, message, line=number, item=item.id)
        tally.add(item)
        if progress:
            progress(done, total)


def _check_item(item: RefusalItem, number: int, found: Discrepancies) -> None:
    if item.id != item_id(item.chain):
        found.add("differs", ITEMS, "has not the id of its chain", line=number, item=item.id)
    if item.redistributable != item.chain.defect.terms.redistributable:
        message = "differs from the terms of its seed"
        found.add("differs", ITEMS, message, line=number, item=item.id, field="redistributable")
    for finding in check_question(item):
        found.add("contract", ITEMS, finding.message, line=number, item=item.id, code=finding.code)


def _record(
    text: bytes, model: type[Read], file: str, number: int, found: Discrepancies
) -> Read | None:
    try:
        record = model.model_validate(json.loads(text))
    except (ValueError, RecursionError) as error:
        reason = error.errors()[0]["msg"] if isinstance(error, ValidationError) else error
        found.add("unreadable", file, f"is no record: {reason}", line=number)
        return None
    if canonical(record.model_dump(mode="json")).encode() != text:
        found.add("differs", file, "is not the canonical JSON that was written", line=number)
    return record


def _check_figures(
    manifest: Manifest, counts: Counts, tally: RefusalTally, found: Discrepancies
) -> None:
    check_counts(manifest, counts, found)
    try:
        figures = RefusalFigures.model_validate(manifest.config)
    except ValidationError as error:
        found.add("unreadable", MANIFEST, error.errors()[0]["msg"], field="config")
        return
    filled = {cell: row.get("filled", 0) for cell, row in figures.cells.items()}
    by_source = {name: row.questions for name, row in figures.sources.items()}
    for name, row in figures.sources.items():
        reasons = tally.reasons_of(name, True), tally.reasons_of(name, False)
        if (row.left_out, row.unused) != reasons:
            field = f"config.sources.{name}"
            found.add("counts", MANIFEST, "are not those of what was left out", field=field)
    for field, claims, real in (
        ("config.cells", filled, tally.cells),
        ("config.sources", by_source, tally.sources),
    ):
        if {key: n for key, n in claims.items() if n} != dict(real):
            found.add("counts", MANIFEST, "are not those of the questions", field=field)
