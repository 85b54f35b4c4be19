"""Derivation: what follows from the facts and premises of a graph, in many worlds at once.

A world is a set of removed facts and premises. Every derived atom carries an integer whose bit i
says whether it holds in world i, so a conjunction is `&`, an alternative is `|`, and one least
fixpoint serves all worlds. Atoms are saturated under entailment, inverse, symmetry, transitivity
and the joins of premises: p1(x, k) and p2(k, y) -> p(x, y).
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import product

from realhop_kg.graph.evidence import Evidence, Statement, read_evidence
from realhop_kg.graph.reasoning import ReasoningGraph
from realhop_kg.relations.predicates import Predicate, Predicates

__all__ = ["KEY", "Binding", "Derivation", "World", "answers"]

Binding = tuple[str, ...]
"""The entity id of every hop's answer, in the order of hop indices."""

World = Collection[str]
"""Ids of the facts and premises that are removed."""

KEY = "k"
"""The slot in which a premise takes the value of the premise before it."""

Names = tuple[str, ...]

Atom = tuple[int, Names, str]
"""What is derived, within one derivation: a relation's identity, arguments and value."""


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


class _Relation:
    """The atoms of one predicate with one set of slots, and what follows from each.

    Attributes:
        rows: bitset of worlds by arguments and value.
        weaker: what holds of the same arguments and value.
        flipped: what holds with argument and value exchanged.
        left_of: joins that take it first.
        right_of: joins that take it second.
        leads_on: whether anything follows; most relations of an item lead nowhere.
    """

    __slots__ = ("flipped", "leads_on", "left_of", "right_of", "rows", "weaker")

    def __init__(self) -> None:
        self.rows: dict[Names, dict[str, int]] = {}
        self.weaker: list[_Relation] = []
        self.flipped: list[_Relation] = []
        self.left_of: list[_Join] = []
        self.right_of: list[_Join] = []
        self.leads_on = False


