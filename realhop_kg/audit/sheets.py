"""Sheets for people: judged answers to label anew, and source items that few models answer."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from realhop_kg.audit.folder import RunFolder
from realhop_kg.audit.reporting.records import RunRecords
from realhop_kg.ids import digest, rng
from realhop_kg.model.record import Record
from realhop_kg.model.run import AuditedItem, Condition, TrialRecord

__all__ = ["JudgedAnswer", "Suspect", "judge_labels", "suspects", "verdict_sheet"]


class JudgedAnswer(Record):
    """One answer to label, without what the judge said of it."""

    id: str
    verdict: str = ""
    """To fill in: correct, partial or incorrect."""
    comment: str = ""
    question: str
    references: tuple[str, ...]
    response: str


class Suspect(Record):
    """A source item that few models answer: is its question or its key at fault?"""

    id: str
    defect: str = ""
    """To fill in: what is wrong with question or key, or `none`."""
    question: str
    references: tuple[str, ...]
    correct: int
    models: int
    responses: dict[str, int]
    """What was answered under Full, and how often, most frequent first."""


def verdict_sheet(run: RunFolder, records: RunRecords, n: int, seed: int) -> list[JudgedAnswer]:
    """Draw judged answers for people to label, as many of each verdict as can be.

    Exact matches need no check and are left out.

    Args:
        run: the run.
        records: its records.
        n: how many answers.
        seed: of the draw.
    """
    items = {(item.item, item.side): item for item in run.items()}
    strata: dict[str, list[TrialRecord]] = {}
    seen: set[str] = set()
    for trial in records.trials:
        name = _answer_id(trial)
        if trial.verdict and trial.response and trial.judged_by not in ("exact", "alias"):
            if name not in seen:  # the same answer to the same question is one judgement
                strata.setdefault(trial.verdict.value, []).append(trial)
            seen.add(name)
    order = {
        verdict: iter(rng(seed, verdict).sample(sorted(found, key=_answer_id), len(found)))
        for verdict, found in sorted(strata.items())
    }
    drawn = _in_turn(order.values(), n)
    rows = [_row(items[trial.item, trial.side], trial) for trial in drawn]
    rng(seed, "order").shuffle(rows)
    return rows


def _in_turn(queues: Iterable[Iterator[TrialRecord]], n: int) -> list[TrialRecord]:
    found: list[TrialRecord] = []
    waiting = list(queues)
    while waiting and len(found) < n:
        for queue in list(waiting):
            trial = next(queue, None)
            if trial is None:
                waiting.remove(queue)
            elif len(found) < n:
                found.append(trial)
    return found


def _answer_id(trial: TrialRecord) -> str:
    return digest(trial.item, trial.side, trial.response)


def _row(item: AuditedItem, trial: TrialRecord) -> JudgedAnswer:
    return JudgedAnswer(
        id=_answer_id(trial),
        question=item.question,
        references=(item.answer, *item.aliases),
        response=trial.response or "",
    )


def judge_labels(records: RunRecords) -> dict[tuple[str, str], str]:
    """Return what the judge of a run said, as labels of a reader."""
    return {
        (_answer_id(trial), "verdict"): trial.verdict.value
        for trial in records.trials
        if trial.verdict and trial.response
    }


def suspects(run: RunFolder, records: RunRecords, at_most: int) -> list[Suspect]:
    """Return the source items that at most so many models answer, the fewest first.

    They are candidates to be read by people, not defects; what is rejected goes on a named
    exclusion list (`realhop report --exclude`).

    Args:
        run: a run with a source side.
        records: its records.
        at_most: models that answer correctly, in any trial.

    Source: REALHOP, Appendix F (Table 9): items that at most two of nine models answered.
    """
    answers: dict[str, list[TrialRecord]] = {}
    for trial in records.trials:
        if trial.side == "source" and trial.condition is Condition.FULL and trial.verdict:
            answers.setdefault(trial.item, []).append(trial)
    items = {item.item: item for item in run.items() if item.side == "source"}
    found = []
    for name, given in answers.items():
        right = {trial.model for trial in given if trial.verdict == "correct"}
        if len(right) <= at_most:
            said = Counter(trial.response or "" for trial in given)
            item = items[name]
            found.append(
                Suspect(
                    id=name,
                    question=item.question,
                    references=(item.answer, *item.aliases),
                    correct=len(right),
                    models=len({trial.model for trial in given}),
                    responses=dict(sorted(said.items(), key=lambda each: (-each[1], each[0]))),
                )
            )
    return sorted(found, key=lambda suspect: (suspect.correct, suspect.id))
