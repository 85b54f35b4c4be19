"""U1, N1, N2, V1 and V2."""

from __future__ import annotations

from realhop_kg.model.finding import Code
from tests.contracts.items import branches, chain
from tests.contracts.world import World, blocking


def _restate(world: World, name: str) -> None:
    """Let a Strict path state hop 2 from gold's bridge to gold's answer once more."""
    fact = world.facts[name]
    del world.entities[fact.value]
    fact.subjects["x"], fact.value, fact.predicate = "e:h1", "e:h2", "birthplace"


class TestU1:
    def test_an_answer_by_an_inverse_relation_is_found(self) -> None:
        world = chain()
        # Who is born in a town has it as birthplace: nothing wrong. But if the bridge "was born"
        # where it stands for its architect, the question leads back to the bridge.
        world.reword("architect", inverse="birthplace")
        findings = world.check()
        assert blocking(findings) == {"U1"}
        assert "'Orlen Bridge' can be derived" in findings[0].message

    def test_the_path_that_leads_to_another_answer_is_named(self) -> None:
        world = chain()
        world.reword("birthplace.school", entails=("birthplace",))
        found = [finding for finding in world.check() if finding.code is Code.U1]
        assert [finding.nodes for finding in found] == [("e:s2a.h2", "path:s2a")]

    def test_a_gold_path_that_does_not_give_the_answer_is_found(self) -> None:
        world = chain()
        world.ask(2, required="born_and_bred")
        # The relation does not entail what the question voices (G1).
        assert blocking(world.check()) == {"G1", "U1"}


class TestN1:
    def test_a_hop_that_another_path_states_too_is_found(self) -> None:
        world = chain()
        _restate(world, "f:s1a.h2")
        world.move("path:s1a", endpoint="Calder")
        findings = world.check()
        # With fresh values (S5b) and gold's bindings kept apart (S3) every fact is the only one
        # that leads to its value, so N1 cannot break alone; here gold's premises are idle as well.
        assert [f.nodes for f in findings if f.code is Code.N1] == [("h2",)]
        assert blocking(findings) == {"G3", "N1", "N2", "R1", "S3", "S5b"}

    def test_every_hop_of_a_valid_item_is_needed(self) -> None:
        assert chain().check(codes=[Code.N1]) == []


class TestN2:
    def test_a_form_of_the_answer_in_another_insertion_is_found_with_its_fact(self) -> None:
        world = chain()
        world.rename("e:h2", aliases=["leased"])
        findings = world.check()
        assert blocking(findings) == {"N2"}
        assert "f:f1a.h1" in findings[0].nodes

    def test_a_value_written_otherwise_counts(self) -> None:
        world = branches()
        for predicate in [p for p in world.predicates if not p.endswith("link0")]:
            if predicate.startswith("opened"):
                world.reword(predicate, value="value")
        for entity in world.entities.values():
            if entity.entity_type == "year":
                world.rename(entity.id, entity_type="value", asked_kind="year")
        world.rename("e:h3", surface="forty-seven")
        world.move("path:g", endpoint="forty-seven")
        assert world.check() == []
        world.reword("owner.guard", wordings=("{x} is guarded by {y}, gate 47.",))
        assert blocking(world.check()) == {"N2"}

    def test_the_support_of_the_terminal_hop_may_name_the_answer(self) -> None:
        world = chain()
        assert any(fact.host == 1 and fact.value == "e:h2" for fact in world.facts.values())
        assert world.check() == []


class TestV1:
    def test_a_hop_after_whose_drop_no_path_is_complete_is_named(self) -> None:
        world = chain()
        # The path that is left has its near-miss in the protected support.
        for path in ("path:s1b", "path:f1a"):
            world.remove_path(path)
        findings = world.check()
        assert {finding.code for finding in findings} == {Code.V1}
        assert [finding.nodes for finding in findings] == [("h1",)]


class TestV2:
    def test_a_near_miss_outside_the_support_leaves_gold_alone_without_a_prefix(self) -> None:
        world = chain()
        world.facts["f:s1a.h1"].host = 6
        findings = world.check()
        assert {finding.code for finding in findings} == {Code.V2}
        assert findings[0].nodes == ("h1",)
        assert "path:g" in findings[0].message
