"""A run's report: all its figures, what is missing, and the rows behind every number."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from pathlib import Path

from realhop_kg.audit.boards import Board, Mean, board, means_over_models
from realhop_kg.audit.bootstrap import RESAMPLES
from realhop_kg.audit.choices import BY_OPTION
from realhop_kg.audit.figures import (
    Figure,
    PairedTest,
    ablation_figures,
    pair_figures,
    paired_tests,
    panel_figures,
)
from realhop_kg.audit.folder import BadTrial, RunFolder
from realhop_kg.audit.gaps import Gap, Incomplete, gaps_of, incomplete_of
from realhop_kg.audit.judge import judges_itself
from realhop_kg.audit.panel import Missing, Panel, panels
from realhop_kg.audit.plan import AuditSettings
from realhop_kg.audit.shortcuts import ShortcutMeans, Shortcuts, shortcut_means
from realhop_kg.audit.solvers import answers_side
from realhop_kg.errors import InputError
from realhop_kg.model.record import Record
from realhop_kg.model.run import Ablation, AuditedItem, TrialRecord

__all__ = ["Report", "RunRecords", "build_report", "read_exclusions", "read_run"]


class Report(Record):
    """Everything that a report says, as data."""

    settings: AuditSettings
    resamples: int
    items: dict[str, int]
    """Audited questions by side."""
    excluded: int
    """Records of the source that could not be audited."""
    left_out: tuple[str, ...] = ()
    """Items on a named exclusion list, left out at report time."""
    figures: tuple[Figure, ...]
    means: tuple[Mean, ...]
    boards: tuple[Board, ...]
    tests: tuple[PairedTest, ...]
    gaps: tuple[Gap, ...]
    incomplete: tuple[Incomplete, ...] = ()
    """Questions whose panel lacks Full or a Drop, and why."""
    shortcuts: tuple[ShortcutMeans, ...] = ()
    unreadable: tuple[str, ...] = ()
    """Stored lines that hold no answer."""
    judged_by: dict[str, int]
    """Verdicts by who gave them."""
    warnings: tuple[str, ...] = ()


class RunRecords:
    """The records of a run, sorted into panels.

    Attributes:
        panels: one per model, side and ablation.
        missing: cells without a verdict.
        trials: the answers that count: the latest of each cell.
        unreadable: lines that hold no answer.
        audited: (item, side) of every question.
        left_out: names of an exclusion list that are items of the run.
        unknown: names of an exclusion list that are none.
        questions: what was audited, by (item, side).
        cues: the shortcut cues of every question.
    """

    def __init__(
        self,
        panels: list[Panel],
        missing: list[Missing],
        trials: list[TrialRecord],
        unreadable: list[BadTrial],
        left_out: tuple[str, ...] = (),
        unknown: tuple[str, ...] = (),
        questions: Iterable[AuditedItem] = (),
        cues: Iterable[Shortcuts] = (),
    ) -> None:
        self.panels = panels
        self.missing = missing
        self.trials = trials
        self.unreadable = unreadable
        self.left_out = left_out
        self.unknown = unknown
        self.questions = {(each.item, each.side): each for each in questions}
        self.cues = list(cues)
        self.audited = {(item, panel.side) for panel in panels for item in panel.items}


def read_run(run: RunFolder, leave_out: Collection[str] = ()) -> RunRecords:
    """Read a run's records, without the items of an exclusion list.

    Args:
        run: the run.
        leave_out: item keys, or the source ids behind them.

    Raises:
        InputError: if items or contexts cannot be read, or nothing is left.
    """
    gone = set(leave_out)
    met: set[str] = set()

    def stays(item: str) -> bool:
        names = {item, item.partition("/")[2]} & gone
        met.update(names)
        return not names

    items = [item for item in run.items() if stays(item.item)]
    if not items:
        raise InputError(f"{run.folder} audits no items that are not left out")
    conditions = [record for record in run.conditions() if stays(record.item)]
    found: dict[object, TrialRecord] = {}
    unreadable = []
    for record in run.trials():
        if isinstance(record, BadTrial):
            unreadable.append(record)
        elif stays(record.item):
            found.pop(record.cell, None)
            found[record.cell] = record
    trials = list(found.values())
    numbers = range(1, run.settings.trials + 1)
    sorted_, missing = panels(items, conditions, trials, run.settings.models, numbers)
    named = tuple(dict.fromkeys(leave_out))
    left_out = tuple(name for name in named if name in met)
    unknown = tuple(name for name in named if name not in met)
    cues = (each for each in run.shortcuts() if stays(each.item))
    return RunRecords(
        sorted_, missing, trials, unreadable, left_out, unknown, questions=items, cues=cues
    )


def read_exclusions(path: Path) -> tuple[str, ...]:
    """Return the item names of an exclusion list: one a line, `#` begins a comment.

    Raises:
        InputError: if the file cannot be read.
    """
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"exclusion list {path} cannot be read: {error}") from error
    return tuple(name for line in lines if (name := line.partition("#")[0].strip()))


def build_report(
    run: RunFolder,
    records: RunRecords,
    resamples: int = RESAMPLES,
    before: Board | None = None,
) -> Report:
    """Compute every figure of a run; no model is asked.

    Args:
        run: the run.
        records: what `read_run` read of it.
        resamples: of the bootstrap; 0 gives values without intervals.
        before: the source ranking, where it is not the run's own source side.
    """
    figures: list[Figure] = []
    tests: list[PairedTest] = []
    for panel in records.panels:
        figures += panel_figures(panel, resamples)
    for model in run.settings.models:
        own = {
            (panel.side, panel.ablation): panel for panel in records.panels if panel.model == model
        }
        source, constructed = own.get(("source", "both")), own.get(("constructed", "both"))
        variants: dict[Ablation, Panel] = {
            kept: panel for (side, kept), panel in own.items() if side == "constructed"
        }
        if source and constructed:
            figures += pair_figures(source, constructed, resamples)
            tests += paired_tests([("source", source), ("constructed", constructed)])
        figures += ablation_figures(source, variants, resamples)
        if len(variants) > 1 and "gold_only" in variants:
            named = [(name, panel) for name, panel in variants.items() if name != "gold_only"]
            tests += paired_tests([("gold_only", variants["gold_only"]), *sorted(named)])
    return Report(
        settings=run.settings,
        resamples=resamples,
        items={
            side: max(len(panel.items) for panel in records.panels if panel.side == side)
            for side in run.settings.sides
            if any(panel.side == side for panel in records.panels)
        },
        excluded=run.excluded(),
        left_out=records.left_out,
        figures=tuple(figures),
        means=tuple(means_over_models(figures)),
        boards=tuple(_boards(records.panels, before)),
        tests=tuple(tests),
        gaps=tuple(gaps_of(records.missing)),
        incomplete=tuple(incomplete_of(records.missing)),
        shortcuts=tuple(
            shortcut_means(
                each for each in records.cues if (each.item, each.side) in records.audited
            )
        ),
        unreadable=tuple(f"trials.jsonl:{bad.line}: {bad.reason}" for bad in records.unreadable),
        judged_by=dict(
            sorted(Counter(each.judged_by for each in records.trials if each.verdict).items())
        ),
        warnings=tuple(_warnings(run.settings, records)),
    )


def _boards(found: Sequence[Panel], before: Board | None) -> Iterable[Board]:
    """Yield the boards of both sides, where several models were asked."""
    if before is not None:
        yield before
    for side in ("source", "constructed") if before is None else ("constructed",):
        own = [panel for panel in found if panel.side == side and panel.ablation == "both"]
        there = board(own, before) if len(own) > 1 else None
        if there is not None:
            yield there
            before = there


def _warnings(settings: AuditSettings, records: RunRecords) -> Iterable[str]:
    if records.unknown:
        yield (
            f"{len(records.unknown)} names of the exclusion list are no questions of this run and "
            f"leave nothing out: {', '.join(records.unknown)}"
        )
    for model in settings.models:
        for side in settings.sides:
            if not answers_side(model, side):
                yield f"{model} derives from constructed items and was not asked on the {side} side"
    chosen = [each for each in records.trials if each.judged_by == BY_OPTION]
    unread = sum(not each.read_as for each in chosen)
    if unread:
        yield (
            f"{unread} of {len(chosen)} multiple-choice answers name no option as asked and count "
            "as incorrect"
        )
    own = judges_itself(settings.judge, settings.models)
    if own:
        yield f"{settings.judge} judged its own answers ({own})"
    yield (
        "prompts are in this package's own words or the user's; figures under other wordings, "
        "the papers' among them, are not comparable to the point"
    )
