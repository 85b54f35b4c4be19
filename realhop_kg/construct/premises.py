"""Chooses which hops are split into premises, and the keys that join them."""

from __future__ import annotations

import random

from realhop_kg.construct.coining import ItemCoiner
from realhop_kg.graph.operators.factorize import required_splits
from realhop_kg.graph.reasoning import ReasoningGraph
from realhop_kg.graph.schema import HopNode
from realhop_kg.model.plan import Split
from realhop_kg.relations.catalogue import Catalogue

__all__ = ["propose_splits"]


def propose_splits(
    graph: ReasoningGraph, catalogue: Catalogue, coiner: ItemCoiner, rng: random.Random
) -> dict[int, Split]:
    """Return frame and key by hop: the terminal hop and as many others as G2 asks for.

    Source: REALHOP, Appendix I.1.
    """
    hops = graph.nodes(HopNode)
    terminal = next(hop for hop in hops if hop.terminal)
    others = [hop for hop in hops if not hop.terminal]
    chosen = [terminal, *rng.sample(others, required_splits(len(hops)) - 1)]
    splits: dict[int, Split] = {}
    for hop in sorted(chosen, key=lambda hop: hop.index):
        frames = catalogue.relations[hop.relation].frames
        frame = rng.randrange(len(frames))
        splits[hop.index] = Split(frame=frame, key=coiner.key(frames[frame].key))
    return splits
