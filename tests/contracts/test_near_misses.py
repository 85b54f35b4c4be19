"""S4."""

from __future__ import annotations

import pytest

from realhop_kg.contracts.near_misses import implied
from realhop_kg.relations.predicates import Predicate, Predicates
from tests.contracts.items import branches, chain
from tests.contracts.world import blocking


class TestTypes:
    def test_other_value_types_are_found(self) -> None:
        world = chain()
        # The type alone: its own premises and values say person, as R1 asks.
        world.reword("architect.painter", value="town")
        assert blocking(world.check()) == {"R1", "S4"}

    def test_other_slots_are_found(self) -> None:
        world = chain()
        world.reword("architect.painter", arguments={"x": "bridge", "w": "town"})
        assert blocking(world.check()) == {"R1", "S4"}

    def test_a_narrower_type_is_compatible(self) -> None:
        world = branches()
        world.reword("owner", arguments={"x": "thing"})
        assert world.check() == []


class TestEntailment:
    def test_a_near_miss_that_entails_its_relation_is_found(self) -> None:
        world = chain()
        world.reword("architect.painter", entails=("architect",))
        findings = world.check()
        # It then leads to another answer as well.
        assert blocking(findings) == {"S4", "U1"}
        assert findings[0].nodes == ("f:s1b.h1",)

    def test_what_the_question_voices_counts(self) -> None:
        world = chain()
        world.predicates["worked_on"] = world.predicates["architect"].model_copy(
            update={"id": "worked_on"}
        )
        world.reword("architect", entails=("worked_on",))
        assert world.check() == []
        world.reword("architect.painter", entails=("worked_on",))
        assert world.check() == []
        world.ask(1, required="worked_on")
        assert blocking(world.check()) == {"S4", "U1"}

    def test_an_entailment_of_an_unused_near_miss_does_not_count(self) -> None:
        world = chain()
        world.remove_path("path:s1b")
        world.reword("architect.painter", entails=("architect",))
        assert world.check() == []

    @pytest.mark.parametrize("weaker", ["architect", "drawn_by"])
    def test_inverse_relations_count(self, weaker: str) -> None:
        world = chain()
        shared = world.predicates["architect"]
        world.predicates["drew"] = shared.model_copy(
            update={
                "id": "drew",
                "inverse": weaker,
                "arguments": {"x": "person"},
                "value": "bridge",
                "wordings": (),
            }
        )
        world.predicates["drawn_by"] = shared.model_copy(
            update={"id": "drawn_by", "entails": ("architect",)}
        )
        world.reword("architect.painter", inverse="drew")
        assert blocking(world.check()) == {"S4", "U1"}

    def test_symmetric_relations_count(self) -> None:
        def binary(name: str, **facts: object) -> Predicate:
            return Predicate.model_validate(
                {
                    "id": name,
                    "family": "relation",
                    "arguments": {"x": "thing"},
                    "value": "thing",
                    **facts,
                }
            )

        predicates = Predicates(
            [
                binary("near", symmetric=True, entails=("linked",)),
                binary("linked", inverse="links"),
                binary("links"),
            ]
        )
        assert implied(predicates, "near") == {
            ("near", False),
            ("near", True),
            ("linked", False),
            ("linked", True),
            ("links", False),
            ("links", True),
        }
        assert implied(predicates, "linked") == {("linked", False), ("links", True)}

    def test_declarations_in_a_circle_come_to_an_end(self) -> None:
        world = chain()
        world.reword("architect.painter", entails=("architect.toll",))
        world.reword("architect.toll", entails=("architect.painter",))
        assert world.check() == []


def test_a_near_miss_that_nobody_audited_is_found() -> None:
    world = chain()
    world.reword("birthplace.wedding", audit=" ")
    findings = world.check()
    assert blocking(findings) == {"S4"}
    assert findings[0].nodes == ("f:f2a.h2",)


@pytest.mark.parametrize(
    "wording",
    [
        "{x} was not painted by {y}.",
        "{y} failed to paint {x}.",
        "{y} never saw {x}.",
        "{x} is said to have been designed by {y}.",
        "{y} allegedly designed {x}.",
        "The keeper formerly at {x} is {y}.",
        "{x} is no longer kept by {y}.",
        "{y} didn't paint {x}.",
    ],
)
def test_a_sentence_that_marks_the_near_miss_as_wrong_is_found(wording: str) -> None:
    world = chain()
    world.reword("architect.painter", wordings=(wording,))
    assert blocking(world.check()) == {"S4"}


def test_the_premises_of_a_near_miss_are_read_too() -> None:
    world = chain()
    world.reword("birthplace.school/link0", wordings=("The alleged birth of {x} is in {k}.",))
    assert blocking(world.check()) == {"S4"}


def test_plain_sentences_pass() -> None:
    world = chain()
    world.reword("architect.painter", wordings=("Nothing on {x} was painted before {y} came.",))
    assert world.check() == []
