from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings

from realhop_kg.errors import ContractError
from realhop_kg.graph.dependency import descendants, terminal
from realhop_kg.graph.operators import branch_flexible, branch_strict
from realhop_kg.graph.operators.branch import path_id
from realhop_kg.graph.schema import (
    EdgeKind,
    EntityNode,
    EvidenceUnit,
    FactNode,
    FactStatus,
    HopNode,
    PathKind,
    PathNode,
)
from realhop_kg.model.entity import EntityRole
from realhop_kg.model.plan import BranchPlan, PlannedName, Split
from realhop_kg.relations.predicates import Predicates
from tests.graph.dags import DAGS, random_dags
from tests.graph.operators.plans import PARENTS, Plans

Deps = dict[int, tuple[int, ...]]


def test_a_path_is_named_by_family_hop_and_candidate() -> None:
    assert path_id(PathKind.STRICT, 1, 1) == "path:s1a"
    assert path_id(PathKind.FLEXIBLE, 3, 2) == "path:f3b"


@given(random_dags())
@settings(max_examples=20, deadline=None, derandomize=True)
def test_a_path_makes_r_of_h_anew_and_inherits_gold_elsewhere(deps: Deps) -> None:
    plans = Plans(deps)
    graph = plans.branched()
    competitors = [p for p in graph.nodes(PathNode) if p.path_kind is not PathKind.GOLD]
    assert len(competitors) == 3 * len(deps)
    for path in competitors:
        stem = path.id.removeprefix("path:")
        anew = descendants(deps, path.protected_hop) | {path.protected_hop}
        for fact, data in graph.edges(path.id, EdgeKind.CONTAINS):
            hop = data["order"]
            assert data["inherited"] == (hop not in anew)
            assert fact == (f"f:{stem}.h{hop}" if hop in anew else f"f:g.h{hop}")
            assert graph.targets(fact, EdgeKind.REALIZES) == [f"h{hop}"]
        assert {d["order"] for _, d in graph.edges(path.id, EdgeKind.CONTAINS)} == set(deps)


@given(random_dags())
@settings(max_examples=20, deadline=None, derandomize=True)
def test_facts_of_a_path_take_its_own_values_where_they_depend_on_them(deps: Deps) -> None:
    plans = Plans(deps)
    graph = plans.branched()
    for path in (p for p in graph.nodes(PathNode) if p.path_kind is not PathKind.GOLD):
        stem = path.id.removeprefix("path:")
        anew = descendants(deps, path.protected_hop) | {path.protected_hop}
        for hop in anew:
            fact = graph.get(f"f:{stem}.h{hop}", FactNode)
            breaks = hop == path.protected_hop
            assert fact.status is (FactStatus.BREAK if breaks else FactStatus.CONTINUATION)
            assert fact.predicate.startswith(f"r{hop}.m" if breaks else f"r{hop}")
            expected = {
                f"e:{stem}.h{earlier}" if earlier in anew else f"e:h{earlier}"
                for earlier in deps[hop]
            } or {f"e:q{hop}"}
            assert set(graph.targets(fact.id, EdgeKind.SUBJECT)) == expected
            assert graph.targets(fact.id, EdgeKind.OBJECT) == [f"e:{stem}.h{hop}"]
            units = graph.sources(fact.id, EdgeKind.COMPOSES)
            assert len(units) == (2 if hop in plans.splits else 0)
        last = terminal(deps)
        assert path.endpoint == graph.get(f"e:{stem}.h{last}", EntityNode).surface


def test_values_of_a_path_are_competitors_of_the_type_and_kind_of_gold() -> None:
    graph = Plans(DAGS["2hop"]).branched()
    value, gold = graph.get("e:s1a.h2", EntityNode), graph.get("e:h2", EntityNode)
    assert value.role is EntityRole.COMPETITOR
    assert (value.entity_type, value.asked_kind) == (gold.entity_type, gold.asked_kind)
    assert graph.sources("e:s1a.h1", EdgeKind.OBJECT) == ["f:s1a.h1"]


def test_a_path_protects_and_breaks_at_its_hop() -> None:
    graph = Plans(DAGS["3hop1"]).branched()
    assert graph.targets("path:s2b", EdgeKind.PROTECTS) == ["h2"]
    assert graph.targets("path:s2b", EdgeKind.BREAKS_AT) == ["h2"]
    assert "path:s2b" in graph.targets("item", EdgeKind.HAS_PATH)


@given(random_dags())
@settings(max_examples=15, deadline=None, derandomize=True)
def test_the_protected_support_is_forbidden_to_flexible_paths_and_their_facts_alone(
    deps: Deps,
) -> None:
    graph = Plans(deps).branched()
    for path in graph.nodes(PathNode):
        own = Plans.own(graph, path.id)
        flexible = path.path_kind is PathKind.FLEXIBLE
        support = f"p{path.protected_hop - 1}"
        for node in (path.id, *own):
            assert graph.targets(node, EdgeKind.FORBIDS) == ([support] if flexible else [])


# --- contracts


def only(plan: BranchPlan, **fields: Any) -> list[BranchPlan]:
    return [plan.model_copy(update=fields)]


def two_names(plan: BranchPlan, **first: Any) -> list[BranchPlan]:
    """Give the values of hops 1 and 3 one name, or an alias of it."""
    values = dict(plan.values)
    name = values[3].surface
    values[1] = PlannedName(surface=name) if not first else PlannedName(**first, aliases=(name,))
    return only(plan, values=values)


