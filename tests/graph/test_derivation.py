"""Derivation of hand-made graphs."""

from __future__ import annotations

import pytest

from realhop_kg.graph.derivation import Derivation, answers
from realhop_kg.graph.evidence import read_evidence
from realhop_kg.graph.schema import (
    EdgeKind,
    FactStatus,
)
from realhop_kg.relations.predicates import Predicates, link_of, value_of
from tests.graph.graphs import COUNTY_PREDICATES, Sketch, county_item, predicate
from tests.graph.random_graphs import PARENTS

NONE = Predicates([])


def one_hop(required: str, relation: str, value: str, subject: str) -> Sketch:
    """Sketch a question of one hop with its gold fact `g1`."""
    sketch = Sketch()
    sketch.hop(1, required, relation=relation, terminal=True)
    sketch.fact("g1", relation, 1, value, x=subject)
    return sketch


def split_fact(*keys: str) -> Sketch:
    """Sketch a question of one hop whose gold fact is split over keys."""
    sketch = one_hop("r", "r", "y", "x")
    sketch.split("g1", *keys)
    return sketch


# Predicates


def test_symmetric_relation_holds_from_either_side() -> None:
    sketch = one_hop("borders", "borders", "tolmer", "marrin")
    sketch.fact("other", "borders", 1, "marrin", FactStatus.BREAK, x="selby")
    assert answers(sketch.graph, COUNTY_PREDICATES) == {("tolmer",), ("selby",)}
    assert answers(sketch.graph, COUNTY_PREDICATES, {"other"}) == {("selby",)}


def test_transitive_relation_chains_over_any_number_of_facts() -> None:
    sketch = one_hop("located_in", "located_in", "b", "a")
    sketch.fact("f1", "located_in", 1, "c", FactStatus.CONTINUATION, x="b")
    sketch.fact("f2", "located_in", 1, "d", FactStatus.CONTINUATION, x="c")
    worlds = [(), ("f1",), ("f2",), ("g1",)]
    derivation = Derivation(sketch.graph, COUNTY_PREDICATES, worlds)
    assert [derivation.answers(number) for number in range(4)] == [
        {("b",), ("c",), ("d",)},
        {("b",)},
        {("b",), ("c",)},
        frozenset(),
    ]


def test_fact_stated_twice_is_lost_only_with_both_statements() -> None:
    sketch = Sketch()
    sketch.hop(1, "located_in", terminal=True)
    sketch.fact("f1", "located_in", 1, "c", FactStatus.CONTINUATION, x="b")
    sketch.fact("g1", "located_in", 1, "b", x="a")
    sketch.fact("again", "located_in", 1, "b", FactStatus.CONTINUATION, x="a")
    worlds = [("g1",), ("again",), ("f1",), ("g1", "again")]
    derivation = Derivation(sketch.graph, COUNTY_PREDICATES, worlds)
    assert derivation.bindings() == {("b",): 0b0111, ("c",): 0b0011}


def test_inverse_exchanges_subject_and_value() -> None:
    sketch = one_hop("capital", "capital", "ellery", "castor")
    sketch.fact("other", "capital_of", 1, "castor", FactStatus.CONTINUATION, x="harlan")
    assert answers(sketch.graph, COUNTY_PREDICATES) == {("ellery",), ("harlan",)}


def test_weaker_relation_as_voiced_is_met_by_the_annotated_one() -> None:
    sketch = one_hop("located_in", "capital_of", "castor", "ellery")
    assert answers(sketch.graph, COUNTY_PREDICATES) == {("castor",)}


def test_stronger_required_relation_is_not_met_by_a_weaker_fact() -> None:
    sketch = one_hop("capital_of", "capital_of", "castor", "ellery")
    sketch.fact("weak", "located_in", 1, "wexmoor", FactStatus.BREAK, x="ellery")
    assert answers(sketch.graph, COUNTY_PREDICATES) == {("castor",)}


