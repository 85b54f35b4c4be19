"""Judges runs by rules, without a model: a documented floor for offline work and for tests.

Words decide, not meaning. A response without a word of refusing counts as an answer (SHD). One that
refuses is target-aware (TACH) if it has most words of the gold reason or gives it in other words
(`reasons.py`), else a prefix failure (PPH) if it says what it could not find out, else wrong (WRH)
if it gives some reason, else vague (URH). A turn states the reason in the same way; a passage shows
it if it has nearly all of its words. Some wordings of a reason are still missed, and words in
another sense are taken for it: figures judged by these rules are comparable with one another, not
with a model's.
"""

from __future__ import annotations

from realhop_kg.model.trajectory import (
    AskedQuestion,
    State,
    StateJudgement,
    TimelineJudgement,
    Trajectory,
)
from realhop_kg.refusal.evaluate.reasons import found, gives_gold_reason, plain, stated, stems
from realhop_kg.search.bm25 import tokens

__all__ = ["RuleJudge"]

_STATED, _SHOWN = 0.65, 0.8
"""Share of the gold reason's words that a statement or a passage must have."""
_LEAST_REASON = 2
"""Words that a reason has at least."""


class RuleJudge:
    """Judges by words.

    Attributes:
        name: what reports call it.
    """

    name = "rules"

    async def state(self, question: AskedQuestion, response: str) -> StateJudgement:
        """Return the state of a final response; it never fails."""
        text = plain(response)
        told = gives_gold_reason(question, text)
        if not told and not found("refuses", text):
            return self._judged(State.SHD, "no word of refusing")
        share = _share(question.rationale, stated(question, text))
        if share >= _STATED:
            return self._judged(State.TACH, f"{share:.0%} of the words of the gold reason")
        if told:
            return self._judged(State.TACH, "the gold reason in other words")
        if found("prefix", text):
            return self._judged(State.PPH, "says what it could not find out")
        why = found("reason", text)
        if why and len(tokens(why.group("why"))) >= _LEAST_REASON:
            return self._judged(State.WRH, "gives another reason")
        return self._judged(State.URH, "gives no reason")

    async def timeline(self, question: AskedQuestion, run: Trajectory) -> TimelineJudgement:
        """Return where the words of the gold reason first stand."""
        told = shown = None
        for turn in run.turns:
            if told is None and (
                _share(question.rationale, turn.text) >= _STATED
                or gives_gold_reason(question, plain(turn.text))
            ):
                told = turn.number
            read = (f"{each.title} {each.text}" for call in turn.calls for each in call.documents)
            if shown is None and any(_share(question.rationale, text) >= _SHOWN for text in read):
                shown = turn.number
        return TimelineJudgement(stated=told, shown=shown, by=self.name)

    def _judged(self, state: State, reason: str) -> StateJudgement:
        return StateJudgement(state=state, by=self.name, reason=reason)


def _share(rationale: str, text: str) -> float:
    """Return which share of the words of a reason a text has."""
    wanted = stems(rationale)
    return len(wanted & stems(text)) / len(wanted) if wanted else 0.0
