"""R3 to R6."""

from __future__ import annotations

import pytest

from realhop_kg.graph.schema import EdgeKind
from realhop_kg.model.entity import Origin
from tests.contracts.items import branches, chain
from tests.contracts.world import World, blocking


def _add_text(world: World, passage: int, text: str) -> None:
    title, before = world.passages[passage]
    world.passages[passage] = (title, f"{before} {text}")


class TestR3:
    @pytest.mark.parametrize(
        "text",
        [
            "Wexmoor had no bridge.",
            "The road led past WEXMOOR, and on.",
            "Register leaf 85-D is lost.",
        ],
    )
    def test_a_virtual_name_in_the_original_text_is_found(self, text: str) -> None:
        world = chain()
        _add_text(world, 7, text)
        assert blocking(world.check()) == {"R3"}

    def test_a_longer_word_is_no_occurrence(self) -> None:
        world = chain()
        _add_text(world, 7, "Wexmoorside had no bridge.")
        assert world.check() == []

    def test_a_virtual_name_in_a_title_is_found_with_the_fact_that_brings_it_in(self) -> None:
        world = chain()
        world.passages[7] = ("Tessaro railway", world.passages[7][1])
        findings = world.check()
        assert blocking(findings) == {"R3"}
        assert "f:s1b.h2" in findings[0].nodes

    def test_a_virtual_name_in_the_source_question_is_found(self) -> None:
        world = chain()
        world.source_question += " Not Ostrey?"
        assert blocking(world.check()) == {"R3"}

    def test_a_short_form_in_the_original_text_is_found(self) -> None:
        world = chain()
        world.rename("e:s1a.h1", short="Hask")
        _add_text(world, 7, "The Hask is a stream.")
        assert blocking(world.check()) == {"R3"}

    def test_a_value_written_otherwise_in_the_original_text_is_found(self) -> None:
        world = chain()
        for entity in ("e:h2", "s:h2"):
            world.rename(entity, entity_type="value", asked_kind="value")
        for path in ("s1a", "s1b", "f1a", "s2a", "s2b", "f2a"):
            world.rename(f"e:{path}.h2", entity_type="value", asked_kind="value")
        for predicate in [p for p in world.predicates if p.startswith("birthplace")]:
            if not predicate.endswith("link0"):
                world.reword(predicate, value="value")
        world.rename("s:h2", surface="23 May 1899")
        world.rename("e:s1a.h2", surface="4 October 1861")
        world.move("path:s1a", endpoint="4 October 1861")
        assert world.check() == []
        _add_text(world, 7, "Slate ran until Oct. 4, 1861.")
        assert blocking(world.check()) == {"R3"}

    def test_a_name_that_is_part_of_another_is_found(self) -> None:
        world = chain()
        world.rename("e:s1b.h1", surface="Joren Ostrey Vale")
        findings = world.check()
        # The sentence about the one then names the other.
        assert blocking(findings) == {"R3", "T4"}
        world = chain()
        world.rename("e:s1b.h1", aliases=["Ostrey Vale"])
        findings = world.check()
        assert blocking(findings) == {"R3"}
        assert "'Ostrey' is part of" in findings[0].message

    def test_a_key_that_is_part_of_another_is_found(self) -> None:
        world = branches()
        world.rename("k:s1a.h3", surface="trade file AB")
        assert "R3" in blocking(world.check())

    def test_names_that_differ_by_article_and_punctuation_only_are_found(self) -> None:
        world = chain()
        world.rename("e:s1a.h1", aliases=["Cal-der"])
        # The same pair breaks S5b: a competitor may not equal gold.
        assert blocking(world.check()) == {"R3", "S5b"}
        world = chain()
        world.rename("k:s1a.h2", aliases=["the register leaf 85D"])
        assert blocking(world.check()) == {"R3"}


