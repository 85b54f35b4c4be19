"""Questions without an answer, as long and as hostile as wanted."""

from __future__ import annotations

from realhop_kg.model.refusal import Cause, Hyperlink, SeedTerms
from realhop_kg.model.refusal_item import (
    Defect,
    RefusalChain,
    RefusalItem,
    SeedVoice,
    StepWording,
    Topology,
)

__all__ = ["made_question"]


def _link(source: str, target: str, more: str) -> Hyperlink:
    return Hyperlink(
        source=source,
        target=target,
        lead=True,
        paragraph=1,
        start=4,
        end=4 + len(target),
        anchor=target,
        sentence=f"It is near {target} on the coast.{more}",
    )


def _step(number: int, more: str) -> StepWording:
    return StepWording(
        frame="near",
        phrase=f"the port number {number}{more} near {{S}}",
        ask=f"Which port number {number}{more} is near {{S}}?",
        noun="port",
        family="city",
        onward=True,
        clause="⟦S⟧ is near ⟦T⟧",
        source_family="city",
    )


def made_question(before: int, after: int, more: str = "", cause: Cause = Cause.FP) -> RefusalItem:
    """Return a question with links before and after its broken step.

    Args:
        before: number of links that lead to it.
        after: number of links that depend on it.
        more: stands at the end of every text.
        cause: why there is no answer.
    """
    pages = [f"Page {at}{more}" for at in range(before + 1)]
    later = [f"Later {at}{more}" for at in range(after + 1)] if after else []
    nominal = f"the mill{more} that {{A}} sold twice" if after else ""
    voice = SeedVoice(
        question=f"Which mill{more} did {{A}} sell twice?",
        nominal=nominal,
        noun="mill" if after else "",
        mention=pages[-1],
    )
    steps = tuple(_step(number, more) for number in range(1, before + after + 1))
    named = f"the {pages[0]}"
    for step in steps[:before]:
        named = step.phrase.replace("{S}", named)
    question = voice.question.replace("{A}", named)
    if after:
        named = nominal.replace("{A}", named)
        for step in steps[before:-1]:
            named = step.phrase.replace("{S}", named)
        question = steps[-1].ask.replace("{S}", named)
    topology = Topology.MIDDLE if after and before else Topology.ROOT
    chain = RefusalChain(
        topology=topology if after else Topology.TERMINAL,
        prefix=tuple(_link(*pages[at : at + 2], more) for at in range(before)),
        suffix=tuple(_link(*later[at : at + 2], more) for at in range(after)),
        defect=Defect(
            seed=f"plain/1{more}",
            source=f"plain{more}",
            cause=cause,
            question=voice.question.replace("{A}", pages[-1]),
            rationale=f"No mill was sold twice.{more}",
            anchor=pages[-1],
            bridge=later[0] if after else "",
            voice=voice,
            terms=SeedTerms(licence=f"CC0-1.0{more}", redistributable=True),
        ),
    )
    return RefusalItem(
        id=f"refusal/{before}-{after}{more}",
        question=question,
        cause=cause,
        topology=chain.topology,
        depth=chain.depth,
        hops=chain.hops,
        broken_step=before + 1,
        rationale=chain.defect.rationale,
        starts_from=f"the {pages[0]}",
        chain=chain,
        steps=steps,
        hidden_names=(f"another name{more}",),
        backend=f"rules{more}",
        tries=1,
        redistributable=True,
    )
