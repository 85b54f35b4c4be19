"""Violations are found from inside the store, and by the shapes; sound items give none."""

from __future__ import annotations

from itertools import groupby

import pytest

from realhop_kg.contracts.check import check_item
from realhop_kg.graph.reasoning import ReasoningGraph
from realhop_kg.relations.catalogue import catalogue
from realhop_kg.stores.load import load_graphs
from realhop_kg.stores.queries import run_query
from realhop_kg.stores.shacl import check_shapes
from realhop_kg.stores.store import Store
from tests.stores.conftest import Graphs
from tests.stores.planted import (
    QUERIES,
    SHAPES,
    Plant,
    s3_forgets_gold,
    s6_uncovered,
    u1_no_break,
)

CASES = [(query, code, plant) for query, plants in QUERIES.items() for code, plant in plants]


@pytest.fixture(scope="session")
def sound(bundled: Graphs) -> tuple[str, ReasoningGraph]:
    """A chain of three hops: it has paths of one, two and three facts."""
    return next((key, graph) for key, graph in bundled.items() if graph["item"].topology == "3hop1")


def _broken(graph: ReasoningGraph, plant: Plant) -> tuple[ReasoningGraph, str]:
    copy = graph.copy()
    return copy, plant(copy)


def test_every_planted_violation_is_in_its_query_and_only_there(
    store: Store, scope: str, sound: tuple[str, ReasoningGraph]
) -> None:
    _, graph = sound
    broken = {plant.__name__: _broken(graph, plant) for _, _, plant in CASES}
    load_graphs(store, scope, [(name, graph) for name, (graph, _) in broken.items()])
    for query, cases in groupby(CASES, key=lambda case: case[0]):
        rows = run_query(store, query, {"scope": scope}).dicts()
        for _, code, plant in cases:
            node = broken[plant.__name__][1]
            mine = [row for row in rows if row["item"] == plant.__name__]
            assert any(node in row.values() for row in mine), (query, plant.__name__, mine)
            assert all(row.get("code", code) == code for row in mine), (plant.__name__, mine)


@pytest.mark.parametrize(("code", "plant"), [(code, plant) for _, code, plant in CASES])
def test_the_checks_find_what_is_planted(
    code: str, plant: Plant, sound: tuple[str, ReasoningGraph]
) -> None:
    """What the queries are tested with is a violation by the checks too."""
    relations = catalogue()
    graph, _ = _broken(sound[1], plant)
    found = {
        str(finding.code)
        for finding in check_item(graph, relations.predicates, relations.types.parents)
    }
    assert code in found


def test_a_hop_without_complete_strict_path_is_listed(
    store: Store, scope: str, sound: tuple[str, ReasoningGraph]
) -> None:
    graph, _ = _broken(sound[1], s6_uncovered)
    load_graphs(store, scope, [("x", graph)])
    rows = run_query(store, "strict_coverage", {"scope": scope}).dicts()
    assert [(row["item"], row["hop"]) for row in rows] == [("x", 1)]
    assert len(rows[0]["incomplete"]) == 2


def test_a_path_without_break_is_shown_to_lead_to_another_answer(
    store: Store, scope: str, sound: tuple[str, ReasoningGraph]
) -> None:
    graph, path = _broken(sound[1], u1_no_break)
    load_graphs(store, scope, [("x", graph)])
    rows = run_query(store, "alternative_answers", {"scope": scope}).dicts()
    assert [row["path"] for row in rows if row["breaks"] == 0] == [path]


@pytest.mark.parametrize(("code", "plant"), SHAPES)
def test_every_planted_violation_breaks_its_shape(
    code: str, plant: Plant, sound: tuple[str, ReasoningGraph]
) -> None:
    graph, node = _broken(sound[1], plant)
    found = [finding for finding in check_shapes("x", graph) if finding.code == code]
    # A gold fact that a path forgets is reported at the path.
    assert any(node in finding.nodes for finding in found) or (found and plant is s3_forgets_gold)


@pytest.mark.parametrize("which", ["some", pytest.param("bundled", marks=pytest.mark.soak)])
def test_sound_items_break_no_shape(which: str, request: pytest.FixtureRequest) -> None:
    graphs: Graphs = request.getfixturevalue(which)
    for key, graph in graphs.items():
        assert check_shapes(key, graph) == []
