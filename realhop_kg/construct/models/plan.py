"""The planner: a model fills registry, substitutions, facts and premises of the gold side."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import partial

from realhop_kg.construct.coining import ItemCoiner
from realhop_kg.construct.mentions import Mention
from realhop_kg.construct.models.replies import EntitySlot, HopSlot, PlanReply
from realhop_kg.construct.models.state import (
    Draft,
    check_template,
    predicate_name,
    reject_blocking,
)
from realhop_kg.construct.question import Substituted, substitute
from realhop_kg.errors import ContractError
from realhop_kg.graph.build import source_graph
from realhop_kg.graph.dependency import terminal
from realhop_kg.graph.operators import factorize, rebind
from realhop_kg.graph.operators.factorize import required_splits
from realhop_kg.llm.asking import Models, settled
from realhop_kg.model.entity import EntityRole
from realhop_kg.model.finding import Code
from realhop_kg.model.item import SourceItem
from realhop_kg.model.plan import PlannedEntity, PlannedHop, PlannedName, RebindPlan, Split
from realhop_kg.relations.catalogue import Catalogue
from realhop_kg.relations.predicates import Family, Predicate, link_of, value_of

__all__ = ["key_pattern", "plan_inputs", "plan_with_model", "premise_predicates"]

_CODES = frozenset(
    (Code.B1, Code.B2, Code.D1, Code.D2, Code.R1, Code.R2, Code.R3, Code.R4, Code.R5, Code.R6,
     Code.G1, Code.G2, Code.G3, Code.N1)
)  # fmt: skip
"""What the gold side can be judged by before it has competitors."""

_KEY_PART = re.compile(r"\d+|(?<![^\W\d_])[A-Z](?![^\W\d_])")


async def plan_with_model(
    item: SourceItem, catalogue: Catalogue, coiner: ItemCoiner, models: Models
) -> Draft:
    """Return the draft with rebound question and split gold facts (section 4.1, Appendix I.1).

    Raises:
        ContractError: with the code of what the model could not mend.
    """
    graph = source_graph(item)  # a source that nothing can be made of costs no call
    draft = Draft(item, catalogue, coiner, graph)
    conversation = models.conversation("plan", item.key, plan_inputs(item, catalogue), PlanReply)
    return await settled(conversation, partial(_planned, draft))


def plan_inputs(item: SourceItem, catalogue: Catalogue) -> dict[str, object]:
    """Return what the planner's template is filled with."""
    last = terminal(item.dependencies)
    return {
        "question": item.question,
        "hops": [
            {
                "index": hop.index,
                "question": hop.question,
                "answer": item.answer if hop.index == last else hop.answer,
                "uses": list(hop.depends_on),
                "terminal": hop.index == last,
            }
            for hop in item.hops
        ],
        "types": sorted(catalogue.types.parents),
        "splits": required_splits(len(item.hops)),
        "passages": [passage.model_dump() for passage in item.passages],
    }


def _planned(draft: Draft, reply: PlanReply, last: bool) -> Draft:
    """Return the draft with a proposal in it, once it keeps every contract of the gold side."""
    entities = _entities(draft, reply)
    types = {entity.ref: entity.entity_type for entity in entities}
    names = {entity.ref: entity.virtual for entity in entities}
    mentions = dict(_mentions(draft.item.question, reply.entities))
    question = substitute(
        draft.item.question, [(mention, names[ref]) for mention, ref in mentions.items()]
    )
    hops: list[PlannedHop] = []
    own: dict[str, Predicate] = {}
    splits: dict[int, Split] = {}
    patterns: dict[int, str] = {}
    for slot in reply.hops:
        relation, premises = _predicates(slot, types)
        own |= {each.id: each for each in (relation, *premises)}
        hops.append(_hop(draft.item, slot, relation.id, question, entities))
        if slot.premises is not None:
            splits[slot.hop] = Split(frame=0, key=slot.premises.key.strip())
            patterns[slot.hop] = key_pattern(splits[slot.hop].key, slot.hop)
    plan = RebindPlan(
        question=question.text,
        kept=tuple(f"{kept.surface}: {kept.reason}" for kept in reply.kept),
        entities=entities,
        hops=tuple(sorted(hops, key=lambda hop: hop.index)),
    )
    predicates = draft.catalogue.predicates.extended(own.values())
    graph = factorize(rebind(draft.graph, plan), splits, predicates)
    planned = replace(draft.with_graph(graph, own.values()), splits=splits, key_patterns=patterns)
    return reject_blocking(planned, _CODES)


def _entities(draft: Draft, reply: PlanReply) -> tuple[PlannedEntity, ...]:
    item, types = draft.item, draft.catalogue.types
    last = terminal(item.dependencies)
    answers = {
        f"h{hop.index}": item.answer if hop.index == last else hop.answer for hop in item.hops
    }
    planned: dict[str, PlannedEntity] = {}
    for slot in reply.entities:
        if slot.ref in planned:
            raise ContractError("R1", f"{slot.ref} stands twice in the registry")
        if slot.type not in types:
            raise ContractError("R1", f"{slot.ref} has type {slot.type!r}; use one of the list")
        asked = types.of_kind(slot.kind.strip())
        if asked is not None and types.narrower(asked, slot.type) is None:
            raise ContractError(
                "R1", f"a {slot.kind} is asked for, {slot.ref} has type {slot.type}"
            )
        if not slot.name.strip():
            raise ContractError("R1", f"{slot.ref} has no invented name")
        source = answers.get(slot.ref) or next(iter(slot.mentions), "")
        role = EntityRole.QUESTION
        if slot.ref in answers:
            role = EntityRole.ANSWER if slot.ref == f"h{last}" else EntityRole.BRIDGE
        planned[slot.ref] = PlannedEntity(
            ref=slot.ref,
            source=source,
            virtual=PlannedName(
                surface=" ".join(slot.name.split()),
                article=slot.article.strip(),
                aliases=tuple(slot.aliases),
            ),
            entity_type=slot.type,
            asked_kind=slot.kind.strip() or types[slot.type].noun,
            role=role,
        )
    return tuple(planned.values())


