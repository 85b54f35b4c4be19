"""G1 to G3: one gold plan per hop, half of the hops split, and split so that no premise is idle."""

from __future__ import annotations

from collections.abc import Iterator
from math import ceil

from realhop_kg.contracts.subject import ItemView
from realhop_kg.graph.certificates import SplitFact
from realhop_kg.graph.schema import PathKind
from realhop_kg.model.finding import Code, Finding

__all__ = ["check_gold_plan", "check_premises", "check_splits"]


def check_gold_plan(view: ItemView) -> Iterator[Finding]:
    """G1: one gold path of one fact per hop, each the annotated relation of what went before."""
    gold = view.evidence.gold  # raises G1 where a hop has not exactly one well-formed gold fact
    paths = view.family(PathKind.GOLD)
    wanted = {fact.id for fact in gold.values()}
    if len(paths) != 1 or {fact.id for fact in paths[0].own} != wanted or paths[0].inherited:
        message = "there is not one gold path that holds the gold facts and no others"
        yield view.finding(Code.G1, message, *(path.id for path in paths))
    for path in paths:
        answer = view.gold_values[view.terminal].surface
        if path.node.endpoint != answer:
            message = f"the gold path leads to {path.node.endpoint!r}, its facts to {answer!r}"
            yield view.finding(Code.G1, message, path.id)
    for index, fact in gold.items():
        hop = view.hops[index]
        if fact.predicate != hop.relation:
            message = f"{fact.id} states {fact.predicate}, hop {index} asks for {hop.relation}"
            yield view.finding(Code.G1, message, fact.id, hop.id)
        if not view.predicates.entails(hop.relation, hop.required):
            message = f"{hop.relation} does not entail {hop.required}, which hop {index} voices"
            yield view.finding(Code.G1, message, hop.id)
        for slot, earlier in view.slot_hops[index].items():
            filler = dict(zip(fact.slots, fact.args, strict=True)).get(slot)
            if filler != gold[earlier].value:
                message = f"slot {slot} of {fact.id} is not filled by the answer of hop {earlier}"
                yield view.finding(Code.G1, message, fact.id)


def check_splits(view: ItemView) -> Iterator[Finding]:
    """G2: half of the hops and the terminal one are split, and competitors where gold is.

    Source: REALHOP, Appendix I.1.
    """
    premises = view.evidence.premises
    split = {hop for hop, fact in view.evidence.gold.items() if len(view.parts(fact)) > 1}
    needed = ceil(len(view.hops) / 2)
    if len(split) < needed:
        message = f"{len(split)} of {len(view.hops)} hops are split, at least {needed} must be"
        yield view.finding(Code.G2, message, *(hop.id for hop in view.hops.values()))
    if view.terminal not in split:
        message = f"terminal hop {view.terminal} is not split"
        yield view.finding(Code.G2, message, view.hops[view.terminal].id)
    for fact in view.evidence.facts.values():
        ours = len(premises.get(fact.id, ()))
        gold = len(premises.get(view.evidence.gold[fact.hop].id, ()))
        # A competitor that is stated whole where gold is split could be told from it by that.
        if ours != gold or ours == 1:
            message = f"{fact.id} has {ours} premises, the gold fact of its hop has {gold}"
            yield view.finding(Code.G2, message, fact.id)


def check_premises(view: ItemView) -> Iterator[Finding]:
    """G3: a split fact follows from all its premises and from no fewer, whoever states them."""
    certificates = view.certificates
    for fact_id, split in certificates.splits.items():
        for trouble, units in _troubles(split):
            yield view.finding(Code.G3, f"{fact_id} {trouble}", fact_id, *units)
    for unit_id, needed in certificates.necessary_premises.items():
        hop = view.evidence.units[unit_id].hop
        if not needed and certificates.necessary_hops[hop]:
            message = f"the gold answer can be derived without premise {unit_id}"
            yield view.finding(Code.G3, message, unit_id)


def _troubles(split: SplitFact) -> Iterator[tuple[str, tuple[str, ...]]]:
    if not split.follows:
        yield "does not follow from its premises", ()
    idle = tuple(unit for unit, breaks in split.breaks_without.items() if not breaks)
    if idle:
        yield f"can be derived without {', '.join(idle)}", idle
    if split.completed_by:
        yield f"has a key that completes {', '.join(split.completed_by)} too", split.completed_by
