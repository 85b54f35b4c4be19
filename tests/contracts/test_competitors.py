"""S1 to S3, S5 and S6."""

from __future__ import annotations

import pytest

from realhop_kg.graph.schema import EdgeKind, FactStatus
from realhop_kg.model.finding import Code
from tests.contracts.items import branches, chain
from tests.contracts.world import blocking


class TestS1:
    def test_a_second_mismatch_is_found(self) -> None:
        world = chain()
        world.facts["f:s1a.h2"].predicate = "birthplace.wedding"
        findings = world.check()
        assert blocking(findings) == {"S1"}
        assert findings[0].nodes == ("path:s1a", "f:s1a.h2")

    def test_a_path_without_a_mismatch_is_found(self) -> None:
        world = chain()
        world.facts["f:s2a.h2"].predicate = "birthplace"
        # It then states another birthplace, which is another answer.
        assert blocking(world.check()) == {"S1", "U1"}

    def test_a_near_miss_of_another_relation_is_found(self) -> None:
        world = chain()
        world.reword("architect.painter", parent="birthplace")
        assert blocking(world.check()) == {"S1"}

    def test_a_break_at_another_hop_than_the_protected_one_is_found(self) -> None:
        world = chain()
        world.move("path:s1a", break_hop=2)
        assert blocking(world.check()) == {"S1"}

    def test_edges_that_disagree_with_the_path_are_found(self) -> None:
        world = chain()
        graph = world.build()
        graph.disconnect("path:s1a", EdgeKind.PROTECTS)
        assert blocking(world.check(graph)) == {"S1"}

    def test_a_status_that_disagrees_is_found(self) -> None:
        world = chain()
        world.facts["f:s1a.h2"].status = FactStatus.BREAK
        assert blocking(world.check()) == {"S1"}


class TestS2:
    def test_a_path_that_does_not_regenerate_a_descendant_is_found(self) -> None:
        world = chain()
        world.remove_fact("f:s1a.h2")
        findings = world.check()
        assert blocking(findings) == {"S2"}
        assert "regenerates hops [1], R(1) is [1, 2]" in findings[0].message

    def test_a_path_that_regenerates_another_branch_is_found(self) -> None:
        world = branches()
        graph = world.build()
        world.facts["f:s1a.h2"] = world.facts["f:s2a.h2"]
        graph.nx.remove_edge("path:s2a", "f:s2a.h2", key=str(EdgeKind.CONTAINS))
        graph.nx.edges["path:s1a", "f:g.h2", str(EdgeKind.CONTAINS)]["inherited"] = True
        graph.connect("path:s1a", EdgeKind.CONTAINS, "f:s2a.h2", order=2, inherited=False)
        assert "S2" in blocking(world.check(graph))


class TestS3:
    def test_a_path_that_does_not_inherit_a_gold_fact_is_found(self) -> None:
        world = branches()
        graph = world.build()
        graph.nx.remove_edge("path:s1a", "f:g.h2", key=str(EdgeKind.CONTAINS))
        assert blocking(world.check(graph)) == {"S3"}

    @pytest.mark.parametrize(
        ("slot", "entity"),
        [("w", "e:s2a.h2"), ("x", "e:h1"), ("x", "e:s1b.h1")],
        ids=["another branch", "gold's where its own belongs", "another path's"],
    )
    def test_a_slot_bound_otherwise_is_found(self, slot: str, entity: str) -> None:
        world = branches()
        world.facts["f:s1a.h3"].subjects[slot] = entity
        codes = blocking(world.check())
        # A continuation from gold's own entities restates the question: another answer.
        assert codes == ({"S3", "U1"} if entity == "e:h1" else {"S3"})

    def test_another_constant_than_golds_is_found(self) -> None:
        world = branches()
        world.facts["f:s1a.h1"].subjects["x"] = "e:q2"
        codes = blocking(world.check())
        assert codes == {"R1", "S3"}  # a place where a product is made


class TestS5a:
    def test_one_candidate_at_plan_time_is_found(self) -> None:
        world = branches()
        world.remove_path("path:s3b")
        findings = world.check(plan_time=True)
        assert blocking(findings) == {"S5a"}
        assert findings[0].nodes == ("h3",)

    def test_one_candidate_after_pruning_is_enough(self) -> None:
        world = branches()
        world.remove_path("path:s3b")
        assert world.check() == []


class TestS5b:
    def test_an_endpoint_of_another_kind_is_found(self) -> None:
        world = chain()
        world.rename("e:s2b.h2", asked_kind="village")
        findings = world.check()
        assert blocking(findings) == {"S5b"}
        assert "a village where a town is asked" in findings[0].message

    def test_an_endpoint_that_the_facts_do_not_reach_is_found(self) -> None:
        world = chain()
        world.move("path:s2b", endpoint="Harlan")
        assert blocking(world.check()) == {"S5b"}

    def test_a_value_that_two_paths_share_is_found(self) -> None:
        world = chain()
        del world.entities["e:s2b.h2"]
        world.facts["f:s2b.h2"].value = "e:s2a.h2"
        world.move("path:s2b", endpoint="Harlan")
        assert blocking(world.check()) == {"S5b"}

    def test_a_competitor_that_leads_to_the_gold_answer_is_found(self) -> None:
        world = chain()
        del world.entities["e:s2b.h2"]
        world.facts["f:s2b.h2"].value = "e:h2"
        world.move("path:s2b", endpoint="Calder")
        findings = world.check()
        assert "S5b" in blocking(findings)
        # It is no mere competitor any more, and gold's name stands outside its support.
        assert blocking(findings) == {"R1", "S5b", "N2"}

    def test_an_alias_of_gold_counts(self) -> None:
        world = branches()
        world.rename("e:h2", aliases=["the Tavano Co."])
        world.rename("e:s2a.h2", surface="Tavano Co")
        world.move("path:s2a", endpoint="1939")
        # The same pair of names breaks R3.
        assert blocking(world.check()) == {"R3", "S5b"}


class TestS6:
    def test_a_hop_without_a_strict_path_is_found(self) -> None:
        world = chain()
        world.remove_path("path:s2a")
        world.remove_path("path:s2b")
        findings = world.check()
        assert blocking(findings) == {"S6"}
        assert [f.nodes for f in findings if f.code is Code.S6] == [("h2",)]

    def test_a_flexible_path_does_not_cover_a_hop(self) -> None:
        world = branches()
        for path in ("path:s3a", "path:s3b"):
            world.remove_path(path)
        assert "path:f3a" in world.paths
        assert blocking(world.check()) == {"S6"}

    def test_a_path_that_is_not_written_does_not_cover_a_hop(self) -> None:
        world = branches()
        world.remove_path("path:s3b")
        graph = world.build()
        for node in ("t:u:s3a.h3.1", "i:u:s3a.h3.1"):
            graph.remove(node)
        findings = world.check(graph, codes=["S6"])
        assert blocking(findings) == {"S6"}
