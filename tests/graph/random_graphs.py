"""Hypothesis strategies for small random graphs, with predicates and worlds to derive in."""

from __future__ import annotations

from typing import NamedTuple

from hypothesis import strategies as st

from realhop_kg.graph.reasoning import ReasoningGraph
from realhop_kg.graph.schema import EdgeKind, FactNode, FactStatus, HopNode, PathKind
from realhop_kg.relations.predicates import Predicate, Predicates, link_of, value_of
from tests.graph.graphs import Sketch, predicate


class Case(NamedTuple):
    """A random graph with predicates and worlds to derive in."""

    graph: ReasoningGraph
    predicates: Predicates
    parents: dict[str, str]
    """Parent by entity type; empty where types do not count."""
    worlds: list[frozenset[str]]


PARENTS = {"place": "thing", "city": "place", "county": "place", "person": "thing"}

_NAMES = ["e0", "e1", "e2"]
_ENTITIES = st.sampled_from(_NAMES)
_KEYS = st.sampled_from(["k0", "k1", "e0"])
_TYPES = st.sampled_from(["thing", "thing", "place", "city", "county", "person"])
_BY_SLOTS = {
    ("x",): ["p0", "p1", "p2"],
    ("x", "z"): ["q0", "q1"],
    ("w", "x", "z"): ["r0"],
}


@st.composite
def random_predicates(draw: st.DrawFn, parents: dict[str, str]) -> Predicates:
    """Draw predicates whose entailments may be cyclic; premises may entail each other too."""
    every: list[Predicate] = []
    for slots, names in _BY_SLOTS.items():
        binary = slots == ("x",)
        for name in names:
            others = st.lists(st.sampled_from(names), max_size=1)
            every.append(
                predicate(
                    name,
                    slots,
                    entails=tuple(draw(others)),
                    inverse=draw(st.sampled_from(["", "", *names])) if binary else "",
                    symmetric=binary and draw(st.integers(0, 3)) == 0,
                    transitive=binary and draw(st.integers(0, 3)) == 0,
                )
            )
            if draw(st.integers(0, 4)) == 0:
                target = link_of(draw(st.sampled_from(names)), 1)
                every.append(predicate(link_of(name, 1), slots, entails=(target,)))
    return Predicates(every, parents)


@st.composite
def random_cases(draw: st.DrawFn, routed: bool = False) -> Case:
    """Draw a DAG of up to four hops, gold, other facts, splits with shared keys, and worlds."""
    sketch = Sketch()
    for entity in _NAMES:
        sketch.entity(entity, draw(_TYPES))
    order = _random_pattern(draw, sketch)
    facts = [_random_gold(draw, sketch, index) for index in order]
    for number in range(draw(st.integers(0, 8))):
        hop = sketch.graph.get(f"h{draw(st.sampled_from(order))}", HopNode)
        name = draw(st.sampled_from([hop.required, *_BY_SLOTS[tuple(hop.slots)]]))
        subjects = {slot: draw(_ENTITIES) for slot in hop.slots}
        status = draw(st.sampled_from([FactStatus.BREAK, FactStatus.CONTINUATION]))
        facts.append(
            sketch.fact(f"f{number}", name, hop.index, draw(_ENTITIES), status, **subjects)
        )
    stated = [*facts, *(unit for fact in facts for unit in _random_split(draw, sketch, fact))]
    if routed:
        _random_paths(draw, sketch, order, facts)
        for node_id in stated:
            if draw(st.integers(0, 9)):
                sketch.route(draw(st.integers(0, 3)), node_id)
    worlds = draw(st.lists(st.frozensets(st.sampled_from(stated), max_size=5), max_size=5))
    parents = draw(st.sampled_from([{}, PARENTS]))
    return Case(sketch.graph, draw(random_predicates(parents)), parents, [frozenset(), *worlds])


