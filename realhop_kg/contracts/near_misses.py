"""S4: a near-miss fits its relation's types, does not make it true, and is not marked as wrong."""

from __future__ import annotations

import re
from collections.abc import Iterator

from realhop_kg.contracts.subject import ItemView
from realhop_kg.graph.evidence import Statement
from realhop_kg.model.finding import Code, Finding
from realhop_kg.relations.predicates import Family, Predicate, Predicates

__all__ = ["check_near_misses", "implied"]

_LABELS = re.compile(
    r"\b(?:"
    # denied
    r"not|never|no longer|cannot|denie[sd]|ruled out|instead of|rather than|unlike|without success|"
    # failed or only tried
    r"fail(?:s|ed) to|tried to|attempt(?:s|ed) to|hoped to|wanted to|unsuccessful(?:ly)?|in vain|"
    # untrue
    r"false(?:ly)?|wrong(?:ly)?|incorrect(?:ly)?|mistaken(?:ly)?|erroneous(?:ly)?|fake|pretend\w*|"
    # reported
    r"alleged(?:ly)?|reportedly|supposed(?:ly)?|purported(?:ly)?|rumou?red|claim(?:s|ed)|"
    r"(?:is|are|was|were) (?:said|thought|believed|reported|reputed) to|"
    # partly or no longer true
    r"former(?:ly)?|previous(?:ly)?|once|almost|nearly|partly|partially"
    r")\b|n['’]t\b",
    re.IGNORECASE,
)
"""Words that mark a sentence as denied, failed, untrue, reported, or only partly true."""


def check_near_misses(view: ItemView) -> Iterator[Finding]:
    """S4: types fit, nothing required follows, somebody audited it, and nothing labels it.

    Entailment counts against the relation as annotated and as the question voices it, also by way
    of inverse and symmetric relations.
    """
    for path in view.competitors:
        for fact in path.own:
            predicate = view.predicates.get(fact.predicate)
            if predicate and predicate.family is Family.NEAR_MISS:
                for message in _troubles(view, fact, predicate):
                    yield view.finding(Code.S4, message, fact.id)


def _troubles(view: ItemView, fact: Statement, miss: Predicate) -> Iterator[str]:
    hop = view.hops[fact.hop]
    relation = view.predicates.get(hop.relation)
    if relation and not _same_types(view, miss, relation):
        yield f"near-miss {miss.id} takes other types than {relation.id}"
    found = implied(view.predicates, miss.id)
    for needed in sorted({hop.relation, hop.required}):
        if (needed, False) in found:
            yield f"near-miss {miss.id} entails {needed}, which hop {hop.index} asks for"
    if not miss.audit.strip():
        yield f"nobody has audited near-miss {miss.id}"
    parts = (view.predicates.get(part.predicate) for part in view.parts(fact))
    for stated in (miss, *(part for part in parts if part)):
        for wording in stated.wordings:
            label = _LABELS.search(wording)
            if label:
                yield f"{stated.id} is worded with {label.group()!r}, which marks it as wrong"


def _same_types(view: ItemView, miss: Predicate, relation: Predicate) -> bool:
    ours, theirs = miss.arguments, relation.arguments
    return (
        ours.keys() == theirs.keys()
        and all(view.fits(ours[slot], theirs[slot]) for slot in ours)
        and view.fits(miss.value, relation.value)
    )


def implied(predicates: Predicates, predicate_id: str) -> frozenset[tuple[str, bool]]:
    """Return what follows from one fact of a predicate, and whether with its ends exchanged.

    Transitive relations and joins need a second fact; contract U1 looks at those.
    """
    found: set[tuple[str, bool]] = set()
    frontier = [(predicate_id, False)]
    while frontier:
        current, flipped = frontier.pop()
        if (current, flipped) in found:
            continue
        found.add((current, flipped))
        frontier += ((weaker, flipped) for weaker in predicates.entailed(current))
        known = predicates.get(current)
        if known and len(known.arguments) == 1:
            frontier += [(known.inverse, not flipped)] if known.inverse else []
            frontier += [(current, not flipped)] if known.symmetric else []
    return frozenset(found)
