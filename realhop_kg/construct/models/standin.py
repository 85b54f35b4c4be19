"""A stand-in for what models will propose, of the usual size, to render prompts before any call."""

from __future__ import annotations

from realhop_kg.construct.coining import ItemCoiner
from realhop_kg.construct.compete import STRICT_CANDIDATES
from realhop_kg.construct.hosts import propose_route
from realhop_kg.construct.models.plan import key_pattern, premise_predicates
from realhop_kg.construct.models.state import Draft
from realhop_kg.construct.realize import propose_sentences
from realhop_kg.graph.build import source_graph
from realhop_kg.graph.dependency import regenerated, terminal
from realhop_kg.graph.operators import (
    branch_flexible,
    branch_strict,
    factorize,
    rebind,
    route,
    write,
)
from realhop_kg.graph.operators.factorize import required_splits
from realhop_kg.ids import rng
from realhop_kg.model.entity import EntityRole
from realhop_kg.model.item import SourceHop, SourceItem
from realhop_kg.model.plan import (
    BranchPlan,
    PlannedEntity,
    PlannedHop,
    PlannedName,
    RebindPlan,
    Split,
)
from realhop_kg.relations.catalogue import Catalogue
from realhop_kg.relations.predicates import Family, Predicate

__all__ = ["stand_in"]

_SLOTS = "xzwvuts"
_FACTS_PER_HOST = 2
"""Models spread facts wider than the rules, which keep to few hosts (contract A1)."""

_KEY = "entry {number} of the stand-in register"


def stand_in(item: SourceItem, catalogue: Catalogue) -> Draft:
    """Return a written draft with as many facts, premises and hosts as the item will have.

    Names and sentences are of the usual length and mean nothing.

    Args:
        item: the source item.
        catalogue: for its types.

    Raises:
        ContractError: if the item cannot be constructed whatever a model says (D1, H1, H3).
    """
    source = source_graph(item)
    last = terminal(item.dependencies)
    entities = [_entity(f"q{hop.index}", EntityRole.QUESTION) for hop in item.hops]
    entities += [
        _entity(f"h{hop.index}", EntityRole.ANSWER if hop.index == last else EntityRole.BRIDGE)
        for hop in item.hops
    ]
    own: dict[str, Predicate] = {}
    hops = []
    for hop in item.hops:
        slots = _slots(hop)
        predicates = _relation(hop.index, tuple(slots))
        own |= {predicate.id: predicate for predicate in predicates}
        hops.append(_hop(item, hop, slots, predicates[0].id))
    plan = RebindPlan(question=item.question, entities=tuple(entities), hops=tuple(hops))
    others = [hop.index for hop in item.hops if hop.index != last]
    chosen = [*others[: required_splits(len(item.hops)) - 1], last]
    splits = {hop: Split(frame=0, key=_KEY.format(number=100 + hop)) for hop in sorted(chosen)}
    declared = catalogue.predicates.extended(own.values())
    graph = factorize(rebind(source, plan), splits, declared)
    strict, flexible = _branches(item, splits)
    graph = branch_flexible(branch_strict(graph, strict, declared), flexible, declared)
    hosts = propose_route(graph, rng(0, item.key, "hosts"), facts_per_host=_FACTS_PER_HOST)
    graph = route(graph, hosts)
    graph = write(graph, propose_sentences(graph, declared, rng(0, item.key, "places")))
    patterns = {hop: key_pattern(split.key, hop) for hop, split in splits.items()}
    return Draft(
        item, catalogue, ItemCoiner(0, item), graph, own, splits=splits, key_patterns=patterns
    )


def _entity(ref: str, role: EntityRole) -> PlannedEntity:
    return PlannedEntity(
        ref=ref,
        source=f"Source Name {ref}",
        virtual=PlannedName(surface=f"Invented Name {ref}"),
        entity_type="thing",
        asked_kind="thing",
        role=role,
    )


def _slots(hop: SourceHop) -> dict[str, str]:
    """Return the slots of a hop: its references, or the one name that a root hop has."""
    refs = [f"h{earlier}" for earlier in hop.depends_on] or [f"q{hop.index}"]
    return {_SLOTS[at] if at < len(_SLOTS) else f"s{at}": ref for at, ref in enumerate(refs)}


def _relation(index: int, slots: tuple[str, ...]) -> list[Predicate]:
    subjects = " and ".join(f"{{{slot}}}" for slot in slots)
    found = []
    for number in range(STRICT_CANDIDATES + 2):
        name = f"own.standin{index}" + (f".miss{number}" if number else "")
        predicate = Predicate(
            id=name,
            family=Family.NEAR_MISS if number else Family.RELATION,
            parent=f"own.standin{index}" if number else "",
            arguments=dict.fromkeys(slots, "thing"),
            value="thing",
            wordings=(f"The relation {number} of {subjects} leads on to {{y}}.",),
            audit="stand-in" if number else "",
        )
        link = f"The relation {number} of {subjects} is recorded under {{k}}."
        value = f"The thing that relation {number} records under {{k}} is {{y}}."
        found += [predicate, *premise_predicates(predicate, (link, value))]
    return found


def _hop(item: SourceItem, hop: SourceHop, slots: dict[str, str], relation: str) -> PlannedHop:
    return PlannedHop(
        index=hop.index,
        relation=relation,
        required=relation,
        wording=item.question,
        asked_kind="thing",
        slots=slots,
        multi_valued=False,
        definite=True,
    )


def _branches(
    item: SourceItem, splits: dict[int, Split]
) -> tuple[list[BranchPlan], list[BranchPlan]]:
    strict: list[BranchPlan] = []
    flexible: list[BranchPlan] = []
    keys = iter(range(200, 10_000))
    for hop in item.hops:
        anew = sorted(regenerated(item.dependencies, hop.index))
        for number in range(1, STRICT_CANDIDATES + 2):
            is_strict = number <= STRICT_CANDIDATES
            plan = BranchPlan(
                hop=hop.index,
                candidate=number if is_strict else 1,
                near_miss=f"own.standin{hop.index}.miss{number}",
                values={
                    later: PlannedName(surface=f"Other Name {hop.index}-{number}-{later}")
                    for later in anew
                },
                splits={
                    later: Split(frame=0, key=_KEY.format(number=next(keys)))
                    for later in anew
                    if later in splits
                },
            )
            (strict if is_strict else flexible).append(plan)
    return strict, flexible
