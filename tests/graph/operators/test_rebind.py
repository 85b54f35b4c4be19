from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings

from realhop_kg.errors import ContractError
from realhop_kg.graph.build import source_graph
from realhop_kg.graph.dependency import dependencies
from realhop_kg.graph.operators import rebind
from realhop_kg.graph.schema import (
    EdgeKind,
    EntityNode,
    FactNode,
    FactStatus,
    HopNode,
    ItemNode,
    PathNode,
    Side,
)
from realhop_kg.model.entity import EntityRole, Origin
from realhop_kg.model.plan import PlannedEntity, PlannedHop, RebindPlan
from tests.graph.dags import DAGS, random_dags
from tests.graph.operators.plans import Plans

Deps = dict[int, tuple[int, ...]]


@given(random_dags())
@settings(max_examples=30, deadline=None, derandomize=True)
def test_every_hop_gets_one_gold_fact_with_the_answers_it_depends_on(deps: Deps) -> None:
    graph = Plans(deps).rebound()
    assert [fact.id for fact in graph.nodes(FactNode)] == [f"f:g.h{hop}" for hop in deps]
    for hop, before in deps.items():
        fact = f"f:g.h{hop}"
        assert graph.get(fact, FactNode).status is FactStatus.GOLD
        expected = {f"e:h{earlier}" for earlier in before} or {f"e:q{hop}"}
        assert set(graph.targets(fact, EdgeKind.SUBJECT)) == expected
        assert graph.targets(fact, EdgeKind.OBJECT) == [f"e:h{hop}"]
        assert graph.targets(fact, EdgeKind.REALIZES) == [f"h{hop}"]
    held = [(to, data["order"], data["inherited"]) for to, data in graph.edges("path:g", CONTAINS)]
    assert held == [(f"f:g.h{hop}", hop, False) for hop in deps]
    assert dependencies(graph) == deps


CONTAINS = EdgeKind.CONTAINS


def test_the_constructed_item_stands_beside_the_source_and_shares_hops_and_passages() -> None:
    plans = Plans(DAGS["3hop2"])
    graph = plans.rebound()
    item, source = graph.get("item", ItemNode), graph.get("source", ItemNode)
    answer = plans.gold.entities[-1].virtual.surface
    assert (item.side, source.side) == (Side.CONSTRUCTED, Side.SOURCE)
    assert (item.question, item.answer) == (plans.gold.question, answer)
    assert (source.question, source.answer) == ("What is asked?", "Old 3")
    for kind in (EdgeKind.HAS_HOP, EdgeKind.HAS_PASSAGE):
        assert graph.targets("item", kind) == graph.targets("source", kind)
    assert graph.targets("item", EdgeKind.HAS_PATH) == ["path:g"]
    assert graph.get("path:g", PathNode).endpoint == answer


def test_every_virtual_entity_stands_for_a_source_entity_of_its_type_and_role() -> None:
    graph = Plans(DAGS["diamond"]).rebound()
    virtual = [node for node in graph.nodes(EntityNode) if node.origin is Origin.VIRTUAL]
    assert {node.id: node.role for node in virtual} == {
        "e:q1": EntityRole.QUESTION,
        "e:h1": EntityRole.BRIDGE,
        "e:h2": EntityRole.BRIDGE,
        "e:h3": EntityRole.BRIDGE,
        "e:h4": EntityRole.ANSWER,
    }
    for node in virtual:
        twin: EntityNode = graph.target(node.id, EdgeKind.REBINDS)
        assert twin.id == node.id.replace("e:", "s:")
        assert (twin.origin, twin.role, twin.entity_type) == (
            Origin.SOURCE,
            node.role,
            node.entity_type,
        )


def test_a_hop_learns_its_relation_and_its_dependencies_become_slots() -> None:
    graph = Plans(DAGS["3hop2"]).rebound()
    hop = graph.get("h3", HopNode)
    assert (hop.relation, hop.required, hop.slots, hop.terminal) == ("r3", "r3", ["x", "w"], True)
    assert (hop.source_answer, hop.support) == ("Old 3", 2)
    edges = [(to, data["slot"]) for to, data in graph.edges("h3", EdgeKind.DEPENDS_ON)]
    assert edges == [("h1", "x"), ("h2", "w")]


# --- contracts


def changed(plan: RebindPlan, ref: str, /, **fields: Any) -> RebindPlan:
    """Return the plan with other fields of one entity (`h1`) or one fact (`1`)."""
    entities: tuple[PlannedEntity, ...] = tuple(
        entity.model_copy(update=fields) if entity.ref == ref else entity
        for entity in plan.entities
    )
    hops: tuple[PlannedHop, ...] = tuple(
        hop.model_copy(update=fields) if str(hop.index) == ref else hop for hop in plan.hops
    )
    return plan.model_copy(update={"entities": entities, "hops": hops})


def named(plan: RebindPlan, ref: str) -> Any:
    return next(entity.virtual for entity in plan.entities if entity.ref == ref)


@pytest.mark.parametrize(
    ("code", "message", "change"),
    [
        ("G1", "one fact per hop", lambda p: p.model_copy(update={"hops": p.hops[:-1]})),
        ("G1", "one fact per hop", lambda p: p.model_copy(update={"hops": (*p.hops, p.hops[0])})),
        ("G1", "hop 3 does not use", lambda p: changed(p, "3", slots={"x": "h1", "w": "q1"})),
        ("G1", "hop 1 does not use", lambda p: changed(p, "1", slots={"x": "h2"})),
        ("R1", "hop 3 uses q9", lambda p: changed(p, "3", slots={"x": "h1", "w": "h2", "z": "q9"})),
        ("R1", "hop 1 uses h1", lambda p: changed(p, "h1", ref="h7")),
        ("R2", "h1 and h2 have one source name", lambda p: changed(p, "h2", source="the Old 1")),
        ("R2", "q1 and h1 have one virtual", lambda p: changed(p, "h1", virtual=named(p, "q1"))),
        (
            "R6",
            "the answer of h2 keeps its name",
            lambda p: changed(p, "h2", source=named(p, "h2").surface.upper()),
        ),
    ],
)
def test_a_plan_that_breaks_a_contract_is_refused_by_its_code(
    code: str, message: str, change: Any
) -> None:
    plans = Plans(DAGS["3hop2"])
    graph = source_graph(plans.item)
    before = graph.to_node_link()
    with pytest.raises(ContractError, match=message) as caught:
        rebind(graph, change(plans.gold))
    assert caught.value.code == code
    assert graph.to_node_link() == before
