"""Chooses host passages: H1-H5 exactly, and V1 and V2 wherever the passages allow it.

Neither how much a passage holds nor whose support it is shall give gold away (A1). So competitors
go to the supports of other hops as well as to a few further passages, as many as leave each with
about the load of a support, and are drawn rather than dealt out: a drawn load looks the same from
gold's sentence and from a competitor's.
"""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Collection, Sequence

from realhop_kg.errors import Refusal
from realhop_kg.graph.dependency import dependencies, terminal
from realhop_kg.graph.reasoning import ReasoningGraph
from realhop_kg.graph.schema import (
    EdgeKind,
    FactNode,
    FactStatus,
    HopNode,
    PassageNode,
    PathKind,
    PathNode,
)
from realhop_kg.model.plan import RoutePlan
from realhop_kg.model.sentences import insertion_points

__all__ = ["FACTS_PER_HOST", "propose_route"]

FACTS_PER_HOST = 4
"""Facts that a host holds in the mean: a support has a gold fact, a near-miss, and two others."""

MOST_FACTS = 5
"""Facts that a host holds at most, where others have room."""


class _Router:
    """Draws hosts for competitors by the seeded generator."""

    def __init__(
        self, usable: Sequence[int], supports: Collection[int], wished: int, rng: random.Random
    ) -> None:
        others = [index for index in usable if index not in supports]
        # Two further ones at least, for the facts that no support may hold.
        wanted = max(wished - len(supports), 2)
        self.passages = sorted({*supports, *rng.sample(others, min(wanted, len(others)))})
        self.usable = usable
        self.rng = rng
        self.load: Counter[int] = Counter()

    def free(self, banned: Collection[int]) -> list[int]:
        """Return the passages that are not banned; further ones only where all hosts are."""
        hosts = [index for index in self.passages if index not in banned]
        return hosts or [index for index in self.usable if index not in banned]

    def drawn(self, banned: Collection[int]) -> int | None:
        """Return a passage, or None if all are banned."""
        free = self.free(banned)
        light = [index for index in free if self.load[index] < MOST_FACTS]
        return self.rng.choice(light or free) if free else None


def propose_route(
    graph: ReasoningGraph,
    rng: random.Random,
    *,
    facts_per_host: int = FACTS_PER_HOST,
    among: Collection[int] | None = None,
) -> RoutePlan:
    """Return a host for every fact.

    Gold facts go to their supports (H5). The first Strict near-miss of a hop goes into the
    protected support and its continuation elsewhere, so that a Drop leaves a second orphaned
    continuation (V2); every other competitor of the hop stays out of that support, so that a Drop
    leaves complete paths (V1). A near-miss never shares its host with its continuation (H3).

    Args:
        graph: a graph with all its paths.
        rng: seeded generator.
        facts_per_host: facts that a host holds in the mean.
        among: the passages that may host; all by default.

    Raises:
        Refusal: H3 if the passages that can host are too few.
    """
    hosts: dict[str, int] = {}
    supports = {hop.index: hop.support for hop in graph.nodes(HopNode)}
    usable = [
        p.index
        for p in graph.nodes(PassageNode)
        if (among is None or p.index in among) and insertion_points(p.text)
    ]
    missing = sorted(set(supports.values()) - set(usable))
    if missing:
        raise Refusal("H1", f"support passage {missing[0]} has no text to insert into")
    facts = graph.nodes(FactNode)
    wished = math.ceil(len(facts) / facts_per_host)
    router = _Router(usable, set(supports.values()), wished, rng)
    for fact in facts:
        if fact.status is FactStatus.GOLD:
            hosts[fact.id] = supports[fact.hop]
            router.load[supports[fact.hop]] += 1
    last = terminal(dependencies(graph))
    for path in graph.nodes(PathNode):
        if path.path_kind is not PathKind.GOLD:
            _route_path(graph, path, supports[path.protected_hop], last, router, hosts)
    return RoutePlan(hosts=hosts)


def _route_path(
    graph: ReasoningGraph,
    path: PathNode,
    support: int,
    last: int,
    router: _Router,
    hosts: dict[str, int],
) -> None:
    own = [f for f, held in graph.edges(path.id, EdgeKind.CONTAINS) if not held["inherited"]]
    near = next(f for f in own if graph.get(f, FactNode).status is FactStatus.BREAK)
    later = [fact for fact in own if fact != near]
    in_support = (
        path.path_kind is PathKind.STRICT and path.candidate == 1 and path.protected_hop != last
    )
    first = support if in_support else router.drawn({support})
    if first is None or (later and not router.free({support, first})):
        raise Refusal("H3", f"too few passages can host {path.id} outside its support {support}")
    hosts[near] = first
    router.load[first] += 1
    used = {support, first}
    for fact in later:
        host = router.drawn(used)
        if host is None:
            host = router.drawn({support, first})
        if host is None:
            raise Refusal("H3", f"too few passages can host the continuation of {path.id}")
        hosts[fact] = host
        used.add(host)
        router.load[host] += 1
