from __future__ import annotations

from itertools import product

import pytest

from realhop_kg.relations.types import EntityType, Types, entity_types

TREE = Types(
    {
        "thing": EntityType(noun="thing"),
        "place": EntityType(parent="thing", noun="place", kinds=("place", "area")),
        "county": EntityType(parent="place", noun="county", kinds=("county",)),
        "city": EntityType(parent="place", noun="city", kinds=("city", "capital city")),
        "value": EntityType(noun="value"),
        "year": EntityType(parent="value", noun="year", kinds=("year",)),
    }
)
ABOVE = {
    "thing": {"thing"},
    "place": {"place", "thing"},
    "county": {"county", "place", "thing"},
    "city": {"city", "place", "thing"},
    "value": {"value"},
    "year": {"year", "value"},
}


@pytest.mark.parametrize(("low", "high"), list(product(ABOVE, ABOVE)))
def test_a_type_is_itself_and_all_that_is_above_it(low: str, high: str) -> None:
    assert TREE.is_a(low, high) == (high in ABOVE[low])


@pytest.mark.parametrize(("left", "right"), list(product(ABOVE, ABOVE)))
def test_the_narrower_of_two_types_is_the_lower_one_if_they_are_on_one_branch(
    left: str, right: str
) -> None:
    expected = left if right in ABOVE[left] else right if left in ABOVE[right] else None
    assert TREE.narrower(left, right) == expected
    assert TREE.narrower(right, left) == expected


def test_a_kind_noun_asks_for_its_type_in_any_case() -> None:
    assert TREE.of_kind("Capital City") == "city"
    assert TREE.of_kind("borough") is None
    assert TREE.kinds["area"] == "place"


def test_values_are_told_from_entities() -> None:
    assert [name for name in ABOVE if TREE.is_value(name)] == ["value", "year"]


def test_parents_are_what_a_frozen_dataset_keeps() -> None:
    assert TREE.parents["city"] == "place"
    assert TREE.parents["thing"] == ""
    assert "city" in TREE
    assert "moon" not in TREE


def test_a_kind_noun_of_two_types_is_an_error() -> None:
    with pytest.raises(ValueError, match="'spot' belongs to a and b"):
        Types(
            {
                "a": EntityType(noun="a", kinds=("spot",)),
                "b": EntityType(noun="b", kinds=("spot",)),
            }
        )


def test_an_unknown_parent_is_an_error() -> None:
    with pytest.raises(ValueError, match="'a' has unknown parent 'b'"):
        Types({"a": EntityType(noun="a", parent="b")})


def test_types_above_each_other_in_a_circle_are_an_error() -> None:
    with pytest.raises(ValueError, match="'a' is above itself"):
        Types(
            {
                "top": EntityType(noun="top"),
                "a": EntityType(noun="a", parent="b"),
                "b": EntityType(noun="b", parent="a"),
            }
        )


def test_the_bundled_tree_has_things_values_and_keys_as_roots() -> None:
    roots = [name for name, parent in entity_types().parents.items() if not parent]
    assert roots == ["thing", "value", "key"]


def test_every_bundled_type_has_a_noun_and_kind_nouns_are_folded() -> None:
    types = entity_types()
    assert all(types[name].noun.strip() for name in types.parents)
    assert [kind for kind in types.kinds if kind != kind.casefold()] == []
