"""Shapes of hop dependencies: written as `1>3, 2>3`, or drawn for a number of hops."""

from __future__ import annotations

import random
import re

from realhop_kg.errors import ContractError, InputError
from realhop_kg.graph.dependency import check_dag

__all__ = ["MOST_HOPS", "MOST_INPUTS", "draw_shape", "parse_shape"]

MOST_HOPS = 6
MOST_INPUTS = 2
"""Hops on which a drawn hop depends at most: the catalogue has hardly a relation of more."""

_EDGE = re.compile(r"(\d{1,2})\s*>\s*(\d{1,2})")

Shape = dict[int, tuple[int, ...]]
"""For each hop, the hops it depends on."""


def parse_shape(text: str) -> Shape:
    """Return the dependencies that a text says, each edge as `earlier>later`.

    Raises:
        InputError: if it is no text of edges, or no DAG of 2 to 6 hops, numbered from 1 so that
            each follows those it depends on, with one terminal hop.

    Examples:
        >>> parse_shape("1>2, 1>3, 2>4, 3>4")
        {1: (), 2: (1,), 3: (1,), 4: (2, 3)}
    """
    edges = []
    for part in text.split(","):
        match = _EDGE.fullmatch(part.strip())
        if match is None:
            raise InputError(f"shape {text!r}: {part.strip()!r} is no edge; write it as 1>2")
        edges.append((int(match[1]), int(match[2])))
    named = {hop for edge in edges for hop in edge}
    if named != set(range(1, len(named) + 1)) or len(named) > MOST_HOPS:
        raise InputError(f"shape {text!r}: number 2 to {MOST_HOPS} hops from 1 on, none left out")
    if any(earlier >= later for earlier, later in edges) or len(set(edges)) < len(edges):
        raise InputError(f"shape {text!r}: write each edge once, from a hop to a later one")
    shape = {
        hop: tuple(sorted(earlier for earlier, later in edges if later == hop))
        for hop in sorted(named)
    }
    try:
        check_dag(shape)
    except ContractError as error:
        raise InputError(f"shape {text!r}: {error.message}") from error
    return shape


def draw_shape(hops: int, rng: random.Random) -> Shape:
    """Return a DAG of some hops with one terminal hop: a chain, a tree, or with shared bridges.

    Every hop but the last feeds a later one; some feed a second, so that diamonds come too.

    Args:
        hops: number of hops, 2 to 6.
        rng: seeded generator.
    """
    inputs: dict[int, set[int]] = {hop: set() for hop in range(1, hops + 1)}

    def open_to(earlier: int) -> list[int]:
        return [
            later
            for later in range(earlier + 1, hops + 1)
            if len(inputs[later]) < MOST_INPUTS and earlier not in inputs[later]
        ]

    for earlier in range(hops - 1, 0, -1):
        inputs[rng.choice(open_to(earlier))].add(earlier)
    for earlier in range(1, hops - 1):
        if rng.random() < 0.15 and open_to(earlier):
            inputs[rng.choice(open_to(earlier))].add(earlier)
    return {hop: tuple(sorted(before)) for hop, before in inputs.items()}
