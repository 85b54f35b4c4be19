"""The ground program: worlds do not touch each other, and removal never adds anything."""

from __future__ import annotations

from hypothesis import given, settings

from realhop_kg.graph.evidence import read_evidence
from realhop_kg.graph.ground import ground
from tests.graph.random_graphs import Case, random_cases


@settings(max_examples=100, deadline=None, derandomize=True)
@given(random_cases())
def test_a_world_is_the_same_alone_and_among_others(case: Case) -> None:
    program = ground(read_evidence(case.graph), case.predicates)
    together = program.holds(case.worlds)
    for number, world in enumerate(case.worlds):
        alone = program.holds([world])
        assert [mask >> number & 1 for mask in together] == alone


@settings(max_examples=100, deadline=None, derandomize=True)
@given(random_cases())
def test_with_nothing_removed_every_atom_and_every_binding_holds(case: Case) -> None:
    program = ground(read_evidence(case.graph), case.predicates)
    masks = program.holds([()])
    assert masks == [1] * program.size
    assert program.binding_worlds(masks) == {binding: 1 for binding, _ in program.bindings}
    assert set(program.facts.values()) <= set(range(program.size))
