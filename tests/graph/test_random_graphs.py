"""Derivation and certificates of random graphs, against brute force."""

from __future__ import annotations

from collections.abc import Collection

from hypothesis import given, settings

from realhop_kg.graph.certificates import certify
from realhop_kg.graph.derivation import Derivation, answers
from realhop_kg.graph.reasoning import ReasoningGraph
from realhop_kg.graph.schema import (
    EdgeKind,
    EvidenceUnit,
    FactNode,
    HopNode,
    PathKind,
    PathNode,
)
from tests.graph import brute_force
from tests.graph.random_graphs import Case, random_cases


@settings(max_examples=200, deadline=None, derandomize=True)
@given(random_cases())
def test_every_world_has_the_answers_that_brute_force_finds(case: Case) -> None:
    derivation = Derivation(case.graph, case.predicates, case.worlds)
    for number, removed in enumerate(case.worlds):
        expected = brute_force.bindings(case.graph, case.predicates, removed, case.parents)
        assert derivation.answers(number) == expected
    assert all(derivation.bindings().values())


@settings(max_examples=60, deadline=None, derandomize=True)
@given(random_cases())
def test_every_statement_holds_in_the_worlds_that_brute_force_finds(case: Case) -> None:
    derivation = Derivation(case.graph, case.predicates, case.worlds)
    holding = [brute_force.holding(case.graph, case.predicates, world) for world in case.worlds]
    for node in (*case.graph.nodes(FactNode), *case.graph.nodes(EvidenceUnit)):
        stated = brute_force.stated(case.graph, node.id)
        expected = sum(1 << number for number, atoms in enumerate(holding) if stated in atoms)
        assert derivation.worlds_of(node.id) == expected


@settings(max_examples=50, deadline=None, derandomize=True)
@given(random_cases())
def test_answers_from_what_is_present_are_those_of_the_world_without_the_rest(case: Case) -> None:
    everything = {
        node.id for node in (*case.graph.nodes(FactNode), *case.graph.nodes(EvidenceUnit))
    }
    removed = case.worlds[-1]
    expected = brute_force.bindings(case.graph, case.predicates, removed, case.parents)
    assert answers(case.graph, case.predicates, everything - removed) == expected


@settings(max_examples=60, deadline=None, derandomize=True)
@given(random_cases(routed=True))
def test_certificates_are_those_of_brute_force(case: Case) -> None:
    graph = case.graph
    found = certify(graph, case.predicates)
    hops = sorted(graph.nodes(HopNode), key=lambda hop: hop.index)
    last = next(place for place, hop in enumerate(hops) if hop.terminal)
    gold = {hop.index: brute_force.gold_fact(graph, hop) for hop in hops}
    answer = graph.targets(gold[hops[last].index], EdgeKind.OBJECT)[0]

    def bindings_without(removed: Collection[str]) -> set[tuple[str, ...]]:
        return brute_force.bindings(graph, case.predicates, removed, case.parents)

    def answers_without(removed: Collection[str]) -> set[str]:
        return {bound[last] for bound in bindings_without(removed)}

    def parts(fact: str) -> list[str]:
        return [fact, *brute_force.premises(graph, fact)]

    assert set(found.unique.bindings) == bindings_without([])
    assert found.unique.holds == (answers_without([]) == {answer})
    assert set(found.unique.other_answers) == answers_without([]) - {answer}
    assert found.necessary_hops == {
        hop: answer not in answers_without(parts(fact)) for hop, fact in gold.items()
    }
    assert found.necessary_premises == {
        unit: answer not in answers_without([unit])
        for fact in gold.values()
        for unit in brute_force.premises(graph, fact)
    }
    assert found.gold_derivable_after_drop == {
        hop: answer in answers_without(removed)
        for hop, fact in gold.items()
        if (removed := _dropped_with(graph, parts(fact)))
    }


@settings(max_examples=40, deadline=None, derandomize=True)
@given(random_cases(routed=True))
def test_split_facts_break_where_brute_force_breaks_them(case: Case) -> None:
    found = certify(case.graph, case.predicates)
    split = {unit for fact in found.splits.values() for unit in fact.breaks_without}
    assert split == {unit.id for unit in case.graph.nodes(EvidenceUnit)}
    for fact, certificate in found.splits.items():
        atom = brute_force.stated(case.graph, fact)
        for unit, breaks in certificate.breaks_without.items():
            left = brute_force.holding(case.graph, case.predicates, [unit])
            assert breaks == (atom not in left)
        everything = brute_force.holding(case.graph, case.predicates)
        assert not certificate.follows or atom in everything


@settings(max_examples=60, deadline=None, derandomize=True)
@given(random_cases(routed=True))
def test_survival_is_that_of_paths_walked_by_hand(case: Case) -> None:
    graph = case.graph
    found = certify(graph, case.predicates)
    for hop, passages in found.dropped.items():
        gone = {node for passage in passages for node in graph.sources(passage, EdgeKind.ROUTED_TO)}
        later = _reachable(graph, hop)
        complete, orphans = [], []
        for path in graph.nodes(PathNode):
            left = {
                graph.get(fact, FactNode).hop
                for fact in graph.targets(path.id, EdgeKind.CONTAINS)
                if not gone & {fact, *brute_force.premises(graph, fact)}
            }
            if path.path_kind is not PathKind.GOLD and len(left) == len(graph.nodes(HopNode)):
                complete.append(path.id)
            if later and later <= left and hop not in left and path.break_hop not in later:
                orphans.append(path.id)
        assert found.complete_paths[hop] == tuple(complete)
        assert found.orphans[hop] == tuple(orphans)


def _dropped_with(graph: ReasoningGraph, nodes: Collection[str]) -> set[str]:
    passages = {host for node in nodes for host in graph.targets(node, EdgeKind.ROUTED_TO)}
    return {node for host in passages for node in graph.sources(host, EdgeKind.ROUTED_TO)}


def _reachable(graph: ReasoningGraph, hop: int) -> set[int]:
    direct = {int(later[1:]) for later in graph.sources(f"h{hop}", EdgeKind.DEPENDS_ON)}
    return direct.union(*(_reachable(graph, later) for later in direct))
