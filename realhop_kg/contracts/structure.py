"""Lookups over the structure of one constructed graph: hops, facts and paths, each made once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from realhop_kg.errors import ContractError
from realhop_kg.graph.certificates import Certificates, certify
from realhop_kg.graph.dependency import dependencies, regenerated, terminal
from realhop_kg.graph.evidence import Evidence, Statement, read_evidence
from realhop_kg.graph.reasoning import ReasoningGraph
from realhop_kg.graph.schema import (
    EdgeKind,
    EntityNode,
    HopNode,
    ItemNode,
    PassageNode,
    PathKind,
    PathNode,
    Side,
)
from realhop_kg.model.finding import CONTRACTS, Code, Finding
from realhop_kg.relations.predicates import Predicates

__all__ = ["COMPETITORS", "GraphView", "PathView"]

COMPETITORS = frozenset((PathKind.STRICT, PathKind.FLEXIBLE))
"""Families of competitor paths that an item has unless an ablation drops one."""


@dataclass(frozen=True, slots=True)
class PathView:
    """A path with its facts."""

    node: PathNode
    own: tuple[Statement, ...]
    inherited: tuple[Statement, ...]

    @property
    def id(self) -> str:
        """Node id of the path."""
        return self.node.id

    @property
    def by_hop(self) -> dict[int, Statement]:
        """Own facts by hop."""
        return {fact.hop: fact for fact in self.own}


class GraphView:
    """The structure of one constructed graph; nothing here judges.

    Args:
        graph: the graph of one item.
        predicates: what each predicate entails and how it is worded.
        parents: parent type by entity type.
        plan_time: whether no competitor has been pruned yet.
        families: the families of competitor paths that the item is to have.

    Raises:
        ContractError: B2 if the graph has not one item per side, or if two hops or two passages
            share an index, so that nothing can be looked up.
    """

    def __init__(
        self,
        graph: ReasoningGraph,
        predicates: Predicates,
        parents: Mapping[str, str],
        *,
        plan_time: bool = False,
        families: Collection[PathKind] = COMPETITORS,
    ) -> None:
        self.graph = graph
        self.predicates = predicates
        self.parents = parents
        self.plan_time = plan_time
        self.families = families
        self.out: dict[EdgeKind, dict[str, list[tuple[str, dict[str, Any]]]]] = {
            kind: {} for kind in EdgeKind
        }
        for source, targets in graph.nx.adjacency():
            for target, parallel in targets.items():
                for data in parallel.values():
                    self.out[data["kind"]].setdefault(source, []).append((target, data))
        self.item, self.source = _sides(graph)
        hops = sorted(graph.nodes(HopNode), key=lambda hop: hop.index)
        self.hops = {hop.index: hop for hop in hops}
        passages = sorted(graph.nodes(PassageNode), key=lambda passage: passage.index)
        self.passages = {passage.index: passage for passage in passages}
        if not hops or len(hops) > len(self.hops) or len(passages) > len(self.passages):
            raise ContractError("B2", "there are no hops, or hops or passages share an index")
        self.entities = {entity.id: entity for entity in graph.nodes(EntityNode)}

    def finding(self, code: Code, message: str, *nodes: str) -> Finding:
        """Return a finding about this item."""
        return Finding(
            code=code,
            severity=CONTRACTS[code].severity,
            item=self.item.item_key,
            nodes=tuple(dict.fromkeys(nodes)),
            message=message,
        )

    def targets(self, source: str, kind: EdgeKind) -> list[str]:
        """Return the ids that a node's edges of one kind lead to."""
        return [target for target, _ in self.out[kind].get(source, ())]

    @cached_property
    def dependencies(self) -> dict[int, tuple[int, ...]]:
        """For each hop, the hops it depends on."""
        return dependencies(self.graph)

    @cached_property
    def terminal(self) -> int:
        """Index of the terminal hop."""
        return terminal(self.dependencies)

    @cached_property
    def regenerated(self) -> dict[int, frozenset[int]]:
        """R(h) by hop."""
        return {hop: regenerated(self.dependencies, hop) for hop in self.hops}

    @cached_property
    def slot_hops(self) -> dict[int, dict[str, int]]:
        """By hop: the earlier hop that fills a slot, by slot."""
        index = {hop.id: hop.index for hop in self.hops.values()}
        edges = self.out[EdgeKind.DEPENDS_ON]
        return {
            hop.index: {data["slot"]: index[target] for target, data in edges.get(hop.id, ())}
            for hop in self.hops.values()
        }

    @cached_property
    def evidence(self) -> Evidence:
        """Facts and premises with their edges; raises ContractError where they are malformed."""
        evidence = read_evidence(self.graph)
        for stated in (*evidence.facts.values(), *evidence.units.values()):
            if stated.hop not in self.hops:
                raise ContractError("B2", f"{stated.id} is of hop {stated.hop}", (stated.id,))
        return evidence

    @cached_property
    def certificates(self) -> Certificates:
        """Uniqueness, necessity and survival."""
        return certify(self.graph, self.predicates)

    def parts(self, fact: Statement) -> tuple[Statement, ...]:
        """Return what states a fact: its premises, or the fact itself where it is whole."""
        return self.evidence.premises.get(fact.id, (fact,))

    @cached_property
    def written(self) -> list[Statement]:
        """Everything that must be written: whole facts and premises."""
        whole = [f for f in self.evidence.facts.values() if f.id not in self.evidence.premises]
        return [*whole, *self.evidence.units.values()]

    def hosts(self, fact: Statement) -> set[str]:
        """Return the passages to which a fact and its premises are routed."""
        return {host for part in (fact, *self.parts(fact)) for host in part.hosts}

    @cached_property
    def paths(self) -> list[PathView]:
        """All paths, the gold one among them."""
        contains = self.out[EdgeKind.CONTAINS]
        facts = self.evidence.facts
        views = []
        for node in self.graph.nodes(PathNode):
            held: dict[bool, list[Statement]] = {False: [], True: []}
            for target, data in contains.get(node.id, ()):
                held[data["inherited"]].append(facts[target])
            views.append(PathView(node, tuple(held[False]), tuple(held[True])))
        return views

    def family(self, *kinds: PathKind) -> list[PathView]:
        """Return the paths of some families."""
        return [path for path in self.paths if path.node.path_kind in kinds]

    @cached_property
    def competitors(self) -> list[PathView]:
        """All competitor paths."""
        return self.family(*COMPETITORS)


def _sides(graph: ReasoningGraph) -> tuple[ItemNode, ItemNode]:
    items = graph.nodes(ItemNode)
    sides = Counter(item.side for item in items)
    if sides != {Side.CONSTRUCTED: 1, Side.SOURCE: 1}:
        raise ContractError("B2", "the graph has not one item node per side")
    first, second = items
    return (first, second) if first.side is Side.CONSTRUCTED else (second, first)
