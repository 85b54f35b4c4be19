"""T3 to T5: inserted sentences are whole, say what their fact says, and refer to none outside."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator

from realhop_kg.contracts.occurrence import Haystack, words_of
from realhop_kg.contracts.realization import at_insertion
from realhop_kg.contracts.subject import ItemView
from realhop_kg.graph.evidence import Statement
from realhop_kg.graph.schema import EdgeKind, EntityNode, InsertionNode, SpanNode
from realhop_kg.model.entity import EntityRole, Origin
from realhop_kg.model.finding import Code, Finding
from realhop_kg.model.sentences import (
    ends_sentence,
    names_in,
    next_sentence,
    opens_reference,
    references,
    separator,
)
from realhop_kg.relations.wording import render

__all__ = ["check_boundaries", "check_references", "check_wordings"]


def check_boundaries(view: ItemView) -> Iterator[Finding]:
    """T3: insertions are whole sentences at sentence boundaries, properly separated."""
    for node in view.graph.nodes(InsertionNode):
        passage = view.passages.get(node.passage)
        if passage is None or not 0 <= node.offset <= len(passage.text):
            continue  # T1
        head, body = node.text[:1], node.text[1:]
        if head != separator(passage.text, node.offset):
            message = f"{node.id} is separated by {head!r} from the text before it"
            yield at_insertion(view, Code.T3, message, node)
        whole = body == body.strip() and ends_sentence(body)
        if not whole or not (body[0].isupper() or body[0].isdigit()):
            yield at_insertion(view, Code.T3, f"{node.id} is no whole sentence: {body!r}", node)
        end = len(passage.text.rstrip())
        inside = node.offset != end and node.offset not in view.stops(passage.index)
        if inside or node.offset == 0:
            message = f"{node.id} stands at {node.offset} of {passage.id}, inside a sentence"
            yield at_insertion(view, Code.T3, message, node)


def check_wordings(view: ItemView) -> Iterator[Finding]:
    """T4: a sentence is a declared wording of its predicate with the names of its fact alone."""
    by_word = _by_rarest_word(view)
    for stated, span in _sentences(view):
        if span.exact not in _wordings(view, stated):
            message = f"{span.exact!r} is no wording of {stated.predicate} with its names"
            yield view.finding(Code.T4, message, stated.id, span.id)
        text = Haystack(span.exact)
        own = {stated.value, *stated.args}
        near = (entity for word in sorted(text.words) for entity in by_word.get(word, ()))
        for entity in near:
            if entity.id not in own and text.holds(entity.surface):
                message = f"{span.exact!r} names {entity.surface!r}, which is not of its fact"
                yield view.finding(Code.T4, message, stated.id, span.id, entity.id)


def _by_rarest_word(view: ItemView) -> dict[str, list[EntityNode]]:
    """Return the entities that a sentence may not name by mistake, by one word of their names.

    A source value is none of them: numbers and dates are words of many wordings.
    """
    words = {
        entity.id: words_of(entity.surface)
        for entity in view.entities.values()
        if entity.origin is Origin.VIRTUAL or not view.is_value(entity)
    }
    count = Counter(word for some in words.values() for word in some)
    by_word: dict[str, list[EntityNode]] = defaultdict(list)
    for entity_id, some in words.items():
        if some:
            by_word[min(some, key=lambda word: (count[word], word))].append(
                view.entities[entity_id]
            )
    return by_word


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
        stops = view.stops(passage.index)
        follows = next_sentence(passage.text, node.offset, stops)
        if node.offset in stops and opens_reference(follows, names_in(passage.text)):
            message = f"after {node.id} the passage goes on with a reference: {follows[:60]!r}"
            yield at_insertion(view, Code.T5, message, node)


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
