"""T1 to T5: insertions can be taken out again, and say what was planned in whole sentences."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from realhop_kg.contracts.occurrence import Haystack, words_of
from realhop_kg.contracts.subject import ItemView
from realhop_kg.graph.evidence import Statement
from realhop_kg.graph.schema import EdgeKind, EntityNode, InsertionNode, SpanNode
from realhop_kg.model.entity import EntityRole, Origin
from realhop_kg.model.finding import Code, Finding
from realhop_kg.model.sentences import (
    boundaries,
    ends_sentence,
    names_in,
    next_sentence,
    opens_reference,
    references,
    separator,
)
from realhop_kg.model.text import insertion_starts, restore
from realhop_kg.relations.wording import render

__all__ = [
    "check_boundaries",
    "check_references",
    "check_restorable",
    "check_wordings",
    "check_written",
]


def check_restorable(view: ItemView) -> Iterator[Finding]:
    """T1: insertions have one place each, and deleting them gives the original text back."""
    places: dict[tuple[int, int, int], str] = {}
    sound = True
    for node in view.graph.nodes(InsertionNode):
        passage = view.passages.get(node.passage)
        if passage is None or view.targets(node.id, EdgeKind.IN) != [passage.id]:
            message = f"{node.id} does not stand in passage {node.passage}, and that one alone"
            yield view.finding(Code.T1, message, node.id)
        elif not 0 <= node.offset <= len(passage.text):
            sound = False
            message = f"{node.id} stands at {node.offset}, outside its passage"
            yield view.finding(Code.T1, message, node.id, passage.id)
        place = (node.passage, node.offset, node.order)
        if places.setdefault(place, node.id) != node.id:
            message = f"{places[place]} and {node.id} have one place and rank"
            yield view.finding(Code.T1, message, places[place], node.id)
    for index, insertions in view.insertions.items() if sound else ():
        passage = view.passages.get(index)
        if passage and restore(view.realized[index], insertions) != passage.text:
            message = f"passage {index} cannot be restored by deleting its insertions"
            yield view.finding(Code.T1, message, passage.id)


def check_written(view: ItemView) -> Iterator[Finding]:
    """T2: all that is planned is written at exact spans of its host, and nothing else is."""
    spans = view.out[EdgeKind.WRITTEN_AT]
    writers: dict[str, list[str]] = defaultdict(list)
    for stated in view.written:
        found = [span for span, _ in spans.get(stated.id, ())]
        for span in found:
            writers[span].append(stated.id)
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
    yield from _spans(view, writers)


def _spans(view: ItemView, writers: dict[str, list[str]]) -> Iterator[Finding]:
    starts = {index: insertion_starts(added) for index, added in view.insertions.items()}
    written: dict[str, list[tuple[int, int]]] = defaultdict(list)
    for span in view.graph.nodes(SpanNode):
        if len(writers[span.id]) != 1:
            message = f"{span.id} states {len(writers[span.id])} facts or premises, not one"
            yield view.finding(Code.T2, message, span.id, *writers[span.id])
        if view.realized.get(span.passage, "")[span.start : span.end] != span.exact:
            message = f"{span.id} is not where passage {span.passage} reads {span.exact!r}"
            yield view.finding(Code.T2, message, span.id, *writers[span.id])
        for target in view.targets(span.id, EdgeKind.IN):
            written[target].append((span.start, span.end))
        if len(view.targets(span.id, EdgeKind.IN)) != 1:
            message = f"{span.id} does not lie in one insertion"
            yield view.finding(Code.T2, message, span.id, *writers[span.id])
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
            yield view.finding(Code.T2, message, node.id)


def check_boundaries(view: ItemView) -> Iterator[Finding]:
    """T3: insertions are whole sentences at sentence boundaries, properly separated."""
    for node in view.graph.nodes(InsertionNode):
        passage = view.passages.get(node.passage)
        if passage is None or not 0 <= node.offset <= len(passage.text):
            continue  # T1
        head, body = node.text[:1], node.text[1:]
        if head != separator(passage.text, node.offset):
            message = f"{node.id} is separated by {head!r} from the text before it"
            yield view.finding(Code.T3, message, node.id)
        whole = body == body.strip() and ends_sentence(body)
        if not whole or not (body[0].isupper() or body[0].isdigit()):
            yield view.finding(Code.T3, f"{node.id} is no whole sentence: {body!r}", node.id)
        if not _at_boundary(passage.text, node.offset):
            message = f"{node.id} stands at {node.offset} of {passage.id}, inside a sentence"
            yield view.finding(Code.T3, message, node.id)


def _at_boundary(text: str, offset: int) -> bool:
    end = len(text.rstrip())
    return (offset == end and end > 0) or offset in boundaries(text)


def check_wordings(view: ItemView) -> Iterator[Finding]:
    """T4: a sentence is a declared wording of its predicate with the names of its fact alone."""
    names = [
        (entity, frozenset(words_of(entity.surface)))
        for entity in view.entities.values()
        # Words for numbers and dates are common: a source value in a wording names nothing.
        if entity.origin is Origin.VIRTUAL or not view.is_value(entity)
    ]
    for stated, span in _sentences(view):
        if span.exact not in _wordings(view, stated):
            message = f"{span.exact!r} is no wording of {stated.predicate} with its names"
            yield view.finding(Code.T4, message, stated.id, span.id)
        text = Haystack(span.exact)
        own = {stated.value, *stated.args}
        for entity, words in names:
            if entity.id not in own and words <= text.words and text.holds(entity.surface):
                message = f"{span.exact!r} names {entity.surface!r}, which is not of its fact"
                yield view.finding(Code.T4, message, stated.id, span.id, entity.id)


def check_references(view: ItemView) -> Iterator[Finding]:
    """T5: no reference crosses an insertion's edge, in either direction."""
    for stated, span in _sentences(view):
        text = span.exact
        for entity in _entities(view, stated):
            text = text.replace(entity.surface, "")
        found = references(text)
        if found:
            message = f"{span.exact!r} refers by {found[0]!r}"
            yield view.finding(Code.T5, message, stated.id, span.id)
    for node in view.graph.nodes(InsertionNode):
        passage = view.passages.get(node.passage)
        if passage is None or node.offset >= len(passage.text.rstrip()):
            continue
        stops = boundaries(passage.text)
        follows = next_sentence(passage.text, node.offset, stops)
        if node.offset in stops and opens_reference(follows, names_in(passage.text)):
            message = f"after {node.id} the passage goes on with a reference: {follows[:60]!r}"
            yield view.finding(Code.T5, message, node.id)


def _sentences(view: ItemView) -> Iterator[tuple[Statement, SpanNode]]:
    for stated in view.written:
        for span_id in view.targets(stated.id, EdgeKind.WRITTEN_AT):
            yield stated, view.graph.get(span_id, SpanNode)


def _entities(view: ItemView, stated: Statement) -> Iterator[EntityNode]:
    for entity_id in (*stated.args, stated.value):
        yield view.entities[entity_id]


def _wordings(view: ItemView, stated: Statement) -> set[str]:
    predicate = view.predicates.get(stated.predicate)
    value = view.entities[stated.value]
    names = {
        slot: view.entities[arg].written
        for slot, arg in zip(stated.slots, stated.args, strict=True)
    }
    names["k" if value.role is EntityRole.KEY else "y"] = value.written
    found = set()
    for wording in predicate.wordings if predicate else ():
        try:
            found.add(render(wording, names, value.asked_kind))
        except KeyError:  # slots that do not fit the predicate: R1
            continue
    return found
