from __future__ import annotations

import random
from collections.abc import Callable
from functools import cache
from typing import Any

import pytest

from graph_builders.musique import BUILDER
from realhop_kg.construct.coining import ItemCoiner
from realhop_kg.construct.compete import STRICT_CANDIDATES, propose_branches
from realhop_kg.construct.plan import propose_plan
from realhop_kg.construct.premises import propose_splits
from realhop_kg.errors import Refusal
from realhop_kg.graph.build import source_graph
from realhop_kg.graph.dependency import descendants, terminal, topology
from realhop_kg.graph.operators import factorize, rebind
from realhop_kg.graph.operators.factorize import required_splits
from realhop_kg.ids import rng
from realhop_kg.model.answers import normalize_answer
from realhop_kg.model.item import SourceItem
from realhop_kg.model.plan import BranchPlan, RebindPlan, Split
from realhop_kg.relations.catalogue import Catalogue, catalogue
from realhop_kg.resources import resource_folder
from tests.construct.records import record
from tests.construct.small import miss, relation, small_catalogue


@cache
def one_of_each_shape() -> list[SourceItem]:
    path = resource_folder("data") / "questions.jsonl"
    items = [each for each in BUILDER.read(path) if isinstance(each, SourceItem)]
    return list({topology(item.dependencies): item for item in items}.values())


Proposed = tuple[RebindPlan, dict[int, Split], list[BranchPlan], list[BranchPlan]]


def propose(item: SourceItem, known: Catalogue, seed: int = 0) -> Proposed:
    coiner = ItemCoiner(seed, item)
    plan = propose_plan(item, known, coiner)
    graph = rebind(source_graph(item), plan)
    splits = propose_splits(graph, known, coiner, rng(seed, item.key, "premises"))
    graph = factorize(graph, splits, known.predicates)
    registry = {entity.ref: entity for entity in plan.entities}
    strict, flexible = propose_branches(graph, registry, splits, known, coiner, random.Random(seed))
    return plan, splits, strict, flexible


def test_the_bundled_questions_have_every_named_shape() -> None:
    shapes = {topology(item.dependencies) for item in one_of_each_shape()}
    assert shapes == {"2hop", "3hop1", "3hop2", "4hop1", "4hop2", "4hop3", "diamond"}


@pytest.mark.parametrize("item", one_of_each_shape(), ids=lambda item: item.id)
def test_every_hop_gets_two_strict_candidates_and_a_flexible_one(item: SourceItem) -> None:
    plan, splits, strict, flexible = propose(item, catalogue())
    deps = item.dependencies
    relations = {hop.index: hop.relation for hop in plan.hops}
    assert [(p.hop, p.candidate) for p in strict] == [(hop, at) for hop in deps for at in (1, 2)]
    assert [(p.hop, p.candidate) for p in flexible] == [(hop, 1) for hop in deps]
    for hop in deps:
        own = [p for p in (*strict, *flexible) if p.hop == hop]
        assert len({p.near_miss for p in own}) == STRICT_CANDIDATES + 1
        for proposed in own:
            assert proposed.near_miss.startswith(f"{relations[hop]}.")
            anew = descendants(deps, hop) | {hop}
            assert set(proposed.values) == anew
            assert set(proposed.splits) == anew & set(splits)
            assert all(proposed.splits[h].frame == splits[h].frame for h in proposed.splits)


@pytest.mark.parametrize("item", one_of_each_shape(), ids=lambda item: item.id)
def test_all_names_values_and_keys_of_an_item_are_distinct(item: SourceItem) -> None:
    plan, splits, strict, flexible = propose(item, catalogue())
    used = [entity.virtual.surface for entity in plan.entities]
    used += [split.key for split in splits.values()]
    for proposed in (*strict, *flexible):
        used += [name.surface for name in proposed.values.values()]
        used += [split.key for split in proposed.splits.values()]
    folded = [normalize_answer(name) for name in used]
    assert len(folded) == len(set(folded))


@pytest.mark.parametrize("item", one_of_each_shape(), ids=lambda item: item.id)
def test_the_terminal_hop_and_half_of_the_hops_are_split(item: SourceItem) -> None:
    _, splits, _, _ = propose(item, catalogue())
    assert len(splits) == required_splits(len(item.hops))
    assert terminal(item.dependencies) in splits


def test_which_hops_and_frames_are_split_is_drawn() -> None:
    item = next(i for i in one_of_each_shape() if topology(i.dependencies) == "4hop1")
    drawn = [propose(item, catalogue(), seed)[1] for seed in range(12)]
    assert len({tuple(splits) for splits in drawn}) > 1
    assert len({tuple(split.frame for split in splits.values()) for splits in drawn}) > 1


def test_the_same_seed_proposes_the_same_and_another_something_else() -> None:
    item = one_of_each_shape()[0]
    assert propose(item, catalogue(), 1) == propose(item, catalogue(), 1)
    assert propose(item, catalogue(), 1) != propose(item, catalogue(), 2)


TWINS = record(
    "What is the twin of the home of Ida Marrow?",
    [("Ida Marrow >> home", "Pennock"), ("#1 >> twin", "Stell County")],
)


def with_misses(*misses: dict[str, Any]) -> Catalogue:
    return small_catalogue(relation("twin", value="place", near_misses=list(misses)))


def of_twin(plans: list[BranchPlan]) -> list[str]:
    return sorted(p.near_miss.removeprefix("twin.") for p in plans if p.hop == 2)


def test_a_near_miss_is_used_only_where_the_types_are_its_own() -> None:
    known = with_misses(
        miss("guest"),
        miss("rival"),
        miss("of_village", only={"x": "village"}),
        miss("of_river", only={"y": "river"}),
        miss("of_county", only={"y": "county", "x": "settlement"}),
    )
    for seed in range(10):
        _, _, strict, flexible = propose(TWINS, known, seed)
        assert sorted(of_twin(strict) + of_twin(flexible)) == ["guest", "of_county", "rival"]


def test_with_two_near_misses_there_is_no_flexible_path() -> None:
    known = with_misses(miss("guest"), miss("rival"), miss("far", only={"x": "lake"}))
    _, _, strict, flexible = propose(TWINS, known)
    assert of_twin(strict) == ["guest", "rival"]
    assert of_twin(flexible) == []


def test_with_one_near_miss_the_item_is_refused() -> None:
    known = with_misses(miss("guest"), *(miss(n, only={"x": "lake"}) for n in ("far", "wide")))
    with pytest.raises(Refusal, match=r"^Q5: relation twin has 1 near-misses for these types"):
        propose(TWINS, known)


@pytest.mark.parametrize(
    ("shown", "gold"),
    [("Stell County", lambda name: name.endswith(" County")), ("Stell", str.isalpha)],
)
def test_fresh_values_have_the_shape_of_gold(shown: str, gold: Callable[[str], bool]) -> None:
    item = record(TWINS.question, [("Ida Marrow >> home", "Pennock"), ("#1 >> twin", shown)])
    plan, _, strict, flexible = propose(item, small_catalogue(relation("twin", value="place")))
    names = [p.values[2].surface for p in (*strict, *flexible)]
    assert all(gold(name) for name in [*names, plan.entities[-1].virtual.surface])
