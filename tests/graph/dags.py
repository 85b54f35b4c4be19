"""Dependency graphs for tests: the named shapes, random ones, and what follows by brute force."""

from __future__ import annotations

from hypothesis import strategies as st

__all__ = ["DAGS", "SHAPES", "random_dags", "reachable"]

DAGS: dict[str, dict[int, tuple[int, ...]]] = {
    "2hop": {1: (), 2: (1,)},
    "3hop1": {1: (), 2: (1,), 3: (2,)},
    "3hop2": {1: (), 2: (), 3: (1, 2)},
    "4hop1": {1: (), 2: (1,), 3: (2,), 4: (3,)},
    "4hop2": {1: (), 2: (), 3: (1, 2), 4: (3,)},
    "4hop3": {1: (), 2: (1,), 3: (), 4: (2, 3)},
    "diamond": {1: (), 2: (1,), 3: (1,), 4: (2, 3)},
}
"""What each hop depends on, by name of the shape."""

SHAPES: dict[str, dict[int, set[int]]] = {
    "2hop": {1: {2}, 2: set()},
    "3hop1": {1: {2, 3}, 2: {3}, 3: set()},
    "3hop2": {1: {3}, 2: {3}, 3: set()},
    "4hop1": {1: {2, 3, 4}, 2: {3, 4}, 3: {4}, 4: set()},
    "4hop2": {1: {3, 4}, 2: {3, 4}, 3: {4}, 4: set()},
    "4hop3": {1: {2, 4}, 2: {4}, 3: {4}, 4: set()},
    "diamond": {1: {2, 3, 4}, 2: {4}, 3: {4}, 4: set()},
}
"""Desc(h) by hop, read off the drawing of each shape."""


@st.composite
def random_dags(draw: st.DrawFn, most: int = 6) -> dict[int, tuple[int, ...]]:
    """Draw a DAG with one terminal hop, whose order of dependence is not that of its indices."""
    size = draw(st.integers(2, most))
    order = draw(st.permutations(range(1, size + 1)))
    before: dict[int, set[int]] = {hop: set() for hop in order}
    for place, hop in enumerate(order[:-1]):
        later = order[place + 1 :]
        for user in draw(st.lists(st.sampled_from(later), min_size=1, max_size=2, unique=True)):
            before[user].add(hop)
    return {hop: tuple(sorted(before[hop])) for hop in sorted(order)}


def reachable(deps: dict[int, tuple[int, ...]]) -> set[tuple[int, int]]:
    """Return every (earlier, later) pair of hops that a path of dependencies joins."""
    pairs = {(earlier, hop) for hop, before in deps.items() for earlier in before}
    for middle in deps:
        pairs |= {(a, d) for a, b in pairs if b == middle for c, d in pairs if c == middle}
    return pairs
