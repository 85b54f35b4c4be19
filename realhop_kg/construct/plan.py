"""Plans the gold side by rules: reads steps and question, types the registry, coins names.

The paper's planner is a model; this is the floor that needs none. What it cannot read in full is
refused under a code, never guessed.
"""

from __future__ import annotations

from realhop_kg.construct.coining import ItemCoiner
from realhop_kg.construct.free.segments import names_something
from realhop_kg.construct.mentions import Mention, same_name
from realhop_kg.construct.question import Substituted, kept_names, substitute
from realhop_kg.construct.readings import fitting_readings
from realhop_kg.construct.registry import Draft, draft_registry, slots_of
from realhop_kg.construct.sources import check_question
from realhop_kg.construct.steps import Reading, read_step
from realhop_kg.construct.values import leaves_years
from realhop_kg.construct.voicing import HopVoice, QuestionVoice, voice_question
from realhop_kg.errors import Refusal
from realhop_kg.graph.dependency import check_dag, terminal
from realhop_kg.model.entity import EntityRole
from realhop_kg.model.item import SourceItem
from realhop_kg.model.plan import PlannedEntity, PlannedHop, RebindPlan
from realhop_kg.relations.catalogue import Catalogue

__all__ = ["propose_plan"]


def propose_plan(item: SourceItem, catalogue: Catalogue, coiner: ItemCoiner) -> RebindPlan:
    """Return the gold plan of an item.

    Args:
        item: the source item.
        catalogue: the relations by which it is read.
        coiner: coins names and values that the item's text does not use.

    Raises:
        Refusal: with the code of what stands in the way (Q1, Q2, Q3, Q4, Q5, Q6, R1, R2, R4).
    """
    check_question(item.question)
    deps = item.dependencies
    check_dag(deps)
    last = terminal(deps)
    voice = voice_question(item.question, _readings(item, catalogue), last, catalogue)
    anchors = _anchors(item, voice)
    drafts = draft_registry(item, voice, anchors, last, catalogue)
    entities = tuple(
        PlannedEntity(
            ref=draft.ref,
            source=draft.source,
            virtual=coiner.coin(
                draft.entity_type,
                draft.hint,
                draft.source,
                kind=draft.kind,
                subject=draft.role is not EntityRole.ANSWER,
                fits=leaves_years,
            ),
            entity_type=draft.entity_type,
            asked_kind=draft.kind,
            role=draft.role,
            hint=draft.hint,
        )
        for draft in drafts
    )
    names = {entity.ref: entity.virtual for entity in entities}
    replacements = [(mention, names[anchors[mention]]) for mention in voice.mentions]
    question = substitute(item.question, replacements)
    return RebindPlan(
        question=question.text,
        kept=kept_names(item.question, voice.mentions),
        entities=entities,
        hops=tuple(
            _planned_hop(voice.hops[hop.index], anchors, drafts, question) for hop in item.hops
        ),
    )


def _readings(item: SourceItem, catalogue: Catalogue) -> dict[int, list[Reading]]:
    readings = {hop.index: read_step(hop, catalogue) for hop in item.hops}
    for hop in item.hops:
        if readings[hop.index]:
            continue
        if ">>" not in hop.question and not names_something(item, hop):
            raise Refusal("Q4", f"step {hop.question!r} names nothing that can be renamed")
        raise Refusal("Q5", f"no relation of the catalogue reads step {hop.question!r}")
    return fitting_readings(readings, item, catalogue)


def _anchors(item: SourceItem, voice: QuestionVoice) -> dict[Mention, str]:
    """Return the `ref` of the entity behind each mention; one entity may be named twice."""
    refs: dict[Mention, str] = {}
    texts: list[tuple[str, str]] = []
    fillers: dict[tuple[int, str], str] = {}
    for mention in sorted(set(voice.mentions), key=lambda m: (m.hop, m.slot, m.start)):
        text = item.question[mention.start : mention.end]
        slot = mention.hop, mention.slot
        ref = fillers.get(slot) or next((ref for ref, named in texts if same_name(named, text)), "")
        if not ref:
            ref = f"q{len(texts) + 1}"
            texts.append((ref, text))
        refs[mention] = fillers[slot] = ref
    return refs


def _planned_hop(
    voiced: HopVoice, anchors: dict[Mention, str], drafts: list[Draft], question: Substituted
) -> PlannedHop:
    relation = voiced.reading.relation
    index = voiced.reading.hop
    wording = question.part(voiced.start, voiced.end)
    return PlannedHop(
        index=index,
        relation=relation.id,
        required=(voiced.voice.weaker if voiced.voice else "") or relation.id,
        wording=wording,
        asked_kind=next(draft.kind for draft in drafts if draft.ref == f"h{index}"),
        slots=slots_of(voiced, anchors),
        multi_valued=not relation.single_valued,
        definite=not (voiced.voice and voiced.voice.plain),
    )
