"""`root`, `middle` and `terminal`: set an unanswerable step into walked paths as one typed chain.

HopRefusalBench, construction of topologies. An operator returns a whole chain or raises.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain as joined

import networkx as nx
from pydantic import ValidationError

from realhop_kg.errors import ContractError
from realhop_kg.model.refusal import Hyperlink
from realhop_kg.model.refusal_item import Defect, RefusalChain, RefusalCode, Topology

__all__ = ["DEFECT", "chain_graph", "middle", "root", "terminal"]

DEFECT = "defect"
"""Key of the unanswerable step in a chain's graph."""


def root(defect: Defect, suffix: Sequence[Hyperlink]) -> RefusalChain:
    """Return a chain that breaks at its first step; the suffix starts from the bridge.

    Raises:
        ContractError: P1 or W2, if the parts are no such chain.
    """
    return _chain(Topology.ROOT, (), defect, suffix)


def middle(
    prefix: Sequence[Hyperlink], defect: Defect, suffix: Sequence[Hyperlink]
) -> RefusalChain:
    """Return a chain that breaks between a prefix to the anchor and a suffix from the bridge.

    Raises:
        ContractError: P1 or W2, if the parts are no such chain.
    """
    return _chain(Topology.MIDDLE, prefix, defect, suffix)


def terminal(prefix: Sequence[Hyperlink], defect: Defect) -> RefusalChain:
    """Return a chain that breaks at its last step, behind a prefix to the anchor.

    Raises:
        ContractError: P1 or W2, if the parts are no such chain.
    """
    return _chain(Topology.TERMINAL, prefix, defect, ())


def _chain(
    topology: Topology, prefix: Sequence[Hyperlink], defect: Defect, suffix: Sequence[Hyperlink]
) -> RefusalChain:
    # A chain without suffix has no bridge, whatever its seed was annotated with.
    held = defect if suffix else defect.model_copy(update={"bridge": ""})
    try:
        return RefusalChain(
            topology=topology, prefix=tuple(prefix), defect=held, suffix=tuple(suffix)
        )
    except ValidationError as error:
        message = error.errors()[0]["msg"].removeprefix("Value error, ")
        code = RefusalCode.W2 if "twice" in message else RefusalCode.P1
        raise ContractError(code, f"{message}; walk again", (defect.seed,)) from error


def chain_graph(chain: RefusalChain) -> nx.DiGraph:
    """Return a chain as a networkx graph: pages by title, and the unanswerable step.

    Returns:
        Nodes have `kind` (page or defect); the defect has `cause`, `question` and `rationale`.
        Edges have `kind` (link, asks, continues), `order` from 1, and links their `sentence`,
        `anchor` and place.
    """
    graph: nx.DiGraph = nx.DiGraph(topology=str(chain.topology), depth=chain.depth)
    defect = chain.defect
    graph.add_node(
        DEFECT,
        kind="defect",
        cause=str(defect.cause),
        question=defect.question,
        rationale=defect.rationale,
    )
    for title in chain.pages:
        graph.add_node(title, kind="page")
    order = 0
    for link in joined(chain.prefix, [None], chain.suffix):
        order += 1
        if link is None:
            graph.add_edge(defect.anchor, DEFECT, kind="asks", order=order)
            if chain.suffix:
                graph.add_edge(DEFECT, defect.bridge, kind="continues", order=order)
            continue
        data = link.model_dump(include={"lead", "paragraph", "start", "end", "anchor", "sentence"})
        graph.add_edge(link.source, link.target, kind="link", order=order, **data)
    return graph
