"""The competitor planner: a model fills near-misses and fresh values, two Strict paths a hop."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import partial

from realhop_kg.construct.compete import STRICT_CANDIDATES
from realhop_kg.construct.models.plan import premise_predicates
from realhop_kg.construct.models.replies import Candidate, CompeteReply
from realhop_kg.construct.models.state import Draft, check_template
from realhop_kg.construct.realize import sentence_names
from realhop_kg.errors import ContractError
from realhop_kg.graph.build import CONSTRUCTED
from realhop_kg.graph.dependency import dependencies, regenerated
from realhop_kg.graph.operators import branch_flexible, branch_strict
from realhop_kg.graph.operators.rebind import gold_fact_id
from realhop_kg.graph.schema import EdgeKind, HopNode, ItemNode, PathKind, PathNode
from realhop_kg.llm.asking import Models, RejectedError, settled
from realhop_kg.model.finding import Code, Finding
from realhop_kg.model.plan import BranchPlan, PlannedName, Split
from realhop_kg.relations.predicates import Family, Predicate, link_of, value_of
from realhop_kg.relations.wording import render

__all__ = ["compete_inputs", "compete_with_model"]

_CODES = frozenset(
    (Code.R1, Code.R3, Code.R4, Code.G3, Code.S1, Code.S2, Code.S3, Code.S4, Code.S5A, Code.S5B,
     Code.S6, Code.F1, Code.F2, Code.F3, Code.U1, Code.N1)
)  # fmt: skip
"""What competitors can be judged by before they have hosts."""

_SLUG = re.compile(r"[^\w]+")


async def compete_with_model(draft: Draft, models: Models) -> Draft:
    """Return the draft with competitor paths (section 4.1, Appendix I.2).

    Raises:
        ContractError: with the code of what the model could not mend.
    """
    conversation = models.conversation(
        "compete", draft.item.key, compete_inputs(draft), CompeteReply
    )
    return await settled(conversation, partial(_branched, draft, models.stages["compete"].model))


def compete_inputs(draft: Draft) -> dict[str, object]:
    """Return what the competitor planner's template is filled with."""
    graph, predicates = draft.graph, draft.predicates
    deps = dependencies(graph)
    values = {index: graph.target(gold_fact_id(index), EdgeKind.OBJECT) for index in deps}
    hops = []
    for hop in sorted(graph.nodes(HopNode), key=lambda node: node.index):
        names, kind = sentence_names(graph, gold_fact_id(hop.index))
        statement = predicates[hop.relation].wordings[0]
        split = draft.splits.get(hop.index)
        joined = {"link": "", "value": ""}
        if split is not None:
            for part, name in (("link", link_of), ("value", value_of)):
                joined[part] = predicates[name(hop.relation, split.frame)].wordings[0]
        hops.append(
            {
                "index": hop.index,
                "wording": hop.wording,
                "fact": render(statement, names, kind),
                "statement": statement,
                **joined,
                "wanted": [
                    {
                        "hop": later,
                        "kind": values[later].asked_kind,
                        "type": values[later].entity_type,
                        "like": values[later].written,
                    }
                    for later in sorted(regenerated(deps, hop.index))
                ],
            }
        )
    item = graph.get(CONSTRUCTED, ItemNode)
    return {"question": item.question, "answer": item.answer, "hops": hops}


