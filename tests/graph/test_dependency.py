from __future__ import annotations

from itertools import permutations
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graph_builders.base import Excluded, builder
from realhop_kg.errors import ContractError
from realhop_kg.graph.build import source_graph
from realhop_kg.graph.dependency import (
    check_dag,
    dependencies,
    descendants,
    regenerated,
    terminal,
    topological,
    topology,
)
from tests.graph.dags import DAGS, SHAPES, random_dags, reachable
from tests.graph.source import source_item

Deps = dict[int, tuple[int, ...]]

ANY_DEPS = st.integers(1, 5).flatmap(
    lambda size: st.fixed_dictionaries(
        {
            hop: st.lists(st.integers(1, size), max_size=2, unique=True).map(tuple)
            for hop in range(1, size + 1)
        }
    )
)


@pytest.mark.parametrize("shape", DAGS)
def test_descendants_in_every_named_shape(shape: str) -> None:
    for hop, later in SHAPES[shape].items():
        assert descendants(DAGS[shape], hop) == later
        assert regenerated(DAGS[shape], hop) == later | {hop}


@pytest.mark.parametrize("shape", DAGS)
def test_every_named_shape_is_a_dag_and_is_called_by_its_name(shape: str) -> None:
    check_dag(DAGS[shape])
    assert topology(DAGS[shape]) == shape
    assert terminal(DAGS[shape]) == max(DAGS[shape])


@given(random_dags())
@settings(max_examples=200, deadline=None, derandomize=True)
def test_descendants_are_what_a_brute_force_reaches(deps: Deps) -> None:
    pairs = reachable(deps)
    for hop in deps:
        later = {b for a, b in pairs if a == hop}
        assert descendants(deps, hop) == later
        assert regenerated(deps, hop) == later | {hop}


@given(random_dags(most=5))
@settings(max_examples=150, deadline=None, derandomize=True)
def test_the_order_is_the_first_of_all_that_respect_the_dependencies(deps: Deps) -> None:
    allowed = (
        list(order)
        for order in permutations(sorted(deps))
        if all(order.index(a) < order.index(b) for b, before in deps.items() for a in before)
    )
    assert topological(deps) == next(allowed)


@given(random_dags())
@settings(max_examples=100, deadline=None, derandomize=True)
def test_every_other_hop_leads_to_the_terminal_one(deps: Deps) -> None:
    check_dag(deps)
    last = terminal(deps)
    assert {a for a, b in reachable(deps) if b == last} == set(deps) - {last}
    assert topological(deps)[-1] == last


@given(ANY_DEPS)
@settings(max_examples=200, deadline=None, derandomize=True)
def test_a_graph_passes_exactly_if_it_has_no_cycle_and_one_end(deps: Deps) -> None:
    cyclic = any(a == b for a, b in reachable(deps))
    ends = set(deps) - {hop for before in deps.values() for hop in before}
    if not cyclic and len(ends) == 1:
        check_dag(deps)
        return
    with pytest.raises(ContractError) as caught:
        check_dag(deps)
    assert caught.value.code == "D1"


@pytest.mark.parametrize(
    ("deps", "message"),
    [
        ({1: (), 2: (1, 7)}, "hop 2 refers to missing hop 7"),
        ({1: (2,), 2: (1,)}, r"hops \[1, 2\] depend on each other in a cycle"),
        ({1: (1,)}, r"hops \[1\] depend on each other in a cycle"),
        ({1: (), 2: ()}, r"expected one terminal hop, found \[1, 2\]"),
        ({}, "expected one terminal hop, found none"),
    ],
)
def test_what_is_wrong_with_a_graph_is_said(deps: Deps, message: str) -> None:
    with pytest.raises(ContractError, match=f"^D1: {message}"):
        check_dag(deps)


@pytest.mark.parametrize(
    ("deps", "name"),
    [
        ({1: ()}, "1hop"),
        ({1: (), 2: (1,), 3: (1, 2)}, "dag"),
        ({1: (), 2: (1,), 3: (2,), 4: (3,), 5: (4,)}, "dag"),
    ],
)
def test_any_other_shape_is_a_dag(deps: Deps, name: str) -> None:
    assert topology(deps) == name


@pytest.mark.parametrize("shape", DAGS)
def test_a_graph_gives_back_the_dependencies_it_was_built_from(shape: str) -> None:
    assert dependencies(source_graph(source_item(DAGS[shape]))) == DAGS[shape]


def test_the_shapes_of_public_questions_are_those_their_ids_name(shared_data: Path) -> None:
    file = shared_data / "multihop" / "musique" / "musique_ans_sample.jsonl"
    items = [each for each in builder("musique").read(file) if not isinstance(each, Excluded)]
    assert len(items) == 60
    assert all(topology(item.dependencies) == item.id.split("__")[0] for item in items)