def test_entailment_inverse_and_transitivity_work_together() -> None:
    sketch = one_hop("located_in", "located_in", "a", "z")
    sketch.fact("f1", "capital", 1, "ellery", FactStatus.CONTINUATION, x="castor")
    sketch.fact("f2", "located_in", 1, "ellery", FactStatus.CONTINUATION, x="mill street")
    sketch.graph.disconnect("g1", EdgeKind.SUBJECT)
    sketch.graph.connect("g1", EdgeKind.SUBJECT, "mill street", slot="x")
    assert answers(sketch.graph, COUNTY_PREDICATES) == {("a",), ("ellery",), ("castor",)}


def test_value_of_another_kind_than_gold_is_no_answer() -> None:
    sketch = Sketch()
    for entity, kind in (("castor", "county"), ("state", "place"), ("ellery", "city")):
        sketch.entity(entity, kind)
    sketch.hop(1, "located_in", terminal=True)
    sketch.fact("g1", "located_in", 1, "castor", x="mill street")
    sketch.fact("f1", "located_in", 1, "ellery", FactStatus.CONTINUATION, x="mill street")
    sketch.fact("f2", "located_in", 1, "state", FactStatus.CONTINUATION, x="castor")
    typed = Predicates(COUNTY_PREDICATES.values(), PARENTS)
    assert answers(sketch.graph, typed) == {("castor",), ("state",)}  # a county is a place
    assert answers(sketch.graph, COUNTY_PREDICATES) == {("castor",), ("ellery",), ("state",)}


def test_value_of_another_kind_still_carries_a_chain() -> None:
    sketch = Sketch()
    for entity, kind in (("castor", "county"), ("ellery", "city")):
        sketch.entity(entity, kind)
    sketch.hop(1, "located_in", terminal=True)
    sketch.fact("g1", "located_in", 1, "castor", x="mill street")
    sketch.fact("f1", "located_in", 1, "ellery", FactStatus.CONTINUATION, x="mill street")
    sketch.fact("f2", "located_in", 1, "castor", FactStatus.CONTINUATION, x="ellery")
    typed = Predicates(COUNTY_PREDICATES.values(), PARENTS)
    assert Derivation(sketch.graph, typed, [("g1",), ("g1", "f2")]).bindings() == {("castor",): 1}


def test_unknown_predicate_entails_itself_only() -> None:
    assert answers(one_hop("r", "r", "y", "x").graph, NONE) == {("y",)}
    assert answers(one_hop("s", "r", "y", "x").graph, NONE) == frozenset()


def test_slots_agree_by_name_whatever_their_declared_order() -> None:
    sketch = Sketch()
    sketch.hop(1, "weak", slots=("x", "z"), terminal=True)
    sketch.fact("g1", "strong", 1, "y", z="b", x="a")
    declared = [predicate("strong", ("z", "x"), entails=("weak",)), predicate("weak", ("x", "z"))]
    assert answers(sketch.graph, Predicates(declared)) == {("y",)}


# The question pattern


def diamond() -> Sketch:
    """Sketch 1 -> 2, 1 -> 3, 2 and 3 -> 4, where hop 1 has a second value."""
    sketch = Sketch()
    sketch.hop(1, "first")
    sketch.hop(2, "left", {"x": 1})
    sketch.hop(3, "right", {"x": 1})
    sketch.hop(4, "both", {"x": 2, "z": 3}, slots=("x", "z"), terminal=True)
    sketch.fact("g1", "first", 1, "b", x="a")
    sketch.fact("g2", "left", 2, "c", x="b")
    sketch.fact("g3", "right", 3, "d", x="b")
    sketch.fact("g4", "both", 4, "e", x="c", z="d")
    sketch.fact("f1", "first", 1, "b2", FactStatus.CONTINUATION, x="a")
    sketch.fact("f2", "left", 2, "c2", FactStatus.CONTINUATION, x="b2")
    sketch.fact("f3", "right", 3, "d2", FactStatus.CONTINUATION, x="b2")
    return sketch