def _branched(draft: Draft, model: str, reply: CompeteReply, last: bool) -> Draft:
    """Return the draft with a proposal's paths in it.

    What is wrong with single competitors in the last proposal is left to pruning.
    """
    hops = {hop.index: hop for hop in draft.graph.nodes(HopNode)}
    given = {each.hop: each for each in reply.hops}
    odd = sorted(set(hops) ^ set(given))
    if odd or len(given) != len(reply.hops):
        raise ContractError("S5a", f"give one entry for every step; step {(odd or [0])[0]} is off")
    own: dict[str, Predicate] = {}
    strict: list[BranchPlan] = []
    flexible: list[BranchPlan] = []
    for index, entry in sorted(given.items()):
        if len(entry.strict) < STRICT_CANDIDATES:
            raise ContractError("S5a", f"step {index} has {len(entry.strict)} strict candidates")
        for plans, candidates in (
            (strict, entry.strict[:STRICT_CANDIDATES]),
            (flexible, entry.flexible[:1]),
        ):
            for number, candidate in enumerate(candidates, 1):
                made = _near_miss(draft, hops[index], candidate, model)
                if made[0].id in own:
                    raise ContractError(
                        "S5a",
                        f"step {index}: two candidates have the relation {candidate.relation!r}",
                    )
                own |= {predicate.id: predicate for predicate in made}
                plans.append(_plan(draft, index, number, candidate, made[0].id))
    predicates = draft.predicates.extended(own.values())
    graph = branch_strict(draft.graph, strict, predicates)
    graph = branch_flexible(graph, flexible, predicates)
    branched = draft.with_graph(graph, own.values())
    found = branched.findings(_CODES, plan_time=True)
    if found and not (last and _prunable(branched, found)):
        raise RejectedError(found)
    return branched


def _near_miss(
    draft: Draft, hop: HopNode, candidate: Candidate, model: str
) -> tuple[Predicate, ...]:
    """Return the predicate of a wrong turning, with its premises if the hop is split."""
    relation = draft.predicates[hop.relation]
    what = f"step {hop.index}, {candidate.relation!r}"
    statement = check_template(candidate.statement, {*relation.arguments, "y"}, what, "S4")
    joined: tuple[str, ...] = ()
    if hop.index in draft.splits:
        link = check_template(candidate.link, {*relation.arguments, "k"}, what, "S4")
        joined = (link, check_template(candidate.value, {"k", "y"}, what, "S4"))
        split = draft.splits[hop.index]
        gold = tuple(
            draft.predicates[name(hop.relation, split.frame)].wordings[0]
            for name in (link_of, value_of)
        )
        if joined == gold:
            raise ContractError("S4", f"{what}: its premises are those of the right relation")
    if statement in relation.wordings:
        raise ContractError("S4", f"{what}: its statement is that of the right relation")
    if not candidate.because.strip():
        raise ContractError("S4", f"{what}: nothing says why it does not imply the right relation")
    slug = _SLUG.sub("_", candidate.relation.casefold()).strip("_")[:40] or "other"
    miss = Predicate(
        id=f"{hop.relation}.{slug}",
        family=Family.NEAR_MISS,
        parent=hop.relation,
        arguments=relation.arguments,
        value=relation.value,
        wordings=(statement,),
        audit=f"{model}: {' '.join(candidate.because.split())}",
    )
    frame = draft.splits[hop.index].frame if hop.index in draft.splits else 0
    return miss, *premise_predicates(miss, joined, frame)


def _plan(
    draft: Draft, index: int, number: int, candidate: Candidate, near_miss: str
) -> BranchPlan:
    anew = regenerated(dependencies(draft.graph), index)
    values = {
        slot.hop: PlannedName(surface=" ".join(slot.name.split()), article=slot.article.strip())
        for slot in candidate.values
    }
    blank = [hop for hop, name in values.items() if not name.surface]
    if blank:
        raise ContractError("S2", f"step {index}, {candidate.relation!r}: step {blank[0]} is blank")
    return BranchPlan(
        hop=index,
        candidate=number,
        near_miss=near_miss,
        values=values,
        splits={
            hop: Split(frame=draft.splits[hop].frame, key=draft.coiner.key(draft.key_patterns[hop]))
            for hop in sorted(anew & draft.splits.keys())
        },
    )


def _prunable(draft: Draft, found: Sequence[Finding]) -> bool:
    """Return whether every finding names something of a competitor path."""
    paths = [p for p in draft.graph.nodes(PathNode) if p.path_kind is not PathKind.GOLD]
    own: set[str] = {path.id for path in paths}
    for path in paths:
        for fact, held in draft.graph.edges(path.id, EdgeKind.CONTAINS):
            if not held["inherited"]:
                own |= {fact, *draft.graph.sources(fact, EdgeKind.COMPOSES)}
    return all(own & set(finding.nodes) for finding in found)
