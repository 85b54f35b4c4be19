"""A run's report: all its figures, what is missing, and the rows behind every number."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from realhop_kg.audit.bootstrap import RESAMPLES
from realhop_kg.audit.figures import (
    Figure,
    PairedTest,
    ablation_figures,
    pair_figures,
    paired_tests,
    panel_figures,
)
from realhop_kg.audit.folder import RunFolder
from realhop_kg.audit.panel import Panel
from realhop_kg.audit.plan import AuditSettings
from realhop_kg.audit.reporting.boards import Board, Mean, board, means_over_models
from realhop_kg.audit.reporting.gaps import Gap, Incomplete, gaps_of, incomplete_of
from realhop_kg.audit.reporting.records import RunRecords
from realhop_kg.audit.reporting.warnings import warnings_of
from realhop_kg.audit.shortcuts import ShortcutMeans, shortcut_means
from realhop_kg.model.record import Record
from realhop_kg.model.run import Ablation

__all__ = ["Report", "build_report"]


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
                each for each in records.cues if (each.item, each.side) in records.questions
            )
        ),
        unreadable=tuple(bad.said for bad in records.unreadable),
        judged_by=records.judged_by(),
        warnings=tuple(warnings_of(run.settings, records)),
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
