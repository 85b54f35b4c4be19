"""U1, N1, N2, V1, V2: what can be derived from the whole, and what is left after each Drop."""

from __future__ import annotations

from collections.abc import Iterator

from realhop_kg.contracts.occurrence import Haystack
from realhop_kg.contracts.subject import ItemView
from realhop_kg.graph.certificates import paths_to
from realhop_kg.graph.schema import EdgeKind, SpanNode
from realhop_kg.model.finding import Code, Finding

__all__ = [
    "check_necessary_hops",
    "check_no_trace",
    "check_orphans",
    "check_survivors",
    "check_unique",
]


def check_unique(view: ItemView) -> Iterator[Finding]:
    """U1: the only answer that follows from everything is the gold answer."""
    unique = view.certificates.unique
    if not unique.answers:
        message = "the gold answer does not follow from the gold facts"
        yield view.finding(Code.U1, message, *(fact.id for fact in view.evidence.gold.values()))
    for answer in unique.other_answers:
        message = f"{view.entities[answer].surface!r} can be derived as an answer too"
        yield view.finding(Code.U1, message, answer, *paths_to(view.graph, answer))


def check_necessary_hops(view: ItemView) -> Iterator[Finding]:
    """N1: without the gold fact of any one hop the gold answer does not follow."""
    for hop, needed in view.certificates.necessary_hops.items():
        if not needed:
            message = f"the gold answer can be derived without hop {hop}"
            yield view.finding(Code.N1, message, view.hops[hop].id)


def check_no_trace(view: ItemView) -> Iterator[Finding]:
    """N2: without the terminal hop's support no form of the gold answer is left in the text."""
    gold = view.gold_values[view.terminal]
    support = view.hops[view.terminal].support
    forms = view.forms(gold)
    for index, passage in view.passages.items():
        if index == support:
            continue
        folded = f"{passage.page_title}\n{view.realized[index]}".casefold()
        if not any(form.casefold() in folded for form in forms):
            continue
        for form in Haystack(folded).held(forms):
            message = f"{form!r}, a form of the answer, stands in passage {index} too"
            writers = _writers(view, index, form)
            yield view.finding(Code.N2, message, gold.id, passage.id, *writers)


def _writers(view: ItemView, passage: int, form: str) -> Iterator[str]:
    """Yield what is written at the spans of a passage that hold a form."""
    for stated in view.written:
        for span_id in view.targets(stated.id, EdgeKind.WRITTEN_AT):
            span = view.graph.get(span_id, SpanNode)
            if span.passage == passage and Haystack(span.exact).holds(form):
                yield stated.id


def check_survivors(view: ItemView) -> Iterator[Finding]:
    """V1: after each Drop at least one competitor path is complete."""
    for hop, complete in view.certificates.v1.items():
        if not complete:
            message = f"no competitor path is complete after the Drop of hop {hop}"
            yield view.finding(Code.V1, message, view.hops[hop].id)


def check_orphans(view: ItemView) -> Iterator[Finding]:
    """V2: after each Drop two complete continuations or more lack a live prefix."""
    certificates = view.certificates
    for hop, hidden in certificates.v2.items():
        if not hidden:
            left = ", ".join(certificates.orphans[hop]) or "none"
            message = f"after the Drop of hop {hop} too few continuations lack a prefix: {left}"
            yield view.finding(Code.V2, message, view.hops[hop].id)
