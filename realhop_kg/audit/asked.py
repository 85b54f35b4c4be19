"""Models that answer and judge: through a reply store, live, by batch files, or replayed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pydantic import JsonValue

from realhop_kg.audit.judge import Judgement, exact, judge_messages, read_verdict
from realhop_kg.audit.solvers import PENDING, Answer, Prompt
from realhop_kg.llm.batch import WaitingError
from realhop_kg.llm.client import Asker
from realhop_kg.llm.prompts import Template
from realhop_kg.llm.records import Message, ModelRequest, Reply, ReplyStatus

__all__ = ["JUDGE", "SOLVER", "AskedJudge", "AskedSolver"]

SOLVER, JUDGE = "solver", "judge"
"""Stages of the reply store."""

_WHY = {
    ReplyStatus.TRUNCATED: "was cut off at the maximum of tokens; raise max_tokens",
    ReplyStatus.FILTERED: "was withheld by the provider's content filter",
    ReplyStatus.FAILED: "never came",
    ReplyStatus.EMPTY: "was empty",
}


class AskedSolver:
    """A model that answers.

    Attributes:
        name: the model.
    """

    def __init__(
        self, name: str, asker: Asker, parameters: Mapping[str, JsonValue] | None = None
    ) -> None:
        """Name the solver.

        Args:
            name: the model, as the provider layer names it.
            asker: a client, batch files, or the store alone.
            parameters: temperature and the like, as sent.
        """
        self.name = name
        self._asker = asker
        self._parameters = dict(parameters or {})

    def request(self, prompt: Prompt) -> ModelRequest:
        """Return what the model is sent: the messages alone, never the gold answer."""
        return ModelRequest(
            model=self.name,
            messages=prompt.messages,
            parameters=self._parameters,
            template=prompt.template,
            template_hash=prompt.template_hash,
            trial=prompt.trial,
            stage=SOLVER,
            item=prompt.item.item,
        )

    async def answer(self, prompt: Prompt) -> Answer:
        """Return the answer, that it is pending, or why there is none.

        An empty text is an answer: it stays in every denominator, and is incorrect. A reply
        without any choice is none.

        Raises:
            ProviderError: if the run has to stop.
        """
        try:
            reply = await self._asker.ask(self.request(prompt))
        except WaitingError:
            return Answer(failure=PENDING, pending=True)
        if reply.without_choice:
            return Answer(failure="the provider's reply held no answer")
        if reply.good or reply.status is ReplyStatus.EMPTY:
            return Answer(text=reply.text)
        return Answer(failure=f"the answer {_why(reply)}")


class AskedJudge:
    """A model that judges what is no exact match.

    Attributes:
        name: the model.
    """

    def __init__(
        self,
        name: str,
        template: Template,
        reask: Template,
        asker: Asker,
        parameters: Mapping[str, JsonValue] | None = None,
    ) -> None:
        """Name the judge.

        Args:
            name: the model, as the provider layer names it.
            template: takes question, references and response.
            reask: takes error; sent once, after a reply that is no verdict.
            asker: a client, batch files, or the store alone.
            parameters: temperature and the like, as sent.
        """
        self.name = name
        self._template = template
        self._reask = reask
        self._asker = asker
        self._parameters = dict(parameters or {})

    def request(self, messages: Sequence[Message], item: str = "") -> ModelRequest:
        """Return a request to the judge."""
        return ModelRequest(
            model=self.name,
            messages=tuple(messages),
            parameters=self._parameters,
            template=self._template.name,
            template_hash=self._template.hash,
            stage=JUDGE,
            item=item,
        )

    async def judge(
        self, question: str, references: Sequence[str], response: str, item: str = ""
    ) -> Judgement:
        """Return the exact match, what the model says, or why there is no verdict.

        Args:
            question: as it was asked.
            references: the answer first, then its aliases.
            response: what was answered.
            item: key of the item, a label of the reply store.

        Raises:
            ProviderError: if the run has to stop.
        """
        found = exact(references, response)
        if found is not None:
            return found
        messages = judge_messages(self._template, question, references, response)
        first = await self._said(messages, item)
        if isinstance(first, Judgement):
            return first
        judged = read_verdict(first, self.name)
        if judged.verdict is not None:
            return judged
        again = (
            *messages,
            Message(role="assistant", content=first),
            *self._reask.render({"error": judged.failure}),
        )
        second = await self._said(again, item)
        return second if isinstance(second, Judgement) else read_verdict(second, self.name)

    async def _said(self, messages: Sequence[Message], item: str) -> str | Judgement:
        """Return what the judge said, or a judgement of why it said nothing."""
        try:
            reply = await self._asker.ask(self.request(messages, item))
        except WaitingError:
            return Judgement(verdict=None, by=self.name, failure=PENDING)
        if reply.good:
            return reply.text
        return Judgement(verdict=None, by=self.name, failure=f"the verdict {_why(reply)}")


def _why(reply: Reply) -> str:
    last = reply.attempts[-1].outcome if reply.attempts and not reply.text else ""
    return _WHY[reply.status] + (f" ({last})" if last not in ("", "ok") else "")
