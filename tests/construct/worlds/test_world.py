from __future__ import annotations

import pytest

from realhop_kg.construct.outcome import Constructed
from realhop_kg.construct.pipeline import construct_item
from realhop_kg.construct.worlds.settings import WorldSettings
from realhop_kg.construct.worlds.world import draw_world
from realhop_kg.contracts.check import check_item
from realhop_kg.errors import Refusal
from realhop_kg.graph.dependency import topology
from realhop_kg.model.answers import normalize_answer
from realhop_kg.model.finding import Severity
from realhop_kg.relations.catalogue import catalogue

SHAPES = ("1>2", "1>2,2>3", "1>3,2>3", "1>2,2>3,3>4", "1>3,2>3,3>4", "1>2,2>4,3>4",
          "1>2,1>3,2>4,3>4", "1>3,2>3,3>5,4>5", "1>2,2>3,3>6,4>5,5>6")  # fmt: skip


@pytest.mark.parametrize("at", range(1, len(SHAPES) + 1))
def test_an_item_of_any_shape_is_constructed_without_a_blocking_finding(at: int) -> None:
    relations = catalogue()
    item = draw_world(WorldSettings(shapes=SHAPES, seed=5), at, relations)
    outcome = construct_item(item, relations, seed=3)
    assert isinstance(outcome, Constructed)
    findings = check_item(
        outcome.graph, relations.predicates, relations.types.parents, plan_time=True
    )
    assert [found for found in findings if found.severity is Severity.BLOCKING] == []


def test_a_drawn_item_states_each_hop_in_its_support_and_look_alikes_elsewhere() -> None:
    settings = WorldSettings(hops=(3,), seed=1, ambiguity=2, passages=15)
    item = draw_world(settings, 1, catalogue())
    assert topology(item.dependencies) in ("3hop1", "3hop2")
    assert len(item.passages) == 15
    for hop in item.hops:
        assert hop.support is not None
        assert item.passages[hop.support].is_support
        holders = [p.index for p in item.passages if f" {hop.answer}" in p.text]
        assert hop.support in holders
    assert item.answer == item.hops[-1].answer
    shown = normalize_answer(item.question)
    assert not any(f" {normalize_answer(hop.answer)} " in f" {shown} " for hop in item.hops)


def test_an_item_depends_on_seed_and_number_alone() -> None:
    relations = catalogue()
    once = draw_world(WorldSettings(items=9, seed=2, hops=(2,)), 4, relations)
    again = draw_world(WorldSettings(items=50, seed=2, hops=(2,)), 4, relations)
    other = draw_world(WorldSettings(items=9, seed=3, hops=(2,)), 4, relations)
    assert once == again
    assert once.question != other.question


def test_no_hop_asks_for_a_value_where_names_are_wanted() -> None:
    relations = catalogue()
    for number in range(1, 6):
        item = draw_world(WorldSettings(answers="names", hops=(2, 3), seed=8), number, relations)
        assert not any(char.isdigit() for hop in item.hops for char in hop.answer)


def test_a_shape_that_no_relation_fits_is_refused_with_its_code() -> None:
    settings = WorldSettings(shapes=("1>5,2>5,3>5,4>5",))
    with pytest.raises(Refusal) as refused:
        draw_world(settings, 1, catalogue())
    assert refused.value.code == "Q2"
