"""Writes a dataset as a site that opens from disk: a table of all items, a page of each, charts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from realhop_kg.errors import InputError
from realhop_kg.freeze.manifest import Manifest
from realhop_kg.freeze.reader import FrozenDataset
from realhop_kg.model.finding import CONTRACTS, Code
from realhop_kg.model.frozen import ExcludedItem
from realhop_kg.view.answers import Run
from realhop_kg.view.artifact import artifact_chart
from realhop_kg.view.charts import Charts, Drawn
from realhop_kg.view.files import file_name
from realhop_kg.view.page import SCRIPTS, ItemView, item_page, read_item
from realhop_kg.view.site import (
    SITE,
    Column,
    Filter,
    Progress,
    SiteSummary,
    Table,
    write_folder,
)
from realhop_kg.view.soundness import differing

__all__ = ["SITE", "SiteSummary", "write_site"]


def write_site(
    dataset: FrozenDataset,
    out: Path,
    force: bool = False,
    run: Run | None = None,
    progress: Progress = lambda done, total: None,
) -> SiteSummary:
    """Write a site and return what it holds.

    Args:
        dataset: the dataset.
        out: the folder to write.
        force: whether a site that stands there is replaced.
        run: an audit of the dataset, if there is one.
        progress: told (items done, items in all).

    Raises:
        InputError: if the dataset cannot be read, or the folder cannot be written.
    """
    return write_folder(_Realhop(dataset, run, progress), out, force)


class _Realhop:
    """The contents of the site of a REALHOP dataset."""

    scripts = SCRIPTS

    def __init__(self, dataset: FrozenDataset, run: Run | None, progress: Progress) -> None:
        self.failed: list[str] = []
        self.differs = differing(dataset.folder)
        self._dataset, self._run, self._progress = dataset, run, progress
        self._charts = Charts()

    @property
    def manifest(self) -> Manifest:
        """What the dataset says of itself."""
        return self._dataset.manifest

    @property
    def models(self) -> tuple[str, ...]:
        """Models of which there are outcomes."""
        return tuple(self._run.models) if self._run else ()

    def rows(self, folder: Path) -> Iterator[list[Any]]:
        """Yield the row of each item, and write its page into a folder."""
        total = self.manifest.counts.constructed
        for number, (item, graph, predicates) in enumerate(self._dataset.whole(), 1):
            name = f"{number:05d}-{file_name(item.source.id)}.html"
            try:
                view = read_item(item, graph, predicates, self._run)
            except InputError as error:
                # The table still has the item; only what cannot be drawn is missing.
                self.failed.append(str(error))
                self._charts.add_undrawn(item)
                yield [
                    "", item.id, item.topology, len(item.hops), item.question, item.answer,
                    item.source.question, 0, 0, _codes(item.diagnostics), -1, "–", str(error), [],
                ]  # fmt: skip
            else:
                content = item_page(view, site="..", differs=self.differs)
                (folder / name).write_bytes(content.encode())
                self._charts.add(view)
                yield _item_row(view, name, self._run)
            self._progress(number, total)

    def excluded_rows(self) -> Iterator[list[Any]]:
        """Yield the row of each excluded record."""
        for excluded in self._dataset.excluded():
            self._charts.exclude(excluded)
            yield _excluded_row(excluded)

    def said(self) -> str:
        """Return what stands at the top."""
        counts, proved = self.manifest.counts, self.manifest.counts.certificates
        return (
            f"{counts.read} records read, {counts.constructed} constructed, {counts.excluded} "
            f"excluded; {counts.hops} hops; {counts.competitors.strict} Strict and "
            f"{counts.competitors.flexible} Flexible competitors. Unique answer {proved.unique}, "
            f"necessary hops {proved.hop_necessity}, V1 {proved.v1}, V2 {proved.v2}."
        )

    def tables(self) -> tuple[Table, Table]:
        """Return how items, and excluded records, are shown."""
        counted = self._charts
        return (
            Table(
                columns=(
                    Column("item", 1, "c-id"),
                    Column("shape", 2, "c-shape"),
                    Column("question", 4),
                    Column("answer", 5, "c-answer", bold=True),
                    Column("Strict", 7, "c-paths"),
                    Column("Flexible", 8, "c-paths"),
                    Column("survivors", 10, "c-v", told=_SURVIVORS),
                    Column("V1, V2", 11, "c-v", sorts=False, told=_V),
                    Column("findings", 9, "c-v"),
                ),
                search=(1, 4, 5, 6),
                filters=(
                    Filter("shape", "shape", 2, tuple(sorted(counted.shapes))),
                    Filter("hops", "hops", 3, tuple(map(str, sorted(counted.hops)))),
                    Filter(
                        "diagnostics",
                        "diagnostics",
                        9,
                        ("none", "some", *sorted(counted.diagnostics)),
                        "holds",
                    ),
                    Filter("survivors", "complete after every Drop", 10, ("1", "2", "3"), "least"),
                ),
                problem=12,
                outcomes=13,
            ),
            Table(
                columns=(
                    Column("record", 1, "c-id"),
                    Column("code", 2, "c-v", bold=True),
                    Column("stage", 3, "c-shape"),
                    Column("question", 4),
                    Column("why", 5),
                ),
                search=(1, 4, 5),
                filters=(Filter("code", "code", 2, tuple(sorted(counted.codes))),),
                detail=(
                    ("code", 2),
                    ("stage", 3),
                    ("wanted", 8),
                    ("why", 5),
                    ("question", 4),
                    ("where", 6),
                    ("field", 7),
                    ("finding", 9),
                ),
            ),
        )

    def charts(self) -> Iterable[Drawn]:
        """Return the charts of what was counted, and of what gives gold away."""
        return (*self._charts.charts(), artifact_chart(self._dataset.folder))


_SURVIVORS = "competitors that are complete after whichever Drop leaves fewest"
_V = (
    "hops whose Drop leaves a complete competitor; hops before the last whose Drop leaves two "
    "continuations without a live prefix"
)


def _codes(findings: Iterable[Any]) -> list[str]:
    return sorted({str(finding.code) for finding in findings})


def _item_row(view: ItemView, name: str, run: Run | None) -> list[Any]:
    item, proved = view.item, view.proved
    survivors = [len(paths) for paths in proved.complete_paths.values()]
    before_last = [held for hop, held in proved.v2.items() if hop != proved.terminal]
    kinds = [path.kind for path in item.competitors]
    return [
        f"items/{name}",
        item.id,
        item.topology,
        len(item.hops),
        item.question,
        item.answer,
        item.source.question,
        kinds.count("strict"),
        kinds.count("flexible"),
        _codes(item.diagnostics),
        min(survivors, default=0),
        f"{sum(proved.v1.values())}/{len(proved.necessary_hops)}, "
        f"{sum(before_last)}/{len(before_last)}",
        "",
        _outcomes(view, run),
    ]


def _outcomes(view: ItemView, run: Run | None) -> list[list[int]]:
    """Return, by model, right answers and answers under Full, Drop and Control, and wrong hits."""
    found = run.outcomes(view.item.id, view.graph) if run else {}
    return [[*of.full, *of.drop, *of.control, of.wrong_hits] for of in found.values()]


def _excluded_row(excluded: ExcludedItem) -> list[Any]:
    known = excluded.code in list(Code)
    return [
        "",
        excluded.id,
        excluded.code,
        excluded.stage,
        excluded.question,
        excluded.message,
        f"{excluded.file}, line {excluded.line}" if excluded.file else "",
        excluded.field,
        CONTRACTS[Code(excluded.code)].holds_when if known else "",
        [f"{finding.code}: {finding.message}" for finding in excluded.findings],
    ]
