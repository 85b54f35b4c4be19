"""Items constructed per second, checks per second, and necessity certificates."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterator
from pathlib import Path

from bench.peers import (
    deletion_targets,
    evidence_digraph,
    necessary_by_deletion,
    untyped_copy,
)
from bench.rows import Row, seconds
from graph_builders.base import builder
from realhop_kg.construct.outcome import Constructed
from realhop_kg.construct.pipeline import construct_item
from realhop_kg.construct.run import construct_all
from realhop_kg.contracts.check import CHECKS, check_item
from realhop_kg.graph.derivation import Derivation
from realhop_kg.graph.evidence import read_evidence
from realhop_kg.graph.program import Program, ground
from realhop_kg.graph.reasoning import ReasoningGraph
from realhop_kg.graph.schema import EdgeKind, HopNode
from realhop_kg.model.item import SourceItem
from realhop_kg.relations.catalogue import catalogue
from realhop_kg.resources import resource_folder

__all__ = ["repeated_questions", "rows"]


def repeated_questions(folder: Path, times: int) -> Path:
    """Write the bundled questions several times over, each with an id of its own."""
    lines = (resource_folder("data") / "questions.jsonl").read_text(encoding="utf-8").splitlines()
    path = folder / f"questions-{times}.jsonl"
    with path.open("w", encoding="utf-8") as stream:
        for turn in range(times):
            for line in lines:
                record = json.loads(line)
                record["id"] = f"{record['id']}_{turn}"
                stream.write(json.dumps(record) + "\n")
    return path


def rows(quick: bool) -> Iterator[Row]:
    """Yield the rows of this module."""
    with tempfile.TemporaryDirectory() as folder:
        path = repeated_questions(Path(folder), 2 if quick else 10)
        items = [o for o in builder("musique").read(path) if isinstance(o, SourceItem)]
    yield from _throughput(items)
    outcomes = [construct_item(item, catalogue(), 0) for item in items[:24]]
    built = [outcome for outcome in outcomes if isinstance(outcome, Constructed)]
    yield _checks(built)
    yield from _certificates(built)


def _throughput(items: list[SourceItem]) -> Iterator[Row]:
    graphs: list[ReasoningGraph] = []

    def construct() -> None:
        graphs.clear()
        for item in items:
            outcome = construct_item(item, catalogue(), 0)
            if isinstance(outcome, Constructed):
                graphs.append(outcome.graph)

    one = seconds(construct, 1)
    plain = seconds(lambda: [untyped_copy(graph) for graph in graphs])
    yield Row(
        "items constructed and checked",
        f"{len(items) / one:,.0f} items/s",
        f"{len(graphs) / plain:,.0f} graphs/s",
        f"{one / plain:.0f} times its time",
        "peer: networkx, the finished graphs built untyped, DAG and descendants checked",
    )
    two = seconds(lambda: list(construct_all(iter(items), 0, 2)), 1)
    yield Row(
        "the same, 2 workers, packed for writing",
        f"{len(items) / two:,.0f} items/s",
        "",
        "",
        "start of the processes included",
    )


def _checks(built: list[Constructed]) -> Row:
    def check() -> int:
        return sum(
            len(check_item(o.graph, o.catalogue.predicates, o.catalogue.types.parents))
            for o in built
        )

    spent = seconds(check)
    plain = seconds(lambda: [untyped_copy(o.graph) for o in built])
    return Row(
        "contracts checked",
        f"{len(built) * len(CHECKS) / spent:,.0f} checks/s",
        f"{len(built) / plain:,.0f} graphs/s",
        f"{spent / plain:.1f} times its time",
        f"{len(CHECKS)} codes an item, {len(built) / spent:,.0f} items/s; peer as above",
    )


def _certificates(built: list[Constructed]) -> Iterator[Row]:
    """Necessity of every hop and gold premise: one bitset fixpoint against one deletion each."""
    prepared = []
    for outcome in built:
        graph = outcome.graph
        last = next(hop.index for hop in graph.nodes(HopNode) if hop.terminal)
        answer = graph.targets(f"f:g.h{last}", EdgeKind.OBJECT)[0]
        prepared.append((outcome, deletion_targets(graph), answer, _program(outcome), last - 1))
    digraphs = [evidence_digraph(outcome.graph) for outcome, *_ in prepared]

    def ours() -> list[dict[str, bool]]:
        return [
            _necessary(program, targets, place, answer)
            for _, targets, answer, program, place in prepared
        ]

    def with_grounding() -> list[dict[str, bool]]:
        return [
            _necessary(_program(outcome), targets, place, answer)
            for outcome, targets, answer, _, place in prepared
        ]

    def peer() -> list[dict[str, bool]]:
        return [
            necessary_by_deletion(digraph, targets, answer)
            for digraph, (_, targets, answer, *_) in zip(digraphs, prepared, strict=True)
        ]

    if ours() != peer():
        raise RuntimeError("the bitset engine and the deletion peer disagree")
    count = sum(len(targets) for _, targets, *_ in prepared)
    slow = seconds(peer)
    note = "peer: networkx, copy and delete for each, its digraph built before; verdicts equal"
    for what, spent in (
        ("necessity certificates, program ground before", seconds(ours, 20)),
        ("the same, read and ground from the graph", seconds(with_grounding)),
    ):
        yield Row(
            what, f"{count / spent:,.0f}/s", f"{count / slow:,.0f}/s", f"{slow / spent:.0f}x", note
        )


def _program(outcome: Constructed) -> Program:
    evidence = read_evidence(outcome.graph)
    return ground(Derivation(evidence, outcome.catalogue.predicates, [()])).for_answers()


def _necessary(
    program: Program, targets: list[tuple[str, frozenset[str]]], place: int, answer: str
) -> dict[str, bool]:
    held = program.answer_worlds([world for _, world in targets], place, answer)
    return {name: not held >> bit & 1 for bit, (name, _) in enumerate(targets)}