def test_diamond_joins_both_branches_on_the_shared_hop() -> None:
    sketch = diamond()
    # left of one value of hop 1 and right of the other: no binding of the shared variable
    sketch.fact("crossed", "both", 4, "wrong", FactStatus.CONTINUATION, x="c2", z="d")
    assert answers(sketch.graph, NONE) == {("b", "c", "d", "e")}
    sketch.fact("straight", "both", 4, "right", FactStatus.CONTINUATION, x="c2", z="d2")
    assert answers(sketch.graph, NONE) == {("b", "c", "d", "e"), ("b2", "c2", "d2", "right")}


@pytest.mark.parametrize("missing", ["g1", "g2", "g3", "g4"])
def test_diamond_needs_every_one_of_its_facts(missing: str) -> None:
    graph = diamond().graph
    assert Derivation(graph, NONE, [(), (missing,)]).answers(1) == frozenset()


def test_hop_that_depends_on_one_hop_through_two_slots_takes_the_same_value_twice() -> None:
    sketch = Sketch()
    sketch.hop(1, "first")
    sketch.hop(2, "both", {"x": 1, "z": 1}, slots=("x", "z"), terminal=True)
    sketch.fact("g1", "first", 1, "b", x="a")
    sketch.fact("g2", "both", 2, "c", x="b", z="b")
    sketch.fact("f1", "first", 1, "b2", FactStatus.CONTINUATION, x="a")
    sketch.fact("f2", "both", 2, "wrong", FactStatus.CONTINUATION, x="b", z="b2")
    assert answers(sketch.graph, NONE) == {("b", "c")}


def test_constant_slot_beside_a_variable_must_match() -> None:
    sketch = Sketch()
    sketch.hop(1, "first")
    sketch.hop(2, "both", {"x": 1}, slots=("x", "z"), terminal=True)
    sketch.fact("g1", "first", 1, "b", x="a")
    sketch.fact("g2", "both", 2, "c", x="b", z="tavano")
    sketch.fact("f2", "both", 2, "wrong", FactStatus.CONTINUATION, x="b", z="brask")
    assert answers(sketch.graph, NONE) == {("b", "c")}


def test_binding_is_in_the_order_of_hop_indices_not_of_dependence() -> None:
    sketch = Sketch()
    sketch.hop(2, "first")
    sketch.hop(1, "second", {"x": 2}, terminal=True)
    sketch.fact("g2", "first", 2, "b", x="a")
    sketch.fact("g1", "second", 1, "c", x="b")
    assert answers(sketch.graph, NONE) == {("c", "b")}


# Premises


def test_split_fact_follows_from_its_premises_alone() -> None:
    graph = split_fact("k1").graph
    worlds = [(), ("g1",), ("g1.1",), ("g1.2",)]
    derivation = Derivation(graph, NONE, worlds)
    assert derivation.bindings() == {("y",): 0b0011}
    assert derivation.worlds_of("g1.1") == 0b1011


def test_chain_of_three_keys_needs_all_four_premises() -> None:
    graph = split_fact("k1", "k2", "k3").graph
    worlds = [(), *((f"g1.{order}",) for order in range(1, 5))]
    assert Derivation(graph, NONE, worlds).bindings() == {("y",): 0b00001}


def test_shared_key_lets_the_premises_of_two_facts_join() -> None:
    sketch = split_fact("k1")
    sketch.fact("f1", "r", 1, "y2", FactStatus.CONTINUATION, x="x2")
    sketch.split("f1", "k1")
    assert answers(sketch.graph, NONE) == {("y",), ("y2",)}
    assert answers(sketch.graph, NONE, {"g1.1", "f1.2"}) == {("y2",)}


