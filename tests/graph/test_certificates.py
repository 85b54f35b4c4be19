"""Certificates of hand-made items."""

from __future__ import annotations

import pytest

from realhop_kg.errors import ContractError
from realhop_kg.graph.certificates import certify, paths_to
from realhop_kg.graph.schema import (
    EdgeKind,
    FactStatus,
    PathKind,
)
from realhop_kg.relations.predicates import Predicates
from tests.graph.graphs import COUNTY_PREDICATES, Sketch, county_item, predicate

NONE = Predicates([])


# A sound item


def test_county_item_has_a_unique_answer() -> None:
    unique = certify(county_item().graph, COUNTY_PREDICATES).unique
    assert unique.holds
    assert unique.gold == ("castor", "ellery")
    assert unique.bindings == (("castor", "ellery"),)
    assert unique.answers == ("ellery",)
    assert unique.other_answers == ()
    assert unique.alternative_bindings == ()


def test_every_hop_and_premise_of_the_county_item_is_necessary() -> None:
    found = certify(county_item().graph, COUNTY_PREDICATES)
    assert found.necessary_hops == {1: True, 2: True}
    assert found.necessary_premises == {"g2.1": True, "g2.2": True}


def test_every_split_fact_of_the_county_item_rests_on_its_own_premises() -> None:
    splits = certify(county_item().graph, COUNTY_PREDICATES).splits
    assert list(splits) == ["g2", "s1a.2", "s1b.2", "s2a.2", "s2b.2"]
    assert all(split.holds for split in splits.values())
    assert splits["s2a.2"].breaks_without == {"s2a.2.1": True, "s2a.2.2": True}


# Uniqueness


def test_near_miss_that_entails_the_required_relation_breaks_uniqueness() -> None:
    entailing = Predicates(
        [*COUNTY_PREDICATES.values(), predicate("seat_in", entails=("located_in",))]
    )
    sketch = county_item()
    sketch.fact("bad", "seat_in", 1, "corley", FactStatus.BREAK, x="brenholt")
    sketch.fact("bad2", "capital", 2, "norwood", FactStatus.CONTINUATION, x="corley")
    sketch.path("s1c", PathKind.STRICT, ["bad", "bad2"], protects=1, breaks=1)
    unique = certify(sketch.graph, entailing).unique
    assert not unique.holds
    assert unique.other_answers == ("norwood",)
    assert unique.alternative_bindings == (("corley", "norwood"),)
    assert paths_to(sketch.graph, "norwood") == ("s1c",)


def test_second_way_to_the_gold_answer_is_reported_and_makes_hops_needless() -> None:
    sketch = county_item()
    sketch.fact("way", "located_in", 1, "corley", FactStatus.CONTINUATION, x="brenholt")
    sketch.fact("way2", "capital", 2, "ellery", FactStatus.CONTINUATION, x="corley")
    found = certify(sketch.graph, COUNTY_PREDICATES)
    assert found.unique.holds
    assert found.unique.alternative_bindings == (("corley", "ellery"),)
    assert found.necessary_hops == {1: False, 2: False}
    assert found.necessary_premises == {"g2.1": False, "g2.2": False}


def test_shortcut_to_the_answer_makes_the_hops_it_passes_needless() -> None:
    sketch = Sketch()
    sketch.hop(1, "located_in")
    sketch.hop(2, "located_in", {"x": 1}, terminal=True)
    sketch.fact("g1", "located_in", 1, "b", x="a")
    sketch.fact("g2", "located_in", 2, "c", x="b")
    sketch.fact("loop", "located_in", 2, "c", FactStatus.CONTINUATION, x="c")
    sketch.fact("direct", "located_in", 1, "c", FactStatus.CONTINUATION, x="a")
    found = certify(sketch.graph, Predicates([predicate("located_in")]))
    assert found.unique.bindings == (("b", "c"), ("c", "c"))
    assert found.necessary_hops == {1: False, 2: False}
    sketch.graph.remove("direct")
    found = certify(sketch.graph, Predicates([predicate("located_in")]))
    assert found.necessary_hops == {1: True, 2: True}


