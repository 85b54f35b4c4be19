"""Fusion by a model, its semantic review, and the surface audit of its final wording."""

from __future__ import annotations

from collections.abc import Iterator

from realhop_kg.errors import ContractError
from realhop_kg.llm.asking import Conversation, Models, RejectedError, settled
from realhop_kg.model.refusal_item import (
    RefusalCode,
    RefusalFinding,
    RefusalItem,
    SaidStep,
    SurfaceAudit,
)
from realhop_kg.refusal.draw import Drawn, item_id
from realhop_kg.refusal.models.replies import FuseReply, ReviewReply, SurfaceReply
from realhop_kg.refusal.quality import check_question, leaks
from realhop_kg.refusal.said import changed_cause, malformed, wording_digest

__all__ = ["audited", "fused", "fusion", "reviewed"]

_HIDDEN = 40
"""Names that a model is told to keep out."""


def fusion(drawn: Drawn, models: Models) -> Conversation[FuseReply]:
    """Return the conversation about the wording of one chain."""
    inputs = _chain_inputs(drawn) | {
        "bridge": drawn.chain.defect.bridge,
        "mention": drawn.found.voice.mention,
    }
    return models.conversation("fuse", item_id(drawn.chain), inputs, FuseReply)


async def fused(drawn: Drawn, conversation: Conversation[FuseReply]) -> str:
    """Return the model's next wording, once nothing mechanical is wrong with it.

    Raises:
        RejectedError: with everything that is.
        ContractError: M1, if no usable reply comes.
    """
    question = " ".join((await conversation.reply()).question.split())
    found = [
        RefusalFinding(code=code, item=item_id(drawn.chain), message=message)
        for code, message in _faults(drawn, question)
    ]
    if found:
        raise RejectedError(found)
    return question


def _faults(drawn: Drawn, question: str) -> Iterator[tuple[RefusalCode, str]]:
    if problem := malformed(question):
        yield RefusalCode.M1, problem
    for name in leaks(question, drawn.chain.hidden, drawn.hidden_names):
        yield RefusalCode.K1, f"names {name!r}, which is hidden"
    if drawn.start.casefold() not in question.casefold():
        yield RefusalCode.K5, f"does not name {drawn.start!r}, from which its chain starts"
    for problem in changed_cause(question, drawn.chain, drawn.start):
        yield RefusalCode.K4, problem


async def reviewed(drawn: Drawn, question: str, models: Models) -> None:
    """Ask for a semantic review of a question: leakage, hops, coherence, cause.

    Raises:
        RejectedError: with what the reviewer objects to.
        ContractError: M1, if no usable reply comes.
    """
    inputs = _chain_inputs(drawn) | {"question": question}
    key = item_id(drawn.chain)
    reply = await models.conversation("review", key, inputs, ReviewReply).reply()
    found = [
        RefusalFinding(code=code, item=key, message=f"the review: {problem}")
        for code, problems in (
            (RefusalCode.K1, reply.leakage),
            (RefusalCode.K2, reply.hops),
            (RefusalCode.K3, reply.coherence),
            (RefusalCode.K4, reply.cause),
        )
        for problem in problems
    ]
    if found:
        raise RejectedError(found)


async def audited(drawn: Drawn, question: str, models: Models, tries: int) -> RefusalItem:
    """Return a question with the depth, position and rationale of its final wording.

    A fresh reader counts the steps that the wording expresses and quotes the words of each. What it
    quotes has to stand in the question; steps that it does not find count no more.

    Args:
        drawn: the chain.
        question: its final wording.
        models: the models.
        tries: how many chains were drawn.

    Raises:
        RejectedError: with what does not hold of the recounted question.
        ContractError: M1 or K2, if the audit cannot be used.

    Source: HopRefusalBench, quality control, second stage.
    """
    chain, broken = drawn.chain, len(drawn.chain.prefix) + 1
    steps = [f"{link.source} -> {link.target}: {link.sentence}" for link in chain.prefix]
    steps.append(chain.defect.question)
    steps += [f"{link.source} -> {link.target}: {link.sentence}" for link in chain.suffix]
    inputs: dict[str, object] = {
        "question": question,
        "cause": str(chain.defect.cause),
        "steps": steps,
        "broken": broken,
        "rationale": drawn.found.rationale,
    }

    def accept(reply: SurfaceReply, last: bool) -> tuple[SurfaceAudit, str]:
        asked = question.casefold()
        said = [(each.step, " ".join(each.words.split())) for each in reply.steps]
        for step, words in said:
            if not words or words.casefold() not in asked:
                message = f"{words!r} (step {step}) does not stand in the question; copy its words"
                raise ContractError(RefusalCode.K2, message)
            if not 1 <= step <= len(steps):
                raise ContractError(RefusalCode.K2, f"there is no step {step}")
        kept = tuple(SaidStep(step=step, words=words) for step, words in sorted(said))
        rationale = "" if reply.rationale_holds else " ".join(reply.rationale.split())
        if not reply.rationale_holds and not rationale:
            raise ContractError(RefusalCode.K5, "give the rationale that holds")
        return SurfaceAudit(wording=wording_digest(question), said=kept), rationale

    conversation = models.conversation("audit", item_id(chain), inputs, SurfaceReply)
    audit, rationale = await settled(conversation, accept)
    before, after = audit.expressed(broken)
    if not before + after:
        raise ContractError(RefusalCode.K2, "its wording expresses no link", (chain.defect.seed,))
    item = drawn.item(question, "llm", tries, audit=audit, rationale=rationale)
    findings = check_question(item)
    if findings:
        raise RejectedError(findings)
    return item


def _chain_inputs(drawn: Drawn) -> dict[str, object]:
    chain = drawn.chain
    return {
        "cause": str(chain.defect.cause),
        "start": drawn.start,
        "prefix": [link.model_dump() for link in chain.prefix],
        "seed": chain.defect.question,
        "rationale": drawn.found.rationale,
        "suffix": [link.model_dump() for link in chain.suffix],
        "hidden": list(dict.fromkeys((*chain.hidden, *drawn.hidden_names)))[:_HIDDEN],
    }
