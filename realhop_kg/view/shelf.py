"""Opens a dataset of any kind for looking at: its pages and its site."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from realhop_kg.errors import InputError
from realhop_kg.freeze.manifest import read_manifest
from realhop_kg.freeze.reader import FrozenDataset
from realhop_kg.refusal.drops_dataset import DROPS
from realhop_kg.refusal.drops_reader import DropsDataset
from realhop_kg.refusal.freeze import DATASET as REFUSAL
from realhop_kg.refusal.reader import RefusalDataset
from realhop_kg.view.answers import Run
from realhop_kg.view.draw import Picture, picture
from realhop_kg.view.explorer import write_site
from realhop_kg.view.page import item_page, read_item
from realhop_kg.view.refusal_draw import chain_picture
from realhop_kg.view.refusal_drop import drop_page, read_drop, write_drops_site
from realhop_kg.view.refusal_page import refusal_page
from realhop_kg.view.refusal_site import write_refusal_site
from realhop_kg.view.runs import ShownRuns
from realhop_kg.view.site import Progress, SiteSummary
from realhop_kg.view.soundness import differing

__all__ = ["Figure", "Shelf", "open_shelf"]

Shown = tuple[str, str, str]
"""(what its file is named after, key of the item, HTML)."""

Drawn = tuple[str, str, Picture]
"""(what its file is named after, key of the item, picture)."""


@dataclass(frozen=True, slots=True)
class Figure:
    """What is wanted of a picture."""

    width: float | None = None
    """In points; None for what fits."""
    paths: tuple[str, ...] = ()
    """Names of the competitor paths to show; all of them where none is named."""
    source: bool = True
    premises: bool = True


class Shelf(Protocol):
    """A dataset that can be looked at."""

    @property
    def differs(self) -> tuple[str, ...]:
        """What is not as it was frozen, each as one line."""
        ...

    def page(self, name: str) -> Shown:
        """Return the page of one item.

        Raises:
            InputError: if there is no such item, or it cannot be drawn.
        """
        ...

    def picture(self, name: str, figure: Figure) -> Drawn:
        """Return the picture of one item, for a paper.

        Raises:
            InputError: if there is no such item, or it cannot be drawn so.
        """
        ...

    def site(self, out: Path, force: bool, progress: Progress) -> SiteSummary:
        """Write the site of all items.

        Raises:
            InputError: if the dataset cannot be read, or the folder cannot be written.
        """
        ...


def open_shelf(folder: Path, run: Run | None = None, runs: ShownRuns | None = None) -> Shelf:
    """Open a dataset folder.

    Args:
        folder: the dataset.
        run: an audit of it, if there is one.
        runs: runs of models on it, if it holds questions without an answer.

    Raises:
        InputError: if it is no dataset, is damaged, or has no such audits or runs.
    """
    if not folder.is_dir():
        raise InputError(f"{folder} is no folder; name a frozen dataset")
    kind = read_manifest(folder).dataset
    if kind in (REFUSAL, DROPS) and run is not None:
        raise InputError(
            f"{folder} holds questions that have no answer, and {run.folder} is an audit of "
            "REALHOP items; leave --audit out"
        )
    if kind == REFUSAL:
        return _chains(RefusalDataset.open(folder), runs)
    if runs is not None:
        raise InputError(
            f"{runs.folder} holds runs on chains of hyperlinks, and {folder} is no such dataset; "
            "leave --run out"
        )
    if kind == DROPS:
        return _Drops(DropsDataset.open(folder), differing(folder))
    return _items(FrozenDataset.open(folder), run)


def _items(dataset: FrozenDataset, run: Run | None) -> _Items:
    there = dataset.manifest.digest
    if run is not None and run.source_digest not in ("", there):
        raise InputError(
            f"{run.folder} audited the dataset with digest {run.source_digest[:16]}, and "
            f"{dataset.folder} has {there[:16]}; name the dataset that was audited"
        )
    return _Items(dataset, run, differing(dataset.folder))


def _chains(dataset: RefusalDataset, runs: ShownRuns | None) -> _Chains:
    there = dataset.manifest.digest
    if runs is not None and runs.dataset_digest != there:
        raise InputError(
            f"{runs.folder} holds runs on the dataset with digest {runs.dataset_digest[:16]}, and "
            f"{dataset.folder} has {there[:16]}; name the dataset that was asked"
        )
    return _Chains(dataset, runs, differing(dataset.folder))


@dataclass(frozen=True, slots=True)
class _Items:
    dataset: FrozenDataset
    run: Run | None
    differs: tuple[str, ...]

    def page(self, name: str) -> Shown:
        item = self.dataset.item(name)
        predicates = self.dataset.predicates_of(item.id)
        view = read_item(item, self.dataset.graph(item.id), predicates, self.run)
        return item.source.id, item.id, item_page(view, differs=self.differs)

    def picture(self, name: str, figure: Figure) -> Drawn:
        item = self.dataset.item(name)
        predicates = self.dataset.predicates_of(item.id)
        view = read_item(item, self.dataset.graph(item.id), predicates)
        drawn = picture(
            view.graph,
            predicates,
            width=figure.width,
            paths=figure.paths or None,
            source=figure.source,
            premises=figure.premises,
        )
        return item.source.id, item.id, drawn

    def site(self, out: Path, force: bool, progress: Progress) -> SiteSummary:
        return write_site(self.dataset, out, force, self.run, progress)


@dataclass(frozen=True, slots=True)
class _Chains:
    dataset: RefusalDataset
    runs: ShownRuns | None
    differs: tuple[str, ...]

    def page(self, name: str) -> Shown:
        item = self.dataset.item(name)
        runs = self.runs.of(item.id) if self.runs else ()
        return item.id, item.id, refusal_page(item, runs, differs=self.differs)

    def picture(self, name: str, figure: Figure) -> Drawn:
        item = self.dataset.item(name)
        if figure.paths:
            raise InputError(f"{item.id} has no competitor paths; leave --paths out")
        return item.id, item.id, chain_picture(item, figure.width)

    def site(self, out: Path, force: bool, progress: Progress) -> SiteSummary:
        return write_refusal_site(self.dataset, out, force, self.runs, progress)


@dataclass(frozen=True, slots=True)
class _Drops:
    dataset: DropsDataset
    differs: tuple[str, ...]

    def page(self, name: str) -> Shown:
        drop, graph, predicates = self.dataset.item(name)
        return drop.id, drop.id, drop_page(read_drop(drop, graph, predicates), differs=self.differs)

    def picture(self, name: str, figure: Figure) -> Drawn:
        drop, _, _ = self.dataset.item(name)
        raise InputError(
            f"{drop.id} has the picture of {drop.item}; draw that of the REALHOP dataset, or look "
            "at this with `realhop view`"
        )

    def site(self, out: Path, force: bool, progress: Progress) -> SiteSummary:
        return write_drops_site(self.dataset, out, force, progress)
