"""An item as plain text: gold chain, competitor paths hop by hop, hosts, marked passages."""

from __future__ import annotations

from collections.abc import Iterator

from realhop_kg.graph.build import hop_id
from realhop_kg.graph.reasoning import ReasoningGraph
from realhop_kg.graph.schema import (
    EdgeKind,
    EntityNode,
    FactNode,
    FactStatus,
    HopNode,
    InsertionNode,
    PassageNode,
    PathKind,
    PathNode,
    SpanNode,
)
from realhop_kg.model.entity import EntityRole
from realhop_kg.model.frozen import ExcludedItem, FrozenItem
from realhop_kg.model.text import Insertion, insertion_starts, realize

__all__ = ["MARKS", "excluded_lines", "explained_lines", "item_lines"]

MARKS = {
    FactStatus.GOLD: ("[[gold ", "]]"),
    FactStatus.BREAK: ("[[near-miss ", "]]"),
    FactStatus.CONTINUATION: ("[[competitor ", "]]"),
}
"""How an insertion is marked, by what it states; the path's name follows the opening."""


def item_lines(item: FrozenItem, graph: ReasoningGraph, *, passages: bool = True) -> Iterator[str]:
    """Yield the lines that show an item.

    Args:
        item: the frozen record.
        graph: its graph.
        passages: whether to end with the passages that hold insertions, marked.
    """
    yield f"{item.id}  ({item.topology})"
    yield f"  source       {item.source.question}"
    yield f"               -> {item.source.answer}"
    yield f"  constructed  {item.question}"
    yield f"               -> {item.answer}"
    yield ""
    yield "Substitutions"
    for swap in item.substitutions:
        yield f"  {swap.source} -> {swap.virtual}  ({swap.entity_type}, {swap.role})"
    for kept in item.kept:
        yield f"  kept: {kept}"
    for path in sorted(graph.nodes(PathNode), key=_rank):
        yield ""
        yield from _path_lines(graph, path)
    if item.pruned:
        yield ""
        yield "Pruned"
        yield from (f"  {line}" for line in item.pruned)
    yield ""
    yield from _diagnostic_lines(item)
    if item.marks:
        yield f"Marks of the semantic audit: {_marks_told(item)}"
    if passages:
        yield ""
        yield from _passage_lines(graph)


def _rank(path: PathNode) -> tuple[int, int, int]:
    return list(PathKind).index(path.path_kind), path.protected_hop, path.candidate


def _path_lines(graph: ReasoningGraph, path: PathNode) -> Iterator[str]:
    if path.path_kind is PathKind.GOLD:
        yield f"Gold path -> {path.endpoint}"
    else:
        kind = path.path_kind.capitalize()
        yield f"{kind} path {_name(path)}, breaks at hop {path.break_hop} -> {path.endpoint}"
    for fact_id, held in sorted(
        graph.edges(path.id, EdgeKind.CONTAINS), key=lambda edge: edge[1]["order"]
    ):
        fact = graph.get(fact_id, FactNode)
        value: EntityNode = graph.target(fact_id, EdgeKind.OBJECT)
        if held["inherited"]:
            yield f"  hop {fact.hop}  inherited from gold: {value.surface}"
            continue
        for position, span_id in enumerate(graph.targets(fact_id, EdgeKind.WRITTEN_AT)):
            span = graph.get(span_id, SpanNode)
            label = f"hop {fact.hop}" if position == 0 else "     "
            note = f"  <- {fact.predicate}" if fact.status is FactStatus.BREAK else ""
            yield f"  {label}  [p{span.passage}] {span.exact}{note if position == 0 else ''}"
        if path.path_kind is PathKind.GOLD:
            wording = graph.get(hop_id(fact.hop), HopNode).wording
            yield f'         voiced as "{wording}"'


def _name(path: PathNode) -> str:
    return path.id.removeprefix("path:")


def _marks_told(item: FrozenItem) -> str:
    """Return the marks that a model gave an item in the semantic audit, in words."""
    return ", ".join(f"{mark} {value} of 5" for mark, value in item.marks.items())


def _diagnostic_lines(item: FrozenItem) -> Iterator[str]:
    if not item.diagnostics:
        yield "Diagnostics: none; after each Drop a competitor is complete and two are orphaned"
        return
    yield "Diagnostics"
    for finding in item.diagnostics:
        yield f"  {finding.code}  {finding.message}"


def _passage_lines(graph: ReasoningGraph) -> Iterator[str]:
    yield "Passages with insertions"
    owners = _owners(graph)
    for passage in graph.nodes(PassageNode):
        added = [
            Insertion(**node.model_dump())
            for node in graph.nodes(InsertionNode)
            if node.passage == passage.index
        ]
        if not added:
            continue
        text = realize(passage.text, added)
        starts = insertion_starts(added)
        for insertion in sorted(added, key=lambda each: -starts[each.id]):
            opening, closing = owners[insertion.id]
            start = starts[insertion.id] + 1
            end = starts[insertion.id] + len(insertion.text)
            text = f"{text[:start]}{opening}{text[start:end]}{closing}{text[end:]}"
        yield f"  [p{passage.index}] {passage.page_title}  ({passage.origin})"
        yield from (f"      {line}" for line in text.splitlines())


def _owners(graph: ReasoningGraph) -> dict[str, tuple[str, str]]:
    """Return the opening and closing mark of each insertion."""
    marks: dict[str, tuple[str, str]] = {}
    for path in graph.nodes(PathNode):
        for fact_id, held in graph.edges(path.id, EdgeKind.CONTAINS):
            if held["inherited"]:
                continue
            opening, closing = MARKS[graph.get(fact_id, FactNode).status]
            for span in graph.targets(fact_id, EdgeKind.WRITTEN_AT):
                for insertion in graph.targets(span, EdgeKind.IN):
                    marks[insertion] = (f"{opening}{_name(path)}: ", closing)
    return marks


def excluded_lines(excluded: ExcludedItem) -> Iterator[str]:
    """Yield the lines that say why a record is not in a dataset."""
    yield f"{excluded.id or '(no id)'}  excluded: {excluded.code} at stage {excluded.stage}"
    if excluded.file:
        yield f"  where     {excluded.file}, line {excluded.line}"
    if excluded.field:
        yield f"  field     {excluded.field}"
    if excluded.question:
        yield f"  question  {excluded.question}"
    yield f"  why       {excluded.message}"
    for finding in excluded.findings:
        nodes = f"  ({', '.join(finding.nodes)})" if finding.nodes else ""
        yield f"  finding   {finding.code}: {finding.message}{nodes}"


def explained_lines(item: FrozenItem, graph: ReasoningGraph) -> Iterator[str]:
    """Yield what there is to say about an item that was constructed: what pruning took."""
    yield f"{item.id}  constructed: no blocking contract is broken"
    competitors = sum(entity.role is EntityRole.COMPETITOR for entity in graph.nodes(EntityNode))
    yield f"  {len(item.competitors)} competitor paths with {competitors} entities are left"
    yield from (f"  pruned  {line}" for line in item.pruned)
    if not item.pruned:
        yield "  nothing was pruned"
    yield from (f"  diagnostic  {f.code}: {f.message}" for f in item.diagnostics)
    if item.marks:
        yield f"  marks       {_marks_told(item)}"
