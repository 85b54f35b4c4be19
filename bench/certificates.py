"""Necessity of every hop and premise: one bitset fixpoint against one deletion for each.

A hop is necessary if the gold answer is lost without its gold fact and the premises of it. A
premise, of any path, is judged twice: whether its own fact is lost without it, and the answer.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from bench.peers import DELETIONS, AndOr, Deletion, and_or, verdicts
from bench.questions import built
from bench.rows import Row, fastest
from realhop_kg.construct.outcome import Constructed
from realhop_kg.graph.certificates import certify
from realhop_kg.graph.evidence import Evidence, read_evidence
from realhop_kg.graph.ground import ground
from realhop_kg.graph.program import Program
from realhop_kg.graph.reasoning import ReasoningGraph
from realhop_kg.graph.schema import HopNode
from realhop_kg.relations.predicates import Predicates

__all__ = ["rows"]

Verdicts = list[tuple[bool, bool]]
"""For each removal: whether the answer is lost, whether the fact is."""


@dataclass(frozen=True)
class _Case:
    """One item, with what each side may have prepared before the clock starts."""

    graph: ReasoningGraph
    predicates: Predicates
    evidence: Evidence
    program: Program
    digraph: AndOr
    removals: list[tuple[tuple[str, ...], str]]
    place: int
    """Position of the terminal hop in a binding."""
    answer: str

    def judge(self, program: Program) -> Verdicts:
        """Return what a ground program says of every removal."""
        masks = program.holds([removed for removed, _ in self.removals])
        held = 0
        for binding, worlds in program.binding_worlds(masks).items():
            if binding[self.place] == self.answer:
                held |= worlds
        return [
            (not held >> bit & 1, not masks[program.facts[fact]] >> bit & 1)
            for bit, (_, fact) in enumerate(self.removals)
        ]

    def judge_by_deletion(self, digraph: AndOr, delete: Deletion) -> Verdicts:
        """Return what the peer says of every removal."""
        return verdicts(digraph, self.removals, self.answer, delete)


def _case(outcome: Constructed) -> _Case:
    graph, predicates = outcome.graph, outcome.catalogue.predicates
    evidence = read_evidence(graph)
    last = next(hop.index for hop in graph.nodes(HopNode) if hop.terminal)
    removals = [
        ((fact.id, *(unit.id for unit in evidence.premises.get(fact.id, ()))), fact.id)
        for fact in evidence.gold.values()
    ]
    removals += [((unit.id,), unit.parts_of[0]) for unit in evidence.units.values()]
    return _Case(
        graph,
        predicates,
        evidence,
        ground(evidence, predicates),
        and_or(graph, predicates),
        removals,
        list(evidence.gold).index(last),
        evidence.gold[last].value,
    )


def rows(quick: bool) -> Iterator[Row]:
    """Yield the rows of this figure."""
    cases = [_case(outcome) for outcome in built()]
    _check_agreement(cases)
    count = sum(len(case.removals) for case in cases)
    turns = 3 if quick else 15
    spent = fastest(*(_deleting(cases, delete) for delete in DELETIONS.values()), repeats=turns)
    how, delete = list(DELETIONS.items())[spent.index(min(spent))]
    peer_note = f"peer: networkx, {how} for each (the fastest of {len(DELETIONS)} ways); "

    prepared, ours_ground, ours_whole, certified, peer_prepared, peer_whole = fastest(
        lambda: [case.judge(case.program) for case in cases],
        lambda: [case.judge(ground(case.evidence, case.predicates)) for case in cases],
        lambda: [case.judge(ground(read_evidence(case.graph), case.predicates)) for case in cases],
        lambda: [certify(case.graph, case.predicates) for case in cases],
        _deleting(cases, delete),
        lambda: [
            case.judge_by_deletion(and_or(case.graph, case.predicates), delete) for case in cases
        ],
        repeats=turns,
    )
    for what, ours, peer, note in (
        (
            "necessity of every hop and premise",
            prepared,
            peer_prepared,
            "without extraction: our ground program and its digraph were made before; "
            f"{len(cases)} items, {count} removals, verdicts equal",
        ),
        (
            "the same, grounding included",
            ours_ground,
            peer_prepared,
            "our evidence and its digraph were made before",
        ),
        (
            "the same, all from the typed graph",
            ours_whole,
            peer_whole,
            "with extraction: both start from the typed graph",
        ),
        (
            "all certificates, from the typed graph",
            certified,
            peer_whole,
            "certify adds uniqueness, V1, V2, mixed premises; the peer does necessity only",
        ),
    ):
        yield Row(
            what,
            f"{count / ours:,.0f}/s",
            f"{count / peer:,.0f}/s",
            f"{peer / ours:.0f}x",
            peer_note + note,
        )


def _deleting(cases: list[_Case], delete: Deletion) -> Callable[[], object]:
    return lambda: [case.judge_by_deletion(case.digraph, delete) for case in cases]


def _check_agreement(cases: list[_Case]) -> None:
    for case in cases:
        ours = case.judge(case.program)
        for how, delete in DELETIONS.items():
            if case.judge_by_deletion(case.digraph, delete) != ours:
                raise RuntimeError(f"the engine and the peer ({how}) disagree")