def _mentions(question: str, slots: list[EntitySlot]) -> Iterator[tuple[Mention, str]]:
    """Yield every place of the question that names an entity; the longest wording has it.

    Raises:
        ContractError: Q1 if a wording is not in the question.
    """
    taken: list[range] = []
    wordings = [
        (wording.strip(), slot)
        for slot in slots
        if not slot.ref.startswith("h")
        for wording in slot.mentions
    ]
    for slot in slots:
        if not slot.ref.startswith("h") and not any(text for text in slot.mentions):
            raise ContractError("Q1", f"{slot.ref} says no wording under which the question has it")
    for wording, slot in sorted(wordings, key=lambda pair: -len(pair[0])):
        pattern = re.compile(rf"(?<!\w){re.escape(wording)}(?!\w)") if wording else None
        places = [match.span() for match in pattern.finditer(question)] if pattern else []
        if not places:
            raise ContractError("Q1", f"the question does not hold {wording!r} letter by letter")
        for start, end in places:
            if all(end <= other.start or other.stop <= start for other in taken):
                taken.append(range(start, end))
                yield Mention(0, slot.ref, start, end), slot.ref


def _predicates(slot: HopSlot, types: Mapping[str, str]) -> tuple[Predicate, tuple[Predicate, ...]]:
    """Return the relation that a step states, and the premises of it if it is split."""
    unknown = sorted({*(each.ref for each in slot.slots), f"h{slot.hop}"} - types.keys())
    if unknown:
        raise ContractError("R1", f"step {slot.hop} uses {unknown[0]}, not in the registry")
    arguments = {each.slot: types[each.ref] for each in slot.slots}
    value = types[f"h{slot.hop}"]
    what = f"step {slot.hop}"
    if "x" not in arguments or {"y", "k", "kind"} & arguments.keys():
        raise ContractError("G1", f"{what}: subjects are called x, z, w; its slots are not")
    statement = check_template(slot.statement, {*arguments, "y"}, f"statement of {what}")
    joined: tuple[str, ...] = ()
    if slot.premises is not None:
        link = check_template(slot.premises.link, {*arguments, "k"}, f"link of {what}", "G3")
        joined = (link, check_template(slot.premises.value, {"k", "y"}, f"value of {what}", "G3"))
    one_slot = len(arguments) == 1
    name = predicate_name(slot.relation, statement, *joined, *arguments.items(), value)
    relation = Predicate(
        id=name,
        family=Family.RELATION,
        arguments=dict(sorted(arguments.items(), key=lambda pair: pair[0] != "x")),
        value=value,
        single_valued=not slot.many,
        symmetric=slot.symmetric and one_slot,
        transitive=slot.transitive and one_slot,
        wordings=(statement,),
    )
    return relation, premise_predicates(relation, joined)


def premise_predicates(
    parent: Predicate, joined: tuple[str, ...], frame: int = 0
) -> tuple[Predicate, ...]:
    """Return the two premises of a predicate with these wordings, or none without wordings."""
    if not joined:
        return ()
    link = Predicate(
        id=link_of(parent.id, frame),
        family=Family.LINK,
        parent=parent.id,
        arguments=parent.arguments,
        value="key",
        wordings=(joined[0],),
    )
    value = Predicate(
        id=value_of(parent.id, frame),
        family=Family.VALUE,
        parent=parent.id,
        arguments={"k": "key"},
        value=parent.value,
        wordings=(joined[1],),
    )
    return link, value


def _hop(
    item: SourceItem,
    slot: HopSlot,
    relation: str,
    question: Substituted,
    entities: tuple[PlannedEntity, ...],
) -> PlannedHop:
    start = item.question.casefold().find(" ".join(slot.voiced.split()).casefold())
    if start < 0 or not slot.voiced.strip():
        raise ContractError(
            "Q2", f"step {slot.hop}: the question does not hold {slot.voiced!r} letter by letter"
        )
    end = start + len(" ".join(slot.voiced.split()))
    kinds = {entity.ref: entity.asked_kind for entity in entities}
    return PlannedHop(
        index=slot.hop,
        relation=relation,
        required=relation,
        wording=question.part(start, end),
        asked_kind=kinds[f"h{slot.hop}"],
        slots={each.slot: each.ref for each in slot.slots},
        multi_valued=slot.many,
        definite=slot.definite,
    )


def key_pattern(key: str, hop: int) -> str:
    """Return the pattern of a key, by which competitors get keys of the same shape.

    Raises:
        ContractError: G3 if nothing in it can be varied.

    Examples:
        >>> key_pattern("entry 58-C of the county register", 2)
        'entry {nn}-{L} of the county register'
    """
    pattern = _KEY_PART.sub(
        lambda part: f"{{{'n' * len(part[0])}}}" if part[0].isdigit() else "{L}", key
    )
    if pattern == key or "{" in key:
        raise ContractError(
            "G3", f"step {hop}: key {key!r} needs a number or a single capital letter"
        )
    return pattern
