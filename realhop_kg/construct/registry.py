"""Drafts the registry of an item: what each name is, by question, relations and passages."""

from __future__ import annotations

from dataclasses import dataclass

from realhop_kg.construct.definitions import define
from realhop_kg.construct.gender import answer_gender, other_parent, subject_gender
from realhop_kg.construct.mentions import Mention, same_name
from realhop_kg.construct.sources import check_answer, check_mention, may_be_one
from realhop_kg.construct.steps import Ref
from realhop_kg.construct.values import value_format
from realhop_kg.construct.voicing import HopVoice, QuestionVoice
from realhop_kg.errors import Refusal
from realhop_kg.model.entity import EntityRole
from realhop_kg.model.item import SourceItem
from realhop_kg.relations.catalogue import Catalogue
from realhop_kg.relations.types import Types

__all__ = ["Draft", "draft_registry", "slots_of"]

_EXACT = frozenset({"date", "day", "birthdate"})
"""Words of a question that ask for a day, not for a year or a month."""


@dataclass
class Draft:
    """A registry entry before it has a virtual name."""

    ref: str
    source: str
    entity_type: str
    kind: str
    role: EntityRole
    hint: str = ""
    exact: bool = False
    """Whether the question asks for a day."""
    whole: bool = False
    """Whether the question asks how many there are."""


def slots_of(voiced: HopVoice, anchors: dict[Mention, str]) -> dict[str, str]:
    """Return the `ref` of what fills each slot of a hop."""
    own = {
        mention.slot: ref for mention, ref in anchors.items() if mention.hop == voiced.reading.hop
    }
    return {
        slot: f"h{filler.hop}" if isinstance(filler, Ref) else own[slot]
        for slot, filler in voiced.reading.fillers
    }


def draft_registry(
    item: SourceItem,
    voice: QuestionVoice,
    anchors: dict[Mention, str],
    last: int,
    catalogue: Catalogue,
) -> list[Draft]:
    """Return the drafts of all names and answers of an item.

    Args:
        item: the source item.
        voice: how its question voices the hops.
        anchors: `ref` of the entity behind each mention.
        last: the terminal hop.
        catalogue: the relations and types.

    Raises:
        Refusal: with the code of what stands in the way (Q3, Q4, Q6, R1, R2).
    """
    drafts: dict[str, Draft] = {}
    for mention, ref in anchors.items():
        text = item.question[mention.start : mention.end]
        drafts.setdefault(ref, Draft(ref, text, "", "", EntityRole.QUESTION))
    for hop in item.hops:
        voiced = voice.hops[hop.index]
        answer = item.answer if hop.index == last else hop.answer
        role = EntityRole.ANSWER if hop.index == last else EntityRole.BRIDGE
        drafts[f"h{hop.index}"] = Draft(
            f"h{hop.index}",
            answer,
            voiced.reading.relation.value,
            voiced.kind,
            role,
            answer_gender(voiced),
            exact=not _EXACT.isdisjoint((*voiced.words, voiced.kind)),
            whole="many" in voiced.words,
        )
    for hop in item.hops:
        voiced = voice.hops[hop.index]
        slots = slots_of(voiced, anchors)
        for slot, type_id in voiced.reading.relation.arguments.items():
            _narrow(drafts[slots[slot]], type_id, catalogue)
        for index, kind in voiced.reading.beside:
            _narrow(drafts[f"h{index}"], catalogue.types.of_kind(kind) or "thing", catalogue)
        _hint(drafts[slots["x"]], subject_gender(voiced))
        child, parent = other_parent(
            voiced.reading, {index: voice.hops[index].reading for index in voice.hops}
        )
        if child:
            _hint(drafts[slots_of(voice.hops[child], anchors)["x"]], parent)
        _check_time(voiced, voice, catalogue)
        _check_unit(voiced, drafts[slots["x"]], catalogue)
    for draft in drafts.values():
        _settle(draft, item, catalogue)
    _check_sources(list(drafts.values()), catalogue.types)
    return list(drafts.values())


def _hint(draft: Draft, gender: str) -> None:
    """Note the gender of a person.

    Raises:
        Refusal: R2 if the question says both of one person.
    """
    if gender and draft.hint and draft.hint != gender:
        raise Refusal("R2", f"{draft.source!r} would be both a man and a woman")
    draft.hint = draft.hint or gender


