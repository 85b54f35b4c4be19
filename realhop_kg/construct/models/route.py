"""The router: a model chooses host passages for the competitors' facts."""

from __future__ import annotations

from functools import partial

from realhop_kg.construct.models.replies import RouteReply
from realhop_kg.construct.models.state import Draft, reject_blocking
from realhop_kg.construct.realize import sentence_names
from realhop_kg.errors import ContractError
from realhop_kg.graph.build import hop_id
from realhop_kg.graph.operators import route
from realhop_kg.graph.schema import (
    EdgeKind,
    FactNode,
    FactStatus,
    HopNode,
    PassageNode,
    PathKind,
    PathNode,
)
from realhop_kg.llm.asking import Models, settled
from realhop_kg.model.finding import Code
from realhop_kg.model.plan import RoutePlan
from realhop_kg.model.sentences import insertion_points
from realhop_kg.relations.wording import render

__all__ = ["route_inputs", "route_with_model"]

_CODES = frozenset((Code.H1, Code.H2, Code.H3, Code.H4, Code.H5))

_SHOWN = 400
"""Characters of a passage that the router sees."""


async def route_with_model(draft: Draft, models: Models) -> Draft:
    """Return the draft with a host for every fact (section 4.2, Appendix I.3).

    Raises:
        ContractError: with the code of what the model could not mend.
    """
    gold = _gold_hosts(draft)
    conversation = models.conversation("route", draft.item.key, route_inputs(draft), RouteReply)
    return await settled(conversation, partial(_routed, draft, gold))


def route_inputs(draft: Draft) -> dict[str, object]:
    """Return what the router's template is filled with."""
    graph = draft.graph
    paths = []
    for path in graph.nodes(PathNode):
        if path.path_kind is PathKind.GOLD:
            continue
        hop = graph.get(hop_id(path.protected_hop), HopNode)
        # One orphaned continuation per hop, so that a Drop leaves a second one (V2).
        sheltered = path.path_kind is PathKind.STRICT and path.candidate == 1 and not hop.terminal
        paths.append(
            {
                "id": path.id,
                "first_in": hop.support if sheltered else None,
                "facts": [_fact(draft, fact) for fact in _own_facts(draft, path.id)],
            }
        )
    return {
        "facts": paths,
        "passages": [
            {"index": each.index, "title": each.page_title, "text": each.text[:_SHOWN]}
            for each in graph.nodes(PassageNode)
            if insertion_points(each.text)
        ],
    }


def _own_facts(draft: Draft, path: str) -> list[str]:
    held = draft.graph.edges(path, EdgeKind.CONTAINS)
    own = [(data["order"], fact) for fact, data in held if not data["inherited"]]
    # The break comes first, whatever the number of its hop.
    return [
        fact
        for _, _, fact in sorted(
            (draft.graph.get(fact, FactNode).status is not FactStatus.BREAK, order, fact)
            for order, fact in own
        )
    ]


def _fact(draft: Draft, fact_id: str) -> dict[str, object]:
    graph = draft.graph
    names, kind = sentence_names(graph, fact_id)
    wording = draft.predicates[graph.get(fact_id, FactNode).predicate].wordings[0]
    forbidden = [
        graph.get(node, PassageNode).index for node in graph.targets(fact_id, EdgeKind.FORBIDS)
    ]
    return {"id": fact_id, "text": render(wording, names, kind), "forbidden": sorted(forbidden)}


def _gold_hosts(draft: Draft) -> dict[str, int]:
    """Return where gold goes: nobody chooses that (H5).

    Raises:
        ContractError: H1 if a support has no text to insert into.
    """
    graph = draft.graph
    hosts = {
        fact.id: graph.get(hop_id(fact.hop), HopNode).support
        for fact in graph.nodes(FactNode)
        if fact.status is FactStatus.GOLD
    }
    usable = {p.index for p in graph.nodes(PassageNode) if insertion_points(p.text)}
    missing = sorted(set(hosts.values()) - usable)
    if missing:
        raise ContractError("H1", f"support passage {missing[0]} has no text to insert into")
    return hosts


def _routed(draft: Draft, gold: dict[str, int], reply: RouteReply, last: bool) -> Draft:
    usable = {p.index for p in draft.graph.nodes(PassageNode) if insertion_points(p.text)}
    known = {fact.id for fact in draft.graph.nodes(FactNode)}
    hosts: dict[str, int] = {}
    for slot in reply.hosts:
        if slot.fact not in known:
            raise ContractError("H1", f"{slot.fact!r} is no fact; use the ids that were given")
        if slot.passage not in usable:
            raise ContractError("H1", f"{slot.fact} cannot go to passage {slot.passage}")
        if hosts.setdefault(slot.fact, slot.passage) != slot.passage:
            raise ContractError("H1", f"{slot.fact} is given two passages")
    # Gold stays where its evidence was, whatever a reply says.
    graph = route(draft.graph, RoutePlan(hosts={**hosts, **gold}))
    return reject_blocking(draft.with_graph(graph), _CODES)
