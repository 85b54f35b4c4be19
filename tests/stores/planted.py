"""Graphs with one violation each, planted into a sound item."""

from __future__ import annotations

from collections.abc import Callable

from realhop_kg.graph.reasoning import ReasoningGraph
from realhop_kg.graph.schema import (
    EdgeKind,
    EntityNode,
    FactNode,
    FactStatus,
    HopNode,
    ItemNode,
    PassageNode,
    PathKind,
    PathNode,
    SpanNode,
)

Plant = Callable[[ReasoningGraph], str]
"""Changes a graph and returns the id of the node that must be reported."""


def _path(graph: ReasoningGraph, kind: PathKind, own: int = 1) -> PathNode:
    """Return the first path of a kind that has so many facts of its own, at least."""
    return next(
        path
        for path in graph.nodes(PathNode)
        if path.path_kind is kind and len(_own(graph, path.id)) >= own
    )


def _own(graph: ReasoningGraph, path: str) -> list[str]:
    edges = graph.edges(path, EdgeKind.CONTAINS)
    return [fact for fact, data in edges if not data["inherited"]]


def _replace(graph: ReasoningGraph, node_id: str, **changes: object) -> None:
    node = graph[node_id]
    graph.add(type(node).model_validate({**node.model_dump(), **changes}))


def _unlink(graph: ReasoningGraph, source: str, kind: EdgeKind, target: str) -> None:
    keys = [k for k, data in graph.nx[source][target].items() if data["kind"] is kind]
    for key in keys:
        graph.nx.remove_edge(source, target, key=key)


def _contained(graph: ReasoningGraph, path: str, fact: str) -> dict[str, object]:
    return dict(next(data for held, data in graph.edges(path, EdgeKind.CONTAINS) if held == fact))


def s1_break_elsewhere(graph: ReasoningGraph) -> str:
    path = _path(graph, PathKind.STRICT, own=2)
    _replace(graph, path.id, break_hop=path.protected_hop + 90)
    return path.id


def s1_states_the_relation(graph: ReasoningGraph) -> str:
    path = _path(graph, PathKind.STRICT)
    fact = next(
        fact
        for fact in _own(graph, path.id)
        if graph.get(fact, FactNode).status is FactStatus.BREAK
    )
    hop = next(h for h in graph.nodes(HopNode) if h.index == path.break_hop)
    _replace(graph, fact, predicate=hop.relation)
    return fact


def s1_breaks_twice(graph: ReasoningGraph) -> str:
    path = _path(graph, PathKind.STRICT, own=2)
    fact = next(f for f in _own(graph, path.id) if graph.get(f, FactNode).hop != path.protected_hop)
    _replace(graph, fact, status=FactStatus.BREAK, predicate="another.relation")
    return fact


def s1_no_edge(graph: ReasoningGraph) -> str:
    path = _path(graph, PathKind.STRICT)
    graph.disconnect(path.id, EdgeKind.BREAKS_AT)
    return path.id


def s2_short(graph: ReasoningGraph) -> str:
    path = _path(graph, PathKind.STRICT, own=2)
    _unlink(graph, path.id, EdgeKind.CONTAINS, _own(graph, path.id)[-1])
    return path.id


def s3_forgets_gold(graph: ReasoningGraph) -> str:
    for path in graph.nodes(PathNode):
        if path.path_kind is PathKind.STRICT:
            for fact, data in list(graph.edges(path.id, EdgeKind.CONTAINS)):
                if data["inherited"]:
                    _unlink(graph, path.id, EdgeKind.CONTAINS, fact)
                    return fact
    raise AssertionError("no Strict path inherits")


def s3_other_subject(graph: ReasoningGraph) -> str:
    path = _path(graph, PathKind.STRICT, own=2)
    fact = next(f for f in _own(graph, path.id) if graph.get(f, FactNode).hop != path.protected_hop)
    slot = next(data["slot"] for _, data in graph.edges(fact, EdgeKind.SUBJECT))
    graph.disconnect(fact, EdgeKind.SUBJECT)
    graph.connect(fact, EdgeKind.SUBJECT, "e:h1", slot=slot)
    return fact


def f1_breaks_later(graph: ReasoningGraph) -> str:
    path = _path(graph, PathKind.FLEXIBLE, own=2)
    _replace(graph, path.id, break_hop=path.protected_hop + 1)
    return path.id


def f1_states_the_relation(graph: ReasoningGraph) -> str:
    path = _path(graph, PathKind.FLEXIBLE)
    fact = _own(graph, path.id)[0]
    hop = next(h for h in graph.nodes(HopNode) if h.index == path.break_hop)
    _replace(graph, fact, predicate=hop.relation)
    return fact


def f3_path_may(graph: ReasoningGraph) -> str:
    path = _path(graph, PathKind.FLEXIBLE)
    graph.disconnect(path.id, EdgeKind.FORBIDS)
    return path.id


def f3_fact_may(graph: ReasoningGraph) -> str:
    fact = _own(graph, _path(graph, PathKind.FLEXIBLE).id)[0]
    graph.disconnect(fact, EdgeKind.FORBIDS)
    return fact


def h1_no_host(graph: ReasoningGraph) -> str:
    fact = _own(graph, _path(graph, PathKind.STRICT).id)[0]
    graph.disconnect(fact, EdgeKind.ROUTED_TO)
    return fact


