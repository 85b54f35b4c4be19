"""H1 to H5: every fact has a host, none that it may not have, and paths spread over several."""

from __future__ import annotations

from collections.abc import Iterator

from realhop_kg.contracts.subject import ItemView
from realhop_kg.graph.schema import EdgeKind, PathKind
from realhop_kg.model.finding import Code, Finding

__all__ = [
    "check_allowed_hosts",
    "check_gold_hosts",
    "check_gold_spread",
    "check_hosts",
    "check_strict_spread",
]


def check_hosts(view: ItemView) -> Iterator[Finding]:
    """H1: every fact has one host, and its premises have the same."""
    for fact in view.evidence.facts.values():
        for part in (fact, *view.evidence.premises.get(fact.id, ())):
            if len(part.hosts) != 1:
                message = f"{part.id} is routed to {len(part.hosts)} passages, not to one"
                yield view.finding(Code.H1, message, part.id)
            elif len(fact.hosts) == 1 and part.hosts != fact.hosts:
                message = f"{part.id} is not routed to the passage of {fact.id}"
                yield view.finding(Code.H1, message, part.id)


def check_allowed_hosts(view: ItemView) -> Iterator[Finding]:
    """H2: no fact or premise is routed to a passage that is forbidden to its fact or path."""
    for path in view.paths:
        banned = set(view.targets(path.id, EdgeKind.FORBIDS))
        for fact in path.own:
            for host in sorted(
                view.hosts(fact) & (banned | set(view.targets(fact.id, EdgeKind.FORBIDS)))
            ):
                yield view.finding(Code.H2, f"{host} is forbidden to {fact.id}", fact.id, host)


def check_strict_spread(view: ItemView) -> Iterator[Finding]:
    """H3: a Strict path's near-miss shares its host with none of its continuation.

    So a path of two or more generated facts uses two or more hosts.
    """
    for path in view.family(PathKind.STRICT):
        near = path.by_hop.get(path.node.protected_hop)
        if near is None:
            continue  # S2
        for fact in path.own:
            shared = view.hosts(fact) & view.hosts(near) if fact is not near else set()
            for host in sorted(shared):
                message = f"{host} holds the near-miss of {path.id} and its continuation {fact.id}"
                yield view.finding(Code.H3, message, near.id, fact.id, host)


def check_gold_spread(view: ItemView) -> Iterator[Finding]:
    """H4: a gold path of three or more facts uses two or more hosts."""
    gold = view.evidence.gold.values()
    hosts = set().union(*(view.hosts(fact) for fact in gold))
    if len(gold) >= 3 and len(hosts) == 1:
        message = f"all gold facts are routed to {min(hosts)}"
        yield view.finding(Code.H4, message, *(fact.id for fact in gold))


def check_gold_hosts(view: ItemView) -> Iterator[Finding]:
    """H5: gold facts and premises go to the original support passage of their hop."""
    for index, fact in view.evidence.gold.items():
        support = view.passages.get(view.hops[index].support)
        for part in (fact, *view.evidence.premises.get(fact.id, ())):
            if support is not None and set(part.hosts) - {support.id}:
                message = f"gold {part.id} is not routed to the support of hop {index}"
                yield view.finding(Code.H5, message, part.id, support.id)
