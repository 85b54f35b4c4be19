"""The ground program against the derivation that it was ground from."""

from __future__ import annotations

from hypothesis import given, settings

from realhop_kg.graph.derivation import Derivation
from realhop_kg.graph.evidence import read_evidence
from realhop_kg.graph.program import ground
from tests.graph.random_graphs import Case, random_cases


@settings(max_examples=200, deadline=None, derandomize=True)
@given(random_cases())
def test_every_world_has_the_bindings_of_a_derivation_in_it(case: Case) -> None:
    evidence = read_evidence(case.graph)
    program = ground(Derivation(evidence, case.predicates, [()]))
    found = program.binding_worlds(program.holds(case.worlds))
    assert found == Derivation(evidence, case.predicates, case.worlds).bindings()


@settings(max_examples=100, deadline=None, derandomize=True)
@given(random_cases())
def test_the_part_for_answers_gives_the_same_answers(case: Case) -> None:
    program = ground(Derivation(case.graph, case.predicates, [()]))
    part = program.for_answers()
    assert part.size <= program.size
    assert part.binding_worlds(part.holds(case.worlds)) == program.binding_worlds(
        program.holds(case.worlds)
    )
