from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from realhop_kg.relations.predicates import Family, Predicate, Predicates, link_of, value_of

IDS = ("a", "b", "c", "d", "e")
ENTAILED = st.fixed_dictionaries({name: st.lists(st.sampled_from((*IDS, "gone"))) for name in IDS})


def predicate(name: str, entails: tuple[str, ...] = ()) -> Predicate:
    return Predicate(
        id=name, family=Family.RELATION, arguments={"x": "place"}, value="place", entails=entails
    )


@given(ENTAILED)
@settings(max_examples=150, deadline=None, derandomize=True)
def test_entailment_is_the_reflexive_transitive_closure_of_what_is_declared(
    declared: dict[str, list[str]],
) -> None:
    predicates = Predicates(predicate(name, tuple(names)) for name, names in declared.items())
    holds = {(a, b) for a, names in declared.items() for b in names} | {(a, a) for a in IDS}
    for middle in (*IDS, "gone"):  # Warshall
        holds |= {
            (a, b) for a, left in holds if left == middle for right, b in holds if right == middle
        }
    for name in IDS:
        assert predicates.entailed(name) == {b for a, b in holds if a == name}
        assert all(predicates.entails(name, b) == ((name, b) in holds) for b in IDS)


def test_an_unknown_predicate_entails_itself_alone() -> None:
    assert Predicates([]).entailed("moon") == {"moon"}


def test_a_later_predicate_replaces_an_earlier_one_of_the_same_id() -> None:
    predicates = Predicates([predicate("a"), predicate("b"), predicate("a", ("b",))])
    assert list(predicates) == ["a", "b"]
    assert len(predicates) == 2
    assert predicates["a"].entails == ("b",)
    assert predicates.get("moon") is None


def test_premises_are_named_after_their_predicate_and_frame() -> None:
    assert link_of("mayor.cousin", 1) == "mayor.cousin/link1"
    assert value_of("mayor", 0) == "mayor/value0"


@pytest.mark.parametrize(
    ("left", "right", "agree"),
    [
        ("city", "city", True),
        ("city", "thing", True),
        ("thing", "city", True),
        ("city", "county", False),
        ("city", "year", False),
    ],
)
def test_types_are_compatible_where_one_is_above_the_other(
    left: str, right: str, agree: bool
) -> None:
    parents = {"city": "place", "county": "place", "place": "thing", "thing": "", "year": ""}
    assert Predicates([], parents).compatible(left, right) == agree
    assert Predicates([]).compatible(left, right)  # without a tree every two are


def test_a_damaged_tree_does_not_hang() -> None:
    assert not Predicates([], {"a": "b", "b": "a"}).compatible("a", "c")