def test_underivable_gold_answer_is_no_unique_answer() -> None:
    sketch = county_item()
    sketch.graph.disconnect("g2.2", EdgeKind.SUBJECT)
    sketch.graph.connect("g2.2", EdgeKind.SUBJECT, "entry dunmore", slot="k")
    unique = certify(sketch.graph, Predicates([])).unique
    assert unique.bindings == ()
    assert unique.other_answers == ()
    assert not unique.holds


def test_answer_is_that_of_the_terminal_hop_whatever_its_index() -> None:
    sketch = Sketch()
    sketch.hop(2, "first")
    sketch.hop(1, "second", {"x": 2}, terminal=True)
    sketch.fact("g2", "first", 2, "b", x="a")
    sketch.fact("g1", "second", 1, "c", x="b")
    sketch.fact("f1", "second", 1, "d", FactStatus.CONTINUATION, x="b")
    found = certify(sketch.graph, NONE)
    assert found.terminal == 1
    assert found.unique.gold == ("c", "b")
    assert found.unique.other_answers == ("d",)


# Premises


def test_premise_that_another_fact_repeats_is_needless() -> None:
    sketch = county_item()
    sketch.fact("again", "capital", 2, "harlan", FactStatus.CONTINUATION, x="castor")
    sketch.split("again", "entry 58")
    found = certify(sketch.graph, COUNTY_PREDICATES)
    assert found.splits["g2"].breaks_without == {"g2.1": False, "g2.2": True}
    assert found.necessary_premises == {"g2.1": False, "g2.2": True}
    assert not found.splits["g2"].holds


def test_shared_key_that_completes_another_facts_join_is_noticed() -> None:
    sketch = county_item()
    sketch.graph.disconnect("s1a.2.2", EdgeKind.SUBJECT)
    sketch.graph.connect("s1a.2.2", EdgeKind.SUBJECT, "entry 58", slot="k")
    found = certify(sketch.graph, COUNTY_PREDICATES)
    assert found.splits["g2"].follows
    assert found.splits["g2"].completed_by == ("s1a.2.2",)
    assert not found.splits["g2"].holds
    assert found.splits["s1a.2"].completed_by == ("g2.1",)
    assert not found.splits["s1a.2"].follows
    assert found.splits["s1b.2"].holds
    assert found.unique.other_answers == ("dunmore",)


def test_key_shared_with_a_near_miss_joins_nothing() -> None:
    sketch = county_item()
    for unit, edge, properties in (
        ("s2a.2.1", EdgeKind.OBJECT, {}),
        ("s2a.2.2", EdgeKind.SUBJECT, {"slot": "k"}),
    ):
        sketch.graph.disconnect(unit, edge)
        sketch.graph.connect(unit, edge, "entry 58", **properties)
    found = certify(sketch.graph, COUNTY_PREDICATES)
    assert found.splits["g2"].holds
    assert found.splits["s2a.2"].holds
    assert found.unique.holds


def test_premise_predicate_that_entails_anothers_is_noticed() -> None:
    sketch = county_item()
    sketch.graph.disconnect("s2a.2.1", EdgeKind.OBJECT)
    sketch.graph.connect("s2a.2.1", EdgeKind.OBJECT, "entry 58")
    loose = predicate("fairground_town/link1", entails=("capital/link1",))
    found = certify(sketch.graph, Predicates([*COUNTY_PREDICATES.values(), loose]))
    assert found.splits["g2"].breaks_without == {"g2.1": False, "g2.2": True}
    assert found.splits["g2"].completed_by == ("s2a.2.1",)


def test_single_premise_does_not_hold_a_fact() -> None:
    sketch = county_item()
    sketch.graph.remove("s1a.2.2")
    split = certify(sketch.graph, COUNTY_PREDICATES).splits["s1a.2"]
    assert not split.follows
    assert not split.holds


# Survival


def test_each_drop_of_the_county_item_leaves_a_complete_competitor() -> None:
    found = certify(county_item().graph, COUNTY_PREDICATES)
    assert found.dropped == {1: ("p0",), 2: ("p1",)}
    assert found.complete_paths == {1: ("s1b",), 2: ("s1a", "s1b", "s2b")}
    assert found.v1 == {1: True, 2: True}
    assert found.gold_derivable_after_drop == {1: False, 2: False}


