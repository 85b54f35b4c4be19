"""What each query must answer, computed from the graphs and the certificates, without a store."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

from realhop_kg.contracts.structure import GraphView
from realhop_kg.graph.certificates import certify
from realhop_kg.graph.dependency import dependencies, descendants
from realhop_kg.graph.reasoning import ReasoningGraph
from realhop_kg.graph.schema import (
    EdgeKind,
    EntityNode,
    EvidenceUnit,
    FactNode,
    HopNode,
    InsertionNode,
    ItemNode,
    PassageNode,
    PathNode,
)
from realhop_kg.graph.views import (
    competitor_paths,
    evidence_for_hop,
    gold_chain,
    shared_hosts,
)
from realhop_kg.relations.catalogue import catalogue

Row = tuple[Any, ...]


def _view(graph: ReasoningGraph) -> GraphView:
    relations = catalogue()
    return GraphView(graph, relations.predicates, relations.types.parents)


def _gold_chain(graph: ReasoningGraph) -> Iterator[Row]:
    for line in gold_chain(graph):
        yield line.hop, line.fact, line.predicate, list(line.subjects), line.value


def _competitor_paths(graph: ReasoningGraph) -> Iterator[Row]:
    for path, lines in competitor_paths(graph):
        for line in lines:
            yield (
                path.id,
                str(path.path_kind),
                path.protected_hop,
                path.break_hop,
                path.candidate,
                line.hop,
                line.fact,
                line.predicate,
                list(line.subjects),
                line.value,
                line.inherited,
            )


def _gold_versus_competitors(graph: ReasoningGraph) -> Iterator[Row]:
    gold = gold_chain(graph)
    for path, lines in competitor_paths(graph):
        by_hop = {line.hop: line for line in lines}
        for other in gold:
            mine = by_hop.get(other.hop)
            head = (path.id, str(path.path_kind), other.hop, other.predicate, other.value)
            if mine is None:
                yield (*head, None, None, "missing")
            else:
                status = str(graph.get(mine.fact, FactNode).status)
                yield (
                    *head,
                    mine.predicate,
                    mine.value,
                    "shared" if mine.inherited else status,
                )


def _descendants(graph: ReasoningGraph) -> Iterator[Row]:
    deps = dependencies(graph)
    for hop in deps:
        yield hop, sorted(descendants(deps, hop))


def _regenerated(graph: ReasoningGraph) -> Iterator[Row]:
    for hop, later in _descendants(graph):
        yield hop, sorted([hop, *later])


def _evidence(graph: ReasoningGraph) -> Iterator[Row]:
    titles = {passage.index: passage.page_title for passage in graph.nodes(PassageNode)}
    for hop in dependencies(graph):
        for part, span in evidence_for_hop(graph, hop):
            predicate = graph[part].predicate
            place = (span.passage, titles[span.passage], span.start, span.end, span.exact)
            yield (hop, part, predicate, *place)


def _alternatives(graph: ReasoningGraph) -> Iterator[Row]:
    item = graph.get("item", ItemNode)
    view = _view(graph)
    for path in view.competitors:
        facts = (*path.own, *path.inherited)
        if path.node.endpoint == item.answer or {fact.hop for fact in facts} != set(view.hops):
            continue
        asked = {hop.index: (hop.relation, hop.required) for hop in view.hops.values()}
        breaks = sum(fact.predicate not in asked[fact.hop] for fact in facts)
        node = path.node
        yield (
            node.id,
            str(node.path_kind),
            node.protected_hop,
            node.endpoint,
            breaks,
            item.answer,
        )


def _survivors(graph: ReasoningGraph) -> Iterator[Row]:
    found = certify(graph, catalogue().predicates)
    for hop, paths in found.complete_paths.items():
        ids = sorted(paths)
        yield hop, ids, [graph.get(path, PathNode).endpoint for path in ids]


def _shared_hosts(graph: ReasoningGraph) -> Iterator[Row]:
    for shared in shared_hosts(graph):
        yield shared.passage, shared.path, list(shared.gold), list(shared.competing)


def _host_load(graph: ReasoningGraph) -> Iterator[Row]:
    routed: Counter[tuple[str, bool]] = Counter()
    for fact in graph.nodes(FactNode):
        for host in graph.targets(fact.id, EdgeKind.ROUTED_TO):
            routed[host, fact.status == "gold"] += 1
    added = Counter(insertion.passage for insertion in graph.nodes(InsertionNode))
    for p in graph.nodes(PassageNode):
        counts = (routed[p.id, True], routed[p.id, False], added[p.index])
        yield (p.index, p.page_title, p.origin, *counts)


def _substitutions(graph: ReasoningGraph) -> Iterator[Row]:
    for entity in graph.nodes(EntityNode):
        for source in graph.targets(entity.id, EdgeKind.REBINDS):
            name = graph.get(source, EntityNode).surface
            yield name, entity.surface, entity.entity_type, str(entity.role)


def _nothing(graph: ReasoningGraph) -> Iterator[Row]:
    """Sound items break nothing; what broken ones give is tested with planted violations."""
    assert graph.nodes(EvidenceUnit)
    assert graph.nodes(HopNode)
    yield from ()


BY_ITEM: dict[str, Callable[[ReasoningGraph], Iterator[Row]]] = {
    "gold_chain": _gold_chain,
    "competitor_paths": _competitor_paths,
    "gold_versus_competitors": _gold_versus_competitors,
    "descendants": _descendants,
    "regenerated_set": _regenerated,
    "evidence_for_hop": _evidence,
    "alternative_answers": _alternatives,
    "post_drop_survivors": _survivors,
    "shared_hosts": _shared_hosts,
    "host_load": _host_load,
    "substitutions": _substitutions,
    "strict_coverage": _nothing,
    "strict_contract_violations": _nothing,
    "flexible_contract_violations": _nothing,
    "forbidden_host_violations": _nothing,
    "near_miss_with_continuation": _nothing,
    "untraced_facts": _nothing,
    "entity_leaks": _nothing,
}
"""Rows of one item, without scope and item, by query."""
