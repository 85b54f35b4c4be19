"""A ground program: which atoms of one graph follow from which, ready for any worlds.

A world is a set of removed facts and premises. Every atom carries an integer whose bit i says
whether it holds in world i, so a conjunction is `&`, an alternative is `|`, and one least fixpoint
serves all worlds. Removing evidence derives nothing new, so the rule instances found with all
evidence present serve every world.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

__all__ = ["Binding", "Instance", "Program", "World"]

Binding = tuple[str, ...]
"""The entity id of every hop's answer, in the order of hop indices."""

World = Collection[str]
"""Ids of the facts and premises that are removed."""

Instance = tuple[int, tuple[int, ...]]
"""Head and body of a rule instance, as numbers of atoms."""


@dataclass(frozen=True, slots=True)
class Program:
    """Rule instances between numbered atoms.

    Attributes:
        size: number of atoms.
        stated: each fact or premise that states an atom by itself, with the atom.
        instances: heads and bodies; where nothing is circular, bodies mostly come first.
        bindings: each binding of the question, sorted, with the atoms on which it rests.
        facts: atom of every fact and premise, split facts too, if anything derives it.
    """

    size: int
    stated: tuple[tuple[str, int], ...]
    instances: tuple[Instance, ...]
    bindings: tuple[tuple[Binding, tuple[int, ...]], ...]
    facts: dict[str, int]

    def holds(self, worlds: Sequence[World]) -> list[int]:
        """Return for every atom the bitset of the worlds in which it holds.

        Args:
            worlds: for each world, the ids of the facts and premises removed from it; others do
                no harm.
        """
        everywhere = (1 << len(worlds)) - 1
        removed: dict[str, int] = {}
        for number, world in enumerate(worlds):
            for node_id in world:
                removed[node_id] = removed.get(node_id, 0) | 1 << number
        masks = [0] * self.size
        for node_id, atom in self.stated:
            masks[atom] |= everywhere & ~removed.get(node_id, 0)
        changed = True
        while changed:
            changed = False
            for head, body in self.instances:
                mask = everywhere
                for atom in body:
                    mask &= masks[atom]
                if mask & ~masks[head]:
                    masks[head] |= mask
                    changed = True
        return masks

    def binding_worlds(self, masks: Sequence[int]) -> dict[Binding, int]:
        """Return every binding of the question that holds in some world, with its bitset.

        Args:
            masks: what `holds` returned.
        """
        found: dict[Binding, int] = {}
        for binding, atoms in self.bindings:
            mask = -1
            for atom in atoms:
                mask &= masks[atom]
            if mask:
                found[binding] = mask
        return found