def test_drop_orphans_gold_and_the_path_whose_near_miss_shares_its_support() -> None:
    found = certify(county_item().graph, COUNTY_PREDICATES)
    assert found.orphans == {1: ("gold", "s1a"), 2: ()}
    assert found.v2 == {1: True, 2: True}


def test_gold_is_the_only_orphan_when_every_near_miss_stands_elsewhere() -> None:
    sketch = county_item()
    sketch.graph.disconnect("s1a.1", EdgeKind.ROUTED_TO)
    sketch.route(3, "s1a.1")
    found = certify(sketch.graph, COUNTY_PREDICATES)
    assert found.orphans[1] == ("gold",)
    assert found.complete_paths[1] == ("s1a", "s1b")
    assert found.v2 == {1: False, 2: True}


def test_no_path_is_complete_when_every_near_miss_shares_the_support() -> None:
    sketch = county_item()
    sketch.graph.disconnect("s1b.1", EdgeKind.ROUTED_TO)
    sketch.route(0, "s1b.1")
    found = certify(sketch.graph, COUNTY_PREDICATES)
    assert found.v1 == {1: False, 2: True}
    assert found.orphans[1] == ("gold", "s1a", "s1b")


def test_one_dropped_premise_makes_its_path_incomplete() -> None:
    sketch = county_item()
    sketch.graph.disconnect("s1b.2.1", EdgeKind.ROUTED_TO)
    sketch.route(0, "s1b.2.1")
    assert certify(sketch.graph, COUNTY_PREDICATES).complete_paths[1] == ()


def test_fragment_is_never_complete_and_still_an_orphan_where_its_prefix_is_missing() -> None:
    sketch = county_item()
    sketch.graph.remove("s1b.1")
    found = certify(sketch.graph, COUNTY_PREDICATES)
    assert found.complete_paths == {1: (), 2: ("s1a", "s2b")}
    assert found.orphans[1] == ("gold", "s1a", "s1b")


def test_continuation_with_the_break_in_it_is_no_orphan() -> None:
    found = certify(county_item().graph, COUNTY_PREDICATES)
    assert "s2b" not in found.orphans[1]  # its hop 1 is gone, but its hop 2 is a near-miss


def test_gold_that_a_copy_outside_its_support_states_survives_its_drop() -> None:
    sketch = county_item()
    sketch.fact("copy", "located_in", 1, "castor", FactStatus.CONTINUATION, x="brenholt")
    sketch.route(3, "copy")
    found = certify(sketch.graph, COUNTY_PREDICATES)
    assert found.gold_derivable_after_drop == {1: True, 2: False}


def test_hop_whose_gold_is_routed_nowhere_is_left_out_of_survival() -> None:
    sketch = county_item()
    sketch.graph.disconnect("g1", EdgeKind.ROUTED_TO)
    found = certify(sketch.graph, COUNTY_PREDICATES)
    assert list(found.complete_paths) == list(found.orphans) == list(found.dropped) == [2]
    assert list(found.gold_derivable_after_drop) == list(found.v1) == list(found.v2) == [2]
    assert found.necessary_hops == {1: True, 2: True}


# Wrong answers


def test_wrong_answer_is_traced_to_the_path_that_leads_to_it() -> None:
    graph = county_item().graph
    assert paths_to(graph, "dunmore") == ("s1a",)
    assert paths_to(graph, "harlan") == ("s2a",)


@pytest.mark.parametrize("entity", ["ellery", "wexmoor", "brenholt", "entry dunmore"])
def test_what_ends_no_competitor_path_is_traced_to_none(entity: str) -> None:
    assert paths_to(county_item().graph, entity) == ()


# Malformed graphs


def test_two_terminal_hops_break_d1() -> None:
    sketch = county_item()
    sketch.hop(3, "capital", {"x": 1})
    sketch.fact("g3", "capital", 3, "ellery", x="castor")
    with pytest.raises(ContractError, match="D1: expected one terminal hop"):
        certify(sketch.graph, COUNTY_PREDICATES)


def test_hop_without_gold_fact_breaks_g1() -> None:
    sketch = county_item()
    sketch.graph.remove("g1")
    with pytest.raises(ContractError, match="G1: h1 has 0 gold facts"):
        certify(sketch.graph, COUNTY_PREDICATES)
