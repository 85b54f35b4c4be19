"""R1 and R2."""

from __future__ import annotations

import pytest

from realhop_kg.graph.schema import EdgeKind
from realhop_kg.model.entity import EntityRole, Origin
from realhop_kg.relations.predicates import Predicates
from tests.contracts.items import branches, chain
from tests.contracts.world import PARENTS, blocking, check_item


class TestR1:
    def test_a_value_of_another_type_is_found_and_the_fact_named(self) -> None:
        world = chain()
        world.rename("e:s1a.h1", entity_type="town")
        findings = world.check()
        assert blocking(findings) == {"R1"}
        assert "f:s1a.h1" in findings[0].nodes
        assert "takes a person" in findings[0].message

    def test_a_narrower_and_a_wider_type_fit(self) -> None:
        world = chain()
        world.rename("e:s1a.h2", entity_type="place")
        world.reword("architect.painter", value="thing")
        world.reword("architect.painter", arguments={"x": "place"})
        assert world.check() == []

    def test_a_wrong_role_is_found(self) -> None:
        world = chain()
        world.rename("e:s1b.h1", role=EntityRole.BRIDGE)
        # A bridge would have to replace a source entity, so R2 sees it as well.
        assert blocking(world.check()) == {"R1", "R2"}
        world = chain()
        for entity in ("e:h1", "s:h1"):
            world.rename(entity, role=EntityRole.ANSWER)
        assert blocking(world.check()) == {"R1"}

    def test_an_unknown_type_is_found(self) -> None:
        world = chain()
        graph = world.build()
        parents = {key: value for key, value in PARENTS.items() if key != "bridge"}
        assert blocking(check_item(graph, world.closed, parents)) == {"R1"}

    def test_an_undeclared_predicate_is_found(self) -> None:
        world = chain()
        graph = world.build()
        known = Predicates(p for p in world.predicates.values() if p.id != "birthplace")
        findings = check_item(graph, known, PARENTS)
        assert blocking(findings) == {"R1"}
        assert "birthplace is not declared" in findings[0].message

    def test_slots_that_the_predicate_does_not_have_are_found(self) -> None:
        world = chain()
        world.reword("architect.toll/link0", arguments={"x": "bridge", "w": "bridge"})
        world.reword("birthplace.school/link0", arguments={"x": "person", "w": "town"})
        findings = world.check()
        assert blocking(findings) == {"R1"}
        assert findings[0].nodes == ("u:s2a.h2.1",)

    def test_an_answer_that_is_no_form_of_the_gold_value_is_found(self) -> None:
        world = chain()
        world.answer = "Caldermouth"
        assert blocking(world.check()) == {"R1"}

    def test_an_alias_that_is_no_form_of_the_gold_value_is_found(self) -> None:
        world = chain()
        world.aliases = ("Old Calder",)
        assert blocking(world.check()) == {"R1"}
        world.rename("e:h2", aliases=["Caldermouth"])
        world.aliases = ("the Caldermouth",)
        assert blocking(world.check()) == set()

    def test_an_anchor_that_the_question_does_not_name_is_found(self) -> None:
        world = branches()
        world.question = "When did the Sabre Wren maker and its owner open a joint foundry?"
        findings = world.check()
        assert blocking(findings) == {"R1"}
        assert "Lumeno Works" in findings[0].message


class TestR2:
    @pytest.mark.parametrize("field", ["asked_kind", "entity_type"])
    def test_a_substitution_that_changes_the_entity_is_found(self, field: str) -> None:
        world = branches()
        world.rename("s:q2", **{field: "thing"})
        findings = world.check()
        assert blocking(findings) == {"R2"}
        assert field in findings[0].message

    def test_a_substitution_that_changes_the_role_is_found(self) -> None:
        world = branches()
        world.rename("s:h1", role=EntityRole.ANSWER)
        assert blocking(world.check()) == {"R2"}

    def test_a_form_that_is_not_substituted_is_found(self) -> None:
        world = branches()
        world.rename("s:h1", demonym="Bollandish")
        findings = world.check()
        assert blocking(findings) == {"R2"}
        assert "Bollandish" in findings[0].message
        world.rename("e:h1", demonym="Halbergian")
        assert world.check() == []

    def test_two_source_entities_of_one_name_are_found(self) -> None:
        world = branches()
        world.rename("s:h2", surface="the Bolland")
        findings = world.check()
        assert blocking(findings) == {"R2"}
        assert findings[0].nodes == ("s:h1", "s:h2")

    def test_two_source_entities_that_share_a_short_form_are_found(self) -> None:
        world = branches()
        for entity, short in (("s:h1", "the Works"), ("s:q2", "works")):
            world.rename(entity, short=short)
        for entity, short in (("e:h1", "Halb"), ("e:q2", "Lumeno")):
            world.rename(entity, short=short)
        world.question = world.question.replace("Lumeno Works", "Lumeno")
        assert "R2" in blocking(world.check())

    def test_a_source_entity_that_nothing_replaces_is_found(self) -> None:
        world = chain()
        world.entities["s:h9"] = world.entities["s:h1"].model_copy(
            update={"id": "s:h9", "surface": "Roland Fitch"}
        )
        assert blocking(world.check()) == {"R2"}

    def test_a_source_entity_that_two_replace_is_found(self) -> None:
        world = branches()
        graph = world.build()
        graph.disconnect("e:h2", EdgeKind.REBINDS)
        graph.connect("e:h2", EdgeKind.REBINDS, "s:h1")
        assert blocking(world.check(graph)) == {"R2"}

    def test_a_competitor_replaces_nothing(self) -> None:
        world = branches()
        graph = world.build()
        world.entities["s:new"] = world.entities["s:h1"].model_copy(
            update={"id": "s:new", "surface": "Orm", "role": EntityRole.COMPETITOR}
        )
        graph.add(world.entities["s:new"])
        graph.connect("e:s1a.h1", EdgeKind.REBINDS, "s:new")
        findings = world.check(graph)
        assert "R2" in blocking(findings)
        assert any("replaces 1 source entities" in finding.message for finding in findings)

    def test_a_virtual_entity_is_replaced_by_none(self) -> None:
        world = branches()
        world.rename("s:h1", origin=Origin.VIRTUAL)
        assert "R2" in blocking(world.check())
