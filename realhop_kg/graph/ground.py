"""`ground`: finds every atom that follows from a graph's evidence, and from what it follows.

Atoms are saturated under entailment, inverse, symmetry, transitivity and the joins of premises:
p1(x, k) and p2(k, y) -> p(x, y). Rules run over whole relations, since an item has few atoms of
each and most relations of an item lead nowhere.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from realhop_kg.graph.evidence import Evidence, Statement
from realhop_kg.graph.program import Binding, Instance, Program
from realhop_kg.relations.predicates import Predicate, Predicates

__all__ = ["KEY", "ground"]

KEY = "k"
"""The slot in which a premise takes the value of the premise before it."""

Names = tuple[str, ...]

Form = tuple[str, Names]
"""Predicate and slots, which tell relations apart."""

Conclusion = tuple[Names, str, tuple[int, ...]]
"""Arguments and value of a head, and the numbers of the atoms of the body."""


def ground(evidence: Evidence, predicates: Predicates) -> Program:
    """Return the program of one graph.

    Args:
        evidence: facts, premises and the question pattern.
        predicates: what each predicate entails; an unknown one entails itself only.
    """
    grounding = _Grounding(predicates)
    placed: dict[str, _Relation] = {}
    stated: list[tuple[str, int]] = []
    for node in (*evidence.facts.values(), *evidence.units.values()):
        relation = placed[node.id] = grounding.relation((node.predicate, node.slots))
        if node.id not in evidence.premises:  # a split fact holds through its premises alone
            stated.append((node.id, grounding.number(relation, node.args, node.value)))
    grounding.compile_joins(evidence, placed)
    grounding.saturate()
    facts = dict(stated)
    for fact_id in evidence.premises:
        fact = evidence.facts[fact_id]
        atom = placed[fact_id].rows.get(fact.args, {}).get(fact.value)
        if atom is not None:
            facts[fact_id] = atom
    return Program(
        size=grounding.size,
        stated=tuple(stated),
        instances=tuple(grounding.instances),
        bindings=_match(evidence, grounding, predicates),
        facts=facts,
    )


class _Relation:
    """The atoms of one predicate with one set of slots.

    Attributes:
        rows: number of the atom by arguments and value.
        readers: rules to run again once there are more of them.
    """

    __slots__ = ("readers", "rows")

    def __init__(self) -> None:
        self.rows: dict[Names, dict[str, int]] = {}
        self.readers: list[_Rule] = []


class _Entailment:
    """What holds of the same arguments and value, or of these exchanged."""

    __slots__ = ("_flips", "_source", "out")

    def __init__(self, source: _Relation, out: _Relation, flips: bool) -> None:
        self.out, self._source, self._flips = out, source, flips
        source.readers.append(self)

    def conclusions(self) -> list[Conclusion]:
        """Return all that follows from the atoms found so far."""
        return [
            ((value,), args[0], (atom,)) if self._flips else (args, value, (atom,))
            for args, row in self._source.rows.items()
            for value, atom in row.items()
        ]


class _Chain:
    """left(a.., k) & right(k, y) -> out(a.., y): most joins of premises, and transitivity."""

    __slots__ = ("_left", "_right", "out")

    def __init__(self, left: _Relation, right: _Relation, out: _Relation) -> None:
        self.out, self._left, self._right = out, left, right
        left.readers.append(self)
        right.readers.append(self)

    def conclusions(self) -> list[Conclusion]:
        """Return all that follows from the atoms found so far."""
        rights = self._right.rows
        return [
            (args, value, (first, second))
            for args, row in self._left.rows.items()
            for key, first in row.items()
            if (key,) in rights
            for value, second in rights[key,].items()
        ]


class _Join:
    """left(a.., k) & right(k, b.., y) -> out(.., y), where slots of one name must agree."""

    __slots__ = ("_common", "_key_at", "_left", "_picks", "_right", "out")

    def __init__(
        self, left: _Relation, right: _Relation, out: _Relation, slots: tuple[Names, Names, Names]
    ) -> None:
        self.out, self._left, self._right = out, left, right
        lefts, rights, outs = slots
        self._key_at = rights.index(KEY)
        every = (*lefts, *("" if slot == KEY else slot for slot in rights))
        self._picks = tuple(every.index(slot) for slot in outs)
        self._common = tuple(
            (lefts.index(slot), rights.index(slot)) for slot in every[len(lefts) :] if slot in lefts
        )
        left.readers.append(self)
        right.readers.append(self)

    def conclusions(self) -> list[Conclusion]:
        """Return all that follows from the atoms found so far."""
        found: list[Conclusion] = []
        for right, ends in self._right.rows.items():
            for left, keys in self._left.rows.items():
                first = keys.get(right[self._key_at])
                if first is None or any(left[a] != right[b] for a, b in self._common):
                    continue
                both = left + right
                args = tuple([both[at] for at in self._picks])
                found += [(args, value, (first, second)) for value, second in ends.items()]
        return found


_Rule = _Entailment | _Chain | _Join


class _Grounding:
    """Relations, atoms and rule instances of one graph as they are found."""

    def __init__(self, predicates: Predicates) -> None:
        self.relations: dict[Form, _Relation] = {}
        self.instances: dict[Instance, None] = {}
        self.size = 0
        self._predicates = predicates
        self._joins: list[_Rule] = []
        self._entailments: list[_Rule] = []

    def relation(self, form: Form) -> _Relation:
        """Return a relation; at its first use, compile what it entails."""
        relation = self.relations.get(form)
        if relation is None:
            relation = self.relations[form] = _Relation()
            known = self._predicates.get(form[0])
            if known is not None:
                self._compile(relation, known, form[1])
        return relation

    def _compile(self, relation: _Relation, known: Predicate, slots: Names) -> None:
        if known.entails:
            # Sorted, since the order of a set of strings differs between processes.
            for weaker in sorted(self._predicates.entailed(known.id) - {known.id}):
                self._entail(relation, self.relation((weaker, slots)))
        if len(slots) > 1:
            return
        if known.inverse:
            self._entail(relation, self.relation((known.inverse, slots)), flips=True)
        if known.symmetric:
            self._entail(relation, relation, flips=True)
        if known.transitive:
            self._entailments.append(_Chain(relation, relation, relation))

    def _entail(self, relation: _Relation, out: _Relation, *, flips: bool = False) -> None:
        self._entailments.append(_Entailment(relation, out, flips))

    def compile_joins(self, evidence: Evidence, placed: Mapping[str, _Relation]) -> None:
        """Compile each rule once; it joins premises of any fact."""
        compiled: set[tuple[_Relation, ...]] = set()
        for fact_id, units in evidence.premises.items():
            shape = (placed[fact_id], *[placed[unit.id] for unit in units])
            if shape not in compiled:
                compiled.add(shape)
                if _concludes(evidence.facts[fact_id], units):
                    self._compile_join(evidence.facts[fact_id], units, shape)

    def _compile_join(
        self, fact: Statement, units: Sequence[Statement], shape: Sequence[_Relation]
    ) -> None:
        left, lefts = shape[1], units[0].slots
        for right, unit in zip(shape[2:], units[1:], strict=True):
            if unit is units[-1]:
                out, outs = shape[0], fact.slots
            else:
                out, outs = _Relation(), tuple(sorted({*lefts} | {*unit.slots} - {KEY}))
            if unit.slots == (KEY,) and lefts == outs:
                self._joins.append(_Chain(left, right, out))
            else:
                self._joins.append(_Join(left, right, out, (lefts, unit.slots, outs)))
            left, lefts = out, outs

    def number(self, relation: _Relation, args: Names, value: str) -> int:
        """Return the number of an atom, a new one if it was not known."""
        row = relation.rows.get(args)
        if row is None:
            row = relation.rows[args] = {}
        atom = row.get(value)
        if atom is None:
            atom = row[value] = self.size
            self.size += 1
        return atom

    def saturate(self) -> None:
        """Run every rule until none finds a new atom."""
        # In most items premises follow from nothing, so that their joins need to run only once.
        agenda = [*reversed(self._entailments), *reversed(self._joins)]
        waiting = set(agenda)
        number, instances = self.number, self.instances
        while agenda:
            rule = agenda.pop()
            waiting.discard(rule)
            out, before = rule.out, self.size
            for args, value, body in rule.conclusions():
                head = number(out, args, value)
                if head not in body:
                    instances[head, body] = None
            if self.size > before:
                again = [reader for reader in out.readers if reader not in waiting]
                agenda += again
                waiting.update(again)


def _match(
    evidence: Evidence, grounding: _Grounding, predicates: Predicates
) -> tuple[tuple[Binding, tuple[int, ...]], ...]:
    """Bind the hops one after another; every slot is a constant or bound by then.

    A value of another kind than the step asks for is no answer: the state that holds a city does
    not answer in which county it lies.
    """
    types = evidence.types
    found: list[tuple[Binding, tuple[int, ...]]] = [((), ())]
    for step in evidence.steps:
        relation = grounding.relations.get((step.required, step.slots))
        rows = relation.rows if relation else {}
        grown = []
        for bound, atoms in found:
            args = tuple([at if isinstance(at, str) else bound[at] for at in step.sources])
            for value, atom in rows.get(args, {}).items():
                kind = types[value]
                if kind == step.asked or predicates.compatible(kind, step.asked):
                    grown.append(((*bound, value), (*atoms, atom)))
        found = grown
    hops = [step.hop for step in evidence.steps]
    by_hop = sorted(range(len(hops)), key=hops.__getitem__)
    return tuple(sorted([(tuple([bound[at] for at in by_hop]), atoms) for bound, atoms in found]))


def _concludes(fact: Statement, units: Sequence[Statement]) -> bool:
    """Return whether the premises have the form of a join that fills every slot of the fact."""
    filled = {*units[0].slots}
    for unit in units[1:]:
        if KEY not in unit.slots:
            return False
        filled |= {*unit.slots} - {KEY}
    return len(units) > 1 and filled.issuperset(fact.slots)