def _check_time(voiced: HopVoice, voice: QuestionVoice, catalogue: Catalogue) -> None:
    """Raise where a date is asked of somebody whom the question itself places in time.

    Raises:
        Refusal: Q6, since the king in 1911 would die in any year.
    """
    is_time = catalogue.types.is_a
    if not is_time(voiced.reading.relation.value, "time"):
        return
    for _, filler in voiced.reading.fillers:
        if isinstance(filler, Ref):
            earlier = voice.hops[filler.hop].reading.relation
            if any(is_time(type_id, "time") for type_id in earlier.arguments.values()):
                raise Refusal("Q6", f"a date of the answer of hop {filler.hop}, which has a year")


def _check_unit(voiced: HopVoice, subject: Draft, catalogue: Catalogue) -> None:
    """Raise where a hop asks for a kind inside its own kind: the largest state in a state.

    Raises:
        Refusal: Q3, since nobody would ask so.
    """
    types = catalogue.types
    free = voiced.reading.relation.id.startswith("free")
    if not free or not types.is_a(subject.entity_type, "place"):
        return
    for word in (*voiced.words, voiced.kind):
        singular = f"{word[:-3]}y" if word.endswith("ies") else word.removesuffix("s")
        if types.of_kind(singular) == subject.entity_type or types.of_kind(word) == (
            subject.entity_type
        ):
            raise Refusal("Q3", f"{word!r} is asked of a {subject.entity_type}")


def _narrow(draft: Draft, type_id: str, catalogue: Catalogue) -> None:
    if not draft.entity_type:
        draft.entity_type = type_id
        return
    narrower = catalogue.types.narrower(draft.entity_type, type_id)
    if narrower is None:
        raise Refusal("R1", f"{draft.source!r} would be both a {draft.entity_type} and a {type_id}")
    draft.entity_type = narrower


def _settle(draft: Draft, item: SourceItem, catalogue: Catalogue) -> None:
    """Narrow a type by the kind that the question asks for, or by what the text says of the name.

    Raises:
        Refusal: R1 if the kind asked for, or every kind that the passages name, is of another
            type; Q6 if nothing tells what an answer is, or an answer is no name.
    """
    types = catalogue.types
    asked = types.of_kind(draft.kind) if draft.kind else None
    if asked is not None:
        _narrow(draft, asked, catalogue)
    defined = define(draft.source, item.passages, types)
    other = defined.contradicts(draft.entity_type, types)
    if other:
        raise Refusal("R1", f"{draft.source!r} is a {other}, not a {draft.entity_type}")
    fitting = [known for known in defined.types if types.agree(known, draft.entity_type)]
    if fitting and not draft.kind and types.is_a(fitting[0], draft.entity_type):
        draft.entity_type = fitting[0]
    elif types[draft.entity_type].evident and not fitting and not asked:
        raise Refusal("Q6", f"nothing tells that {draft.source!r} is a {draft.entity_type}")
    if draft.role is EntityRole.QUESTION and not types.is_value(draft.entity_type):
        texts = (text for p in item.passages for text in (p.title, p.text))
        check_mention(draft.source, draft.entity_type, texts, types)
    if types.is_value(draft.entity_type):
        _narrow_value(draft, types)
    if draft.entity_type == "thing" and draft.role is not EntityRole.QUESTION:
        raise Refusal("Q6", f"nothing tells what kind of thing {draft.source!r} is")
    if draft.role is not EntityRole.QUESTION and not types.is_value(draft.entity_type):
        check_answer(draft.source, draft.entity_type, types)
    if not draft.kind:
        draft.kind = types[draft.entity_type].noun
    draft.kind = types.spoken(draft.kind)


def _narrow_value(draft: Draft, types: Types) -> None:
    """Give a value the type of its format: a year is worded otherwise than a date."""
    known = value_format(draft.source)
    if known and known.type_id == "century" and draft.entity_type != "century":
        raise Refusal("Q6", f"{draft.source!r} is a century, not a {draft.entity_type}")
    if known and types.is_a(known.type_id, draft.entity_type):
        draft.entity_type = known.type_id
    if draft.whole and "." in draft.source:
        raise Refusal("Q6", f"the question asks how many, and {draft.source!r} is no whole number")
    if draft.exact and draft.entity_type in ("year", "month"):
        raise Refusal("Q6", f"the question asks for a day, and {draft.source!r} is none")


def _check_sources(drafts: list[Draft], types: Types) -> None:
    for position, draft in enumerate(drafts):
        for other in drafts[:position]:
            related = types.narrower(draft.entity_type, other.entity_type) is not None
            if same_name(draft.source, other.source) or (
                related and may_be_one(draft.source, other.source)
            ):
                raise Refusal("R2", f"{draft.source!r} stands for {other.ref} and {draft.ref}")
