"""Chooses where in a carrier facts go: chunks spread over it, separate sentence boundaries there.

Gold and competitors are spread the same way: hosts are drawn one from each of as many equal parts
of the carrier, and which of them support hops is drawn as well, so that neither place nor load
tells one from the other (A1). A boundary is used only where the sentence after it opens no
reference, so that every antecedent stays explicit (T5); inserted sentences repeat full names.

Source: REALHOP, sections 4.3 and Appendix J.2.
"""

from __future__ import annotations

import random
from collections.abc import Collection, Mapping, Sequence
from itertools import islice

from realhop_kg.construct.realize import sentence_names, wording_of, written_nodes
from realhop_kg.errors import Refusal
from realhop_kg.graph.dependency import Dependencies, regenerated
from realhop_kg.graph.reasoning import ReasoningGraph
from realhop_kg.graph.schema import EdgeKind, EvidenceUnit, FactNode, PassageNode
from realhop_kg.model.plan import WrittenSentence
from realhop_kg.model.sentences import insertion_points
from realhop_kg.model.text import Passage
from realhop_kg.relations.predicates import Predicates
from realhop_kg.relations.wording import render

__all__ = ["FACTS_PER_HOST", "draw_hosts", "hosts_wanted", "propose_places"]

FACTS_PER_HOST = 2
"""Facts that a chunk holds in the mean: half as many as an ordinary passage, for the spread."""

_CANDIDATES = 3
"""Candidate paths per hop: two Strict ones and a Flexible one."""

_DRAWS = 40
"""Orders that are tried where several pieces share a boundary."""

_POINTS = (8, 4)
"""Safe boundaries that a chunk has to have to host: facts and premises get one each. The second
number is for carriers that have too few chunks of the first."""


def hosts_wanted(dependencies: Dependencies) -> int:
    """Return how many chunks the facts of an item are to be spread over."""
    own = sum(len(regenerated(dependencies, hop)) for hop in dependencies)
    facts = len(dependencies) + _CANDIDATES * own
    return max(-(-facts // FACTS_PER_HOST), len(dependencies) + 3)


def draw_hosts(chunks: Sequence[Passage], wanted: int, rng: random.Random) -> list[int]:
    """Return chunks that can host, one from each of equal parts of the carrier, in reading order.

    Args:
        chunks: the carrier.
        wanted: how many.
        rng: seeded generator.

    Raises:
        Refusal: H1 if the carrier has too few chunks with safe sentence boundaries.
    """
    parts = [
        list(range(part * len(chunks) // wanted, (part + 1) * len(chunks) // wanted))
        for part in range(wanted)
    ]
    for tried in parts:
        rng.shuffle(tried)
    points: dict[int, int] = {}

    def fits(at: int, least: int) -> bool:
        if at not in points:
            points[at] = len(insertion_points(chunks[at].text))
        return points[at] >= least

    hosts: set[int] = set()
    for least in _POINTS:
        for tried in parts:
            if len(hosts) < wanted and hosts.isdisjoint(tried):
                hosts.update(next(([at] for at in tried if fits(at, least)), []))
        if len(hosts) == wanted:
            break
        # Parts without any: their share goes to chunks drawn from the whole carrier.
        spare = [at for tried in parts for at in tried if at not in hosts]
        rng.shuffle(spare)
        fitting = (at for at in spare if fits(at, least))
        hosts.update(islice(fitting, wanted - len(hosts)))
        if len(hosts) == wanted:
            break
    if len(hosts) < wanted:
        raise Refusal(
            "H1",
            f"{wanted} chunks with {_POINTS[-1]} safe sentence boundaries are wanted, the carrier "
            f"has {len(hosts)}; take longer text in full sentences",
        )
    return sorted(chunks[at].index for at in hosts)


def propose_places(
    graph: ReasoningGraph, predicates: Predicates, rng: random.Random
) -> list[WrittenSentence]:
    """Return a sentence and a boundary for everything that must be written, no two at one place.

    Only where a chunk must hold more than it has boundaries do two share one. The premises of a
    fact keep their order.

    Args:
        graph: a routed graph.
        predicates: their wordings.
        rng: seeded generator.
    """
    by_host: dict[str, list[FactNode | EvidenceUnit]] = {}
    for node in written_nodes(graph):
        by_host.setdefault(graph.targets(node.id, EdgeKind.ROUTED_TO)[0], []).append(node)
    sentences: list[WrittenSentence] = []
    for host, nodes in by_host.items():
        points = insertion_points(graph.get(host, PassageNode).text)
        offsets = _drawn(points, len(nodes), rng)
        ordered = _apart(graph, nodes, offsets, rng)
        for order, (offset, node) in enumerate(zip(offsets, ordered, strict=True)):
            names, kind = sentence_names(graph, node.id)
            text = render(wording_of(graph, node, predicates), names, kind)
            sentences.append(WrittenSentence(source=node.id, offset=offset, order=order, text=text))
    return sentences


def _drawn(points: Collection[int], count: int, rng: random.Random) -> list[int]:
    """Return as many of some offsets, sorted, each once as long as there are enough."""
    every = list(points)
    drawn: list[int] = []
    while len(drawn) < count:
        drawn += rng.sample(every, min(len(every), count - len(drawn)))
    return sorted(drawn)


def _apart(
    graph: ReasoningGraph,
    nodes: Sequence[FactNode | EvidenceUnit],
    offsets: Sequence[int],
    rng: random.Random,
) -> list[FactNode | EvidenceUnit]:
    """Return nodes in an order that puts no two premises of one fact at one boundary.

    Where a chunk has to hold more than it has boundaries, that may take several draws; the last
    one stands if none succeeds.
    """
    fact_of = {
        node.id: next(iter(graph.targets(node.id, EdgeKind.COMPOSES)), node.id) for node in nodes
    }
    ordered: list[FactNode | EvidenceUnit] = []
    for _ in range(_DRAWS):
        ordered = _mixed(nodes, fact_of, rng)
        placed = [(offset, fact_of[node.id]) for offset, node in zip(offsets, ordered, strict=True)]
        if len(set(placed)) == len(placed):
            break
    return ordered


def _mixed(
    nodes: Sequence[FactNode | EvidenceUnit], fact_of: Mapping[str, str], rng: random.Random
) -> list[FactNode | EvidenceUnit]:
    """Return nodes in a drawn order in which the premises of one fact keep theirs."""
    groups: dict[str, list[FactNode | EvidenceUnit]] = {}
    for node in sorted(nodes, key=lambda each: getattr(each, "order", 0)):
        groups.setdefault(fact_of[node.id], []).append(node)
    order = [fact for fact, group in sorted(groups.items()) for _ in group]
    rng.shuffle(order)
    taken = {fact: iter(group) for fact, group in groups.items()}
    return [next(taken[fact]) for fact in order]
