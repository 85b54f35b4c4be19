"""F1 to F3."""

from __future__ import annotations

import pytest

from realhop_kg.graph.schema import EdgeKind, FactStatus
from tests.contracts.items import branches, chain
from tests.contracts.world import World, blocking


def _break_later(world: World, *, multi_valued: bool, definite: bool) -> None:
    """Let the Flexible path of hop 1 match its hop and miss the next one."""
    world.ask(1, multi_valued=multi_valued, definite=definite)
    world.move("path:f1a", break_hop=2)
    first, second = world.facts["f:f1a.h1"], world.facts["f:f1a.h2"]
    first.predicate, first.status = "architect", FactStatus.CONTINUATION
    second.predicate, second.status = "birthplace.school", FactStatus.BREAK


class TestF1:
    def test_a_break_at_a_hop_that_does_not_follow_is_found(self) -> None:
        world = branches()
        world.move("path:f1a", break_hop=2)
        assert blocking(world.check()) == {"F1"}

    def test_a_second_mismatch_is_found_and_the_fact_named(self) -> None:
        world = chain()
        world.facts["f:f1a.h2"].predicate = "birthplace.wedding"
        findings = world.check()
        assert blocking(findings) == {"F1"}
        assert findings[0].nodes == ("f:f1a.h2",)

    def test_edges_that_disagree_with_the_path_are_found(self) -> None:
        world = chain()
        graph = world.build()
        graph.disconnect("path:f2a", EdgeKind.BREAKS_AT)
        assert blocking(world.check(graph)) == {"F1"}

    def test_a_fact_for_an_inherited_hop_is_found(self) -> None:
        world = branches()
        graph = world.build()
        graph.nx.remove_edge("path:f1a", "f:g.h2", key=str(EdgeKind.CONTAINS))
        assert blocking(world.check(graph)) == {"F1"}

    def test_a_slot_bound_otherwise_is_found(self) -> None:
        world = branches()
        world.facts["f:f1a.h3"].subjects["w"] = "e:s2a.h2"
        assert blocking(world.check()) == {"F1"}

    def test_an_incomplete_continuation_is_found_before_pruning(self) -> None:
        world = chain()
        world.remove_fact("f:f1a.h2")
        assert blocking(world.check(plan_time=True)) == {"F1"}

    @pytest.mark.parametrize("pruned", ["f:f1a.h1", "f:f1a.h2"])
    def test_a_fragment_is_what_pruning_leaves(self, pruned: str) -> None:
        world = chain()
        world.remove_fact(pruned)
        assert blocking(world.check()) == set()

    def test_a_break_downstream_of_a_single_value_is_found(self) -> None:
        world = chain()
        _break_later(world, multi_valued=False, definite=True)
        # Any break downstream leaves the referent open, which F2 refuses.
        assert blocking(world.check()) == {"F1", "F2"}

    def test_a_break_downstream_of_a_definite_reference_is_found(self) -> None:
        world = chain()
        _break_later(world, multi_valued=True, definite=True)
        assert blocking(world.check()) == {"F1", "F2"}


class TestF2:
    def test_a_second_referent_of_the_protected_hop_is_found(self) -> None:
        world = chain()
        _break_later(world, multi_valued=True, definite=False)
        findings = world.check()
        assert blocking(findings) == {"F2"}
        assert findings[0].nodes == ("path:f1a",)

    def test_another_answer_by_flexible_facts_is_found(self) -> None:
        world = chain()
        world.reword("architect.toll", entails=("architect",))
        findings = world.check()
        # The cause breaks S4, the effect U1.
        assert blocking(findings) == {"F2", "S4", "U1"}
        found = next(finding for finding in findings if finding.code == "F2")
        assert found.nodes == ("f:f1a.h1", "f:f1a.h2")
        assert "Tamsin Orrel, Ostrey" in found.message

    def test_another_answer_by_strict_facts_is_not_their_fault(self) -> None:
        world = chain()
        world.reword("architect.painter", entails=("architect",))
        assert "F2" not in blocking(world.check())


class TestF3:
    @pytest.mark.parametrize("node", ["path:f1a", "f:f1a.h1", "f:f1a.h2"])
    def test_a_support_that_is_not_forbidden_is_found(self, node: str) -> None:
        world = chain()
        graph = world.build()
        graph.disconnect(node, EdgeKind.FORBIDS)
        findings = world.check(graph)
        assert blocking(findings) == {"F3"}
        assert findings[0].nodes == (node,)

    def test_a_strict_path_may_use_the_support(self) -> None:
        world = chain()
        assert world.facts["f:s1a.h1"].host == world.hops[1].support
        assert world.check() == []
