"""What `check_item` runs, in which order, and how it reports what it could not run."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from realhop_kg.contracts.check import CHECKS, PLANNED, ROUTED, WRITTEN
from realhop_kg.graph.schema import EdgeKind, PathKind
from realhop_kg.model.finding import CONTRACTS, Code, Severity
from tests.contracts.items import branches, chain
from tests.contracts.world import World, blocking

ITEMS = pytest.mark.parametrize("item", [chain, branches])


@ITEMS
@pytest.mark.parametrize("plan_time", [False, True])
def test_a_valid_item_breaks_no_contract_and_has_no_diagnostics(
    item: Callable[[], World], plan_time: bool
) -> None:
    assert item().check(plan_time=plan_time) == []


def test_every_contract_of_an_item_has_its_check_in_the_order_of_the_design() -> None:
    judged_elsewhere = {Code.A1, *(code for code in Code if code[0] in "QM")}
    assert list(CHECKS) == [code for code in CONTRACTS if code not in judged_elsewhere]


def test_the_stages_share_out_all_contracts() -> None:
    assert CHECKS.keys() == PLANNED | ROUTED | WRITTEN
    assert len(PLANNED) + len(ROUTED) + len(WRITTEN) == len(CHECKS)


def test_an_item_without_hosts_and_text_keeps_the_contracts_of_the_plan() -> None:
    world = branches()
    graph = world.build()
    for kind in ("i:", "t:"):
        for node in [node for node in graph.nx if node.startswith(kind)]:
            graph.remove(node)
    for node in list(graph.nx):
        graph.disconnect(node, EdgeKind.ROUTED_TO)
    assert world.check(graph, codes=PLANNED, plan_time=True) == []
    assert blocking(world.check(graph)) == {"H1", "T2"}


def test_only_the_named_codes_are_checked() -> None:
    world = chain()
    world.aliases = ("",)
    world.kept = ("US",)
    assert blocking(world.check()) == {"B1", "R5"}
    assert blocking(world.check(codes=[Code.R5, Code.T1])) == {"R5"}


def test_findings_come_in_the_order_of_the_design() -> None:
    world = chain()
    world.kept = ("US",)
    world.aliases = ("",)
    world.remove_path("path:s2a")
    world.remove_path("path:s2b")
    found = [finding.code for finding in world.check()]
    assert found == sorted(found, key=list(CHECKS).index)
    assert {"B1", "R5", "S6"} <= set(found)


def test_a_finding_has_the_severity_of_its_contract_and_names_the_item() -> None:
    world = chain()
    world.aliases = ("",)
    for path in ("path:s1b", "path:f1a"):
        world.remove_path(path)
    findings = world.check()
    assert [finding.code for finding in findings] == [Code.B1, Code.V1]
    assert {finding.item for finding in findings} == {"world/1"}
    assert all(finding.severity is CONTRACTS[finding.code].severity for finding in findings)


def test_diagnostics_do_not_block() -> None:
    world = chain()
    # Nothing of hop 1 is left outside its support: no complete path after its Drop.
    for path in ("path:s1b", "path:f1a"):
        world.remove_path(path)
    findings = world.check()
    assert {finding.code for finding in findings} == {Code.V1}
    assert findings[0].severity is Severity.DIAGNOSTIC


def test_what_stops_a_check_is_reported_once() -> None:
    world = chain()
    graph = world.build()
    graph.disconnect("f:g.h1", EdgeKind.OBJECT)
    assert [finding.code for finding in world.check(graph)] == [Code.G1]


def test_an_ablation_without_strict_paths_is_not_asked_for_them() -> None:
    world = branches()
    for path in [path for path in world.paths if path.startswith("path:s")]:
        world.remove_path(path)
    assert blocking(world.check(plan_time=True)) == {"S5a", "S6"}
    flexible = {PathKind.FLEXIBLE}
    assert blocking(world.check(plan_time=True, families=flexible)) == set()


def test_checking_changes_nothing_in_the_graph() -> None:
    world = branches()
    graph = world.build()
    before = graph.copy()
    world.check(graph)
    assert graph == before


def test_findings_do_not_depend_on_the_order_of_edges() -> None:
    world = chain()
    world.rename("e:s1a.h2", surface="Calder Moor")
    graph = world.build()
    again = type(graph).from_node_link(graph.to_node_link())
    first = {(finding.code, finding.message) for finding in world.check(graph)}
    second = {(finding.code, finding.message) for finding in world.check(again)}
    assert {code for code, _ in first} == {code for code, _ in second}