class _Join:
    """left(a.., k) & right(k, b.., y) -> out(.., y), where slots of one name must agree."""

    __slots__ = ("_common", "_picks", "_plain", "key_at", "left_rows", "out", "right_rows")

    def __init__(self, left: Names, right: Names, key: str, out: _Relation, slots: Names) -> None:
        self.out = out
        self.left_rows: dict[str, dict[Names, int]] = {}
        self.right_rows: dict[str, dict[tuple[Names, str], int]] = {}
        self.key_at = 0
        self._plain = right == (key,) and left == slots
        if not self._plain:
            self.key_at = right.index(key)
            every = (*left, *("" if slot == key else slot for slot in right))
            self._picks = tuple(every.index(slot) for slot in slots)
            self._common = tuple(
                (left.index(slot), right.index(slot)) for slot in every[len(left) :] if slot in left
            )

    def args(self, left: Names, right: Names) -> Names | None:
        """Return the arguments of the conclusion, or None where a common slot differs."""
        if self._plain:
            return left
        if any(left[here] != right[there] for here, there in self._common):
            return None
        both = left + right
        return tuple([both[at] for at in self._picks])


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
        self._predicates = predicates
        self._all = (1 << len(worlds)) - 1
        self._relations: dict[tuple[str, Names], _Relation] = {}
        self._agenda: list[tuple[_Relation, Names, str, int]] = []
        self._bindings: dict[Binding, int] | None = None
        self._compile_rules()
        self._load(worlds)
        self._saturate()

    def bindings(self) -> dict[Binding, int]:
        """Return every binding of the question that holds in some world, with its bitset."""
        if self._bindings is None:
            self._bindings = self._match()
        return self._bindings

    def answers(self, world: int) -> frozenset[Binding]:
        """Return the bindings of the question that hold in a world, given by its position."""
        return frozenset(
            binding for binding, worlds in self.bindings().items() if worlds >> world & 1
        )

    def worlds_of(self, node_id: str) -> int:
        """Return the bitset of the worlds in which what a fact or premise states holds."""
        stated = self.evidence.facts.get(node_id) or self.evidence.units[node_id]
        relation = self._relations.get((stated.predicate, stated.slots))
        return relation.rows.get(stated.args, {}).get(stated.value, 0) if relation else 0

    def stated_atoms(self) -> Iterator[tuple[str, Atom]]:
        """Yield every fact or premise that states an atom by itself, with the atom."""
        for stated in self._base():
            relation = self._relations[stated.predicate, stated.slots]
            yield stated.id, (id(relation), stated.args, stated.value)

    def fact_atoms(self) -> Iterator[tuple[str, Atom]]:
        """Yield every fact and premise, split facts too, with what it states."""
        for stated in (*self.evidence.facts.values(), *self.evidence.units.values()):
            relation = self._relations.get((stated.predicate, stated.slots))
            if relation is not None:
                yield stated.id, (id(relation), stated.args, stated.value)

    def instances(self) -> Iterator[tuple[Atom, tuple[Atom, ...]]]:
        """Yield every rule instance that fired: its head and its body."""
        rights: dict[int, int] = {}
        seen = {id(relation): relation for relation in self._relations.values()}
        frontier = list(seen.values())
        while frontier:
            relation = frontier.pop()
            for join in relation.right_of:
                rights[id(join)] = id(relation)
            for join in relation.left_of:
                if id(join.out) not in seen:
                    seen[id(join.out)] = join.out
                    frontier.append(join.out)
        for relation in seen.values():
            yield from _instances(relation, rights)

    def binding_atoms(self) -> Iterator[tuple[Binding, tuple[Atom, ...]]]:
        """Yield every binding of the question with the atoms on which it rests."""
        hops = sorted(step.hop for step in self.evidence.steps)
        for binding in self.bindings():
            at = dict(zip(hops, binding, strict=True))
            placed = [at[step.hop] for step in self.evidence.steps]
            atoms = []
            for step in self.evidence.steps:
                args = tuple([s if isinstance(s, str) else placed[s] for s in step.sources])
                relation = self._relations[step.required, step.slots]
                atoms.append((id(relation), args, at[step.hop]))
            yield binding, tuple(atoms)

    def _base(self) -> list[Statement]:
        """Return what is stated: whole facts, and the premises of split ones."""
        facts, premises = self.evidence.facts.values(), self.evidence.premises
        return [*(f for f in facts if f.id not in premises), *self.evidence.units.values()]

    def _relation(self, predicate_id: str, slots: Names) -> _Relation:
        relation = self._relations.get((predicate_id, slots))
        if relation is None:
            relation = self._relations[predicate_id, slots] = _Relation()
            entailed = self._predicates.entailed(predicate_id)
            if len(entailed) > 1:
                # Sorted, since the order of a set of strings differs between processes.
                for weaker in sorted(entailed - {predicate_id}):
                    relation.weaker.append(self._relation(weaker, slots))
            if len(slots) == 1 and predicate_id in self._predicates:
                self._compile_binary(relation, self._predicates[predicate_id], slots)
            if relation.weaker or relation.flipped:
                relation.leads_on = True
        return relation

    def _compile_binary(self, relation: _Relation, known: Predicate, slots: Names) -> None:
        if known.inverse:
            relation.flipped.append(self._relation(known.inverse, slots))
        if known.symmetric:
            relation.flipped.append(relation)
        if known.transitive:
            _connect(relation, relation, _Join(slots, slots, slots[0], relation, slots))

    def _compile_rules(self) -> None:
        """Compile each rule once; it joins premises of any fact."""
        compiled = set()
        for fact_id, units in self.evidence.premises.items():
            fact = self.evidence.facts[fact_id]
            shape = tuple((unit.predicate, unit.slots) for unit in units)
            rule = (fact.predicate, fact.slots, shape)
            if rule not in compiled and _concludes(fact, units):
                compiled.add(rule)
                self._compile_rule(fact, units)

    def _compile_rule(self, fact: Statement, units: Sequence[Statement]) -> None:
        left, slots = self._relation(units[0].predicate, units[0].slots), units[0].slots
        for unit in units[1:]:
            if unit is units[-1]:
                out, joined = self._relation(fact.predicate, fact.slots), fact.slots
            else:
                out, joined = _Relation(), tuple(sorted({*slots} | {*unit.slots} - {KEY}))
            right = self._relation(unit.predicate, unit.slots)
            _connect(left, right, _Join(slots, unit.slots, KEY, out, joined))
            left, slots = out, joined

    def _load(self, worlds: Sequence[World]) -> None:
        """Put what is stated on the agenda, each in the worlds that do not remove it."""
        facts, units = self.evidence.facts, self.evidence.units
        removed: dict[str, int] = {}
        for number, world in enumerate(worlds):
            for node_id in world:
                removed[node_id] = removed.get(node_id, 0) | 1 << number
        unknown = sorted(removed.keys() - facts.keys() - units.keys())
        if unknown:
            raise ValueError(f"{unknown[0]!r} is no fact or premise, so no world can remove it")
        for stated in self._base():
            relation = self._relation(stated.predicate, stated.slots)
            present = self._all & ~removed.get(stated.id, 0)
            self._add(relation, stated.args, stated.value, present)

    def _add(self, relation: _Relation, args: Names, value: str, worlds: int) -> None:
        row = relation.rows.get(args)
        if row is None:
            row = relation.rows[args] = {}
        before = row.get(value, 0)
        new = worlds & ~before
        if new:
            row[value] = before | new
            if relation.leads_on:
                self._agenda.append((relation, args, value, new))

    def _saturate(self) -> None:
        """Work the agenda off; an entry carries only the worlds in which its atom is new."""
        agenda = self._agenda
        while agenda:
            relation, args, value, new = agenda.pop()
            for weaker in relation.weaker:
                self._add(weaker, args, value, new)
            for flipped in relation.flipped:
                self._add(flipped, (value,), args[0], new)
            for join in relation.left_of:
                self._join_left(join, args, value, new)
            for join in relation.right_of:
                self._join_right(join, args, value, new)

    def _join_left(self, join: _Join, left: Names, key: str, new: int) -> None:
        lefts = join.left_rows.setdefault(key, {})
        lefts[left] = lefts.get(left, 0) | new
        for (right, value), worlds in join.right_rows.get(key, {}).items():
            args = join.args(left, right) if worlds & new else None
            if args is not None:
                self._add(join.out, args, value, worlds & new)

    def _join_right(self, join: _Join, right: Names, value: str, new: int) -> None:
        key = right[join.key_at]
        rights = join.right_rows.setdefault(key, {})
        rights[right, value] = rights.get((right, value), 0) | new
        for left, worlds in join.left_rows.get(key, {}).items():
            args = join.args(left, right) if worlds & new else None
            if args is not None:
                self._add(join.out, args, value, worlds & new)

    def _match(self) -> dict[Binding, int]:
        """Bind the hops one after another; every slot is a constant or bound by then.

        A value of another kind than the step asks for is no answer: the state that holds a city
        does not answer in which county it lies.
        """
        types, compatible = self.evidence.types, self._predicates.compatible
        found: list[tuple[Binding, int]] = [((), self._all)]
        for step in self.evidence.steps:
            relation = self._relations.get((step.required, step.slots))
            rows = relation.rows if relation else {}
            grown = []
            for bound, worlds in found:
                args = tuple([at if isinstance(at, str) else bound[at] for at in step.sources])
                for value, holds in rows.get(args, {}).items():
                    if worlds & holds and compatible(types[value], step.asked):
                        grown.append(((*bound, value), worlds & holds))
            found = grown
        hops = [step.hop for step in self.evidence.steps]
        by_hop = sorted(range(len(hops)), key=hops.__getitem__)
        return {tuple([bound[at] for at in by_hop]): worlds for bound, worlds in sorted(found)}


