"""Derivation: what follows from the facts and premises of a graph, in many worlds at once."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from realhop_kg.graph.evidence import Evidence, read_evidence
from realhop_kg.graph.ground import ground
from realhop_kg.graph.program import Binding, World
from realhop_kg.graph.reasoning import ReasoningGraph
from realhop_kg.relations.predicates import Predicates

__all__ = ["Derivation", "answers"]


def answers(
    graph: ReasoningGraph, predicates: Predicates, present: Collection[str] | None = None
) -> frozenset[Binding]:
    """Return every binding of the question that is derivable from what is present.

    Args:
        graph: the graph of one item.
        predicates: what each predicate entails.
        present: ids of the facts and premises to derive from (other ids do no harm), or None for
            all of them. A split fact holds through its premises alone.

    Raises:
        ContractError: as `read_evidence`.
    """
    evidence = read_evidence(graph)
    removed: World = ()
    if present is not None:
        removed = (evidence.facts.keys() | evidence.units.keys()) - set(present)
    return Derivation(evidence, predicates, [removed]).answers(0)


class Derivation:
    """What a graph derives in each of several worlds, computed once for all of them."""

    def __init__(
        self, graph: ReasoningGraph | Evidence, predicates: Predicates, worlds: Sequence[World]
    ) -> None:
        """Derive everything that holds in each world.

        Args:
            graph: the graph of one item, or what `read_evidence` read of it.
            predicates: what each predicate entails; an unknown one entails itself only.
            worlds: for each world, the ids of the facts and premises removed from it. A split
                fact holds through its premises alone, so removing it means removing those.

        Raises:
            ContractError: as `read_evidence`.
            ValueError: if a world removes what is no fact or premise of the graph.
        """
        self.evidence = graph if isinstance(graph, Evidence) else read_evidence(graph)
        named = set().union(*worlds)
        unknown = sorted(named - self.evidence.facts.keys() - self.evidence.units.keys())
        if unknown:
            raise ValueError(f"{unknown[0]!r} is no fact or premise, so no world can remove it")
        self.program = ground(self.evidence, predicates)
        self._holds = self.program.holds(worlds)
        self._bindings = self.program.binding_worlds(self._holds)

    def bindings(self) -> dict[Binding, int]:
        """Return every binding of the question that holds in some world, with its bitset."""
        return self._bindings

    def answers(self, world: int) -> frozenset[Binding]:
        """Return the bindings of the question that hold in a world, given by its position."""
        return frozenset(
            binding for binding, worlds in self._bindings.items() if worlds >> world & 1
        )

    def worlds_of(self, node_id: str) -> int:
        """Return the bitset of the worlds in which what a fact or premise states holds."""
        atom = self.program.facts.get(node_id)
        return 0 if atom is None else self._holds[atom]
