"""R3 to R6: virtual names are fresh, and the question names what it must and no answer."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator

from realhop_kg.contracts.occurrence import Haystack, words_of
from realhop_kg.contracts.subject import ItemView
from realhop_kg.graph.schema import EdgeKind, EntityNode
from realhop_kg.model.answers import normalize_answer
from realhop_kg.model.entity import EntityRole, Origin
from realhop_kg.model.finding import Code, Finding

__all__ = ["check_anchors", "check_fresh_answers", "check_fresh_names", "check_question"]

_WORD = re.compile(r"[$€£]?\w[\w’'&.,/\-–]*\w%?|\w%?")
_SENTENCE_START = re.compile(r"(?:\A|[.?!])[\"'“‘(\s]*\Z")


def check_fresh_names(view: ItemView) -> Iterator[Finding]:
    """R3: no virtual name or value occurs in the item's own text or in another; all differ."""
    for entity in view.virtual:
        for form in view.original.held(view.forms(entity)):
            message = f"{form!r} occurs in the original text or question"
            yield view.finding(Code.R3, message, *view.named(entity))
    yield from _equal_names(view)
    yield from _nested_names(view)


def _equal_names(view: ItemView) -> Iterator[Finding]:
    by_name: dict[str, EntityNode] = {}
    for entity in view.virtual:
        for form in view.forms(entity):
            other = by_name.setdefault(normalize_answer(form), entity)
            if other is not entity:
                message = f"{form!r} names both {other.id} and {entity.id}"
                yield view.finding(Code.R3, message, *view.named(other, entity))


def _nested_names(view: ItemView) -> Iterator[Finding]:
    texts = {entity.id: Haystack(*view.forms(entity)) for entity in view.virtual}
    holders: dict[str, set[str]] = defaultdict(set)
    for entity_id, text in texts.items():
        for word in text.words:
            holders[word].add(entity_id)
    for entity in view.virtual:
        for form in entity.forms:
            words = words_of(form)
            near = set.intersection(*(holders[word] for word in words)) if words else set()
            for other_id in sorted(near - {entity.id}):
                if texts[other_id].holds(form):
                    other = view.entities[other_id]
                    message = f"{form!r} is part of {other.surface!r}"
                    yield view.finding(Code.R3, message, *view.named(entity, other))


def check_question(view: ItemView) -> Iterator[Finding]:
    """R4: the question shows no answer, old or new, and no competitor or key."""
    asked = {gold.id for gold in view.gold_values.values()}
    for entity in view.entities.values():
        hidden = entity.id in asked or entity.role in (EntityRole.COMPETITOR, EntityRole.KEY)
        replaced = entity.origin is Origin.SOURCE and entity.role is not EntityRole.QUESTION
        if not hidden and (not replaced or view.is_value(entity)):
            continue
        for form in view.question.held(view.forms(entity)):
            message = f"the question shows {form!r}, a form of {entity.id}"
            yield view.finding(Code.R4, message, view.item.id, *view.named(entity))
    for hop, gold in view.gold_values.items():
        answer = view.hops[hop].source_answer
        if not view.is_value(gold) and view.question.holds(answer):
            message = f"the question shows {answer!r}, the source answer of hop {hop}"
            yield view.finding(Code.R4, message, view.item.id, view.hops[hop].id)


def check_anchors(view: ItemView) -> Iterator[Finding]:
    """R5: every name of the question is rebound or kept with a reason, every root hop anchored."""
    kept: list[str] = []
    for entry in view.item.kept:
        surface, _, reason = entry.rpartition(": ")
        kept.append(surface)
        if not surface.strip() or not reason.strip():
            yield view.finding(Code.R5, f"{entry!r} is kept without a reason", view.item.id)
    anchors = [e for e in view.entities.values() if e.role is EntityRole.QUESTION]
    ours = [form for e in anchors if e.origin is Origin.VIRTUAL for form in e.forms]
    for name in _loose_names(view.item.question, [*ours, *kept]):
        message = f"{name!r} in the question is neither rebound nor kept with a reason"
        yield view.finding(Code.R5, message, view.item.id)
    for source in (entity for entity in anchors if entity.origin is Origin.SOURCE):
        for form in view.question.held(set(source.forms) - set(kept)):
            message = f"the question still names {form!r}"
            yield view.finding(Code.R5, message, view.item.id, source.id)
    rebound = {entity.id for entity in anchors if view.out[EdgeKind.REBINDS].get(entity.id)}
    for hop, before in view.dependencies.items():
        if not before and rebound.isdisjoint(view.evidence.gold[hop].args):
            message = f"hop {hop} depends on no other hop and names nothing that is rebound"
            yield view.finding(Code.R5, message, view.hops[hop].id)


def _loose_names(question: str, covered: list[str]) -> Iterator[str]:
    """Yield the capitalised words and numbers outside `covered`, sentence starts aside."""
    for form in sorted(filter(None, covered), key=len, reverse=True):
        pattern = rf"(?<!\w){re.escape(form)}(?!\w)"
        question = re.sub(pattern, lambda match: " " * len(match.group()), question)
    for match in _WORD.finditer(question):
        word = match.group()
        if any(char.isupper() or char.isdigit() for char in word) and not (
            _SENTENCE_START.search(question[: match.start()]) and not word[0].isdigit()
        ):
            yield word


def check_fresh_answers(view: ItemView) -> Iterator[Finding]:
    """R6: every hop answer is a fresh entity or value, unlike any of the source's."""
    old: dict[str, str] = {}
    for entity in view.entities.values():
        if entity.origin is Origin.SOURCE:
            old |= {normalize_answer(form): entity.surface for form in view.forms(entity)}
    for hop in view.hops.values():
        old[normalize_answer(hop.source_answer)] = hop.source_answer
    seen: dict[str, int] = {}
    for hop_index, gold in view.gold_values.items():
        if gold.origin is not Origin.VIRTUAL:
            message = f"the answer of hop {hop_index} is {gold.surface!r}, a source entity"
            yield view.finding(Code.R6, message, gold.id)
        for form in map(normalize_answer, view.forms(gold)):
            if form in old and gold.origin is Origin.VIRTUAL:
                message = f"the answer of hop {hop_index}, {form!r}, is {old[form]!r} of the source"
                yield view.finding(Code.R6, message, gold.id)
        if seen.setdefault(gold.id, hop_index) != hop_index:
            message = f"hops {seen[gold.id]} and {hop_index} have one answer, {gold.surface!r}"
            yield view.finding(Code.R6, message, gold.id)
