"""Writes a report into the folder of its run: tables, summary and the rows behind every number."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from realhop_kg.audit.measures.wrong_hit import hits
from realhop_kg.audit.panel import Panel
from realhop_kg.audit.reporting.draw import Drawing
from realhop_kg.audit.reporting.formats import as_csv, as_html, as_latex, as_markdown
from realhop_kg.audit.reporting.pages.behind import Behind
from realhop_kg.audit.reporting.pages.places import FOLDER
from realhop_kg.audit.reporting.records import RunRecords
from realhop_kg.audit.reporting.report import Report
from realhop_kg.audit.reporting.tables import tables
from realhop_kg.audit.reporting.words import counted, some
from realhop_kg.errors import InputError
from realhop_kg.jsonl import canonical
from realhop_kg.model.run import Condition

__all__ = ["facts_of", "summary_of", "write_report"]


def write_report(
    folder: Path, report: Report, records: RunRecords, drawings: Sequence[Drawing] = ()
) -> list[Path]:
    """Write `report.md`, `report.html`, `summary.json`, `tables/`, `figures/` and `behind/`.

    Args:
        folder: of the run.
        report: its figures.
        records: its records, for the rows behind them.
        drawings: its figures, written as SVG and PNG into `figures/` and shown on the page.

    Raises:
        InputError: if the folder cannot be written.

    Returns:
        The paths of the files.
    """
    found = tables(report)
    behind = Behind(report, records)
    facts = facts_of(report)
    title = f"Audit of {report.settings.source}"
    parts = [f"# {title}\n", "\n".join(f"- {fact}" for fact in facts) + "\n"]
    parts += [as_markdown(table) for table in found]
    files = {
        "report.md": "\n".join(parts),
        "report.html": as_html(
            title, facts, found, {each.caption: each.svg for each in drawings}, behind.cell
        ),
        "summary.json": canonical(summary_of(report)) + "\n",
    }
    for table in found:
        files[f"tables/{table.name}.csv"] = as_csv(table)
        files[f"tables/{table.name}.tex"] = as_latex(table)
    for drawing in drawings:
        files[f"figures/{drawing.name}.svg"] = drawing.svg
    try:
        (folder / "tables").mkdir(exist_ok=True)
        (folder / "figures").mkdir(exist_ok=True)
        paths = [_write(folder / name, text) for name, text in files.items()]
        for drawing in drawings:
            paths.append(folder / "figures" / f"{drawing.name}.png")
            paths[-1].write_bytes(drawing.png)
        paths.append(_write_rows(folder / "tables" / "figures.csv", _figure_rows(report)))
        paths.append(_write_rows(folder / "tables" / "items.csv", _item_rows(records.panels)))
        paths.append(_write_rows(folder / "tables" / "rows.csv", _trial_rows(records)))
        paths.append(_write_rows(folder / "tables" / "missing.csv", _missing_rows(records)))
        paths += _write_behind(folder / FOLDER, behind)
    except OSError as error:
        raise InputError(f"{folder} cannot be written: {error.strerror}") from error
    return paths


def facts_of(report: Report) -> list[str]:
    """Return what stands above the tables, a line each."""
    settings = report.settings
    audited = ", ".join(f"{count} on the {side} side" for side, count in report.items.items())
    judged = ", ".join(f"{name} {count}" for name, count in report.judged_by.items())
    facts = [
        f"Source: {settings.source} ({settings.form}, {settings.source_digest[:16]})",
        f"Questions: {audited}; {counted(report.excluded, 'record')} could not be audited",
        f"Conditions: {', '.join(settings.conditions)}; {counted(settings.trials, 'trial')}",
        f"Verdicts by: {judged or 'nobody'}; judge {settings.judge}",
        f"Templates: {', '.join(settings.templates)}",
        f"Intervals: {report.resamples} resamples of whole questions, seed and offset in "
        "tables/figures.csv"
        if report.resamples
        else "Intervals: none (no resamples)",
        "Rows behind every number: where it leads on report.html; tables/items.csv by question, "
        "tables/rows.csv by answer, tables/missing.csv for what lacks",
    ]
    sent = {model: sent for model, sent in settings.parameters.items() if sent}
    if settings.judge_parameters:
        sent[f"judge {settings.judge}"] = settings.judge_parameters
    if sent:
        said = "; ".join(f"{model} {canonical(values)}" for model, values in sent.items())
        facts.append(f"Parameters as sent: {said}")
    if report.left_out:
        facts.append(f"Left out by an exclusion list: {some(report.left_out)}")
    lacking = sum(gap.count for gap in report.gaps)
    if lacking:
        facts.append(
            f"{counted(lacking, 'cell')} without a verdict; the table of missing cells says why"
        )
    remarked = sum(bool(figure.interval.notes) for figure in report.figures)
    if remarked:
        facts.append(
            f"{counted(remarked, 'figure')} with a *; the table of remarks says what they rest on"
        )
    if report.unreadable:
        lines = counted(len(report.unreadable), "stored line")
        facts.append(f"{lines} could not be read: {some(report.unreadable)}")
    return [*facts, *(f"Note: {warning}" for warning in report.warnings)]


def summary_of(report: Report) -> dict[str, Any]:
    """Return the report as JSON: plain values by model and side, then everything."""
    models: dict[str, dict[str, dict[str, Any]]] = {}
    for figure in report.figures:
        if not figure.cohort and figure.ablation == "both":
            own = models.setdefault(figure.model, {}).setdefault(figure.side, {})
            own[figure.measure] = figure.value
            own[f"{figure.measure}_interval"] = [figure.interval.low, figure.interval.high]
            own[f"{figure.measure}_n"] = figure.interval.n
    return {"schema_version": 1, "models": models, **report.model_dump(mode="json")}


def _write(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8", errors="backslashreplace", newline="\n")
    return path


def _write_rows(path: Path, rows: Iterable[Sequence[object]]) -> Path:
    with path.open("w", encoding="utf-8", errors="backslashreplace", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows(rows)
    return path


def _write_behind(folder: Path, behind: Behind) -> Iterator[Path]:
    """Write the pages behind the numbers in the place of those of an earlier report."""
    folder.mkdir(exist_ok=True)
    stale = set(folder.glob("*.html"))
    for name, text in behind.pages():
        yield _write(folder / name, text)
        stale.discard(folder / name)
    for path in stale:
        path.unlink()


def _figure_rows(report: Report) -> Iterator[Sequence[object]]:
    yield (
        "measure", "model", "side", "competitors", "cohort", "value", "low", "high", "n", "pairs",
        "resampled", "resamples", "seed", "offset", "undefined", "notes",
    )  # fmt: skip
    for each in report.figures:
        interval = each.interval
        yield (
            each.measure, each.model, each.side, each.ablation, each.cohort, interval.value,
            interval.low, interval.high, interval.n, each.pairs, interval.resampled,
            interval.resamples, interval.seed, interval.offset, interval.undefined,
            "; ".join(interval.notes),
        )  # fmt: skip


def _item_rows(panels: Iterable[Panel]) -> Iterator[Sequence[object]]:
    """Yield what each question contributes: the sums behind every rate."""
    yield (
        "model", "side", "competitors", "trial", "item", "full", "complete", "in_bnr",
        "drops_lost", "targets", "controls_kept", "controls", "wrong_hit",
    )  # fmt: skip
    for panel in panels:
        complete = set(panel.complete(panel.trials))
        for trial in panel.trials:
            for item in panel.items:
                targets = panel.targets[item]
                controls = panel.controlled(item, panel.trials)
                right = panel.correct(item, trial, Condition.FULL)
                verdict = panel.verdict(item, trial, Condition.FULL)
                yield (
                    panel.model, panel.side, panel.ablation, trial, item,
                    verdict.value if verdict else "", int(item in complete),
                    int(right and item in complete),
                    sum(not panel.correct(item, trial, Condition.DROP, each) for each in targets)
                    if item in complete
                    else "",
                    len(targets),
                    sum(panel.correct(item, trial, Condition.CONTROL, each) for each in controls),
                    len(controls), int(verdict is not None and hits(panel, item, trial)),
                )  # fmt: skip


def _trial_rows(records: RunRecords) -> Iterator[Sequence[object]]:
    yield (
        "model", "side", "competitors", "item", "trial", "condition", "target", "verdict",
        "judged_by", "failure",
    )  # fmt: skip
    for each in records.trials:
        yield (
            each.model, each.side, each.ablation, each.item, each.trial, each.condition.value,
            each.target, each.verdict.value if each.verdict else "", each.judged_by, each.failure,
        )  # fmt: skip


def _missing_rows(records: RunRecords) -> Iterator[Sequence[object]]:
    yield ("model", "side", "competitors", "item", "trial", "condition", "target", "reason")
    for each in records.missing:
        yield (
            each.model, each.side, each.ablation, each.item, each.trial, each.condition.value,
            each.target, each.reason,
        )  # fmt: skip
