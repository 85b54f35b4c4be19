"""Hop dependencies: Desc(h), R(h), the terminal hop, and the names of the usual DAG shapes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from realhop_kg.errors import ContractError
from realhop_kg.graph.reasoning import ReasoningGraph
from realhop_kg.graph.schema import EdgeKind, HopNode

__all__ = [
    "Dependencies",
    "check_dag",
    "dependencies",
    "descendants",
    "regenerated",
    "terminal",
    "topological",
    "topology",
]

Dependencies = Mapping[int, tuple[int, ...]]
"""For each hop index, the indices of the hops it depends on."""

_SHAPES: dict[frozenset[tuple[int, int]], str] = {
    frozenset(edges): shape
    for shape, edges in {
        "2hop": [(1, 2)],
        "3hop1": [(1, 2), (2, 3)],
        "3hop2": [(1, 3), (2, 3)],
        "4hop1": [(1, 2), (2, 3), (3, 4)],
        "4hop2": [(1, 3), (2, 3), (3, 4)],
        "4hop3": [(1, 2), (2, 4), (3, 4)],
        "diamond": [(1, 2), (1, 3), (2, 4), (3, 4)],
    }.items()
}


def dependencies(graph: ReasoningGraph) -> dict[int, tuple[int, ...]]:
    """Return the dependencies of a graph's hops, without repeats, in hop order."""
    by_id = {hop.id: hop.index for hop in graph.nodes(HopNode)}
    return {
        hop.index: tuple(
            dict.fromkeys(by_id[target] for target in graph.targets(hop.id, EdgeKind.DEPENDS_ON))
        )
        for hop in sorted(graph.nodes(HopNode), key=lambda hop: hop.index)
    }


def descendants(deps: Dependencies, hop: int) -> frozenset[int]:
    """Return Desc(h): all hops that depend on `hop`, directly or not.

    Source: REALHOP, Appendix I.2.
    """
    found: set[int] = set()
    frontier = {hop}
    while frontier:
        frontier = {
            later for later, earlier in deps.items() if not frontier.isdisjoint(earlier)
        } - found
        found |= frontier
    return frozenset(found)


def regenerated(deps: Dependencies, hop: int) -> frozenset[int]:
    """Return R(h), the hop and its descendants: what a Strict path generates anew."""
    return descendants(deps, hop) | {hop}


def topological(deps: Dependencies) -> list[int]:
    """Return the hops in an order in which each follows those it depends on.

    Ties are broken by hop index.

    Raises:
        ContractError: D1 if there is a cycle.
    """
    order: list[int] = []
    left = set(deps)
    while left:
        free = [hop for hop in sorted(left) if left.isdisjoint(deps[hop])]
        if not free:
            raise ContractError("D1", f"hops {sorted(left)} depend on each other in a cycle")
        order.append(free[0])
        left.remove(free[0])
    return order


def terminal(deps: Dependencies) -> int:
    """Return the only hop that no other depends on.

    Raises:
        ContractError: D1 if there is none or more than one.
    """
    needed = {hop for earlier in deps.values() for hop in earlier}
    ends = sorted(set(deps) - needed)
    if len(ends) != 1:
        raise ContractError("D1", f"expected one terminal hop, found {ends or 'none'}")
    return ends[0]


def check_dag(deps: Dependencies) -> None:
    """Check contract D1.

    Raises:
        ContractError: D1 if hops depend on unknown hops or on themselves, form a cycle, or do not
            all lead to one terminal hop.
    """
    for hop, earlier in deps.items():
        unknown = sorted(set(earlier) - set(deps))
        if unknown:
            raise ContractError("D1", f"hop {hop} refers to missing hop {unknown[0]}")
    topological(deps)
    terminal(deps)  # in a DAG with one sink every hop reaches it


def topology(deps: Dependencies) -> str:
    """Return the name of the DAG shape: 2hop, 3hop1, ..., diamond, or dag for any other."""
    edges: Iterable[tuple[int, int]] = (
        (earlier, hop) for hop, before in deps.items() for earlier in before
    )
    return _SHAPES.get(frozenset(edges), "dag" if len(deps) > 1 else "1hop")
