"""R1, R2: everything named is in the registry with type and role, and rebound one to one."""

from __future__ import annotations

from collections.abc import Iterator

from realhop_kg.contracts.subject import ItemView
from realhop_kg.graph.evidence import Statement
from realhop_kg.graph.schema import EdgeKind, EntityNode
from realhop_kg.model.answers import normalize_answer
from realhop_kg.model.entity import EntityRole, Origin
from realhop_kg.model.finding import Code, Finding

__all__ = ["check_substitution", "check_types"]

_REBOUND = frozenset((EntityRole.QUESTION, EntityRole.BRIDGE, EntityRole.ANSWER))


def check_types(view: ItemView) -> Iterator[Finding]:
    """R1: everything named is in the registry, with a type that fits and the role of its use."""
    for stated in (*view.evidence.facts.values(), *view.evidence.units.values()):
        yield from _argument_types(view, stated)
    for entity, role, use in _uses(view):
        if entity.role is not role:
            message = f"{entity.surface!r} has role {entity.role}, but is {use}"
            yield view.finding(Code.R1, message, *view.named(entity))
    for entity in view.entities.values():
        if not entity.surface.strip() or entity.entity_type not in view.parents:
            message = f"{entity.id} has no surface, or unknown type {entity.entity_type!r}"
            yield view.finding(Code.R1, message, *view.named(entity))
        if (
            entity.role is EntityRole.QUESTION
            and entity.origin is Origin.VIRTUAL
            and not view.question.held(view.forms(entity))
        ):
            message = f"the question does not name {entity.surface!r}"
            yield view.finding(Code.R1, message, entity.id)
    yield from _answer(view)


def _argument_types(view: ItemView, stated: Statement) -> Iterator[Finding]:
    predicate = view.predicates.get(stated.predicate)
    if predicate is None:
        yield view.finding(Code.R1, f"predicate {stated.predicate} is not declared", stated.id)
        return
    if set(predicate.arguments) != set(stated.slots):
        message = f"{stated.id} fills slots {list(stated.slots)}, not {list(predicate.arguments)}"
        yield view.finding(Code.R1, message, stated.id)
        return
    wanted = [predicate.arguments[slot] for slot in stated.slots]
    names = (*zip(wanted, stated.args, strict=True), (predicate.value, stated.value))
    for entity_type, entity_id in names:
        entity = view.entities[entity_id]
        if not view.fits(entity.entity_type, entity_type):
            message = (
                f"{entity.surface!r} is a {entity.entity_type}, where {stated.predicate} takes a "
                f"{entity_type}"
            )
            yield view.finding(Code.R1, message, stated.id, entity_id)


def _uses(view: ItemView) -> Iterator[tuple[EntityNode, EntityRole, str]]:
    """Yield each entity in use with the role that this use asks for."""
    gold_ids = {fact.id for fact in view.evidence.gold.values()}
    for hop, fact in view.evidence.gold.items():
        terminal = hop == view.terminal
        role = EntityRole.ANSWER if terminal else EntityRole.BRIDGE
        yield view.entities[fact.value], role, f"the answer of hop {hop}"
        for slot, arg in zip(fact.slots, fact.args, strict=True):
            if slot not in view.slot_hops[hop]:
                yield view.entities[arg], EntityRole.QUESTION, f"named by the question (hop {hop})"
    for fact in view.evidence.facts.values():
        if fact.id not in gold_ids:
            yield view.entities[fact.value], EntityRole.COMPETITOR, "on a competitor path only"
    for units in view.evidence.premises.values():
        for unit in units[:-1]:
            yield view.entities[unit.value], EntityRole.KEY, "the key of two premises"


def _answer(view: ItemView) -> Iterator[Finding]:
    gold = view.gold_values[view.terminal]
    forms = {normalize_answer(form) for form in view.forms(gold)}
    for answer in (view.item.answer, *view.item.aliases):
        if answer.strip() and normalize_answer(answer) not in forms:
            message = f"answer {answer!r} is no form of {gold.surface!r}, the gold answer"
            yield view.finding(Code.R1, message, view.item.id, gold.id)


def check_substitution(view: ItemView) -> Iterator[Finding]:
    """R2: virtual and source entities match one to one, with type, role, kind and forms."""
    rebinds = view.out[EdgeKind.REBINDS]
    sources: dict[str, str] = {}
    for entity in view.virtual:
        found = [target for target, _ in rebinds.get(entity.id, ())]
        if len(found) != (entity.role in _REBOUND):
            message = f"{entity.surface!r} replaces {len(found)} source entities"
            yield view.finding(Code.R2, message, entity.id, *found)
        for source_id in found:
            other = sources.setdefault(source_id, entity.id)
            if other != entity.id:
                message = f"{source_id} is replaced by both {other} and {entity.id}"
                yield view.finding(Code.R2, message, source_id, other, entity.id)
            yield from _same_kind(view, entity, view.entities[source_id])
    yield from _source_names(view, set(sources))


def _same_kind(view: ItemView, entity: EntityNode, source: EntityNode) -> Iterator[Finding]:
    if source.origin is not Origin.SOURCE:
        message = f"{entity.surface!r} replaces {source.surface!r}, which is no source entity"
        yield view.finding(Code.R2, message, entity.id, source.id)
    for field in ("entity_type", "role", "asked_kind"):
        ours, theirs = getattr(entity, field), getattr(source, field)
        if ours != theirs:
            message = f"{entity.surface!r} has {field} {ours}, {source.surface!r} has {theirs}"
            yield view.finding(Code.R2, message, entity.id, source.id)
    for form in ("short", "demonym", "possessive"):
        if getattr(source, form) and not getattr(entity, form):
            message = f"{entity.surface!r} has no {form} form for {getattr(source, form)!r}"
            yield view.finding(Code.R2, message, entity.id, source.id)


def _source_names(view: ItemView, replaced: set[str]) -> Iterator[Finding]:
    by_name: dict[str, EntityNode] = {}
    for entity in view.entities.values():
        if entity.origin is not Origin.SOURCE:
            continue
        if entity.id not in replaced:
            yield view.finding(Code.R2, f"nothing replaces {entity.surface!r}", entity.id)
        for form in entity.forms:
            other = by_name.setdefault(normalize_answer(form), entity)
            if other is not entity:
                message = f"{form!r} is a name of both {other.id} and {entity.id}"
                yield view.finding(Code.R2, message, other.id, entity.id)
