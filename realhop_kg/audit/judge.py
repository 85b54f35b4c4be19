"""Judges answers: SQuAD-normalised exact match first, then a judge that never sees the context.

A judgement that fails is a failure and no verdict; it is counted apart, never as incorrect.
Source: REALHOP, section 5 and Appendix K.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Protocol

from realhop_kg.audit.answer_metrics import token_f1
from realhop_kg.errors import InputError
from realhop_kg.llm.prompts import Template
from realhop_kg.llm.records import Message
from realhop_kg.model.answers import normalize_answer
from realhop_kg.model.record import Record
from realhop_kg.model.run import Verdict

__all__ = [
    "Judge",
    "Judgement",
    "OfflineJudge",
    "exact",
    "judge_messages",
    "judges_itself",
    "local_judge",
    "read_verdict",
]

LONGEST_RESPONSE = 4000
"""Code points of a response that a judge is shown; answers are short, and essays cost money."""

_FENCE = re.compile(r"\A```(?:json)?\s*\n?(.*?)\n?```\Z", re.DOTALL)
_DIGIT = re.compile(r"\d")


class Judgement(Record):
    """A verdict and who gave it, or why there is none."""

    verdict: Verdict | None
    by: str
    failure: str = ""


class Judge(Protocol):
    """Grades answers that are no exact match, without a model (`AskedJudge` is one)."""

    @property
    def name(self) -> str:
        """What reports call it."""
        ...

    def judge(self, question: str, references: Sequence[str], response: str) -> Judgement:
        """Return a judgement; a reply that is no verdict gives a failure."""
        ...


def exact(references: Sequence[str], response: str) -> Judgement | None:
    """Return `correct` where the normalised response equals the answer or an alias, else None.

    An empty response is `incorrect` without asking anyone.

    Args:
        references: the answer first, then its aliases.
        response: what was answered.
    """
    if not response.strip():
        return Judgement(verdict=Verdict.INCORRECT, by="exact")
    said = normalize_answer(response)
    for at, reference in enumerate(references):
        right = normalize_answer(reference)
        # What normalises to nothing ("The", "A") equals only itself.
        same = said == right if right else response.strip().lower() == reference.strip().lower()
        if same:
            return Judgement(verdict=Verdict.CORRECT, by="alias" if at else "exact")
    return None


class OfflineJudge:
    """Judges without a model: exact match, alias, or token F1 from a threshold on.

    Tokens with digits must agree whole, since a date that is one day off overlaps well.

    Attributes:
        threshold: least F1 that counts as correct; above 1 only exact matches do.
    """

    def __init__(self, threshold: float = 0.8) -> None:
        self.threshold = threshold

    @property
    def name(self) -> str:
        """Its name and threshold."""
        if self.threshold > 1:
            return "exact"
        return f"offline-f1-{self.threshold:g}"

    def judge(self, question: str, references: Sequence[str], response: str) -> Judgement:
        """Return the verdict; it never fails."""
        found = exact(references, response)
        if found is not None:
            return found
        close = any(
            _numbers(response) == _numbers(reference)
            and token_f1(response, reference).f1 >= self.threshold
            for reference in references
        )
        return Judgement(verdict=Verdict.CORRECT if close else Verdict.INCORRECT, by="f1")


def local_judge(given: str) -> OfflineJudge | None:
    """Return the judge that `offline`, `offline:THRESHOLD` or `exact` names, or None.

    Raises:
        InputError: if the threshold is no number above 0 and up to 1.
    """
    kind, _, threshold = given.partition(":")
    if given == "exact":
        return OfflineJudge(threshold=2.0)
    if kind != "offline":
        return None
    try:
        value = float(threshold or "0.8")
    except ValueError:
        value = 0.0
    if not 0 < value <= 1:
        raise InputError(f"judge {given!r}: give a threshold above 0 and up to 1")
    return OfflineJudge(value)


def _numbers(text: str) -> Counter[str]:
    return Counter(token for token in normalize_answer(text).split() if _DIGIT.search(token))


def judges_itself(judge: str, models: Iterable[str]) -> str:
    """Return the audited model that a judge is, whoever serves it, or an empty text.

    Examples:
        >>> judges_itself("azure/gpt-4o", ["openai/gpt-4o", "openai/o3"])
        'openai/gpt-4o'
    """
    bare = judge.rpartition("/")[2].casefold()
    return next((each for each in models if each.rpartition("/")[2].casefold() == bare), "")


def judge_messages(
    template: Template, question: str, references: Sequence[str], response: str
) -> tuple[Message, ...]:
    """Return what a judge is asked: question, references and response, never the context."""
    shown = response.strip()
    if len(shown) > LONGEST_RESPONSE:
        half = LONGEST_RESPONSE // 2
        shown = f"{shown[:half]} [...] {shown[-half:]}"
    references = list(dict.fromkeys(references))
    return template.render({"question": question, "references": references, "response": shown})


def read_verdict(reply: str, judge: str) -> Judgement:
    """Return the verdict of a judge's reply, or a failure.

    The reply must be one JSON object and nothing else (a code fence around it is taken off). A
    reply that quotes a verdict and gives another is ambiguous, so it fails rather than being
    guessed at.

    Args:
        reply: what the judge wrote.
        judge: its name.

    Examples:
        >>> read_verdict('{"verdict": "partial", "reason": "no year"}', "j").verdict
        <Verdict.PARTIAL: 'partial'>
        >>> read_verdict('He said {"verdict": "correct"}. {"verdict": "incorrect"}', "j").failure
        'the reply of the judge is not one JSON object'
    """
    text = reply.strip()
    fenced = _FENCE.match(text)
    try:
        data = json.loads(fenced[1] if fenced else text, object_pairs_hook=_once)
    except (ValueError, RecursionError):
        return _failed(judge, "the reply of the judge is not one JSON object")
    if not isinstance(data, dict) or not data.keys() <= {"verdict", "reason"}:
        return _failed(judge, "the reply of the judge has not just `verdict` and `reason`")
    given = data.get("verdict")
    try:
        verdict = Verdict(given.strip().lower() if isinstance(given, str) else "")
    except ValueError:
        return _failed(judge, "the judge gave no verdict of correct, partial or incorrect")
    return Judgement(verdict=verdict, by=judge)


def _once(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a key stands twice")
    return found


def _failed(judge: str, reason: str) -> Judgement:
    return Judgement(verdict=None, by=judge, failure=reason)
