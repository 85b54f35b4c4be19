"""G1 to G3."""

from __future__ import annotations

import pytest

from realhop_kg.graph.schema import EdgeKind, EvidenceUnit, FactNode, FactStatus
from realhop_kg.model.entity import EntityRole
from tests.contracts.items import branches, chain
from tests.contracts.world import World, blocking


def _unsplit(world: World, hop: int) -> None:
    """State the facts of a hop whole, on every path."""
    for fact in world.facts.values():
        if fact.hop == hop and fact.key:
            del world.entities[fact.key]
            fact.key = ""


def _add_key(world: World, value: str) -> str:
    """Add a key for the fact that leads to a value."""
    key = value.replace("e:", "k:", 1)
    world.entity(key, f"ledger {value.removeprefix('e:').replace('.', '')}", "key", EntityRole.KEY)
    return key


class TestG1:
    def test_a_second_gold_fact_is_found_and_stops_what_needs_one(self) -> None:
        world = chain()
        graph = world.build()
        graph.add(FactNode(id="f:x", predicate="architect", hop=1, status=FactStatus.GOLD))
        for kind, target in ((EdgeKind.OBJECT, "e:h1"), (EdgeKind.REALIZES, "h1")):
            graph.connect("f:x", kind, target)
        graph.connect("f:x", EdgeKind.SUBJECT, "e:q1", slot="x")
        graph.connect("path:g", EdgeKind.CONTAINS, "f:x", order=1, inherited=False)
        assert blocking(world.check(graph)) == {"G1"}

    def test_a_gold_path_without_one_of_its_facts_is_found(self) -> None:
        world = chain()
        graph = world.build()
        graph.nx.edges["path:g", "f:g.h1", str(EdgeKind.CONTAINS)]["inherited"] = True
        # Then no path has it as its own.
        assert blocking(world.check(graph)) == {"B2", "G1"}

    def test_a_gold_path_that_names_another_answer_is_found(self) -> None:
        world = chain()
        world.move("path:g", endpoint="Calderon")
        assert blocking(world.check()) == {"G1"}

    def test_a_gold_fact_of_another_relation_is_found(self) -> None:
        world = chain()
        world.predicates["architect.builder"] = world.predicates["architect"].model_copy(
            update={"id": "architect.builder", "entails": ("architect",)}
        )
        world.facts["f:g.h1"].predicate = "architect.builder"
        findings = world.check()
        assert blocking(findings) == {"G1"}
        assert findings[0].nodes == ("f:g.h1", "h1")

    def test_a_relation_that_does_not_give_what_the_question_voices_is_found(self) -> None:
        world = chain()
        world.ask(1, required="maker_of")
        # Nothing makes the voiced relation true, so no answer follows either.
        assert blocking(world.check()) == {"G1", "U1"}

    def test_a_gold_fact_about_another_than_the_earlier_answer_is_found(self) -> None:
        world = branches()
        world.facts["f:g.h3"].subjects["w"] = "e:q1"
        assert "G1" in blocking(world.check())


class TestG2:
    def test_an_unsplit_terminal_hop_is_found(self) -> None:
        world = branches()
        for fact in world.facts.values():
            if fact.hop == 2:
                fact.key = _add_key(world, fact.value)
        _unsplit(world, 3)
        findings = world.check()
        assert blocking(findings) == {"G2"}
        assert "terminal hop 3 is not split" in findings[0].message

    def test_too_few_split_hops_are_found(self) -> None:
        world = branches()
        _unsplit(world, 1)
        findings = world.check()
        assert blocking(findings) == {"G2"}
        assert "1 of 3 hops are split, at least 2 must be" in findings[0].message

    def test_a_competitor_that_is_whole_where_gold_is_split_is_found(self) -> None:
        world = chain()
        del world.entities[world.facts["f:s1a.h2"].key]
        world.facts["f:s1a.h2"].key = ""
        findings = world.check()
        assert blocking(findings) == {"G2"}
        assert findings[0].nodes == ("f:s1a.h2",)


class TestG3:
    def test_a_key_that_two_facts_share_is_found(self) -> None:
        world = chain()
        del world.entities["k:s1b.h2"]
        world.facts["f:s1b.h2"].key = "k:s1a.h2"
        findings = world.check()
        assert blocking(findings) == {"G3"}
        assert "u:s1b.h2.2" in findings[0].nodes

    def test_premises_that_do_not_join_are_found(self) -> None:
        world = chain()
        graph = world.build()
        graph.disconnect("u:s2a.h2.2", EdgeKind.SUBJECT)
        graph.connect("u:s2a.h2.2", EdgeKind.SUBJECT, "k:s2b.h2", slot="k")
        findings = world.check(graph, codes=["G3"])
        assert blocking(findings) == {"G3"}
        assert "f:s2a.h2 does not follow from its premises" in findings[0].message

    def test_a_premise_that_states_the_fact_by_itself_is_found(self) -> None:
        world = chain()
        world.predicates["birthplace/link1"] = world.predicates["birthplace/link0"].model_copy(
            update={"id": "birthplace/link1"}
        )
        graph = world.build()
        # The same premise a second time, so that neither is needed.
        graph.add(EvidenceUnit(id="u:twin", predicate="birthplace/link0", hop=2, order=1))
        graph.connect("u:twin", EdgeKind.COMPOSES, "f:g.h2", rule="join")
        graph.connect("u:twin", EdgeKind.SUBJECT, "e:h1", slot="x")
        graph.connect("u:twin", EdgeKind.OBJECT, "k:g.h2")
        graph.connect("u:twin", EdgeKind.ROUTED_TO, "p1")
        assert "G3" in blocking(world.check(graph))


@pytest.mark.parametrize("item", [chain, branches])
def test_gold_is_split_where_it_must_be(item: object) -> None:
    world = item()  # type: ignore[operator]
    split = {fact.hop for fact in world.facts.values() if fact.path == "path:g" and fact.key}
    assert max(world.hops) in split
    assert 2 * len(split) >= len(world.hops)
