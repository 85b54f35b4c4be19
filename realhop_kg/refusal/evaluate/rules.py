"""Judges runs by rules, without a model: a documented floor for offline work and for tests.

Words decide, not meaning. A response without a word of refusing counts as an answer (SHD). One that
refuses is target-aware (TACH) if it has most words of the gold reason, else a prefix failure (PPH)
if it says what it could not find out, else wrong (WRH) if it gives some reason, else vague (URH).
A turn states the reason, or a passage shows it, if it has most or nearly all of its words. Other
wordings of a reason are missed, and words in another sense are taken for it: figures judged by
these rules are comparable with one another, not with a model's.
"""

from __future__ import annotations

import re
from functools import cache

from realhop_kg.model.trajectory import (
    AskedQuestion,
    State,
    StateJudgement,
    TimelineJudgement,
    Trajectory,
)
from realhop_kg.resources import load_yaml
from realhop_kg.search.bm25 import tokens

__all__ = ["RuleJudge"]

_STATED, _SHOWN = 0.65, 0.8
"""Share of the gold reason's words that a statement or a passage must have."""
_LEAST_REASON = 2
"""Words that a reason has at least."""
_NOT = re.compile(r"(?<=can)not\b|(?<=can)'t\b|n't\b")
_ENDINGS = ("ing", "ed", "es", "s")
_LEAST_STEM = 3


class RuleJudge:
    """Judges by words.

    Attributes:
        name: what reports call it.
    """

    name = "rules"

    async def state(self, question: AskedQuestion, response: str) -> StateJudgement:
        """Return the state of a final response; it never fails."""
        text = _NOT.sub(" not", response.casefold().replace("’", "'"))
        if not _found("refuses", text):
            return self._judged(State.SHD, "no word of refusing")
        share = _share(question.rationale, text)
        if share >= _STATED:
            return self._judged(State.TACH, f"{share:.0%} of the words of the gold reason")
        if _found("prefix", text):
            return self._judged(State.PPH, "says what it could not find out")
        why = _found("reason", text)
        if why and len(tokens(why.group("why"))) >= _LEAST_REASON:
            return self._judged(State.WRH, "gives another reason")
        return self._judged(State.URH, "gives no reason")

    async def timeline(self, question: AskedQuestion, run: Trajectory) -> TimelineJudgement:
        """Return where the words of the gold reason first stand."""
        stated = shown = None
        for turn in run.turns:
            if stated is None and _share(question.rationale, turn.text) >= _STATED:
                stated = turn.number
            found = (f"{each.title} {each.text}" for call in turn.calls for each in call.documents)
            if shown is None and any(_share(question.rationale, text) >= _SHOWN for text in found):
                shown = turn.number
        return TimelineJudgement(stated=stated, shown=shown, by=self.name)

    def _judged(self, state: State, reason: str) -> StateJudgement:
        return StateJudgement(state=state, by=self.name, reason=reason)


def _share(rationale: str, text: str) -> float:
    """Return which share of the words of a reason a text has."""
    wanted = _stems(rationale)
    return len(wanted & _stems(text)) / len(wanted) if wanted else 0.0


def _stems(text: str) -> frozenset[str]:
    return frozenset(_stem(word) for word in tokens(text))


def _stem(word: str) -> str:
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= _LEAST_STEM:
            return word.removesuffix(ending)
    return word


def _found(kind: str, text: str) -> re.Match[str] | None:
    return next(filter(None, (each.search(text) for each in _cues()[kind])), None)


@cache
def _cues() -> dict[str, tuple[re.Pattern[str], ...]]:
    patterns = load_yaml("refusal", "cues.yaml")
    return {
        kind: tuple(re.compile(each, re.DOTALL) for each in found)
        for kind, found in patterns.items()
    }
