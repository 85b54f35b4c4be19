"""Writes a report of refusal runs: page, tables, exact figures, and the runs behind each number."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from pathlib import Path

from realhop_kg.audit.reporting.formats import as_csv, as_html, as_latex, as_markdown
from realhop_kg.errors import InputError
from realhop_kg.jsonl import canonical
from realhop_kg.model.refusal import Cause
from realhop_kg.model.trajectory import Mode
from realhop_kg.refusal.evaluate.behind import Behind
from realhop_kg.refusal.evaluate.charts import (
    Point,
    curves_svg,
    heat_svg,
    sankey_svg,
    scatter_svg,
)
from realhop_kg.refusal.evaluate.figures import flows
from realhop_kg.refusal.evaluate.report import ArmReport, RefusalReport, report_tables
from realhop_kg.refusal.evaluate.runs_page import page_of, runs_page

__all__ = ["facts_of", "summary_of", "write_report"]

_CURVES = {"tchr": "TCHR", "shdr": "SHDR", "sehr": "SEHR"}


def write_report(folder: Path, report: RefusalReport) -> list[Path]:
    """Write `report.md`, `report.html`, `summary.json`, `tables/`, `figures/` and `runs/`.

    Args:
        folder: made if it is missing; earlier files of a report are replaced.
        report: what is written.

    Raises:
        InputError: if the folder cannot be written.
    """
    behind = Behind(report)
    tables, facts, drawings = report_tables(report), facts_of(report), _drawings(report, behind)
    title = f"Refusal runs on {report.dataset}"
    head = f"# {title}\n\n" + "\n".join(f"- {fact}" for fact in facts) + "\n"
    files = {
        "report.md": "\n".join([head, *map(as_markdown, tables)]),
        "report.html": as_html(
            title, facts, tables, {name: svg for _, name, svg in drawings}, behind.cell
        ),
        "summary.json": canonical(summary_of(report)) + "\n",
        "tables/figures.csv": _figures(report),
    }
    for table in tables:
        files[f"tables/{table.name}.csv"] = as_csv(table)
        files[f"tables/{table.name}.tex"] = as_latex(table)
    for file, _, svg in drawings:
        files[f"figures/{file}.svg"] = svg.replace('href="runs/', 'href="../runs/')
    for number, arm in enumerate(report.arms, 1):
        files[page_of(number)] = "".join(runs_page(arm))
    files |= behind.pages()
    try:
        for part in ("tables", "figures", "runs"):
            (folder / part).mkdir(parents=True, exist_ok=True)
        for name, text in files.items():
            (folder / name).write_text(text, encoding="utf-8", errors="backslashreplace")
    except OSError as error:
        raise InputError(f"{folder} cannot be written: {error.strerror}") from error
    return [folder / name for name in files]


def facts_of(report: RefusalReport) -> list[str]:
    """Return what stands above the tables, a line each."""
    missing = sum(len(each.missing) for each in report.arms)
    over = "V" if report.settings.eifr_over == "documents" else "E"
    facts = [
        f"Judge: {report.judge}" + (" (words alone: a floor)" if report.judge == "rules" else ""),
        f"Intervals: {report.resamples} resamples of whole questions",
        f"Settings: EIFR over {over}; final-answer tokens "
        f"{'count' if report.settings.answer_tokens else 'do not count'} as post-trigger tokens",
        f"Runs without an outcome: {missing}",
    ]
    for number, each in enumerate(report.arms, 1):
        search = each.arm.search
        told = f", {search.retriever.get('kind')}, budget {search.budget}" if search else ""
        coverage = each.arm.coverage
        pages = f", {coverage.found} of {coverage.pages} chain pages covered" if coverage else ""
        told += pages
        facts.append(f"{each.arm.name}: {len(each.outcomes)} questions{told}; {page_of(number)}")
    return facts


def summary_of(report: RefusalReport) -> dict[str, object]:
    """Return every figure, flow and change as JSON values."""
    return {
        "dataset": report.dataset,
        "judge": report.judge,
        "settings": report.settings.model_dump(mode="json"),
        "figures": [
            {
                "model": each.model,
                "mode": each.mode,
                "by": each.by,
                "group": each.group,
                "measure": each.measure,
                **each.interval.model_dump(mode="json"),
            }
            for each in report.figures
        ],
        "flows": {
            each.arm.name: {
                f"{shape} {state}": count for (shape, state), count in flows(each.outcomes).items()
            }
            for each in report.arms
        },
        "transitions": {
            model: {f"{one} {other}": count for (one, other), count in table.items()}
            for model, table in report.transitions.items()
        },
        "missing": {each.arm.name: dict(each.missing) for each in report.arms},
    }


def _figures(report: RefusalReport) -> str:
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(
        ("model", "mode", "by", "group", "measure", "value", "low", "high", "n", "offset", "notes")
    )
    for each in report.figures:
        found = each.interval
        # A spreadsheet takes a text that begins so for a formula.
        model = f"'{each.model}" if each.model[:1] in "=+-@\t\r" else each.model
        writer.writerow(
            (model, each.mode, each.by, each.group, each.measure, found.value, found.low,
             found.high, found.n, found.offset, "; ".join(found.notes))
        )  # fmt: skip
    return stream.getvalue()


def _drawings(report: RefusalReport, behind: Behind) -> list[tuple[str, str, str]]:
    """Return (file, caption, SVG) of every figure."""
    found = []
    for number, each in enumerate(report.arms, 1):
        if each.outcomes:
            title = f"How each topology ends: {each.arm.name}"
            svg = sankey_svg(flows(each.outcomes), title, page_of(number))
            found.append((f"flows_{number}", title, svg))
            title = f"States by depth, %: {each.arm.name}"
            lines, links = _by_depth(report, each, behind)
            found.append((f"depth_{number}", title, curves_svg(lines, title, links)))
    rows, cells, targets = [], {}, {}
    for each in report.arms:
        rows.append(each.arm.name)
        for cause in Cause:
            figure = report.figure(each.arm.model, str(each.arm.mode), "tchr", "cause", str(cause))
            if figure and figure.interval.value is not None:
                cells[each.arm.name, str(cause)] = figure.interval.value
                targets[each.arm.name, str(cause)] = behind.figure(figure)
    title = "TCHR by cause, %"
    causes = [str(cause) for cause in Cause]
    found.append(("causes", title, heat_svg(rows, causes, cells, title, targets)))
    points = list(_points(report, behind))
    if points:
        title = "Searching on after the evidence, and answering all the same"
        svg = scatter_svg(points, "PTOS@>0", "EIFR", title)
        found.append(("post_trigger", title, svg))
    return found


def _by_depth(
    report: RefusalReport, each: ArmReport, behind: Behind
) -> tuple[dict[str, dict[int, float]], dict[tuple[str, int], str]]:
    """Return shares by line and depth, and where each leads."""
    lines: dict[str, dict[int, float]] = {}
    links: dict[tuple[str, int], str] = {}
    for figure in report.figures:
        here = (figure.model, figure.mode) == (each.arm.model, str(each.arm.mode))
        value = figure.interval.value
        if here and figure.by == "depth" and figure.measure in _CURVES and value is not None:
            name, depth = _CURVES[figure.measure], int(figure.group)
            lines.setdefault(name, {})[depth] = value
            links[name, depth] = behind.figure(figure)
    return lines, links


def _points(report: RefusalReport, behind: Behind) -> Iterator[Point]:
    for model in report.models:
        x, y, tokens = (
            report.figure(model, str(Mode.SEARCH), name) for name in ("ptos", "eifr", "pttw")
        )
        if x and y and x.interval.value is not None and y.interval.value is not None:
            told = (
                f" ({tokens.interval.value:.0f} tokens)" if tokens and tokens.interval.value else ""
            )
            yield Point(f"{model}{told}", x.interval.value, y.interval.value, behind.figure(y))
