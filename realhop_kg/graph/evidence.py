"""Facts, premises and the question pattern of a graph as flat records, read in one pass."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from realhop_kg.errors import ContractError
from realhop_kg.graph.dependency import Dependencies, topological
from realhop_kg.graph.reasoning import ReasoningGraph
from realhop_kg.graph.schema import (
    EdgeKind,
    EntityNode,
    EvidenceUnit,
    FactNode,
    FactStatus,
    HopNode,
)

__all__ = ["Evidence", "Statement", "Step", "read_evidence"]

# Looking a member up on the enum class costs several times the comparison.
_SUBJECT, _OBJECT, _ROUTED_TO = EdgeKind.SUBJECT, EdgeKind.OBJECT, EdgeKind.ROUTED_TO
_REALIZES, _COMPOSES = EdgeKind.REALIZES, EdgeKind.COMPOSES


class Statement(NamedTuple):
    """A fact or premise with its edges."""

    id: str
    predicate: str
    hop: int
    slots: tuple[str, ...]
    """Names of the argument slots, sorted, since predicates may declare them in any order."""
    args: tuple[str, ...]
    """Entity ids by slot."""
    value: str
    """Entity id of the value."""
    hosts: tuple[str, ...]
    """Ids of the passages it is routed to."""
    parts_of: tuple[str, ...]
    """Ids of the hop that a fact realizes, or of the facts that a premise composes."""


class Step(NamedTuple):
    """One hop of the question pattern."""

    hop: int
    required: str
    slots: tuple[str, ...]
    sources: tuple[str | int, ...]
    """By slot: an entity id, or the position of the earlier step whose value fills the slot."""
    asked: str
    """Type of the gold value: an entity of another kind is no answer to the step."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """What a derivation needs to know of a graph."""

    facts: dict[str, Statement]
    units: dict[str, Statement]
    premises: dict[str, tuple[Statement, ...]]
    """By id of each split fact: its premises, in their order."""
    gold: dict[int, Statement]
    """Gold fact by hop, in the order of hops."""
    steps: tuple[Step, ...]
    """The question pattern; each step follows those it depends on."""
    dependencies: Dependencies
    types: dict[str, str]
    """Type by entity id."""


def read_evidence(graph: ReasoningGraph) -> Evidence:
    """Read facts, premises and the question pattern of a graph.

    Raises:
        ContractError: G1 if a fact or premise lacks a subject or has not exactly one value, or if
            a hop has not exactly one gold fact, with its slots; D1 if hops depend on each other
            in a cycle.
    """
    edges = dict(graph.nx.adjacency())
    facts = {node.id: _statement(node, edges[node.id]) for node in graph.nodes(FactNode)}
    in_order = sorted(graph.nodes(EvidenceUnit), key=lambda unit: unit.order)
    units = {node.id: _statement(node, edges[node.id]) for node in in_order}
    premises: dict[str, list[Statement]] = {}
    for unit in units.values():
        for fact_id in unit.parts_of:
            premises.setdefault(fact_id, []).append(unit)
    hops = {hop.id: hop for hop in sorted(graph.nodes(HopNode), key=lambda hop: hop.index)}
    gold = _gold(graph, hops, facts)
    types = {entity.id: entity.entity_type for entity in graph.nodes(EntityNode)}
    dependencies, steps = _pattern(hops, dict(_variables(graph, hops, gold)), gold, types)
    split = {fact_id: tuple(members) for fact_id, members in premises.items()}
    return Evidence(facts, units, split, gold, steps, dependencies, types)


def _malformed(node_id: str, trouble: str) -> ContractError:
    return ContractError("G1", f"{node_id} {trouble}", (node_id,))


def _statement(
    node: FactNode | EvidenceUnit, edges: Mapping[str, Mapping[str, Mapping[str, Any]]]
) -> Statement:
    subjects: dict[str, str] = {}
    values: list[str] = []
    hosts: list[str] = []
    parts_of: list[str] = []
    for target, parallel in edges.items():
        for data in parallel.values():
            kind = data["kind"]
            if kind is _SUBJECT:
                if data["slot"] in subjects:
                    raise _malformed(node.id, f"fills slot {data['slot']} twice")
                subjects[data["slot"]] = target
            elif kind is _OBJECT:
                values.append(target)
            elif kind is _ROUTED_TO:
                hosts.append(target)
            elif kind is _REALIZES or kind is _COMPOSES:
                parts_of.append(target)
    if not subjects or len(values) != 1:
        raise _malformed(
            node.id, f"has {len(subjects)} subjects and {len(values)} values, not some and one"
        )
    slots = tuple(sorted(subjects)) if len(subjects) > 1 else tuple(subjects)
    args = tuple([subjects[slot] for slot in slots])
    return Statement(
        node.id, node.predicate, node.hop, slots, args, values[0], tuple(hosts), tuple(parts_of)
    )


def _gold(
    graph: ReasoningGraph, hops: Mapping[str, HopNode], facts: Mapping[str, Statement]
) -> dict[int, Statement]:
    realizing: dict[str, list[Statement]] = {hop_id: [] for hop_id in hops}
    for node in graph.nodes(FactNode):
        if node.status is FactStatus.GOLD:
            for hop_id in facts[node.id].parts_of:
                realizing[hop_id].append(facts[node.id])
    gold: dict[int, Statement] = {}
    for hop in hops.values():
        found = realizing[hop.id]
        if len(found) != 1:
            raise _malformed(hop.id, f"has {len(found)} gold facts, not one")
        if found[0].slots != tuple(sorted(hop.slots)):
            raise _malformed(
                found[0].id, f"fills slots {list(found[0].slots)}, but {hop.id} has {hop.slots}"
            )
        if hop.index in gold:
            raise _malformed(hop.id, f"has index {hop.index}, as another hop")
        gold[hop.index] = found[0]
    return gold


def _variables(
    graph: ReasoningGraph, hops: Mapping[str, HopNode], gold: Mapping[int, Statement]
) -> Iterator[tuple[int, dict[str, int]]]:
    """Yield each hop with the earlier hop that fills a slot, by slot."""
    for hop in hops.values():
        filled: dict[str, int] = {}
        for target, data in graph.edges(hop.id, EdgeKind.DEPENDS_ON):
            slot = data["slot"]
            if slot in filled or slot not in gold[hop.index].slots:
                trouble = "fills it twice" if slot in filled else "has no such slot"
                raise _malformed(hop.id, f"takes slot {slot} from {target}, but {trouble}")
            filled[slot] = hops[target].index
        yield hop.index, filled


def _pattern(
    hops: Mapping[str, HopNode],
    variables: Mapping[int, Mapping[str, int]],
    gold: Mapping[int, Statement],
    types: Mapping[str, str],
) -> tuple[Dependencies, tuple[Step, ...]]:
    dependencies = {hop: tuple(dict.fromkeys(filled.values())) for hop, filled in variables.items()}
    place = {hop: at for at, hop in enumerate(topological(dependencies))}
    required = {hop.index: hop.required for hop in hops.values()}
    steps = []
    for hop in place:
        fact, filled = gold[hop], variables[hop]
        sources = tuple(
            place[filled[slot]] if slot in filled else constant
            for slot, constant in zip(fact.slots, fact.args, strict=True)
        )
        steps.append(Step(hop, required[hop], fact.slots, sources, types[fact.value]))
    return dependencies, tuple(steps)