def test_shared_key_joins_nothing_across_wording_frames() -> None:
    sketch = split_fact("k1")
    sketch.fact("f1", "r", 1, "y2", FactStatus.CONTINUATION, x="x2")
    sketch.split("f1", "k1", frame=2)
    assert answers(sketch.graph, NONE) == {("y",)}


def test_slot_that_two_premises_name_must_agree() -> None:
    sketch = one_hop("r", "r", "y", "x")
    sketch.unit("g1", 1, link_of("r", 1), "k1", x="x")
    sketch.unit("g1", 2, value_of("r", 1), "y", k="k1", x="x")
    sketch.fact("f1", "r", 1, "y2", FactStatus.CONTINUATION, x="x2")
    sketch.unit("f1", 1, link_of("r", 1), "k1", x="x2")
    sketch.unit("f1", 2, value_of("r", 1), "y2", k="k1", x="x2")
    assert answers(sketch.graph, NONE) == {("y",)}


def test_slots_spread_over_premises_are_put_together() -> None:
    sketch = Sketch()
    sketch.hop(1, "opened", slots=("x", "z"), terminal=True)
    sketch.fact("g1", "opened", 1, "1967", x="halberg", z="brask")
    sketch.unit("g1", 1, link_of("opened", 1), "file 77", z="brask")
    sketch.unit("g1", 2, "opened/middle1", "page 3", k="file 77", x="halberg")
    sketch.unit("g1", 3, value_of("opened", 1), "1967", k="page 3")
    assert answers(sketch.graph, NONE) == {("1967",)}
    assert answers(sketch.graph, NONE, {"g1.1", "g1.3"}) == frozenset()


def test_slot_that_only_a_premise_has_is_left_out_of_the_fact() -> None:
    sketch = one_hop("r", "r", "y", "x")
    sketch.unit("g1", 1, link_of("r", 1), "k1", x="x", z="aside")
    sketch.unit("g1", 2, value_of("r", 1), "y", k="k1")
    assert answers(sketch.graph, NONE) == {("y",)}


def test_single_premise_does_not_make_the_fact() -> None:
    sketch = one_hop("r", "r", "y", "x")
    sketch.unit("g1", 1, link_of("r", 1), "y", x="x")
    assert answers(sketch.graph, NONE) == frozenset()


def test_premises_that_leave_a_slot_of_the_fact_open_do_not_make_it() -> None:
    sketch = Sketch()
    sketch.hop(1, "opened", slots=("x", "z"), terminal=True)
    sketch.fact("g1", "opened", 1, "1967", x="halberg", z="brask")
    sketch.unit("g1", 1, link_of("opened", 1), "file 77", z="brask")
    sketch.unit("g1", 2, value_of("opened", 1), "1967", k="file 77")
    assert answers(sketch.graph, NONE) == frozenset()


def test_county_item_has_the_gold_binding_only() -> None:
    assert answers(county_item().graph, COUNTY_PREDICATES) == {("castor", "ellery")}


def test_evidence_read_once_serves_several_derivations() -> None:
    graph = county_item().graph
    evidence = read_evidence(graph)
    first = Derivation(evidence, COUNTY_PREDICATES, [("g1",)])
    second = Derivation(evidence, COUNTY_PREDICATES, [()])
    assert first.answers(0) == frozenset()
    assert second.answers(0) == {("castor", "ellery")}


def test_binding_that_holds_in_no_world_is_not_listed() -> None:
    derivation = Derivation(county_item().graph, COUNTY_PREDICATES, [("g1",), ("g2.1",)])
    assert derivation.bindings() == {}


def test_present_may_name_other_nodes() -> None:
    everything = set(county_item().graph.nx)
    assert answers(county_item().graph, COUNTY_PREDICATES, everything) == {("castor", "ellery")}


def test_world_that_removes_no_statement_is_refused() -> None:
    with pytest.raises(ValueError, match="'h1' is no fact or premise"):
        Derivation(county_item().graph, COUNTY_PREDICATES, [("h1",)])
