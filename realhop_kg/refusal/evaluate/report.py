"""Puts the figures of refusal runs together: who was asked, what is missing, tables and flows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import ClassVar

from realhop_kg.audit.bootstrap import RESAMPLES
from realhop_kg.audit.figures import Figure as Share
from realhop_kg.audit.reporting.table import Cell, Table
from realhop_kg.errors import InputError
from realhop_kg.model.trajectory import AskedQuestion, Judged, Mode, State, Trajectory
from realhop_kg.refusal.evaluate.figures import Figure, figures, paired_figures
from realhop_kg.refusal.evaluate.folder import RefusalRun
from realhop_kg.refusal.evaluate.measures.paired import pair, transitions
from realhop_kg.refusal.evaluate.outcomes import Outcome, join
from realhop_kg.refusal.evaluate.settings import Arm
from realhop_kg.refusal.evaluate.timeline import MeasureSettings

__all__ = ["ArmReport", "RefusalReport", "build_report", "cell", "joined", "report_tables"]

_RATES = ("tchr", "shdr", "sehr", "pphr", "wrhr", "urhr", "ctchr")
_PROCESS = ("evidence_coverage", "ptos", "pttw", "eifr")
_PAIRED = ("overturn", "rescue", "tchr_change")
CHANGES = "transitions_"
"""How the names of tables of changes begin; then comes the model's place from 1."""
HEADS = {
    "tchr": "TCHR", "shdr": "SHDR", "sehr": "SEHR", "pphr": "PPHR", "wrhr": "WRHR",
    "urhr": "URHR", "ctchr": "cTCHR", "evidence_coverage": "Evidence coverage",
    "ptos": "PTOS@>0", "pttw": "PTTW (tokens)", "eifr": "EIFR", "overturn": "Overturned",
    "rescue": "Rescued", "tchr_change": "TCHR change",
}  # fmt: skip


class Tokens(Share):
    """A mean number of tokens."""

    percent: ClassVar[bool] = False


@dataclass(frozen=True)
class ArmReport:
    """One model in one mode."""

    arm: Arm
    questions: Sequence[AskedQuestion]
    trajectories: Mapping[str, Trajectory]
    judged: Mapping[str, Judged]
    outcomes: Sequence[Outcome]
    missing: Mapping[str, str]
    """Why a question has no outcome."""


@dataclass
class RefusalReport:
    """Everything that is computed from stored runs and judgements."""

    dataset: str
    judge: str
    settings: MeasureSettings
    resamples: int
    arms: list[ArmReport] = field(default_factory=list)
    figures: list[Figure] = field(default_factory=list)
    transitions: dict[str, dict[tuple[State, State], int]] = field(default_factory=dict)
    """By model: how search changes each state."""

    def figure(
        self, model: str, mode: str, measure: str, by: str = "all", group: str = ""
    ) -> Figure | None:
        """Return one figure, or None."""
        return next(
            (
                each
                for each in self.figures
                if (each.model, each.mode, each.measure, each.by, each.group)
                == (model, mode, measure, by, group)
            ),
            None,
        )

    @property
    def models(self) -> list[str]:
        """The models, in the order in which they were asked."""
        return list(dict.fromkeys(each.arm.model for each in self.arms))


def build_report(
    run: RefusalRun, judge: str, settings: MeasureSettings, resamples: int = RESAMPLES
) -> RefusalReport:
    """Compute every figure of a folder of runs; no model is asked.

    Args:
        run: the folder.
        judge: whose judgements.
        settings: of the process measures.
        resamples: bootstrap resamples over whole questions; 0 for none.
    """
    report = RefusalReport(run.settings.dataset, judge, settings, resamples)
    questions = run.questions()
    for arm in run.settings.arms:
        runs = run.trajectories(arm.model, arm.mode)
        judged = run.judged(arm.model, arm.mode, judge)
        outcomes, missing = join(questions, runs, judged, settings)
        report.arms.append(ArmReport(arm, questions, runs, judged, outcomes, missing))
        report.figures += figures(arm.model, arm.mode, outcomes, settings, resamples)
    for model in report.models:
        both = {each.arm.mode: each.outcomes for each in report.arms if each.arm.model == model}
        if len(both) == len(Mode):
            pairs = pair(both[Mode.PLAIN], both[Mode.SEARCH])
            report.figures += paired_figures(model, pairs, resamples)
            report.transitions[model] = transitions(pairs)
    return report


def cell(figure: Figure | None) -> Cell:
    """Return a figure as a cell: a share, or a mean of tokens, with its interval."""
    if figure is None:
        return None
    kind = Tokens if figure.measure == "pttw" else Share
    return kind(
        measure=figure.measure,
        model=figure.model,
        side=figure.mode,
        cohort=f"{figure.by} {figure.group}".strip(),
        interval=figure.interval,
    )


