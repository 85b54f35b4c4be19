"""Shortcut diagnostics of one question, without any model: what could stand in for reasoning.

They are shown beside BNR and decide nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from realhop_kg.audit.auditable import Auditable
from realhop_kg.audit.cues import candidates, words
from realhop_kg.model.answers import normalize_answer
from realhop_kg.model.record import Record
from realhop_kg.model.run import AuditedSide

__all__ = ["ShortcutMeans", "Shortcuts", "shortcut_means", "shortcuts"]


class Shortcuts(Record):
    """The cues of one question on one side; shares are fractions of 1."""

    item: str
    side: AuditedSide
    answer_kind: str
    """`date`, `year`, `number`, `name`, or `other`."""
    rivals: int
    """Other texts of that kind in the context: none means that the kind alone gives the answer."""
    support_overlap: float
    """Mean share of the question's words that a gold support has, its title included."""
    other_overlap: float | None
    """The same of the other passages; None where there are none."""
    support_first: bool
    """Whether a gold support shares most words with the question."""
    answer_position: float | None
    """Where in the context the answer first stands, from 0 to 1; None where it does not."""
    answer_in_question: bool
    hosts_gold: float | None = None
    """Share of the passages with insertions that are gold supports; None without insertions."""
    orphan_failures: int = 0
    """Hops whose Drop leaves one orphaned continuation alone (V2), so that elimination works."""


class ShortcutMeans(Record):
    """The cues of one side over its questions; shares are fractions of 1."""

    side: AuditedSide
    n: int
    no_rivals: float
    """Share of questions whose answer is the only one of its kind."""
    rivals: float
    support_overlap: float
    other_overlap: float | None
    support_first: float
    answer_position: float | None
    answer_in_question: float
    hosts_gold: float | None
    orphan_failures: float
    """Mean number of hops per question."""


def shortcuts(item: Auditable) -> Shortcuts:
    """Return the cues of one question.

    Args:
        item: the question on its side.
    """
    asked = words(item.question)
    gold = {part.passage for unit in item.units for part in unit.parts}
    overlap = {
        passage.index: len(asked & (words(passage.text) | words(passage.title))) / len(asked)
        if asked
        else 0.0
        for passage in item.passages
    }
    supports = [overlap[index] for index in overlap if index in gold]
    others = [overlap[index] for index in overlap if index not in gold]
    kind = _kind(item.answer)
    at = min(
        (place for form in item.answers if (place := item.context.text.find(form)) >= 0),
        default=None,
    )
    hosts = {insertion.passage for insertion in item.insertions}
    return Shortcuts(
        item=item.item,
        side=item.side,
        answer_kind=kind,
        rivals=_rivals(item, kind),
        support_overlap=_mean(supports) or 0.0,
        other_overlap=_mean(others),
        support_first=bool(supports) and max(supports) >= max(others, default=0.0),
        answer_position=None if at is None else at / len(item.context.text),
        answer_in_question=_holds(item.question, item.answers),
        hosts_gold=len(hosts & gold) / len(hosts) if hosts else None,
        orphan_failures=item.orphan_failures,
    )


def shortcut_means(found: Iterable[Shortcuts]) -> list[ShortcutMeans]:
    """Return the means over the questions of each side, source first."""
    by_side: dict[AuditedSide, list[Shortcuts]] = {}
    for each in found:
        by_side.setdefault(each.side, []).append(each)
    return [
        ShortcutMeans(
            side=side,
            n=len(own),
            no_rivals=_sure(each.rivals == 0 for each in own),
            rivals=_sure(each.rivals for each in own),
            support_overlap=_sure(each.support_overlap for each in own),
            other_overlap=_mean([e.other_overlap for e in own if e.other_overlap is not None]),
            support_first=_sure(each.support_first for each in own),
            answer_position=_mean(
                [e.answer_position for e in own if e.answer_position is not None]
            ),
            answer_in_question=_sure(each.answer_in_question for each in own),
            hosts_gold=_mean([e.hosts_gold for e in own if e.hosts_gold is not None]),
            orphan_failures=_sure(each.orphan_failures for each in own),
        )
        for side, own in sorted(by_side.items(), reverse=True)
    ]


def _kind(answer: str) -> str:
    found = candidates(f"It is {answer}.", "")
    whole = [each for each in found if normalize_answer(each.text) == normalize_answer(answer)]
    return whole[0].kind if whole else "other"


def _rivals(item: Auditable, kind: str) -> int:
    right = {normalize_answer(form) for form in item.answers}
    found = {
        normalize_answer(each.text)
        for each in candidates(item.context.text, item.question)
        if each.kind == kind
    }
    # `J. Hask` beside `Hask` is no other answer.
    return sum(
        not any(said in form or form in said for form in right if form) for said in found if said
    )


def _holds(question: str, answers: Iterable[str]) -> bool:
    said = f" {normalize_answer(question)} "
    return any(f" {form} " in said for answer in answers if (form := normalize_answer(answer)))


def _mean(values: Sequence[float]) -> float | None:
    return sum(values) / len(values) if values else None


def _sure(values: Iterable[float]) -> float:
    found = list(values)
    return sum(found) / len(found)