VIOLATIONS: list[tuple[str, str, str, Any]] = [
    ("S2", "F1", "R.h. is", lambda p, _: only(p, values={1: p.values[1]})),
    ("S2", "F1", "R.h. is", lambda p, _: only(p, values={**p.values, 2: PlannedName(surface="V")})),
    ("S4", "F2", "r1.m9 is no near-miss of r1", lambda p, _: only(p, near_miss="r1.m9")),
    ("S4", "F2", "r2.m1 is no near-miss of r1", lambda p, _: only(p, near_miss="r2.m1")),
    ("S4", "F2", "r1 is no near-miss of r1", lambda p, _: only(p, near_miss="r1")),
    ("S5a", "S5a", "is planned twice", lambda p, _: [p, fresh(p)]),
    ("S5b", "S5b", "is the name of e:h1", lambda p, g: only(p, values=named(p, g, "e:h1"))),
    ("S5b", "S5b", "is the name of s:q1", lambda p, g: only(p, values=named(p, g, "s:q1"))),
    ("S5b", "S5b", "is the name of e:.1a.h1", lambda p, _: two_names(p)),
    ("S5b", "S5b", "is the name of e:.1a.h1", lambda p, _: two_names(p, surface="Vother")),
    ("G3", "G3", r"hops \[\] are split where gold's are \[1, 3\]", lambda p, _: only(p, splits={})),
    (
        "G3",
        "G3",
        "joins two facts",
        lambda p, g: only(
            p, splits=p.splits | {1: Split(frame=0, key=g.get("k:g.h3", EntityNode).surface)}
        ),
    ),
    (
        "G3",
        "G3",
        "is not declared",
        lambda p, _: only(p, splits=p.splits | {1: Split(frame=7, key="ledger")}),
    ),
]


def fresh(plan: BranchPlan) -> BranchPlan:
    """Return a plan for the same candidate with other names."""
    values = {hop: PlannedName(surface=f"W{name.surface}") for hop, name in plan.values.items()}
    splits = {hop: Split(frame=0, key=f"new {split.key}") for hop, split in plan.splits.items()}
    return plan.model_copy(update={"values": values, "splits": splits})


def named(plan: BranchPlan, graph: Any, entity: str) -> dict[int, PlannedName]:
    taken = graph.get(entity, EntityNode).surface
    return plan.values | {3: PlannedName(surface=f"the {taken.upper()}")}


@pytest.mark.parametrize(("strict", "flexible", "message", "change"), VIOLATIONS)
@pytest.mark.parametrize("family", [PathKind.STRICT, PathKind.FLEXIBLE])
def test_a_plan_that_breaks_a_contract_is_refused_by_its_code(
    family: PathKind, strict: str, flexible: str, message: str, change: Any
) -> None:
    plans = Plans(DAGS["3hop2"])
    graph = plans.factorized()
    before = graph.to_node_link()
    branch, wanted = (
        (branch_strict, strict) if family is PathKind.STRICT else (branch_flexible, flexible)
    )
    with pytest.raises(ContractError, match=message) as caught:
        branch(graph, change(plans.strict[0], graph), plans.predicates)
    assert caught.value.code == wanted
    assert graph.to_node_link() == before


def test_a_near_miss_that_nobody_audited_is_refused() -> None:
    plans = Plans(DAGS["2hop"])
    unread = plans.predicates["r1.m1"].model_copy(update={"audit": ""})
    predicates = Predicates([*plans.predicates.values(), unread], PARENTS)
    with pytest.raises(ContractError, match=r"^S4: nobody has audited near-miss r1\.m1"):
        branch_strict(plans.factorized(), plans.strict, predicates)


@pytest.mark.parametrize("needed", ["r1", "weaker"])
def test_a_near_miss_that_entails_what_is_annotated_or_asked_is_refused(needed: str) -> None:
    plans = Plans(DAGS["2hop"])
    liar = plans.predicates["r1.m1"].model_copy(update={"entails": ("between",)})
    between = plans.predicates["r1"].model_copy(update={"id": "between", "entails": (needed,)})
    graph = plans.factorized()
    graph.add(graph.get("h1", HopNode).model_copy(update={"required": "weaker"}))
    predicates = Predicates([*plans.predicates.values(), liar, between], PARENTS)
    with pytest.raises(ContractError, match=rf"^S4: r1\.m1 entails {needed}"):
        branch_strict(graph, plans.strict, predicates)


def test_two_paths_may_not_share_a_value() -> None:
    plans = Plans(DAGS["2hop"])
    first, second = plans.strict[:2]
    twin = second.model_copy(update={"values": first.values})
    with pytest.raises(ContractError, match=r"^S5b: .* is the name of e:s1a\.h1 already"):
        branch_strict(plans.factorized(), [first, twin], plans.predicates)


def test_premises_of_a_path_are_worded_by_its_own_predicate() -> None:
    graph = Plans(DAGS["2hop"]).branched()
    predicates = [graph.get(f"u:s2a.h2.{at}", EvidenceUnit).predicate for at in (1, 2)]
    assert predicates == ["r2.m1/link0", "r2.m1/value0"]
    later = [graph.get(f"u:s1a.h2.{at}", EvidenceUnit).predicate for at in (1, 2)]
    assert later == ["r2/link0", "r2/value0"]