def _random_pattern(draw: st.DrawFn, sketch: Sketch) -> list[int]:
    """Add hops in an order of dependence that is not always that of their indices."""
    count = draw(st.integers(1, 4))
    order = draw(st.permutations(range(1, count + 1)))
    feeds: dict[int, list[int]] = {index: [] for index in order}
    for needed in (True, False):  # first one use of every hop, so that one is terminal; then more
        for place, index in enumerate(order[:-1]):
            free = [later for later in order[place + 1 :] if len(feeds[later]) < 3]
            if free and (needed or draw(st.booleans())):
                feeds[draw(st.sampled_from(free))].append(index)
    for place, index in enumerate(order):
        slots = draw(st.sampled_from([s for s in _BY_SLOTS if len(s) >= len(feeds[index])]))
        depends = dict(zip(slots, feeds[index], strict=False))
        required = draw(st.sampled_from(_BY_SLOTS[slots]))
        sketch.hop(index, required, depends, slots, terminal=place == count - 1)
    return list(order)


def _random_gold(draw: st.DrawFn, sketch: Sketch, index: int) -> str:
    """Add a gold fact that takes the values of the gold facts before it."""
    hop = sketch.graph.get(f"h{index}", HopNode)
    subjects = {slot: draw(_ENTITIES) for slot in hop.slots}
    for earlier, edge in sketch.graph.edges(hop.id, EdgeKind.DEPENDS_ON):
        subjects[edge["slot"]] = sketch.graph.target(f"g{earlier[1:]}", EdgeKind.OBJECT).id
    names = _BY_SLOTS[tuple(hop.slots)]
    name = draw(st.sampled_from([hop.required] * 3 + names))
    return sketch.fact(f"g{index}", name, index, draw(_ENTITIES), FactStatus.GOLD, **subjects)


def _random_split(draw: st.DrawFn, sketch: Sketch, fact_id: str) -> list[str]:
    """Split a fact, or not; the last premise may repeat a slot, or break the chain."""
    form = draw(st.sampled_from(["whole", "whole", "chain", "chain", "repeat", "broken"]))
    if form == "whole":
        return []
    keys = draw(st.lists(_KEYS, min_size=1, max_size=2))
    if form == "chain":
        return sketch.split(fact_id, *keys, frame=draw(st.integers(1, 2)))
    name = sketch.graph.get(fact_id, FactNode).predicate
    ends = {edge["slot"]: entity for entity, edge in sketch.graph.edges(fact_id, EdgeKind.SUBJECT)}
    value = sketch.graph.target(fact_id, EdgeKind.OBJECT).id
    units = []
    if form == "repeat":  # the slot x stands in both premises, or in the last one only
        first = {slot: end for slot, end in ends.items() if slot != "x" or draw(st.booleans())}
        first = first or ends
        units.append(sketch.unit(fact_id, 1, link_of(name, 3), keys[0], **first))
        units.append(sketch.unit(fact_id, 2, value_of(name, 3), value, k=keys[0], x=ends["x"]))
    elif draw(st.booleans()):  # a single premise is no join
        units.append(sketch.unit(fact_id, 1, link_of(name, 1), value, **ends))
    else:  # no premise names the key
        units.append(sketch.unit(fact_id, 1, link_of(name, 1), keys[0], **ends))
        units.append(sketch.unit(fact_id, 2, value_of(name, 1), value, x=keys[0]))
    return units


def _random_paths(draw: st.DrawFn, sketch: Sketch, order: list[int], facts: list[str]) -> None:
    sketch.path("gold", PathKind.GOLD, [f"g{index}" for index in order])
    for number in range(draw(st.integers(0, 4))):
        chosen = [
            draw(st.sampled_from([f for f in facts if sketch.graph.get(f, FactNode).hop == index]))
            for index in order
            if draw(st.integers(0, 7))
        ]
        if chosen:
            protects, breaks = draw(st.sampled_from(order)), draw(st.sampled_from(order))
            kind = draw(st.sampled_from([PathKind.STRICT, PathKind.FLEXIBLE]))
            sketch.path(f"c{number}", kind, chosen, protects, breaks)
