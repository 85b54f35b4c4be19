"""H1 to H5."""

from __future__ import annotations

import pytest

from realhop_kg.graph.schema import EdgeKind
from realhop_kg.model.finding import Code
from tests.contracts.items import branches, chain
from tests.contracts.world import blocking


class TestH1:
    @pytest.mark.parametrize("node", ["f:s1b.h1", "u:s1b.h2.1", "f:g.h1"])
    def test_what_has_no_host_is_found(self, node: str) -> None:
        world = chain()
        graph = world.build()
        graph.disconnect(node, EdgeKind.ROUTED_TO)
        findings = world.check(graph)
        assert blocking(findings) == {"H1"}
        assert findings[0].nodes == (node,)

    def test_two_hosts_are_found(self) -> None:
        world = chain()
        graph = world.build()
        graph.connect("f:s1b.h1", EdgeKind.ROUTED_TO, "p7")
        assert blocking(world.check(graph)) == {"H1"}

    def test_a_premise_away_from_its_fact_is_found(self) -> None:
        world = chain()
        graph = world.build()
        graph.disconnect("u:s2a.h2.1", EdgeKind.ROUTED_TO)
        graph.connect("u:s2a.h2.1", EdgeKind.ROUTED_TO, "p6")
        # It is not written there either.
        assert blocking(world.check(graph)) == {"H1", "T2"}


class TestH2:
    def test_a_host_that_is_forbidden_to_a_fact_is_found(self) -> None:
        world = chain()
        graph = world.build()
        graph.connect("f:s1b.h2", EdgeKind.FORBIDS, "p4")
        findings = world.check(graph)
        assert blocking(findings) == {"H2"}
        assert findings[0].nodes == ("f:s1b.h2", "p4")

    def test_a_host_that_is_forbidden_to_the_path_is_found(self) -> None:
        world = chain()
        graph = world.build()
        graph.connect("path:s1b", EdgeKind.FORBIDS, "p4")
        assert blocking(world.check(graph)) == {"H2"}

    def test_a_flexible_fact_in_the_protected_support_is_found(self) -> None:
        world = chain()
        world.facts["f:f1a.h2"].host = 0
        assert blocking(world.check()) == {"H2"}

    def test_an_inherited_fact_may_stand_where_the_path_may_not(self) -> None:
        world = branches()
        graph = world.build()
        graph.connect("path:f1a", EdgeKind.FORBIDS, "p1")
        assert world.check(graph) == []


class TestH3:
    def test_a_near_miss_beside_its_continuation_is_found(self) -> None:
        world = chain()
        world.facts["f:s1b.h2"].host = 3
        findings = world.check()
        assert blocking(findings) == {"H3"}
        assert findings[0].nodes == ("f:s1b.h1", "f:s1b.h2", "p3")

    def test_a_flexible_path_may_use_one_host(self) -> None:
        world = chain()
        world.facts["f:f1a.h2"].host = 5
        assert world.check() == []

    def test_two_paths_may_share_hosts(self) -> None:
        world = chain()
        world.facts["f:s1b.h1"].host = 2
        assert world.check() == []


class TestH4:
    def test_three_gold_facts_in_one_host_are_found(self) -> None:
        world = branches()
        for hop in (1, 2, 3):
            world.facts[f"f:g.h{hop}"].host = 2
        # One host for all hops is not the support of each (H5), or the hops share one (D2), so
        # H4 cannot break alone.
        assert blocking(world.check()) == {"H4", "H5"}

    def test_two_gold_facts_may_share_a_host(self) -> None:
        world = chain()
        world.facts["f:g.h1"].host = 1
        assert "H4" not in blocking(world.check())


class TestH5:
    def test_a_gold_fact_outside_its_support_is_found(self) -> None:
        world = chain()
        world.facts["f:g.h1"].host = 7
        findings = world.check()
        assert blocking(findings) == {"H5"}
        assert [f.nodes for f in findings if f.code is Code.H5] == [("f:g.h1", "p0")]

    def test_a_split_gold_fact_outside_its_support_is_found(self) -> None:
        world = branches()
        world.facts["f:g.h1"].host = 7
        assert blocking(world.check()) == {"H5"}
