"""Certificates of one item: uniqueness, necessity, and what survives each Drop."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from realhop_kg.graph.dependency import dependencies, descendants, terminal
from realhop_kg.graph.evidence import Evidence, Statement, read_evidence
from realhop_kg.graph.ground import KEY, ground
from realhop_kg.graph.program import Binding, World
from realhop_kg.graph.reasoning import ReasoningGraph
from realhop_kg.graph.schema import EdgeKind, FactNode, PathKind, PathNode
from realhop_kg.relations.predicates import Predicates

__all__ = ["Certificates", "SplitFact", "Uniqueness", "certify", "paths_to"]


@dataclass(frozen=True, slots=True)
class Uniqueness:
    """What follows from everything that the graph states (contract U1)."""

    gold: Binding
    """Values of the gold facts, by hop."""
    bindings: tuple[Binding, ...]
    """Every derivable binding, sorted."""
    answers: tuple[str, ...]
    """Entity ids of all derivable answers, sorted."""
    other_answers: tuple[str, ...]
    """Those that are not the gold answer."""

    @property
    def holds(self) -> bool:
        """Whether the gold answer is derivable and no other is."""
        return bool(self.answers) and not self.other_answers

    @property
    def alternative_bindings(self) -> tuple[Binding, ...]:
        """Derivable bindings other than gold, whatever answer they lead to."""
        return tuple(binding for binding in self.bindings if binding != self.gold)


@dataclass(frozen=True, slots=True)
class SplitFact:
    """Whether a split fact rests on its premises, all of them and no others (contract G3)."""

    follows: bool
    """Whether its own premises join to what it states."""
    breaks_without: dict[str, bool]
    """By premise: whether the fact is not derivable without it from all that is left."""
    completed_by: tuple[str, ...]
    """Premises of other facts that join with some of its own, over a key that both use."""

    @property
    def holds(self) -> bool:
        """Whether all three conditions hold."""
        return self.follows and all(self.breaks_without.values()) and not self.completed_by


@dataclass(frozen=True, slots=True)
class Certificates:
    """What `certify` finds.

    Drop(h) removes every passage that hosts the gold fact of h or a premise of it, with all facts
    and premises routed there. The last four fields lack the hops whose gold is routed nowhere.
    """

    unique: Uniqueness
    necessary_hops: dict[int, bool]
    """By hop: whether without its gold fact the gold answer is not derivable (N1)."""
    necessary_premises: dict[str, bool]
    """By premise of a gold fact: whether without it the gold answer is not derivable."""
    splits: dict[str, SplitFact]
    """By split fact of any path."""
    terminal: int
    dropped: dict[int, tuple[str, ...]]
    """By hop: the passages that Drop(h) removes."""
    complete_paths: dict[int, tuple[str, ...]]
    """By hop: competitor paths with a fact for every hop, all of them left after Drop(h)."""
    orphans: dict[int, tuple[str, ...]]
    """By hop: paths, gold among them, whose fact at h is gone while their continuation is left:
    a fact for every hop of Desc(h), none of them the near-miss. Empty for the terminal hop."""
    gold_derivable_after_drop: dict[int, bool]
    """By hop: whether the gold answer is derivable after Drop(h)."""

    @property
    def v1(self) -> dict[int, bool]:
        """By hop: whether a competitor path is complete after Drop(h)."""
        return {hop: bool(paths) for hop, paths in self.complete_paths.items()}

    @property
    def v2(self) -> dict[int, bool]:
        """By hop: whether Drop(h) leaves more than one continuation without a live prefix.

        True for the terminal hop, to which this does not apply.
        """
        return {hop: hop == self.terminal or len(paths) >= 2 for hop, paths in self.orphans.items()}


def certify(graph: ReasoningGraph, predicates: Predicates) -> Certificates:
    """Certify one item in a single derivation.

    Args:
        graph: hops and gold facts at least; paths and routes count where there are any.
        predicates: what each predicate entails.

    Raises:
        ContractError: as `read_evidence`; D1 if there is not one terminal hop.
    """
    evidence = read_evidence(graph)
    gold, end = evidence.gold, terminal(evidence.dependencies)
    dropped = _supports(evidence)
    after_drop = {hop: _hosted(evidence, hosts) for hop, hosts in dropped.items()}
    worlds: dict[tuple[str, int | str], World] = {("all", ""): ()}
    worlds |= {("hop", hop): _parts(evidence, fact.id) for hop, fact in gold.items()}
    worlds |= {("drop", hop): removed for hop, removed in after_drop.items()}
    worlds |= {("unit", unit): (unit,) for unit in evidence.units}
    bit = {world: 1 << at for at, world in enumerate(worlds)}
    program = ground(evidence, predicates)
    holds = program.holds(list(worlds.values()))
    bindings = program.binding_worlds(holds)

    place = list(gold).index(end)
    with_gold = 0  # the worlds in which the gold answer is derivable
    for binding, held in bindings.items():
        if binding[place] == gold[end].value:
            with_gold |= held
    premises = [unit.id for fact in gold.values() for unit in evidence.premises.get(fact.id, ())]
    complete, orphans = _survival(graph, evidence, after_drop)
    return Certificates(
        unique=_uniqueness(evidence, bindings, place),
        necessary_hops={hop: not with_gold & bit["hop", hop] for hop in gold},
        necessary_premises={unit: not with_gold & bit["unit", unit] for unit in premises},
        splits=_splits(
            evidence,
            {fact: holds[atom] for fact, atom in program.facts.items()},
            predicates,
            {unit: bit["unit", unit] for unit in evidence.units},
        ),
        terminal=end,
        dropped=dropped,
        complete_paths=complete,
        orphans=orphans,
        gold_derivable_after_drop={hop: bool(with_gold & bit["drop", hop]) for hop in dropped},
    )


def paths_to(graph: ReasoningGraph, entity_id: str) -> tuple[str, ...]:
    """Return the ids of the competitor paths that lead to an entity as the answer, sorted."""
    end = terminal(dependencies(graph))
    found: set[str] = set()
    for fact_id in graph.sources(entity_id, EdgeKind.OBJECT):
        fact = graph[fact_id]
        if isinstance(fact, FactNode) and fact.hop == end:
            found.update(graph.sources(fact_id, EdgeKind.CONTAINS))
    paths = (graph.get(path_id, PathNode) for path_id in sorted(found))
    return tuple(path.id for path in paths if path.path_kind is not PathKind.GOLD)


def _uniqueness(evidence: Evidence, bindings: Iterable[Binding], place: int) -> Uniqueness:
    gold = tuple(fact.value for fact in evidence.gold.values())
    found = tuple(sorted(bindings))
    answers = tuple(sorted({binding[place] for binding in found}))
    others = tuple(answer for answer in answers if answer != gold[place])
    return Uniqueness(gold, found, answers, others)


def _parts(evidence: Evidence, fact_id: str) -> frozenset[str]:
    """Return the ids of a fact and its premises: the fact is left where all of them are."""
    return frozenset((fact_id, *(unit.id for unit in evidence.premises.get(fact_id, ()))))


def _supports(evidence: Evidence) -> dict[int, tuple[str, ...]]:
    """Return the passages that host the gold fact of each hop, whole or in premises."""
    supports = {}
    for hop, fact in evidence.gold.items():
        stated = (fact, *evidence.premises.get(fact.id, ()))
        hosts = tuple(sorted({host for part in stated for host in part.hosts}))
        if hosts:
            supports[hop] = hosts
    return supports


def _hosted(evidence: Evidence, passages: Sequence[str]) -> frozenset[str]:
    dropped = set(passages)
    stated = (*evidence.facts.values(), *evidence.units.values())
    return frozenset([part.id for part in stated if not dropped.isdisjoint(part.hosts)])


def _survival(
    graph: ReasoningGraph, evidence: Evidence, after_drop: Mapping[int, frozenset[str]]
) -> tuple[dict[int, tuple[str, ...]], dict[int, tuple[str, ...]]]:
    """Return the complete competitor paths and the orphans after each Drop."""
    parts = {fact_id: _parts(evidence, fact_id) for fact_id in evidence.facts}
    paths = graph.nodes(PathNode)
    contents = {path.id: graph.targets(path.id, EdgeKind.CONTAINS) for path in paths}
    complete: dict[int, tuple[str, ...]] = {}
    orphans: dict[int, tuple[str, ...]] = {}
    for hop, removed in after_drop.items():
        later = descendants(evidence.dependencies, hop)
        left = {
            path: {evidence.facts[fact].hop for fact in facts if removed.isdisjoint(parts[fact])}
            for path, facts in contents.items()
        }
        # Gold is never among them: its own fact is what the Drop removes.
        complete[hop] = tuple(path.id for path in paths if left[path.id].issuperset(evidence.gold))
        # A break in the continuation shows by itself that it does not continue the question, so
        # only continuations of the required relations hide which of them is gold's.
        orphans[hop] = tuple(
            path.id
            for path in paths
            if later
            and hop not in left[path.id]
            and left[path.id] >= later
            and path.break_hop not in later
        )
    return complete, orphans


def _splits(
    evidence: Evidence,
    worlds: Mapping[str, int],
    predicates: Predicates,
    without: Mapping[str, int],
) -> dict[str, SplitFact]:
    """Judge every split fact.

    `worlds` gives the bitset in which a fact holds, `without` the bit of the world that lacks a
    premise.
    """
    sharing = _sharing_keys(evidence)
    splits = {}
    for fact, units in evidence.premises.items():
        holds = worlds.get(fact, 0)
        splits[fact] = SplitFact(
            follows=_follows(evidence.facts[fact], units),
            breaks_without={unit.id: not holds & without[unit.id] for unit in units},
            completed_by=_completed_by(units, evidence, predicates) if fact in sharing else (),
        )
    return splits


def _follows(fact: Statement, units: Sequence[Statement]) -> bool:
    bound, value = _join(units)
    wanted = zip(fact.slots, fact.args, strict=True)
    return (
        len(units) > 1
        and value == fact.value
        and all(bound.get(slot) == arg for slot, arg in wanted)
    )


def _join(units: Sequence[Statement]) -> tuple[dict[str, str], str | None]:
    """Return the slots and the value that premises join to; no value where they do not join."""
    bound: dict[str, str] = {}
    value: str | None = None
    for unit in units:
        given = dict(zip(unit.slots, unit.args, strict=True))
        if value is not None and given.pop(KEY, None) != value:
            return {}, None
        if any(bound.setdefault(slot, arg) != arg for slot, arg in given.items()):
            return {}, None
        value = unit.value
    return bound, value


def _sharing_keys(evidence: Evidence) -> set[str]:
    """Return the split facts that have a key entity in common with another."""
    users: dict[str, set[str]] = {}
    for fact, units in evidence.premises.items():
        for unit in units[:-1]:
            users.setdefault(unit.value, set()).add(fact)
        for unit in units[1:]:
            for slot, arg in zip(unit.slots, unit.args, strict=True):
                if slot == KEY:
                    users.setdefault(arg, set()).add(fact)
    return set().union(*(facts for facts in users.values() if len(facts) > 1))


def _completed_by(
    units: Sequence[Statement], evidence: Evidence, predicates: Predicates
) -> tuple[str, ...]:
    """Return the premises of other facts that join with a fact's own, in the form of its rule."""
    own = {unit.id for unit in units}
    chains: list[tuple[Statement, ...]] = [()]
    for position in units:
        fitting = [
            unit
            for unit in evidence.units.values()
            if unit.slots == position.slots
            and predicates.entails(unit.predicate, position.predicate)
        ]
        longer = ((*chain, unit) for chain in chains for unit in fitting)
        chains = [chain for chain in longer if _join(chain)[1] is not None]
    mixed = (ids for ids in ({unit.id for unit in chain} for chain in chains) if ids & own)
    return tuple(sorted(set().union(*mixed) - own))
