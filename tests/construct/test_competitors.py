"""Which near-misses and hosts competitors of the bundled questions get."""

from __future__ import annotations

import math
from collections import Counter
from functools import cache

import pytest

from graph_builders.musique import BUILDER
from realhop_kg.construct.compete import BORROWED, BORROWED_IN_PREMISES
from realhop_kg.construct.hosts import FACTS_PER_HOST
from realhop_kg.construct.outcome import Constructed
from realhop_kg.construct.pipeline import construct_item
from realhop_kg.graph.operators.rebind import gold_fact_id
from realhop_kg.graph.reasoning import ReasoningGraph
from realhop_kg.graph.schema import (
    EdgeKind,
    FactNode,
    FactStatus,
    HopNode,
    PassageNode,
)
from realhop_kg.model.item import SourceItem
from realhop_kg.relations.catalogue import catalogue
from realhop_kg.relations.relation import NearMiss
from realhop_kg.resources import resource_folder

RELATIONS = catalogue().relations


@cache
def graphs() -> tuple[ReasoningGraph, ...]:
    path = resource_folder("data") / "questions.jsonl"
    items = [each for each in BUILDER.read(path) if isinstance(each, SourceItem)]
    outcomes = [construct_item(item, catalogue(), 5) for item in items]
    assert all(isinstance(outcome, Constructed) for outcome in outcomes)
    return tuple(outcome.graph for outcome in outcomes if isinstance(outcome, Constructed))


def near_misses(graph: ReasoningGraph, hop: HopNode) -> list[NearMiss]:
    relation = RELATIONS[hop.relation]
    by_id = {relation.miss_id(miss): miss for miss in relation.near_misses}
    facts = [f for f in graph.nodes(FactNode) if f.status is FactStatus.BREAK]
    return [by_id[fact.predicate] for fact in facts if fact.hop == hop.index]


def test_near_misses_of_a_hop_mix_borrowed_and_own_words() -> None:
    borrowed: Counter[bool] = Counter()
    for graph in graphs():
        for hop in graph.nodes(HopNode):
            split = bool(graph.sources(gold_fact_id(hop.index), EdgeKind.COMPOSES))
            misses = near_misses(graph, hop)
            lent = sum(bool(miss.like) for miss in misses)
            own = [miss for miss in RELATIONS[hop.relation].near_misses if not miss.like]
            assert lent <= max(BORROWED_IN_PREMISES if split else BORROWED, 3 - len(own))
            borrowed += Counter({True: lent, False: len(misses) - lent})
    assert 0.3 < borrowed[True] / borrowed.total() < 0.7


def test_no_near_miss_says_what_another_step_asks_for() -> None:
    for graph in graphs():
        hops = graph.nodes(HopNode)
        for hop in hops:
            others = {other.relation for other in hops if other.index != hop.index}
            for miss in near_misses(graph, hop):
                assert others.isdisjoint(miss.unsaid)


def test_three_near_misses_of_a_hop_differ() -> None:
    for graph in graphs():
        for hop in graph.nodes(HopNode):
            assert len({miss.id for miss in near_misses(graph, hop)}) == 3


def test_competitors_share_the_supports_and_a_few_further_passages() -> None:
    shares = []
    for graph in graphs():
        facts = graph.nodes(FactNode)
        hosts = {fact.id: graph.targets(fact.id, EdgeKind.ROUTED_TO)[0] for fact in facts}
        supports = {f"p{hop.support}" for hop in graph.nodes(HopNode)}
        wanted = max(math.ceil(len(facts) / FACTS_PER_HOST), len(supports) + 2)
        assert len(set(hosts.values())) <= max(wanted, len(supports) + 2)
        rivals = [fact.id for fact in facts if fact.status is not FactStatus.GOLD]
        shares.append(sum(hosts[fact] in supports for fact in rivals) / len(rivals))
    assert 0.25 < sum(shares) / len(shares) < 0.75


@pytest.mark.parametrize("index", range(4))
def test_most_passages_stay_as_they_were(index: int) -> None:
    graph = graphs()[index]
    used = {graph.targets(fact.id, EdgeKind.ROUTED_TO)[0] for fact in graph.nodes(FactNode)}
    assert len(used) < len(graph.nodes(PassageNode))
