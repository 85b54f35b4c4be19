"""T1 and T2: insertions can be taken out again, and hold what was planned and nothing else."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from realhop_kg.contracts.subject import ItemView
from realhop_kg.graph.schema import EdgeKind, InsertionNode, SpanNode
from realhop_kg.model.finding import Code, Finding
from realhop_kg.model.text import insertion_starts, restore

__all__ = ["at_insertion", "check_restorable", "check_written"]


def check_restorable(view: ItemView) -> Iterator[Finding]:
    """T1: insertions have one place each, and deleting them gives the original text back."""
    places: dict[tuple[int, int, int], str] = {}
    sound = True
    for node in view.graph.nodes(InsertionNode):
        passage = view.passages.get(node.passage)
        if passage is None or view.targets(node.id, EdgeKind.IN) != [passage.id]:
            message = f"{node.id} does not stand in passage {node.passage}, and that one alone"
            yield at_insertion(view, Code.T1, message, node)
        elif not 0 <= node.offset <= len(passage.text):
            sound = False
            message = f"{node.id} stands at {node.offset}, outside its passage"
            yield at_insertion(view, Code.T1, message, node)
        place = (node.passage, node.offset, node.order)
        if places.setdefault(place, node.id) != node.id:
            message = f"{places[place]} and {node.id} have one place and rank"
            yield at_insertion(view, Code.T1, message, node)
    for index, insertions in view.insertions.items() if sound else ():
        passage = view.passages.get(index)
        if passage and restore(view.realized[index], insertions) != passage.text:
            message = f"passage {index} cannot be restored by deleting its insertions"
            yield view.finding(Code.T1, message, passage.id)


def check_written(view: ItemView) -> Iterator[Finding]:
    """T2: all that is planned is written at exact spans of its host, and nothing else is."""
    spans = view.out[EdgeKind.WRITTEN_AT]
    for stated in view.written:
        found = [span for span, _ in spans.get(stated.id, ())]
        indices = {view.graph.get(span, SpanNode).passage for span in found}
        hosts = {view.passages[index].id for index in indices if index in view.passages}
        if not found:
            yield view.finding(Code.T2, f"{stated.id} is not written", stated.id)
        elif len(indices) > 1 or (len(stated.hosts) == 1 and hosts != set(stated.hosts)):
            message = f"{stated.id} is written in passages {sorted(indices)}, not in its host alone"
            yield view.finding(Code.T2, message, stated.id, *found)
    for fact_id, units in view.evidence.premises.items():
        wanted = {span for unit in units for span, _ in spans.get(unit.id, ())}
        if {span for span, _ in spans.get(fact_id, ())} != wanted:
            message = f"{fact_id} is not written at the spans of its premises"
            yield view.finding(Code.T2, message, fact_id)
    yield from _spans(view)
    yield from _insertions(view)


def _spans(view: ItemView) -> Iterator[Finding]:
    for span in view.graph.nodes(SpanNode):
        writers = view.writers.get(span.id, [])
        places = view.targets(span.id, EdgeKind.IN)
        if len(writers) != 1:
            message = f"{span.id} states {len(writers)} facts or premises, not one"
            yield view.finding(Code.T2, message, span.id, *writers)
        if view.realized.get(span.passage, "")[span.start : span.end] != span.exact:
            message = f"{span.id} is not where passage {span.passage} reads {span.exact!r}"
            yield view.finding(Code.T2, message, span.id, *writers)
        if len(places) != 1:
            message = f"{span.id} lies in {len(places)} insertions, not in one"
            yield view.finding(Code.T2, message, span.id, *writers)


def _insertions(view: ItemView) -> Iterator[Finding]:
    starts = {index: insertion_starts(added) for index, added in view.insertions.items()}
    written: dict[str, list[tuple[int, int]]] = defaultdict(list)
    for span in view.graph.nodes(SpanNode):
        for place in view.targets(span.id, EdgeKind.IN):
            written[place].append((span.start, span.end))
    for node in view.graph.nodes(InsertionNode):
        first = starts[node.passage][node.id]
        inside = [
            (start - first, end - first)
            for start, end in written[node.id]
            if first <= start <= end <= first + len(node.text)
        ]
        text = node.text
        for start, end in inside:
            text = text[:start] + " " * (end - start) + text[end:]
        if not inside or len(inside) < len(written[node.id]) or text.strip():
            message = f"the spans of {node.id} do not cover its text, and that alone"
            yield at_insertion(view, Code.T2, message, node)


def at_insertion(view: ItemView, code: Code, message: str, node: InsertionNode) -> Finding:
    """Return a finding about an insertion and what is written in it, so that pruning finds that."""
    return view.finding(code, message, node.id, *view.writers.get(node.id, ()))
