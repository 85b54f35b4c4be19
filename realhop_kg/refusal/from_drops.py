"""Turns each Drop of a frozen REALHOP item into a question that its passages do not answer (ours).

A Drop becomes a question only if nothing is derivable from what is left: neither the gold answer
nor any other. The reason that a good refusal gives is made from the graph: the step that nothing
states any more.
"""

from __future__ import annotations

from collections.abc import Iterator

from realhop_kg.errors import ContractError
from realhop_kg.graph.dependency import dependencies, terminal
from realhop_kg.graph.derivation import answers
from realhop_kg.graph.operators.drop import lost_with_passage
from realhop_kg.graph.operators.rebind import gold_fact_id
from realhop_kg.graph.reasoning import ReasoningGraph
from realhop_kg.graph.schema import EdgeKind, EvidenceUnit, FactNode
from realhop_kg.model.frozen import FrozenHop, FrozenItem
from realhop_kg.model.refusal_drop import DropRefusal, KeptDrop
from realhop_kg.model.refusal_item import RefusalCode, Topology
from realhop_kg.relations.predicates import Predicates
from realhop_kg.resources import load_yaml

__all__ = [
    "break_position",
    "drop_refusals",
    "left_after_drop",
    "missing_step",
    "still_answered",
]


def left_after_drop(graph: ReasoningGraph, hop: int) -> frozenset[str]:
    """Return the ids of the facts and premises that are left when a hop's support is removed."""
    gold = gold_fact_id(hop)
    lost = {gold, *graph.sources(gold, EdgeKind.COMPOSES), *lost_with_passage(graph, hop)}
    stated = (node.id for model in (FactNode, EvidenceUnit) for node in graph.nodes(model))
    return frozenset(stated) - lost


def still_answered(graph: ReasoningGraph, predicates: Predicates, hop: int) -> bool:
    """Return whether any answer is derivable when the support of a hop is removed.

    Raises:
        ContractError: if the graph cannot be read as evidence.
    """
    return bool(answers(graph, predicates, left_after_drop(graph, hop)))


def break_position(graph: ReasoningGraph, hop: int) -> Topology:
    """Return where a chain breaks without a hop, by the hop's place in the dependency graph."""
    depends = dependencies(graph)
    if hop == terminal(depends):
        return Topology.TERMINAL
    return Topology.MIDDLE if depends[hop] else Topology.ROOT


def drop_refusals(
    item: FrozenItem, graph: ReasoningGraph, predicates: Predicates
) -> Iterator[DropRefusal | KeptDrop]:
    """Yield one question per hop of an item, or why there is none.

    Args:
        item: a frozen REALHOP item.
        graph: its graph.
        predicates: what its predicates entail.
    """
    for hop in item.hops:
        key = f"{item.id}/drop-{hop.index}"
        try:
            answered = still_answered(graph, predicates, hop.index)
        except ContractError as error:
            yield KeptDrop(id=key, code=error.code, message=error.message)
            continue
        if answered:
            message = "an answer is derivable from the passages that are left"
            yield KeptDrop(id=key, code=RefusalCode.K4, message=message)
            continue
        yield DropRefusal(
            id=key,
            item=item.id,
            question=item.question,
            passages=tuple(p for p in item.passages if p.index != hop.support),
            topology=break_position(graph, hop.index),
            depth=len(item.hops),
            broken_step=hop.index,
            removed=hop.support,
            rationale=missing_step(item, hop),
        )


def missing_step(item: FrozenItem, hop: FrozenHop) -> str:
    """Return why an item cannot be answered without the support of a hop."""
    asked = hop.wording.rstrip("?")
    place = f"step {hop.index} of {len(item.hops)}"
    openers = load_yaml("refusal", "words.yaml")["openers"]
    if asked.split()[0].casefold() in openers:
        said = f"No passage answers “{asked}?” ({place})."
    else:
        said = f"No passage says who or what is {asked} ({place})."
    before = [other.answer for other in item.hops if other.index in hop.depends_on]
    led = f" The steps before it lead to {' and '.join(before)}." if before else ""
    return f"{said}{led} Without it the passages establish no answer."
