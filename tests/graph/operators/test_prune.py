from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from realhop_kg.contracts.check import check_item
from realhop_kg.errors import ContractError
from realhop_kg.graph.operators import prune
from realhop_kg.graph.operators.prune import strict_coverage
from realhop_kg.graph.operators.write import insertions_of
from realhop_kg.graph.reasoning import ReasoningGraph
from realhop_kg.graph.schema import (
    EdgeKind,
    EntityNode,
    EvidenceUnit,
    FactNode,
    FactStatus,
    InsertionNode,
    ItemNode,
    PassageNode,
    PathKind,
    PathNode,
    SpanNode,
)
from realhop_kg.model.finding import Severity
from realhop_kg.model.text import realize
from tests.graph.dags import DAGS, random_dags
from tests.graph.operators.plans import PARENTS, Plans

Deps = dict[int, tuple[int, ...]]


def competitors(graph: ReasoningGraph) -> list[PathNode]:
    return [path for path in graph.nodes(PathNode) if path.path_kind is not PathKind.GOLD]


def left_over(graph: ReasoningGraph, unsafe: set[str]) -> dict[str, list[str]]:
    """Say, by brute force, which facts of its own each surviving competitor path keeps."""
    kept = {}
    for path in competitors(graph):
        own = Plans.own(graph, path.id)
        rest = [fact for fact in own if fact not in unsafe]
        if path.id in unsafe or not rest:
            continue
        if path.path_kind is PathKind.FLEXIBLE or rest == own:
            kept[path.id] = rest
    return kept


@given(random_dags(most=4), st.booleans(), st.data())
@settings(max_examples=40, deadline=None, derandomize=True)
def test_strict_paths_leave_whole_and_flexible_ones_fact_by_fact(
    deps: Deps, written: bool, data: st.DataObject
) -> None:
    plans = Plans(deps)
    graph = plans.written() if written else plans.branched()
    candidates = [p.id for p in competitors(graph)]
    candidates += [f.id for f in graph.nodes(FactNode) if f.status is not FactStatus.GOLD]
    unsafe = data.draw(st.sets(st.sampled_from(candidates), max_size=4))
    kept = left_over(graph, unsafe)
    covered = {
        graph.get(path, PathNode).protected_hop
        for path in kept
        if graph.get(path, PathNode).path_kind is PathKind.STRICT
    }
    if covered != set(deps):
        with pytest.raises(ContractError, match=r"^S6: no complete Strict path is left for hop"):
            prune(graph, dict.fromkeys(unsafe, "S4 test"))
        return
    after = prune(graph, dict.fromkeys(unsafe, "S4 test"))
    assert {path.id: Plans.own(after, path.id) for path in competitors(after)} == kept
    facts = {fact for own in kept.values() for fact in own}
    gold = {fact.id for fact in graph.nodes(FactNode) if fact.status is FactStatus.GOLD}
    assert {fact.id for fact in after.nodes(FactNode)} == facts | gold
    assert set(strict_coverage(after)) == set(deps)
    _assert_tidy(after, written)


def _assert_tidy(graph: ReasoningGraph, written: bool) -> None:
    """Nothing that stood for a removed fact is left, and every span is where it says."""
    facts = {fact.id for fact in graph.nodes(FactNode)}
    for unit in graph.nodes(EvidenceUnit):
        assert set(graph.targets(unit.id, EdgeKind.COMPOSES)) <= facts
    for entity in graph.nodes(EntityNode):
        if entity.id.startswith(("e:s", "e:f", "k:")):
            used = graph.sources(entity.id, EdgeKind.SUBJECT)
            assert used or graph.sources(entity.id, EdgeKind.OBJECT)
    inserted = insertions_of(graph)
    texts = {p.index: realize(p.text, inserted.get(p.index, [])) for p in graph.nodes(PassageNode)}
    for span in graph.nodes(SpanNode):
        assert texts[span.passage][span.start : span.end] == span.exact
        assert graph.sources(span.id, EdgeKind.WRITTEN_AT)
    assert len(graph.nodes(SpanNode)) == len(graph.nodes(InsertionNode))
    assert bool(graph.nodes(SpanNode)) == written


def test_an_item_is_valid_after_pruning_and_says_what_was_removed_and_why() -> None:
    plans = Plans(DAGS["diamond"])
    unsafe = {"f:s1a.h3": "S4 too strong", "path:f2a": "F2 open", "f:f1a.h4": "T4 odd"}
    graph = prune(plans.written(), unsafe)
    findings = check_item(graph, plans.predicates, PARENTS)
    assert [f.code for f in findings if f.severity is Severity.BLOCKING] == []
    assert graph.get("item", ItemNode).pruned == [
        "f:f1a.h4: T4 odd",
        "f:s1a.h3: S4 too strong",
        "path:f2a: F2 open",
    ]
    assert "path:s1a" not in graph
    assert "path:f2a" not in graph
    assert Plans.own(graph, "path:f1a") == ["f:f1a.h1", "f:f1a.h2", "f:f1a.h3"]


def test_a_second_round_adds_to_the_list_of_what_was_removed() -> None:
    graph = Plans(DAGS["2hop"]).written()
    twice = prune(prune(graph, {"path:f1a": "F2 one"}), {"path:f2a": "F2 two"})
    assert twice.get("item", ItemNode).pruned == ["path:f1a: F2 one", "path:f2a: F2 two"]


def test_the_last_strict_path_of_a_hop_cannot_be_pruned() -> None:
    graph = Plans(DAGS["2hop"]).written()
    before = graph.to_node_link()
    once = prune(graph, {"f:s2a.h2": "S4 test"})
    assert strict_coverage(once) == {1: 2, 2: 1}
    with pytest.raises(ContractError, match=r"^S6: .* for hop 2"):
        prune(once, {"f:s2b.h2": "S4 test"})
    assert graph.to_node_link() == before


def test_flexible_paths_never_make_up_for_strict_ones() -> None:
    graph = Plans(DAGS["2hop"]).branched()
    with pytest.raises(ContractError, match=r"^S6"):
        prune(graph, {"path:s1a": "test", "path:s1b": "test"})
    assert "path:f1a" in graph


@pytest.mark.parametrize("node", ["f:g.h1", "path:g"])
def test_gold_cannot_be_pruned(node: str) -> None:
    with pytest.raises(ContractError, match=r"^G1: gold facts cannot be pruned"):
        prune(Plans(DAGS["2hop"]).written(), {node: "T4 test"})
