"""The benchmark: it runs, its rows hold numbers, and its peers decide what the engine decides."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from bench.peers import DELETIONS, and_or, build_untyped, lists, verdicts
from bench.questions import built, repeated
from bench.rows import fastest
from realhop_kg.construct.outcome import Constructed
from realhop_kg.graph.certificates import certify
from realhop_kg.graph.evidence import read_evidence
from realhop_kg.graph.schema import EdgeKind, EntityNode, FactNode, FactStatus
from tests.conftest import ROOT

ROWS = (
    "items constructed, 1 worker",
    "items constructed, 2 workers",
    "contract checks",
    "necessity of every hop and premise",
    "the same, grounding included",
    "the same, all from the typed graph",
    "all certificates, from the typed graph",
    "bootstrap, 790 questions x 2 x 3, beside a loop",
    "bootstrap, 790 questions x 2 x 3, beside scipy",
    "peak memory of the bootstrap",
    "Drop of 50 spans from 2 MB",
    "peak memory of realhop construct",
    "start-up, realhop --help",
    "start-up, import realhop_kg",
    "start-up, import of command line and client",
    "model calls, 64 at a time",
    "model calls, 256 at a time",
    "reply store, hits",
    "start-up, store and client to the first reply",
    "site of 60 items written",
    "largest item page",
)


@pytest.mark.slow
@pytest.mark.soak
def test_quick_run_prints_every_row_with_numbers_of_ours_and_of_a_named_peer() -> None:
    run = subprocess.run(
        (sys.executable, "-m", "bench", "--quick"),
        cwd=ROOT,
        capture_output=True,
        text=True,
        env={name: value for name, value in os.environ.items() if name != "REALHOP_NEO4J_URI"},
    )
    assert run.returncode == 0, run.stderr
    head, *lines = run.stdout.splitlines()
    assert head.split() == ["what", "ours", "peer", "ratio", "note"]
    assert [name for name in ROWS if not any(line.startswith(name) for line in lines)] == []
    for line in lines:
        if not line.startswith(ROWS):
            continue
        assert "peer:" in line.lower()
        ours, peer, ratio = (_number(column) for column in re.split(r"\s{2,}", line)[-4:-1])
        assert ours > 0
        assert peer > 0
        assert 0 < ratio < 1e5


def _number(column: str) -> float:
    found = re.match(r"[\d,.]+", column)
    assert found, column
    return float(found.group().replace(",", ""))


def test_repeated_questions_have_ids_of_their_own(tmp_path: Path) -> None:
    lines = repeated(tmp_path, 3).read_text(encoding="utf-8").splitlines()
    once = repeated(tmp_path, 1).read_text(encoding="utf-8").splitlines()
    assert len(lines) == 3 * len(once) == len({json.loads(line)["id"] for line in lines})


def test_times_are_positive_and_in_the_order_of_the_work() -> None:
    calls: list[str] = []
    times = fastest(lambda: calls.append("a"), lambda: calls.append("b"), repeats=2)
    assert calls == ["a", "b", "a", "b"]
    assert len(times) == 2
    assert min(times) > 0


@pytest.fixture(scope="module")
def outcome() -> Constructed:
    return built()[0]


def test_untyped_graph_is_the_item_graph_without_its_types(outcome: Constructed) -> None:
    plain = build_untyped(lists(outcome.graph))
    assert set(plain) == set(outcome.graph.nx)
    assert set(plain.edges(keys=True)) == set(outcome.graph.nx.edges(keys=True))


@pytest.mark.parametrize("how", DELETIONS)
def test_peer_finds_every_gold_hop_needed_and_nothing_lost_when_nothing_is_removed(
    outcome: Constructed, how: str
) -> None:
    graph, predicates = outcome.graph, outcome.catalogue.predicates
    evidence = read_evidence(graph)
    last = evidence.gold[certify(graph, predicates).terminal]
    digraph = and_or(graph, predicates)
    removals = [((), last.id), *(((fact.id,), fact.id) for fact in evidence.gold.values())]
    found = verdicts(digraph, removals, last.value, DELETIONS[how])
    assert found == [(False, False), *[(True, True)] * len(evidence.gold)]


def test_peer_and_engine_both_see_that_a_repeated_gold_fact_makes_its_hop_needless(
    outcome: Constructed,
) -> None:
    graph, predicates = outcome.graph.copy(), outcome.catalogue.predicates
    evidence = read_evidence(graph)
    last = evidence.gold[certify(graph, predicates).terminal]
    graph.add(
        graph.get(last.id, FactNode).model_copy(
            update={"id": "again", "status": FactStatus.CONTINUATION}
        )
    )
    for slot, arg in zip(last.slots, last.args, strict=True):
        graph.connect("again", EdgeKind.SUBJECT, graph.get(arg, EntityNode).id, slot=slot)
    graph.connect("again", EdgeKind.OBJECT, last.value)
    parts = (last.id, *(unit.id for unit in evidence.premises[last.id]))
    found = verdicts(
        and_or(graph, predicates), [(parts, last.id)], last.value, DELETIONS["restricted_view"]
    )
    assert found == [(False, True)]
    assert not certify(graph, predicates).necessary_hops[last.hop]
