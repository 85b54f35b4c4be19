"""S1 to S3, S5, S6: Strict paths miss once, regenerate what follows, and lead elsewhere."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from realhop_kg.contracts.subject import ItemView, PathView
from realhop_kg.graph.schema import EdgeKind, EntityNode, FactNode, FactStatus, PathKind
from realhop_kg.model.answers import normalize_answer
from realhop_kg.model.finding import Code, Finding
from realhop_kg.relations.predicates import Family

__all__ = [
    "check_breaks",
    "check_candidates",
    "check_coverage",
    "check_distinct",
    "check_inherited",
    "check_regenerated",
    "inherits",
    "misbound",
    "mismatches",
    "misplaced",
]

_CANDIDATES = 2


class Trouble(NamedTuple):
    """What is wrong with a path, and the node concerned."""

    node: str
    message: str


def misplaced(view: ItemView, path: PathView) -> Iterator[Trouble]:
    """Yield where the path's edges do not agree with the hops it names."""
    for kind, index in (
        (EdgeKind.PROTECTS, path.node.protected_hop),
        (EdgeKind.BREAKS_AT, path.node.break_hop),
    ):
        hop = view.hops.get(index)
        if hop is None or view.targets(path.id, kind) != [hop.id]:
            yield Trouble(path.id, f"{path.id} has no single {kind} edge to hop {index}")


def mismatches(view: ItemView, path: PathView) -> Iterator[Trouble]:
    """Yield own facts that are no near-miss where the path breaks, or no match elsewhere."""
    for fact in path.own:
        relation = view.hops[fact.hop].relation
        predicate = view.predicates.get(fact.predicate)
        status = view.graph.get(fact.id, FactNode).status
        if fact.hop == path.node.break_hop:
            misses = predicate and (predicate.family, predicate.parent) == (
                Family.NEAR_MISS,
                relation,
            )
            if not misses or status is not FactStatus.BREAK:
                yield Trouble(fact.id, f"{fact.id} is to break, but is no near-miss of {relation}")
        elif fact.predicate != relation or status is not FactStatus.CONTINUATION:
            yield Trouble(fact.id, f"{fact.id} states {fact.predicate}, hop asks for {relation}")


def misbound(view: ItemView, path: PathView) -> Iterator[Trouble]:
    """Yield own facts with a slot that neither the path nor gold binds so.

    A slot that depends on a regenerated hop takes the path's own entity, any other slot gold's.
    """
    own, anew = path.by_hop, view.regenerated[path.node.protected_hop]
    for fact in path.own:
        gold = view.evidence.gold[fact.hop]
        constants = dict(zip(gold.slots, gold.args, strict=True))
        for slot, arg in zip(fact.slots, fact.args, strict=True):
            earlier = view.slot_hops[fact.hop].get(slot)
            if earlier not in anew:
                wanted = constants.get(slot)
            elif earlier in own:
                wanted = own[earlier].value
            else:
                continue  # pruned, or missing by S2
            if arg != wanted:
                yield Trouble(fact.id, f"slot {slot} of {fact.id} is {arg}, not {wanted}")


def inherits(view: ItemView, path: PathView) -> bool:
    """Return whether a path inherits the gold facts of all hops that it does not regenerate."""
    anew = view.regenerated[path.node.protected_hop]
    wanted = sorted(fact.id for hop, fact in view.evidence.gold.items() if hop not in anew)
    return sorted(fact.id for fact in path.inherited) == wanted


def _strict(view: ItemView) -> list[PathView]:
    """Return the Strict paths that protect a hop at all; S1 names the others."""
    return [path for path in view.family(PathKind.STRICT) if path.node.protected_hop in view.hops]


def check_breaks(view: ItemView) -> Iterator[Finding]:
    """S1: a Strict path's only mismatch is at the hop that it protects."""
    for path in view.family(PathKind.STRICT):
        if path.node.break_hop != path.node.protected_hop:
            message = f"{path.id} breaks at hop {path.node.break_hop}, not where it protects"
            yield view.finding(Code.S1, message, path.id)
        for trouble in (*misplaced(view, path), *mismatches(view, path)):
            yield view.finding(Code.S1, trouble.message, path.id, trouble.node)