def _instances(
    relation: _Relation, rights: Mapping[int, int]
) -> Iterator[tuple[Atom, tuple[Atom, ...]]]:
    own = id(relation)
    for args, values in relation.rows.items():
        for value in values:
            body = ((own, args, value),)
            for weaker in relation.weaker:
                yield (id(weaker), args, value), body
            for flipped in relation.flipped:
                yield (id(flipped), (value,), args[0]), body
    for join in relation.left_of:
        for key, lefts in join.left_rows.items():
            for (right, value), left in product(join.right_rows.get(key, ()), lefts):
                joined = join.args(left, right)
                if joined is not None:
                    both = ((own, left, key), (rights[id(join)], right, value))
                    yield (id(join.out), joined, value), both


def _connect(left: _Relation, right: _Relation, join: _Join) -> None:
    left.left_of.append(join)
    right.right_of.append(join)
    left.leads_on = right.leads_on = True


def _concludes(fact: Statement, units: Sequence[Statement]) -> bool:
    """Return whether the premises have the form of a join that fills every slot of the fact."""
    filled = {slot for unit in units[1:] for slot in unit.slots if slot != KEY}
    return (
        len(units) > 1
        and all(KEY in unit.slots for unit in units[1:])
        and filled.union(units[0].slots).issuperset(fact.slots)
    )