def h2_forbidden(graph: ReasoningGraph) -> str:
    fact = _own(graph, _path(graph, PathKind.STRICT).id)[0]
    graph.connect(fact, EdgeKind.FORBIDS, graph.target(fact, EdgeKind.ROUTED_TO).id)
    return fact


def h3_together(graph: ReasoningGraph) -> str:
    path = _path(graph, PathKind.STRICT, own=2)
    near, after = _own(graph, path.id)[:2]
    host = graph.target(near, EdgeKind.ROUTED_TO).id
    for part in (after, *graph.sources(after, EdgeKind.COMPOSES)):
        graph.disconnect(part, EdgeKind.ROUTED_TO)
        graph.connect(part, EdgeKind.ROUTED_TO, host)
    return path.id


def t2_unwritten(graph: ReasoningGraph) -> str:
    fact = _own(graph, _path(graph, PathKind.STRICT).id)[0]
    part = next(iter(graph.sources(fact, EdgeKind.COMPOSES)), fact)
    graph.disconnect(part, EdgeKind.WRITTEN_AT)
    return part


def t2_span_moved(graph: ReasoningGraph) -> str:
    span = graph.nodes(SpanNode)[0]
    _replace(graph, span.id, start=999_999)
    return span.id


def t2_span_misquoted(graph: ReasoningGraph) -> str:
    span = graph.nodes(SpanNode)[0]
    _replace(graph, span.id, exact="Something else entirely.")
    return span.id


def t2_span_of_nothing(graph: ReasoningGraph) -> str:
    graph.add(SpanNode(id="t:stray", passage=0, start=0, end=1, exact="x"))
    return "t:stray"


def s6_uncovered(graph: ReasoningGraph) -> str:
    for path in list(graph.nodes(PathNode)):
        if path.path_kind is PathKind.STRICT and path.protected_hop == 1:
            graph.disconnect(path.id, EdgeKind.CONTAINS)
    return "h1"


def r1_no_name(graph: ReasoningGraph) -> str:
    _replace(graph, "e:h1", surface="")
    return "e:h1"


def r1_no_value(graph: ReasoningGraph) -> str:
    graph.disconnect("f:g.h1", EdgeKind.OBJECT)
    return "f:g.h1"


def r2_two_for_one(graph: ReasoningGraph) -> str:
    graph.disconnect("e:q1", EdgeKind.REBINDS)
    graph.connect("e:q1", EdgeKind.REBINDS, "s:h1")
    return "e:q1"


def r2_not_rebound(graph: ReasoningGraph) -> str:
    graph.disconnect("e:h1", EdgeKind.REBINDS)
    return "e:h1"


def r2_other_type(graph: ReasoningGraph) -> str:
    _replace(graph, "e:h1", entity_type="quite_another")
    return "e:h1"


def r3_name_in_text(graph: ReasoningGraph) -> str:
    name = graph.get("e:h1", EntityNode).surface
    passage = graph.nodes(PassageNode)[-1]
    _replace(graph, passage.id, text=f"{passage.text} Seen with {name.upper()}, once.")
    return "e:h1"


def r4_answer_in_question(graph: ReasoningGraph) -> str:
    item = graph.get("item", ItemNode)
    _replace(graph, "item", question=f"{item.question} ({graph.get('e:h1', EntityNode).surface})")
    return "e:h1"


def u1_no_break(graph: ReasoningGraph) -> str:
    s1_states_the_relation(graph)
    return _path(graph, PathKind.STRICT).id


QUERIES: dict[str, list[tuple[str, Plant]]] = {
    "strict_contract_violations": [
        ("S1", s1_break_elsewhere),
        ("S1", s1_states_the_relation),
        ("S1", s1_breaks_twice),
        ("S1", s1_no_edge),
        ("S2", s2_short),
        ("S3", s3_forgets_gold),
        ("S3", s3_other_subject),
    ],
    "flexible_contract_violations": [
        ("F1", f1_breaks_later),
        ("F1", f1_states_the_relation),
        ("F3", f3_path_may),
        ("F3", f3_fact_may),
    ],
    "forbidden_host_violations": [("H2", h2_forbidden)],
    "near_miss_with_continuation": [("H3", h3_together)],
    "untraced_facts": [
        ("T2", t2_unwritten),
        ("T2", t2_span_of_nothing),
        ("T2", t2_span_moved),
        ("T2", t2_span_misquoted),
    ],
    "entity_leaks": [("R3", r3_name_in_text), ("R4", r4_answer_in_question)],
}
"""By query that is empty for a sound dataset: contract and what breaks it."""

SHAPES: list[tuple[str, Plant]] = [
    ("R1", r1_no_name),
    ("R1", r1_no_value),
    ("R2", r2_two_for_one),
    ("R2", r2_not_rebound),
    ("R2", r2_other_type),
    ("S3", s3_forgets_gold),
    ("F3", f3_path_may),
    ("F3", f3_fact_may),
    ("H1", h1_no_host),
    ("H2", h2_forbidden),
    ("H3", h3_together),
    ("T2", t2_unwritten),
    ("T2", t2_span_of_nothing),
    ("T2", t2_span_moved),
    ("T2", t2_span_misquoted),
]
"""Contract that a shape states, and what breaks it."""