def report_tables(report: RefusalReport) -> list[Table]:
    """Return every table that has something to show."""
    found = [_states(report), _process(report), _paired(report), _missing(report)]
    found += [_by(report, by) for by in ("cause", "topology", "depth")]
    found += [
        _changes(number, model, table)
        for number, (model, table) in enumerate(report.transitions.items(), 1)
    ]
    return [table for table in found if table.rows]


def _states(report: RefusalReport) -> Table:
    rows: list[tuple[Cell, ...]] = [
        (each.arm.model, str(each.arm.mode), len(each.outcomes),
         *(cell(report.figure(each.arm.model, str(each.arm.mode), name)) for name in _RATES))
        for each in report.arms
    ]  # fmt: skip
    heads = ("Model", "Mode", "N", *(HEADS[name] for name in _RATES))
    return Table("states", "States, % of questions (HopRefusalBench, Table 3)", heads, tuple(rows))


def _process(report: RefusalReport) -> Table:
    rows: list[tuple[Cell, ...]] = [
        (each.arm.model, *(cell(report.figure(each.arm.model, "search", n)) for n in _PROCESS))
        for each in report.arms
        if each.arm.mode is Mode.SEARCH
    ]
    over = "V" if report.settings.eifr_over == "documents" else "E"
    answer = "counted" if report.settings.answer_tokens else "not counted"
    note = f"EIFR is a share of {over}; tokens of the final answer are {answer} in PTTW."
    heads = ("Model", *(HEADS[name] for name in _PROCESS))
    return Table("process", "After sufficient evidence", heads, tuple(rows), note)


def _paired(report: RefusalReport) -> Table:
    rows: list[tuple[Cell, ...]] = [
        (model, *(cell(report.figure(model, "paired", name)) for name in _PAIRED))
        for model in report.transitions
    ]
    heads = ("Model", *(HEADS[name] for name in _PAIRED))
    return Table("paired", "How search changes target-aware refusals, %", heads, tuple(rows))


def _by(report: RefusalReport, by: str) -> Table:
    names = ("tchr", "shdr", "sehr", "ctchr")
    places = dict.fromkeys(
        (each.model, each.mode, each.group)
        for each in report.figures
        if each.by == by and each.mode != "paired"
    )
    rows: list[tuple[Cell, ...]] = [
        (*place, *(cell(report.figure(place[0], place[1], n, by, place[2])) for n in names))
        for place in places
    ]
    heads = ("Model", "Mode", by.capitalize(), *(HEADS[name] for name in names))
    return Table(f"by_{by}", f"States by {by}, %", heads, tuple(rows))


def _changes(number: int, model: str, table: Mapping[tuple[State, State], int]) -> Table:
    rows: list[tuple[Cell, ...]] = [
        (f"without: {one}", *(table[one, other] for other in State))
        for one in State
        if one is not State.SEH
    ]
    name = f"{CHANGES}{number}_{''.join(c if c.isalnum() else '_' for c in model)}"
    heads = ("Questions", *(f"with: {state}" for state in State))
    return Table(name, f"From state to state: {model}", heads, tuple(rows))


def _missing(report: RefusalReport) -> Table:
    return Table(
        "missing", "Questions without an outcome", ("Model", "Mode", "Why", "Questions"),
        tuple(_gaps(report)),
    )  # fmt: skip


def _gaps(report: RefusalReport) -> Iterator[tuple[str, str, str, int]]:
    for each in report.arms:
        for why, count in sorted(Counter(each.missing.values()).items()):
            yield each.arm.model, str(each.arm.mode), why, count


def joined(runs: Sequence[RefusalRun], reports: Sequence[RefusalReport]) -> RefusalReport:
    """Return reports on one dataset as one, the models side by side.

    Args:
        runs: their folders.
        reports: one each, by the same judge and settings.

    Raises:
        InputError: if datasets or judges differ, or one model stands in two folders.
    """
    first = runs[0].settings
    for run, report in zip(runs, reports, strict=True):
        if (run.settings.dataset_digest, run.settings.limit) != (first.dataset_digest, first.limit):
            raise InputError(f"{run.folder} holds runs on other questions than {runs[0].folder}")
        if report.judge != reports[0].judge:
            raise InputError(
                f"{run.folder} is judged by {report.judge}, {runs[0].folder} by "
                f"{reports[0].judge}; judge both alike"
            )
    names = Counter(each.arm.name for report in reports for each in report.arms)
    twice = next((name for name, count in names.items() if count > 1), None)
    if twice:
        raise InputError(f"{twice} stands in two of the folders; leave one out")
    return replace(
        reports[0],
        arms=[each for report in reports for each in report.arms],
        figures=[each for report in reports for each in report.figures],
        transitions={name: t for report in reports for name, t in report.transitions.items()},
    )
