"""A derivation as a ground program: which atoms follow from which, ready for any worlds.

Grounding finds every rule instance once; after that a set of worlds costs one pass over integers.
Bit i of an atom says whether it holds in world i: a body is `&`, alternatives are `|`, and the
least fixpoint is reached when a pass changes nothing. Removing evidence derives nothing new, so
the instances found with all evidence present serve every world.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from realhop_kg.graph.derivation import Binding, Derivation

__all__ = ["Program", "ground"]

Rule = tuple[int, tuple[int, ...]]
"""Head and body, as positions of atoms."""


@dataclass(frozen=True, slots=True)
class Program:
    """Rule instances between numbered atoms.

    Attributes:
        size: number of atoms.
        stated: each fact or premise that states an atom by itself, with the atom.
        rules: instances, so ordered that one pass suffices where nothing is circular.
        bindings: the atoms, one a hop, on which each binding of the question rests.
        facts: atom of every fact and premise, split facts too.
    """

    size: int
    stated: tuple[tuple[str, int], ...]
    rules: tuple[Rule, ...]
    bindings: tuple[tuple[Binding, tuple[int, ...]], ...]
    facts: dict[str, int]

    def holds(self, worlds: Sequence[Collection[str]]) -> list[int]:
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
            for head, body in self.rules:
                mask = everywhere
                for atom in body:
                    mask &= masks[atom]
                if mask & ~masks[head]:
                    masks[head] |= mask
                    changed = True
        return masks

    def binding_worlds(self, masks: Sequence[int]) -> dict[Binding, int]:
        """Return every binding of the question with the worlds in which it holds."""
        found: dict[Binding, int] = {}
        for binding, atoms in self.bindings:
            mask = -1
            for atom in atoms:
                mask &= masks[atom]
            if mask:
                found[binding] = mask
        return found

    def answer_worlds(self, worlds: Sequence[Collection[str]], place: int, answer: str) -> int:
        """Return the worlds in which an answer can be derived, as a bitset.

        Args:
            worlds: for each world, the ids of the facts and premises removed from it.
            place: position of the terminal hop in a binding.
            answer: entity id.
        """
        bindings = self.binding_worlds(self.holds(worlds))
        held = 0
        for binding, mask in bindings.items():
            if binding[place] == answer:
                held |= mask
        return held

    def for_answers(self) -> Program:
        """Return the part of the program on which the bindings of the question rest."""
        wanted = {atom for _, atoms in self.bindings for atom in atoms}
        bodies: dict[int, list[Rule]] = {}
        for rule in self.rules:
            bodies.setdefault(rule[0], []).append(rule)
        frontier = list(wanted)
        while frontier:
            for _, body in bodies.get(frontier.pop(), ()):
                new = set(body) - wanted
                wanted |= new
                frontier += new
        place = {atom: at for at, atom in enumerate(sorted(wanted))}
        return Program(
            len(place),
            tuple((node, place[atom]) for node, atom in self.stated if atom in place),
            tuple(
                (place[head], tuple(place[atom] for atom in body))
                for head, body in self.rules
                if head in place
            ),
            tuple((b, tuple(place[atom] for atom in atoms)) for b, atoms in self.bindings),
            {node: place[atom] for node, atom in self.facts.items() if atom in place},
        )


def ground(derivation: Derivation) -> Program:
    """Return the program of a derivation in which nothing was removed.

    Args:
        derivation: made for one world that removes nothing.
    """
    numbers: dict[object, int] = {}

    def number(atom: object) -> int:
        return numbers.setdefault(atom, len(numbers))

    stated = tuple((node, number(atom)) for node, atom in derivation.stated_atoms())
    rules = _ordered(
        [
            (number(head), tuple(number(atom) for atom in body))
            for head, body in derivation.instances()
        ],
        {atom for _, atom in stated},
    )
    bindings = tuple(
        (binding, tuple(number(atom) for atom in atoms))
        for binding, atoms in derivation.binding_atoms()
    )
    facts = {node: numbers[atom] for node, atom in derivation.fact_atoms() if atom in numbers}
    return Program(len(numbers), stated, tuple(rules), bindings, facts)


def _ordered(rules: Sequence[Rule], known: Collection[int]) -> list[Rule]:
    """Return the rules in an order in which bodies come before heads wherever possible."""
    known = set(known)
    order: list[Rule] = []
    left = list(rules)
    while left:
        ready = [rule for rule in left if known.issuperset(rule[1])]
        if not ready:
            return order  # what is left never fires
        order += ready
        known |= {head for head, _ in ready}
        done = set(ready)
        left = [rule for rule in left if rule not in done]
    return order
