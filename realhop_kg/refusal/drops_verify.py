"""Verifies a dataset of unanswerable Drops from its files, deriving again that nothing follows."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path

from realhop_kg.errors import RealHopError
from realhop_kg.freeze.items import frozen_item
from realhop_kg.freeze.manifest import EXCLUDED, GRAPHS, ITEMS
from realhop_kg.freeze.report import Discrepancies, VerifyReport
from realhop_kg.freeze.verify_files import (
    check_counts,
    check_files,
    check_manifest,
    check_relations,
    numbered_lines,
    verify_report,
)
from realhop_kg.jsonl import canonical
from realhop_kg.model.refusal_drop import DropRefusal, KeptDrop
from realhop_kg.refusal.drops_dataset import DropTally, graph_line
from realhop_kg.refusal.from_drops import drop_refusals
from realhop_kg.relations.predicates import Predicates

__all__ = ["verify_drops"]


def verify_drops(
    folder: Path, *, progress: Callable[[int, int], None] | None = None, limit: int = 1000
) -> VerifyReport:
    """Recompute every hash and figure, and make every question again from its graph.

    Args:
        folder: the dataset folder.
        progress: called with (graphs done, graphs in all).
        limit: number of discrepancies that are reported in full.
    """
    found, tally = Discrepancies(limit), DropTally()
    manifest = check_manifest(folder, found)
    check_files(folder, manifest, found)
    relations = check_relations(folder, found)
    predicates = Predicates(relations.predicates, relations.types) if relations else Predicates(())
    graphs = manifest.files[GRAPHS].records if manifest and GRAPHS in manifest.files else 0
    items = numbered_lines(folder / ITEMS)
    for done, (number, text) in enumerate(numbered_lines(folder / GRAPHS), 1):
        for drop in _again(number, text, predicates, found):
            _compare(drop, next(items, None), found)
            tally.add(drop)
        if progress:
            progress(done, graphs or 0)
    for number, _ in items:
        found.add("differs", ITEMS, "follows from no graph", line=number)
    for number, text in numbered_lines(folder / EXCLUDED):
        try:
            tally.exclude(KeptDrop.model_validate(json.loads(text)).code)
        except (ValueError, RecursionError) as error:
            found.add("unreadable", EXCLUDED, f"is no record: {error}", line=number)
    counts = tally.counts()
    if manifest is not None:
        check_counts(manifest, counts, found)
    return verify_report(folder, manifest, counts, found)


def _again(
    number: int, text: bytes, predicates: Predicates, found: Discrepancies
) -> Iterator[DropRefusal]:
    """Yield the questions that a graph gives."""
    try:
        graph, known = graph_line(json.loads(text), predicates)
        outcomes = list(drop_refusals(frozen_item(graph), graph, known))
    except (RealHopError, ValueError, TypeError, AttributeError, LookupError) as error:
        found.add("unreadable", GRAPHS, f"gives no item: {error}", line=number)
        return
    yield from (outcome for outcome in outcomes if isinstance(outcome, DropRefusal))


def _compare(drop: DropRefusal, line: tuple[int, bytes] | None, found: Discrepancies) -> None:
    if line is None:
        found.add("differs", ITEMS, "is missing", item=drop.id)
        return
    number, text = line
    if canonical(drop.model_dump(mode="json")).encode() == text:
        return
    message = "is not the question that its graph gives without the passage"
    found.add("contract", ITEMS, message, line=number, item=drop.id, code="K4")
