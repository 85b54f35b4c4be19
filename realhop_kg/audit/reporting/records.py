"""The stored records of a run, sorted into panels, and what of them does not count."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from realhop_kg.audit.folder import BadTrial, RunFolder
from realhop_kg.audit.panel import Missing, Panel, panels
from realhop_kg.audit.plan import AuditSettings
from realhop_kg.audit.shortcuts import Shortcuts
from realhop_kg.errors import InputError
from realhop_kg.model.run import AuditedItem, AuditedSide, Cell, ConditionRecord, TrialRecord

__all__ = ["RunRecords", "read_exclusions", "read_run"]


@dataclass(frozen=True, kw_only=True)
class RunRecords:
    """The records of a run, sorted into panels.

    Attributes:
        panels: one per model, side and ablation.
        missing: cells without a verdict.
        trials: the answers that count: the latest of each cell.
        questions: what was audited, by (item, side).
        unreadable: lines that hold no answer.
        strays: stored answers of no cell of the run.
        changed: cells whose verdict a later record replaced by another one.
        left_out: names of an exclusion list that are items of the run.
        unknown: names of an exclusion list that are none.
        cues: the shortcut cues of every question.
    """

    panels: list[Panel]
    missing: list[Missing]
    trials: list[TrialRecord]
    questions: dict[tuple[str, AuditedSide], AuditedItem]
    unreadable: list[BadTrial]
    strays: int
    changed: int
    left_out: tuple[str, ...] = ()
    unknown: tuple[str, ...] = ()
    cues: list[Shortcuts] = field(default_factory=list)

    def judged_by(self) -> dict[str, int]:
        """Return how many verdicts there are by who gave them."""
        return dict(sorted(Counter(each.judged_by for each in self.trials if each.verdict).items()))


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
    stored = _latest(run, stays)
    trials = list(_fitting(stored.latest.values(), conditions, run.settings))
    numbers = range(1, run.settings.trials + 1)
    sorted_, missing = panels(items, conditions, trials, run.settings.models, numbers)
    named = tuple(dict.fromkeys(leave_out))
    return RunRecords(
        panels=sorted_,
        missing=missing,
        trials=trials,
        questions={(item.item, item.side): item for item in items},
        unreadable=stored.unreadable,
        strays=len(stored.latest) - len(trials),
        changed=stored.changed,
        left_out=tuple(name for name in named if name in met),
        unknown=tuple(name for name in named if name not in met),
        cues=[each for each in run.shortcuts() if stays(each.item)],
    )


@dataclass
class _Stored:
    latest: dict[Cell, TrialRecord] = field(default_factory=dict)
    unreadable: list[BadTrial] = field(default_factory=list)
    changed: int = 0


def _latest(run: RunFolder, stays: Callable[[str], bool]) -> _Stored:
    """Read every stored answer; a later one of a cell takes the place of an earlier one."""
    stored = _Stored()
    for record in run.trials():
        if isinstance(record, BadTrial):
            stored.unreadable.append(record)
        elif stays(record.item):
            earlier = stored.latest.pop(record.cell, None)
            if earlier is not None and earlier.verdict not in (None, record.verdict):
                stored.changed += 1
            stored.latest[record.cell] = record
    return stored


def _fitting(
    records: Iterable[TrialRecord], conditions: Iterable[ConditionRecord], settings: AuditSettings
) -> Iterator[TrialRecord]:
    """Yield the answers of cells that the run has."""
    places = {
        (each.side, each.ablation, each.item, each.condition, each.target) for each in conditions
    }
    models, numbers = set(settings.models), range(1, settings.trials + 1)
    for each in records:
        place = (each.side, each.ablation, each.item, each.condition, each.target)
        if each.model in models and each.trial in numbers and place in places:
            yield each


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