def check_regenerated(view: ItemView) -> Iterator[Finding]:
    """S2: a Strict path has own facts for exactly the hops of R(h), one each."""
    for path in _strict(view):
        hops = sorted(fact.hop for fact in path.own)
        anew = sorted(view.regenerated[path.node.protected_hop])
        if hops != anew:
            message = f"{path.id} regenerates hops {hops}, R({path.node.protected_hop}) is {anew}"
            yield view.finding(Code.S2, message, path.id)


def check_inherited(view: ItemView) -> Iterator[Finding]:
    """S3: a Strict path keeps gold's binding of every hop that it does not regenerate."""
    for path in _strict(view):
        if not inherits(view, path):
            message = f"{path.id} does not inherit the gold facts of the hops outside R(h)"
            yield view.finding(Code.S3, message, path.id)
        for trouble in misbound(view, path):
            yield view.finding(Code.S3, trouble.message, path.id, trouble.node)


def check_candidates(view: ItemView) -> Iterator[Finding]:
    """S5a: two Strict candidates per hop were proposed; known before pruning only."""
    if not view.plan_time or PathKind.STRICT not in view.families:
        return
    for index, hop in view.hops.items():
        ranks = {p.node.candidate for p in _strict(view) if p.node.protected_hop == index}
        if not ranks.issuperset(range(1, _CANDIDATES + 1)):
            message = f"hop {index} has {len(ranks)} Strict candidates, not {_CANDIDATES}"
            yield view.finding(Code.S5A, message, hop.id)


def check_distinct(view: ItemView) -> Iterator[Finding]:
    """S5b: competitors' values and endpoints differ from each other and from gold, kind alike."""
    taken: dict[str, str] = {}
    for gold in view.gold_values.values():
        taken |= {normalize_answer(form): gold.id for form in view.forms(gold)}
    users: dict[str, str] = {}
    for path in view.competitors:
        for fact in path.own:
            value = view.entities[fact.value]
            if users.setdefault(value.id, fact.id) != fact.id or value.id in taken.values():
                message = f"{fact.id} leads to {value.surface!r}, as another fact does"
                yield view.finding(Code.S5B, message, fact.id, value.id)
                continue
            for form in view.forms(value):
                other = taken.setdefault(normalize_answer(form), value.id)
                if other != value.id:
                    message = f"{form!r} names both {other} and {value.id}"
                    yield view.finding(Code.S5B, message, fact.id, value.id, other)
        yield from _endpoint(view, path)


def _endpoint(view: ItemView, path: PathView) -> Iterator[Finding]:
    last = path.by_hop.get(view.terminal)
    if last is None:
        return  # a Flexible fragment, or S2
    value: EntityNode = view.entities[last.value]
    asked = view.gold_values[view.terminal].asked_kind
    if value.surface != path.node.endpoint:
        message = f"{path.id} names endpoint {path.node.endpoint!r}, leads to {value.surface!r}"
        yield view.finding(Code.S5B, message, path.id)
    if value.asked_kind != asked:
        message = f"{path.id} leads to a {value.asked_kind} where a {asked} is asked"
        yield view.finding(Code.S5B, message, path.id, value.id)


def check_coverage(view: ItemView) -> Iterator[Finding]:
    """S6: every hop has a complete Strict path, written in full once the item is realized."""
    if PathKind.STRICT not in view.families:
        return
    spans = view.out[EdgeKind.WRITTEN_AT]
    covered = {
        path.node.protected_hop
        for path in _strict(view)
        if {fact.hop for fact in path.own} == view.regenerated[path.node.protected_hop]
        and inherits(view, path)
        and all(not spans or part.id in spans for fact in path.own for part in view.parts(fact))
    }
    for index in sorted(view.hops.keys() - covered):
        message = f"hop {index} has no complete Strict path"
        yield view.finding(Code.S6, message, view.hops[index].id)
