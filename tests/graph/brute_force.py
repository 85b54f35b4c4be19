"""Reference derivation: sets, a naive fixpoint, and every assignment of entities to hops.

It shares no code with the engine and reads the graph by itself, slowly.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from itertools import product

from realhop_kg.graph.reasoning import ReasoningGraph
from realhop_kg.graph.schema import (
    EdgeKind,
    EntityNode,
    EvidenceUnit,
    FactNode,
    FactStatus,
    HopNode,
)
from realhop_kg.relations.predicates import Predicates

Slots = frozenset[tuple[str, str]]
Atom = tuple[str, Slots, str]
Shape = list[tuple[str, frozenset[str]]]


def stated(graph: ReasoningGraph, node_id: str) -> Atom:
    """Return what a fact or premise states."""
    node = graph[node_id]
    assert isinstance(node, FactNode | EvidenceUnit)
    slots = frozenset(
        (edge["slot"], entity) for entity, edge in graph.edges(node_id, EdgeKind.SUBJECT)
    )
    return node.predicate, slots, graph.targets(node_id, EdgeKind.OBJECT)[0]


def premises(graph: ReasoningGraph, fact_id: str) -> list[str]:
    """Return the premises of a fact in their order."""
    units = [graph.get(unit, EvidenceUnit) for unit in graph.sources(fact_id, EdgeKind.COMPOSES)]
    return [unit.id for unit in sorted(units, key=lambda unit: unit.order)]


def holding(
    graph: ReasoningGraph, predicates: Predicates, removed: Collection[str] = ()
) -> set[Atom]:
    """Return every atom that follows when some facts and premises are removed."""
    facts = [fact.id for fact in graph.nodes(FactNode)]
    units = [unit.id for unit in graph.nodes(EvidenceUnit)]
    rules = [
        (stated(graph, fact), [_form(stated(graph, unit)) for unit in premises(graph, fact)])
        for fact in facts
        if len(premises(graph, fact)) > 1
    ]
    base = [fact for fact in facts if not premises(graph, fact)] + units
    atoms = {stated(graph, node) for node in base if node not in removed}
    while True:
        more = set(_consequences(atoms, predicates))
        for head, shape in rules:
            more |= set(_joined(head, shape, atoms))
        if more <= atoms:
            return atoms
        atoms |= more


def bindings(
    graph: ReasoningGraph,
    predicates: Predicates,
    removed: Collection[str] = (),
    parents: Mapping[str, str] | None = None,
) -> set[tuple[str, ...]]:
    """Return every assignment of entities to hops, by hop index, that satisfies all hops.

    With `parents`, an entity answers a hop only if its type is that of the gold value, above it
    or below it.
    """
    atoms = holding(graph, predicates, removed)
    hops = sorted(graph.nodes(HopNode), key=lambda hop: hop.index)
    gold = {hop.id: stated(graph, gold_fact(graph, hop)) for hop in hops}
    variable = {
        hop.id: [
            (edge["slot"], earlier) for earlier, edge in graph.edges(hop.id, EdgeKind.DEPENDS_ON)
        ]
        for hop in hops
    }
    found = set()
    for chosen in product(*(_of_one_kind(graph, gold[hop.id][2], parents or {}) for hop in hops)):
        answer = {hop.id: entity for hop, entity in zip(hops, chosen, strict=True)}
        wanted = (
            (
                hop.required,
                dict(gold[hop.id][1]) | {slot: answer[to] for slot, to in variable[hop.id]},
                answer[hop.id],
            )
            for hop in hops
        )
        if all((name, frozenset(slots.items()), value) in atoms for name, slots, value in wanted):
            found.add(chosen)
    return found


def _of_one_kind(graph: ReasoningGraph, value: str, parents: Mapping[str, str]) -> list[str]:
    """Return the entities whose type and that of `value` lie on one line of parents."""

    def line(entity_type: str) -> list[str]:
        return [entity_type, *(line(parents[entity_type]) if entity_type in parents else [])]

    entities = graph.nodes(EntityNode)
    wanted = line(graph.get(value, EntityNode).entity_type)
    lines = {entity.id: line(entity.entity_type) for entity in entities}
    return [
        entity
        for entity, types in lines.items()
        if not parents or types[0] in wanted or wanted[0] in types
    ]


def gold_fact(graph: ReasoningGraph, hop: HopNode) -> str:
    """Return the id of a hop's gold fact."""
    realizing = graph.sources(hop.id, EdgeKind.REALIZES)
    gold = [f for f in realizing if graph.get(f, FactNode).status is FactStatus.GOLD]
    return gold[0]


def _form(atom: Atom) -> tuple[str, frozenset[str]]:
    return atom[0], frozenset(slot for slot, _ in atom[1])


def _consequences(atoms: set[Atom], predicates: Predicates) -> Iterator[Atom]:
    for name, slots, value in atoms:
        known = predicates.get(name)
        if known is None:
            continue
        for weaker in known.entails:
            yield weaker, slots, value
        if len(slots) == 1:
            ((slot, entity),) = slots
            turned = frozenset({(slot, value)})
            if known.inverse:
                yield known.inverse, turned, entity
            if known.symmetric:
                yield name, turned, entity
            if known.transitive:
                for other, other_slots, other_value in atoms:
                    if other == name and other_slots == turned:
                        yield name, slots, other_value


def _joined(head: Atom, shape: Shape, atoms: set[Atom]) -> Iterator[Atom]:
    """Yield what a rule concludes: try every atom of the right form at every place."""
    wanted = _form(head)[1]
    for chain in product(*([atom for atom in atoms if _form(atom) == form] for form in shape)):
        given = [dict(slots) for _, slots, _ in chain]
        keys = [slots.pop("k", None) for slots in given[1:]]
        if keys != [value for _, _, value in chain[:-1]]:
            continue
        every = {pair for slots in given for pair in slots.items()}
        merged = dict(every)
        if len(merged) == len(every) and wanted <= merged.keys():
            slots = frozenset((slot, merged[slot]) for slot in wanted)
            yield head[0], slots, chain[-1][2]