class TestR4:
    def _kept(self, world: World, name: str) -> set[str]:
        """Let the question show a name as one that is kept with a reason."""
        world.question = world.question.replace("?", f", {name}?")
        world.kept = (f"{name}: stands in the source question",)
        return blocking(world.check())

    @pytest.mark.parametrize(
        "name", ["Calder", "Mirela Castane", "Wexmoor", "Joren Vale", "Alan Trask", "Eddleton"]
    )
    def test_a_question_that_shows_an_answer_or_competitor_is_found(self, name: str) -> None:
        assert self._kept(chain(), name) == {"R4"}

    def test_a_question_that_shows_an_alias_of_the_answer_is_found(self) -> None:
        world = chain()
        world.rename("e:h2", demonym="Calderite")
        assert self._kept(world, "Calderite") == {"R4"}

    def test_a_question_may_show_a_value_of_the_source(self) -> None:
        assert self._kept(branches(), "1908") == set()
        assert self._kept(branches(), "1967") == {"R4"}

    def test_the_annotated_source_answer_counts_where_the_registry_has_another_form(self) -> None:
        world = chain()
        world.ask(1, source_answer="Trask of Skelby")
        assert self._kept(world, "Trask of Skelby") == {"R4"}


class TestR5:
    @pytest.mark.parametrize("loose", ["the Lune", "in 1931", "the US navy"])
    def test_a_name_or_number_that_is_neither_rebound_nor_kept_is_found(self, loose: str) -> None:
        world = chain()
        world.question = world.question.replace("?", f" by {loose}?")
        assert blocking(world.check()) == {"R5"}
        name = next(w for w in loose.split() if any(c.isupper() or c.isdigit() for c in w))
        world.kept = (f"{name}: part of the wording",)
        assert blocking(world.check()) == set()

    def test_the_first_word_of_a_sentence_is_no_name(self) -> None:
        world = chain()
        world.question = "The Orlen Bridge had an architect. In which town was she born?"
        assert world.check() == []

    def test_a_kept_name_without_a_reason_is_found(self) -> None:
        world = chain()
        world.kept = ("US: ",)
        assert blocking(world.check()) == {"R5"}

    def test_a_source_anchor_that_is_left_is_found(self) -> None:
        world = chain()
        world.rename("s:q1", aliases=["the old crossing"])
        world.question = world.question.replace("born", "born near the old crossing")
        findings = world.check()
        assert blocking(findings) == {"R5"}
        assert "s:q1" in findings[0].nodes

    def test_a_root_hop_without_a_rebound_anchor_is_found(self) -> None:
        world = branches()
        graph = world.build()
        graph.disconnect("e:q2", EdgeKind.REBINDS)
        graph.remove("s:q2")
        # What is not rebound has no counterpart either.
        assert blocking(world.check(graph)) == {"R2", "R5"}
        world = branches()
        world.entities["e:q2"] = world.entities["e:q2"].model_copy(update={"origin": Origin.SOURCE})
        del world.rebinds["e:q2"], world.entities["s:q2"]
        world.kept = ("Lumeno Works: kept by mistake",)
        assert "R5" in blocking(world.check())


class TestR6:
    def test_an_answer_that_equals_a_source_answer_is_found(self) -> None:
        world = chain()
        world.ask(1, source_answer="the Mirela Castane")
        findings = world.check()
        assert blocking(findings) == {"R6"}
        assert findings[0].nodes == ("e:h1",)

    def test_a_value_that_only_differs_in_writing_is_found(self) -> None:
        world = branches()
        world.rename("e:h3", aliases=["one-nine-o-eight"])
        world.ask(3, source_answer="One-nine-o-eight")
        assert blocking(world.check()) == {"R6"}

    def test_an_answer_of_the_source_is_found(self) -> None:
        world = chain()
        world.rename("e:h1", origin=Origin.SOURCE)
        assert "R6" in blocking(world.check())

    def test_two_hops_with_one_answer_are_found(self) -> None:
        world = branches()
        world.facts["f:g.h2"].value = "e:h1"
        assert "R6" in blocking(world.check())
