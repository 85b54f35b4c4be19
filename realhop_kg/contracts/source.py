"""B1, B2, D1, D2: the item is answerable, well-formed, and its hops form a DAG with supports."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from realhop_kg.contracts.subject import ItemView
from realhop_kg.errors import ContractError
from realhop_kg.graph.dependency import check_dag, topology
from realhop_kg.graph.schema import EdgeKind, EvidenceUnit, FactNode, NodeBase, PathNode
from realhop_kg.model.finding import Code, Finding

__all__ = ["check_answerable", "check_dependencies", "check_supports", "check_well_formed"]


def check_answerable(view: ItemView) -> Iterator[Finding]:
    """B1: question and answers have answers to compare with, on both sides."""
    for item in (view.item, view.source):
        if not item.answer.strip():
            yield view.finding(Code.B1, f"the {item.side} question has no answer", item.id)
        if any(not alias.strip() for alias in item.aliases):
            yield view.finding(Code.B1, f"the {item.side} answer has a blank alias", item.id)


def check_well_formed(view: ItemView) -> Iterator[Finding]:
    """B2: items, hops, passages, paths, facts and premises hang together as they must."""
    yield from _items(view)
    yield from _hops(view)
    yield from _membership(view)
    yield from _facts(view)
    yield from _units(view)


def _items(view: ItemView) -> Iterator[Finding]:
    item, source = view.item, view.source
    for field in ("item_key", "dataset", "source_id"):
        ours, theirs = getattr(item, field), getattr(source, field)
        if not ours or ours != theirs:
            message = f"{field} is {ours!r} on one side and {theirs!r} on the other"
            yield view.finding(Code.B2, message, item.id, source.id)
    shape = topology(view.dependencies)
    for side in (item, source):
        if not side.question.strip():
            yield view.finding(Code.B2, f"the {side.side} question is empty", side.id)
        if side.topology != shape:
            message = f"topology says {side.topology}, the dependencies are a {shape}"
            yield view.finding(Code.B2, message, side.id)


def _hops(view: ItemView) -> Iterator[Finding]:
    if list(view.hops) != list(range(1, len(view.hops) + 1)):
        yield view.finding(Code.B2, f"hops are numbered {list(view.hops)}, not from 1 on")
    needed = {earlier for before in view.dependencies.values() for earlier in before}
    for hop in view.hops.values():
        for field in ("source_step", "source_answer", "relation", "required"):
            if not getattr(hop, field).strip():
                yield view.finding(Code.B2, f"hop {hop.index} has no {field}", hop.id)
        if hop.terminal == (hop.index in needed):
            message = f"hop {hop.index} is {'' if hop.terminal else 'not '}marked as terminal"
            yield view.finding(Code.B2, message, hop.id)


def _membership(view: ItemView) -> Iterator[Finding]:
    hops: list[NodeBase] = list(view.hops.values())
    passages: list[NodeBase] = list(view.passages.values())
    paths: list[NodeBase] = list(view.graph.nodes(PathNode))
    for item, kind, members in (
        (view.item, EdgeKind.HAS_HOP, hops),
        (view.source, EdgeKind.HAS_HOP, hops),
        (view.item, EdgeKind.HAS_PASSAGE, passages),
        (view.source, EdgeKind.HAS_PASSAGE, passages),
        (view.item, EdgeKind.HAS_PATH, paths),
        (view.source, EdgeKind.HAS_PATH, []),
    ):
        odd = sorted(set(view.targets(item.id, kind)) ^ {node.id for node in members})
        if odd:
            message = f"{kind} of {item.id} is missing or wrong for {', '.join(odd)}"
            yield view.finding(Code.B2, message, item.id, *odd)


def _facts(view: ItemView) -> Iterator[Finding]:
    own: Counter[str] = Counter()
    for path_id, held in view.out[EdgeKind.CONTAINS].items():
        for fact_id, data in held:
            own[fact_id] += not data["inherited"]
            if data["order"] != view.graph.get(fact_id, FactNode).hop:
                message = f"{path_id} holds {fact_id} at place {data['order']}, not at its hop"
                yield view.finding(Code.B2, message, path_id, fact_id)
    for fact in view.graph.nodes(FactNode):
        hop = view.hops.get(fact.hop)
        if hop is None or view.targets(fact.id, EdgeKind.REALIZES) != [hop.id]:
            message = f"{fact.id} does not realize hop {fact.hop}, and that one alone"
            yield view.finding(Code.B2, message, fact.id)
        if own[fact.id] != 1:
            message = f"{fact.id} is the own fact of {own[fact.id]} paths, not of one"
            yield view.finding(Code.B2, message, fact.id)


def _units(view: ItemView) -> Iterator[Finding]:
    for unit in view.graph.nodes(EvidenceUnit):
        facts = view.targets(unit.id, EdgeKind.COMPOSES)
        if len(facts) != 1:
            message = f"{unit.id} is a premise of {len(facts)} facts, not of one"
            yield view.finding(Code.B2, message, unit.id)
        elif view.graph.get(facts[0], FactNode).hop != unit.hop:
            yield view.finding(Code.B2, f"{unit.id} has another hop than its fact", unit.id)


def check_dependencies(view: ItemView) -> Iterator[Finding]:
    """D1: the dependencies are a DAG with one terminal hop that every hop reaches."""
    try:
        check_dag(view.dependencies)
    except ContractError as error:
        yield view.finding(Code.D1, error.message, *(hop.id for hop in view.hops.values()))


def check_supports(view: ItemView) -> Iterator[Finding]:
    """D2: every hop has a support passage of its own."""
    taken: dict[int, str] = {}
    for hop in view.hops.values():
        if hop.support not in view.passages:
            message = f"hop {hop.index} has support {hop.support}, which is no passage"
            yield view.finding(Code.D2, message, hop.id)
            continue
        other = taken.setdefault(hop.support, hop.id)
        if other != hop.id:
            message = f"{other} and {hop.id} have one support passage, {hop.support}"
            yield view.finding(Code.D2, message, other, hop.id, view.passages[hop.support].id)
