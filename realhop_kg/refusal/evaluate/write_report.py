"""Writes a report of refusal runs: page, tables, exact figures, and the runs behind each number."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from html import escape
from pathlib import Path

from realhop_kg.audit.formats import as_csv, as_html, as_latex, as_markdown
from realhop_kg.errors import InputError
from realhop_kg.jsonl import canonical
from realhop_kg.model.refusal import Cause
from realhop_kg.model.refusal_item import Topology
from realhop_kg.model.trajectory import AskedQuestion, Judged, Mode, State, Trajectory
from realhop_kg.refusal.evaluate.charts import (
    Point,
    curves_svg,
    heat_svg,
    sankey_svg,
    scatter_svg,
)
from realhop_kg.refusal.evaluate.figures import flows
from realhop_kg.refusal.evaluate.report import ArmReport, RefusalReport, report_tables
from realhop_kg.view.html import shown

__all__ = ["facts_of", "summary_of", "write_report"]

_TEXT = 240
"""Code points of a passage that a page shows."""
_CURVES = {"tchr": "TCHR", "shdr": "SHDR", "sehr": "SEHR"}


def write_report(folder: Path, report: RefusalReport) -> list[Path]:
    """Write `report.md`, `report.html`, `summary.json`, `tables/`, `figures/` and `runs/`.

    Args:
        folder: made if it is missing; earlier files of a report are replaced.
        report: what is written.

    Raises:
        InputError: if the folder cannot be written.
    """
    tables, facts, drawings = report_tables(report), facts_of(report), _drawings(report)
    title = f"Refusal runs on {report.dataset}"
    head = f"# {title}\n\n" + "\n".join(f"- {fact}" for fact in facts) + "\n"
    files = {
        "report.md": "\n".join([head, *map(as_markdown, tables)]),
        "report.html": as_html(title, facts, tables, {name: svg for _, name, svg in drawings}),
        "summary.json": canonical(summary_of(report)) + "\n",
        "tables/figures.csv": _figures(report),
    }
    for table in tables:
        files[f"tables/{table.name}.csv"] = as_csv(table)
        files[f"tables/{table.name}.tex"] = as_latex(table)
    for file, _, svg in drawings:
        files[f"figures/{file}.svg"] = svg
    for number, arm in enumerate(report.arms, 1):
        files[page_of(number)] = "".join(_runs_page(arm))
    try:
        for part in ("tables", "figures", "runs"):
            (folder / part).mkdir(parents=True, exist_ok=True)
        for name, text in files.items():
            (folder / name).write_text(text, encoding="utf-8", errors="backslashreplace")
    except OSError as error:
        raise InputError(f"{folder} cannot be written: {error.strerror}") from error
    return [folder / name for name in files]


def page_of(number: int) -> str:
    """Return the page that lists the runs of an arm, by its place from 1."""
    return f"runs/{number}.html"


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


def _drawings(report: RefusalReport) -> list[tuple[str, str, str]]:
    """Return (file, caption, SVG) of every figure."""
    found = []
    for number, each in enumerate(report.arms, 1):
        if each.outcomes:
            title = f"How each topology ends: {each.arm.name}"
            svg = sankey_svg(flows(each.outcomes), title, page_of(number))
            found.append((f"flows_{number}", title, svg))
            title = f"States by depth, %: {each.arm.name}"
            found.append((f"depth_{number}", title, curves_svg(_by_depth(report, each), title)))
    rows, cells = [], {}
    for each in report.arms:
        rows.append(each.arm.name)
        for cause in Cause:
            figure = report.figure(each.arm.model, str(each.arm.mode), "tchr", "cause", str(cause))
            if figure and figure.interval.value is not None:
                cells[each.arm.name, str(cause)] = figure.interval.value
    title = "TCHR by cause, %"
    found.append(("causes", title, heat_svg(rows, [str(cause) for cause in Cause], cells, title)))
    points = list(_points(report))
    if points:
        title = "Searching on after the evidence, and answering all the same"
        svg = scatter_svg(points, "PTOS@>0", "EIFR", title)
        found.append(("post_trigger", title, svg))
    return found


def _by_depth(report: RefusalReport, each: ArmReport) -> dict[str, dict[int, float]]:
    lines: dict[str, dict[int, float]] = {}
    for figure in report.figures:
        here = (figure.model, figure.mode) == (each.arm.model, str(each.arm.mode))
        value = figure.interval.value
        if here and figure.by == "depth" and figure.measure in _CURVES and value is not None:
            lines.setdefault(_CURVES[figure.measure], {})[int(figure.group)] = value
    return lines


def _points(report: RefusalReport) -> Iterator[Point]:
    for model in report.models:
        x, y, tokens = (
            report.figure(model, str(Mode.SEARCH), name) for name in ("ptos", "eifr", "pttw")
        )
        if x and y and x.interval.value is not None and y.interval.value is not None:
            told = (
                f" ({tokens.interval.value:.0f} tokens)" if tokens and tokens.interval.value else ""
            )
            yield Point(f"{model}{told}", x.interval.value, y.interval.value)


_STYLE = (
    "body{font:15px/1.5 system-ui,sans-serif;margin:2rem auto;max-width:60rem;padding:0 1rem}"
    "details{margin:.3rem 0}pre{white-space:pre-wrap;background:#f5f6f8;padding:.4rem}"
)


def _runs_page(each: ArmReport) -> Iterator[str]:
    """Yield a page of all runs of an arm, by topology and state; it runs no script."""
    title = escape(shown(f"Runs of {each.arm.name}"))
    yield f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>{title}</title>'
    yield f"<style>{_STYLE}</style></head><body><h1>{title}</h1>\n"
    questions = {question.item: question for question in each.questions}
    for shape in Topology:
        for state in State:
            inside = [
                outcome.item
                for outcome in each.outcomes
                if (outcome.topology, outcome.state) == (shape, state)
            ]
            if inside:
                yield f'<h2 id="{shape}-{state}">{shape} to {state}: {len(inside)}</h2>\n'
            for item in inside:
                yield _run(questions[item], each.trajectories[item], each.judged[item])
    if each.missing:
        yield f'<h2 id="missing">Without an outcome: {len(each.missing)}</h2>\n<ul>'
        for item, why in each.missing.items():
            yield f"<li>{escape(shown(item))}: {escape(shown(why))}</li>"
        yield "</ul>"
    yield "</body></html>\n"


def _run(question: AskedQuestion, run: Trajectory, judged: Judged) -> str:
    parts = [f"<details id={_quoted(question.item)}><summary>{_plain(question.question)}</summary>"]
    parts.append(f"<p>{question.cause}, depth {question.depth}. {_plain(question.rationale)}</p>")
    timeline = judged.timeline
    found = (
        f" Evidence in turn {timeline.trap} ({timeline.source})."
        if timeline and timeline.trap
        else ""
    )
    parts.append(f"<p>{judged.state.state}: {_plain(judged.state.reason)}.{found}</p><ol>")
    for turn in run.turns:
        parts.append(f"<li><pre>{_plain(turn.text)}</pre>")
        for call in turn.calls:
            wrong = f" ({call.fault})" if call.fault else ""
            parts.append(
                f"<p>{_plain(call.name)}: {_plain(call.query or call.arguments)}{wrong}</p><ul>"
            )
            parts += [
                f"<li>{_plain(each.title)}: {_plain(each.text[:_TEXT])}</li>"
                for each in call.documents
            ]
            parts.append("</ul>")
        parts.append("</li>")
    parts.append("</ol></details>\n")
    return "".join(parts)


def _plain(text: str) -> str:
    return escape(shown(text))


def _quoted(text: str) -> str:
    return f'"{escape(shown(text), quote=True)}"'
