"""Items whose every text tries to break the page that shows it."""

from __future__ import annotations

from typing import Any

from realhop_kg.graph.reasoning import ReasoningGraph
from realhop_kg.model.frozen import FrozenItem

__all__ = ["ATTACK", "attacked", "hostile_graph", "hostile_item"]

ATTACK = (
    "</script></style></title><script>window.hit=1</script><img src=//evil.invalid/x "
    "onerror=window.hit=1><iframe src=javascript:parent.hit=1></iframe>\"'`--><!--]]>{{7*7}}${7*7}"
    "&lt;b&gt;\u202e\u05d0\u0627\u2028\u0000\ud800\n\t\\"
)
"""Markup, quotes, templates, right-to-left text, line separators, NUL and half a character."""

_FREE = {
    *("question", "answer", "title", "page_title", "surface", "wording", "source_step"),
    *("source_answer", "endpoint", "source", "virtual", "entity_type", "asked_kind"),
    *("topology", "message", "dataset"),
}
_KEPT_IN_EDGES = {"source", "entity_type"}


def attacked(value: Any, edge: bool = False) -> Any:
    """Return JSON with the attack at the end of every free text, and inside every insertion."""
    if isinstance(value, list):
        return [attacked(each, edge) for each in value]
    if not isinstance(value, dict):
        return value
    free = _FREE - _KEPT_IN_EDGES if edge else _FREE
    changed = {
        key: each + ATTACK if key in free and isinstance(each, str) else attacked(each, edge)
        for key, each in value.items()
    }
    for key in ("aliases", "kept", "pruned"):
        if isinstance(changed.get(key), list):
            changed[key] = [*changed[key], ATTACK]
    return changed


def hostile_item(item: FrozenItem) -> FrozenItem:
    """Return an item with the attack in every text; spans stay where they are."""
    data = attacked(item.model_dump(mode="json"))
    covered: dict[int, list[tuple[int, int]]] = {}
    for hop in item.hops:
        for premise in hop.evidence:
            span = premise.span
            covered.setdefault(span.passage, []).append((span.start, span.end))
    for path in item.competitors:
        for span in path.spans:
            covered.setdefault(span.passage, []).append((span.start, span.end))
    for passage in data["passages"]:
        text = passage["text"]
        for start, end in covered.get(passage["index"], ()):
            text = text[:start] + (ATTACK + text[start:end])[: end - start] + text[end:]
        passage["text"] = text + ATTACK
    return FrozenItem.model_validate(data)


def hostile_graph(graph: ReasoningGraph) -> ReasoningGraph:
    """Return the same item's graph with the attack in the text of every node."""
    data = graph.to_node_link()
    data["nodes"] = [attacked(node, edge=True) for node in data["nodes"]]
    return ReasoningGraph.from_node_link(data)
