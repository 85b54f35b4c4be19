"""Checks a dataset in long carriers as a whole: scripted solvers, options, spread.

The reader answers from the facts that a context states and from nothing else; the recaller knows
every answer and reads nothing. So Full and BNR of the one must be 100 %, and BNR of the other 0 %.
A Drop removes the recorded spans of a hop.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from realhop_kg.audit.auditable import Auditable, constructed_side
from realhop_kg.audit.intervene import Removal, drop, full
from realhop_kg.audit.scripted import Reader, Recaller
from realhop_kg.audit.solvers import Prompt, Solver
from realhop_kg.freeze.reader import FrozenDataset
from realhop_kg.longcontext.choices import Balance, balance, plan_choices
from realhop_kg.longcontext.spread import ItemSpread, Summary, spread_of, summarize
from realhop_kg.model.answers import normalize_answer
from realhop_kg.model.record import Record
from realhop_kg.model.run import ConditionRecord

__all__ = ["LongReport", "SolverScore", "check_long"]

_P = 0.05
"""A chi-square test of the letters must not fall below it."""


class SolverScore(Record):
    """What one scripted solver scored, as fractions of 1."""

    solver: str
    full: float
    bnr: float | None
    """None where it answered no item under Full."""


class LongReport(Record):
    """What was found of a dataset in long carriers."""

    items: int
    excluded: int
    reader: SolverScore
    recaller: SolverScore
    choices: Balance
    spread: Summary | None

    @property
    def problems(self) -> tuple[str, ...]:
        """What does not hold, each as one sentence; empty if everything does."""
        found = []
        if not self.items:
            found.append("the dataset has no item")
        if self.items and (self.reader.full, self.reader.bnr) != (1.0, 1.0):
            found.append("the reader does not answer all of Full and none of Drop")
        if self.items and (self.recaller.full, self.recaller.bnr) != (1.0, 0.0):
            found.append("the recaller does not answer everything")
        if self.choices.p <= _P:
            found.append(f"the letters of gold are unbalanced (p = {self.choices.p:.3f})")
        return tuple(found)


@dataclass
class _Score:
    solver: Solver
    right: int = 0
    asked: int = 0
    necessity: list[float] = field(default_factory=list)

    def add(self, item: Auditable) -> None:
        self.asked += 1
        if not self._answers(item, full(item)):
            return
        self.right += 1
        lost = [not self._answers(item, drop(item, unit)) for unit in item.units]
        self.necessity.append(sum(lost) / len(lost))

    def _answers(self, item: Auditable, removal: Removal) -> bool:
        text = removal.apply(item.context)
        prompt = Prompt(item, _record(item, removal), text, self.solver.name, 1, ())
        said = self.solver.answer(prompt).text or ""
        return normalize_answer(said) in {normalize_answer(answer) for answer in item.answers}

    def score(self) -> SolverScore:
        return SolverScore(
            solver=self.solver.name,
            full=self.right / self.asked if self.asked else 0.0,
            bnr=sum(self.necessity) / len(self.necessity) if self.necessity else None,
        )


def _record(item: Auditable, removal: Removal) -> ConditionRecord:
    # Scripted solvers look at the text alone, so nothing need be counted.
    return ConditionRecord(
        item=item.item, side=item.side, condition=removal.condition, target=removal.target
    )


def check_long(
    dataset: FrozenDataset, seed: int, progress: Callable[[int, int], None]
) -> LongReport:
    """Return what a dataset in long carriers shows; items stream through.

    Args:
        dataset: a frozen dataset.
        seed: seeds the order of options.
        progress: told (done, total) items.
    """
    reader, recaller = _Score(Reader(dataset)), _Score(Recaller())
    spreads: list[ItemSpread] = []
    total = dataset.manifest.counts.constructed
    for done, item in enumerate(dataset.items(), 1):
        side = constructed_side(item, "spans")
        for score in (reader, recaller):
            score.add(side)
        spreads.append(spread_of(item))
        progress(done, total)
    choices = plan_choices(dataset.items(), seed)
    return LongReport(
        items=len(spreads),
        excluded=dataset.manifest.counts.excluded,
        reader=reader.score(),
        recaller=recaller.score(),
        choices=balance(choices),
        spread=summarize(spreads),
    )
