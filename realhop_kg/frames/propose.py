"""Asks a model for the chain of steps behind a FRAMES question, and takes only what checks out.

A chain is accepted if `check_chain` accepts it: fields filled, every quote word for word in an
article, each later step pointing to the one before it, names for answers. What breaks a rule is
sent back with the rule; a question without an acceptable chain is left out by name.

Source: REALHOP, Appendix I.4.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Iterable
from contextlib import suppress
from dataclasses import dataclass

from pydantic import BaseModel, ConfigDict

from realhop_kg.errors import ContractError
from realhop_kg.frames.assemble import FramesQuestion
from realhop_kg.frames.chains import Chain, RefusedChain, Step, check_chain
from realhop_kg.llm.asking import Models, settled
from realhop_kg.llm.batch import WaitingError
from realhop_kg.model.finding import Code

__all__ = [
    "STAGE",
    "ChainReply",
    "StepReply",
    "Unproposed",
    "Waits",
    "propose_chain",
    "propose_chains",
]

STAGE = "chain"
"""Name of the stage in templates, reply store and options."""


class _Slots(BaseModel):
    """Part of a reply; what nobody asked for is left out, as models like to add remarks."""

    model_config = ConfigDict(extra="ignore", use_attribute_docstrings=True)


class StepReply(_Slots):
    """One step."""

    question: str
    """`subject >> relation` or a question; `#k` stands for the answer of step k."""
    answer: str
    """Name of one thing."""
    quote: str
    """What states the step, word for word."""
    title: str = ""
    """Title of the article that is quoted."""


class ChainReply(_Slots):
    """The steps of a question, in order; none if the articles do not lead to the answer."""

    hops: list[StepReply]


@dataclass(frozen=True)
class Unproposed:
    """A question without a chain that holds.

    Attributes:
        id: of the question.
        code: of the rule that the last proposal breaks; M1 where no usable reply came.
        message: what is wrong.
    """

    id: str
    code: str
    message: str


class Waits:
    """A question whose reply a batch has not brought yet."""


async def propose_chain(question: FramesQuestion, models: Models) -> Chain | Unproposed:
    """Return the chain that a model proposes for a question, or why there is none.

    Args:
        question: an assembled question.
        models: the models, with a template of the stage `chain`.

    Raises:
        WaitingError: in batch mode, if a reply is not there yet.
        ProviderError: if the run has to stop.
    """
    inputs: dict[str, object] = {
        "question": question.question,
        "answer": question.answer,
        "articles": [each.model_dump() for each in question.passages],
    }
    conversation = models.conversation(STAGE, question.id, inputs, ChainReply)
    try:
        return await settled(conversation, lambda reply, last: _accepted(question, reply))
    except ContractError as error:
        models.of(STAGE).refused += 1
        return Unproposed(question.id, error.code, error.message)


def _accepted(question: FramesQuestion, reply: ChainReply) -> Chain:
    """Return the chain of a reply.

    Raises:
        ContractError: with the code of the rule that it breaks.
    """
    if len(reply.hops) < 2:
        raise ContractError(Code.B2, f"a chain has two steps or more, not {len(reply.hops)}")
    titles = {article.title for article in question.passages}
    hops = tuple(
        Step(
            question=step.question.strip(),
            answer=step.answer.strip(),
            quote=step.quote.strip(),
            # A title that no article has says nothing: the quote itself is looked for.
            title=step.title if step.title in titles else "",
        )
        for step in reply.hops
    )
    chain = Chain(id=question.id, hops=hops)
    try:
        check_chain(question, chain)
    except RefusedChain as refused:
        raise ContractError(refused.code, refused.message) from refused
    return chain


async def propose_chains(
    questions: Iterable[FramesQuestion], models: Models, window: int = 64
) -> AsyncIterator[Chain | Unproposed | Waits]:
    """Yield one outcome per question, in their order, whatever comes back first.

    Args:
        questions: assembled questions.
        models: the models.
        window: questions under way at a time; more of them keep more calls busy.

    Raises:
        ProviderError: if the run has to stop; what was asked is in the store.
    """

    async def one(question: FramesQuestion) -> Chain | Unproposed | Waits:
        try:
            return await propose_chain(question, models)
        except WaitingError:
            return Waits()

    under_way: deque[asyncio.Task[Chain | Unproposed | Waits]] = deque()
    try:
        for question in questions:
            under_way.append(asyncio.create_task(one(question)))
            if len(under_way) >= window:
                yield await under_way.popleft()
        while under_way:
            yield await under_way.popleft()
    finally:
        for task in under_way:
            task.cancel()
        for task in under_way:
            with suppress(Exception, asyncio.CancelledError):
                await task
