"""Compares a run of the source side with one of the constructed side, question by question."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from realhop_kg.audit.figures import Figure, PairedTest, pair_figures, paired_tests, panel_figures
from realhop_kg.audit.folder import RunFolder
from realhop_kg.audit.panel import Missing, Panel
from realhop_kg.audit.reporting.boards import board, means_over_models
from realhop_kg.audit.reporting.gaps import gaps_of, incomplete_of
from realhop_kg.audit.reporting.records import RunRecords
from realhop_kg.audit.reporting.report import Report
from realhop_kg.audit.reporting.warnings import warnings_of
from realhop_kg.audit.reporting.words import counted
from realhop_kg.errors import InputError
from realhop_kg.model.run import TrialRecord

__all__ = ["compare_runs"]


def compare_runs(
    source: tuple[RunFolder, RunRecords],
    constructed: tuple[RunFolder, RunRecords],
    resamples: int,
) -> tuple[Report, RunRecords]:
    """Return the report of two runs over the questions and models that both have.

    Args:
        source: a run with a source side, and its records.
        constructed: a run with a constructed side, and its records; it may be the same run.
        resamples: of the bootstrap.

    Raises:
        InputError: if a side is missing, nothing is shared, or trials differ.
    """
    before, after = _side(*source, "source"), _side(*constructed, "constructed")
    trials = source[0].settings.trials, constructed[0].settings.trials
    if trials[0] != trials[1]:
        raise InputError(
            f"{source[0].folder} has {trials[0]} trials and {constructed[0].folder} {trials[1]}; "
            "compare runs with the same number"
        )
    models = [model for model in after if model in before]
    items = _shared(before, after)
    if not models or not items:
        what = "model" if not models else "question"
        raise InputError(
            f"{source[0].folder} and {constructed[0].folder} share no {what}; compare runs of one "
            "dataset's two sides"
        )
    figures: list[Figure] = []
    tests: list[PairedTest] = []
    own: list[Panel] = []
    for model in models:
        one, other = (replace(side[model], items=items) for side in (before, after))
        own += (one, other)
        for panel in (one, other):
            figures += panel_figures(panel, resamples)
        figures += pair_figures(one, other, resamples)
        tests += paired_tests([("source", one), ("constructed", other)])
    first = board([panel for panel in own if panel.side == "source"])
    second = board([panel for panel in own if panel.side == "constructed"], first)
    records = _joined(source[1], constructed[1], own, items)
    settings = constructed[0].settings.model_copy(
        update={"sides": ("source", "constructed"), "models": tuple(models)}
    )
    report = Report(
        settings=settings,
        resamples=resamples,
        items={"source": len(items), "constructed": len(items)},
        excluded=source[0].excluded() + constructed[0].excluded(),
        figures=tuple(figures),
        means=tuple(means_over_models(figures)),
        boards=tuple(each for each in (first, second) if each is not None),
        tests=tuple(tests),
        gaps=tuple(gaps_of(records.missing)),
        incomplete=tuple(incomplete_of(records.missing)),
        left_out=records.left_out,
        unreadable=tuple(bad.said for bad in records.unreadable),
        judged_by=records.judged_by(),
        warnings=(
            *_warnings(source[0], constructed[0], before, after, items),
            *warnings_of(settings, records),
        ),
    )
    return report, records


def _joined(
    source: RunRecords, constructed: RunRecords, own: list[Panel], items: Sequence[str]
) -> RunRecords:
    """Return the records of what is compared: the side of each run, shared questions and models."""
    kept, models = set(items), {panel.model for panel in own}
    halves = (("source", source), ("constructed", constructed))

    def stays(side: str, each: Missing | TrialRecord) -> bool:
        place = (each.side, each.ablation) == (side, "both")
        return place and each.item in kept and each.model in models

    return RunRecords(
        panels=own,
        missing=[each for side, half in halves for each in half.missing if stays(side, each)],
        trials=[each for side, half in halves for each in half.trials if stays(side, each)],
        questions={
            key: question
            for side, half in halves
            for key, question in half.questions.items()
            if key[1] == side and key[0] in kept
        },
        unreadable=[each for _, half in halves for each in half.unreadable],
        strays=sum(half.strays for _, half in halves),
        changed=sum(half.changed for _, half in halves),
        left_out=tuple(dict.fromkeys(name for _, half in halves for name in half.left_out)),
        unknown=tuple(name for name in source.unknown if name in constructed.unknown),
    )


def _side(run: RunFolder, records: RunRecords, side: str) -> dict[str, Panel]:
    found = {
        panel.model: panel
        for panel in records.panels
        if panel.side == side and panel.ablation == "both"
    }
    if not found:
        raise InputError(f"{run.folder} has no {side} side; name the run that has it")
    return found


def _shared(before: dict[str, Panel], after: dict[str, Panel]) -> tuple[str, ...]:
    there = set(next(iter(before.values())).items)
    return tuple(item for item in next(iter(after.values())).items if item in there)


def _warnings(
    source: RunFolder,
    constructed: RunFolder,
    before: dict[str, Panel],
    after: dict[str, Panel],
    items: Sequence[str],
) -> Iterator[str]:
    for name in ("judge", "templates", "conditions"):
        one, other = getattr(source.settings, name), getattr(constructed.settings, name)
        if one != other:
            yield f"the runs differ in {name}: what is compared differs by more than the side"
    for side, panels, other_side in (
        ("source", before, after),
        ("constructed", after, before),
    ):
        lone = [model for model in panels if model not in other_side]
        if lone:
            yield f"on the {side} side alone and left out: {', '.join(lone)}"
        alone = len(next(iter(panels.values())).items) - len(items)
        if alone:
            yield f"{counted(alone, 'question')} on the {side} side alone: left out"
