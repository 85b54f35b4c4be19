"""Writes a dataset as a site that opens from disk: a table of all items, a page of each, charts."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any

from realhop_kg.errors import InputError
from realhop_kg.folder import atomic_folder
from realhop_kg.freeze.reader import FrozenDataset
from realhop_kg.model.finding import CONTRACTS, Code
from realhop_kg.model.frozen import ExcludedItem
from realhop_kg.model.record import Record
from realhop_kg.view.answers import Run
from realhop_kg.view.charts import Charts, chart_svg
from realhop_kg.view.files import file_name
from realhop_kg.view.html import asset, page, policy, safe_json
from realhop_kg.view.page import SCRIPTS, ItemView, item_page, read_item

__all__ = ["SITE", "SiteSummary", "write_site"]

SITE = "site.json"
"""The file by which a folder is known as a site, which `force` may replace."""

_CHUNK = 250
"""Rows of one data file: the first is shown while the others are read."""


class SiteSummary(Record):
    """What a site holds: its `site.json`."""

    dataset: str
    digest: str
    """Of the dataset."""
    items: int
    excluded: int
    without_page: tuple[str, ...] = ()
    """What could not be drawn, each `id: reason`."""


def write_site(
    dataset: FrozenDataset,
    out: Path,
    force: bool = False,
    run: Run | None = None,
    progress: Callable[[int, int], None] = lambda done, total: None,
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
    if (out / "manifest.json").is_file():
        raise InputError(f"{out} is a dataset; choose another --out for its site")
    charts, failed = Charts(), list[str]()
    with atomic_folder(out, force, marker=SITE) as folder:
        for name in ("assets", "data", "items"):
            (folder / name).mkdir()
        rows = _item_rows(dataset, folder, charts, failed, run, progress)
        items = _write_rows(folder, "items", rows)
        excluded = _write_rows(folder, "excluded", _excluded_rows(dataset, charts))
        summary = SiteSummary(
            dataset=dataset.manifest.name,
            digest=dataset.manifest.digest,
            items=items,
            excluded=excluded,
            without_page=tuple(failed),
        )
        _write(folder / "index.html", _index(dataset, summary, charts, run))
        _write(folder / SITE, summary.model_dump_json(indent=2) + "\n")
        for name in (*SCRIPTS, "list.js", "explorer.js", "page.css", "cytoscape.LICENSE"):
            _write(folder / "assets" / name, asset(name))
    return summary


def _write(path: Path, text: str) -> None:
    path.write_bytes(text.encode())


def _write_rows(folder: Path, table: str, rows: Iterator[list[Any]]) -> int:
    """Write rows as scripts that call `rows(table, [...])`, since pages on disk cannot fetch."""
    count = 0
    for chunk in iter(lambda: list(islice(rows, _CHUNK)), []):
        path = folder / "data" / f"{table}-{count // _CHUNK:04d}.js"
        _write(path, f"rows({json.dumps(table)},{safe_json(chunk)});\n")
        count += len(chunk)
    return count


def _item_rows(
    dataset: FrozenDataset,
    folder: Path,
    charts: Charts,
    failed: list[str],
    run: Run | None,
    progress: Callable[[int, int], None],
) -> Iterator[list[Any]]:
    total = dataset.manifest.counts.constructed
    for number, (item, graph, predicates) in enumerate(dataset.whole(), 1):
        name = f"{number:05d}-{file_name(item.source.id)}.html"
        try:
            view = read_item(item, graph, predicates, run)
        except InputError as error:
            # The table still has the item; only what cannot be drawn is missing.
            failed.append(str(error))
            charts.add_undrawn(item)
            yield [
                "", item.id, item.topology, len(item.hops), item.question, item.answer,
                item.source.question, 0, 0, _codes(item.diagnostics), -1, "", "", str(error), [],
            ]  # fmt: skip
        else:
            _write(folder / "items" / name, item_page(view, site=".."))
            charts.add(view)
            yield _item_row(view, name, run)
        progress(number, total)


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
        f"{sum(proved.v1.values())}/{len(proved.necessary_hops)}",
        f"{sum(before_last)}/{len(before_last)}",
        "",
        _outcomes(view, run),
    ]


def _outcomes(view: ItemView, run: Run | None) -> list[list[int]]:
    """Return, by model, right answers and answers under Full, Drop and Control, and wrong hits."""
    found = run.outcomes(view.item.id, view.graph) if run else {}
    return [[*of.full, *of.drop, *of.control, of.wrong_hits] for of in found.values()]


def _excluded_rows(dataset: FrozenDataset, charts: Charts) -> Iterator[list[Any]]:
    for excluded in dataset.excluded():
        charts.exclude(excluded)
        yield _excluded_row(excluded)


def _excluded_row(excluded: ExcludedItem) -> list[Any]:
    known = excluded.code in list(Code)
    return [
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


def _index(dataset: FrozenDataset, summary: SiteSummary, charts: Charts, run: Run | None) -> str:
    counts = dataset.manifest.counts
    data = {
        "items": summary.items,
        "excluded": summary.excluded,
        "chunk": _CHUNK,
        "shapes": sorted(charts.shapes),
        "codes": sorted(charts.codes),
        "hops": sorted(charts.hops),
        "diagnostics": sorted(charts.diagnostics),
        "models": run.models if run else [],
    }
    return page(
        "explorer.html.jinja",
        {
            "manifest": dataset.manifest,
            "counts": counts,
            "models": run.models if run else [],
            "summary": summary,
            "charts": [(chart, chart_svg(chart)) for chart in charts.charts()],
            "data": safe_json(data),
            "policy": policy(files=True),
        },
    )
