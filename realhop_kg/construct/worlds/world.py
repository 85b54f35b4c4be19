"""Draws one fictional item: a question that the rules read back, its hops, names and passages.

The draft is drawn with passing names, planned by the very rules that will construct it, and takes
the names of that plan: so names suit what the question says of them, and no item is handed out that
the planner would refuse. Everything is seeded by (seed, number of the item).
"""

from __future__ import annotations

import random
from collections.abc import Mapping

from realhop_kg.construct.coining import ItemCoiner
from realhop_kg.construct.pipeline import build_evidence
from realhop_kg.construct.plan import propose_plan
from realhop_kg.construct.worlds.draw import Step, draw_steps
from realhop_kg.construct.worlds.passages import write_passages
from realhop_kg.construct.worlds.settings import WorldSettings
from realhop_kg.construct.worlds.shapes import Shape, draw_shape, parse_shape
from realhop_kg.construct.worlds.voices import said, slots_in
from realhop_kg.errors import ContractError, Refusal
from realhop_kg.graph.dependency import terminal
from realhop_kg.ids import rng
from realhop_kg.model.item import SourceHop, SourceItem
from realhop_kg.model.plan import PlannedName
from realhop_kg.relations.catalogue import Catalogue

__all__ = ["DATASET", "draw_world"]

DATASET = "fictional"
_TRIES = 400
_LIKE = {
    "year": "1911",
    "month": "March 1911",
    "date": "14 March 1911",
    "time": "14 March 1911",
    "century": "12th century",
    "number": "48,213",
    "ordinal": "third-largest",
    "amount": "$48,213",
    "percentage": "48%",
}
"""A value of each format, which fresh values are like."""


def draw_world(settings: WorldSettings, number: int, catalogue: Catalogue) -> SourceItem:
    """Return item `number` of a run of worlds.

    Args:
        settings: what decides the run.
        number: of the item, from 1; nothing depends on the items before it.
        catalogue: the relations.

    Raises:
        Refusal: Q2 if no question of the shape could be drawn, as where a hop depends on more
            hops than any relation has arguments.
    """
    draw = rng(settings.seed, DATASET, number)
    for attempt in range(_TRIES):
        shape = _shape(settings, number, draw)
        steps = draw_steps(shape, catalogue, draw, names_only=settings.answers == "names")
        if steps is None:
            continue
        key = f"{settings.seed}-{number}-{attempt}"
        try:
            item = _item(settings, f"w{number:06}", key, shape, steps, catalogue)
            build_evidence(item, catalogue, settings.seed)
        except ContractError:
            continue  # the rules would refuse it as well
        return item
    raise Refusal("Q2", f"no question of the shape of item {number} could be drawn")


def _shape(settings: WorldSettings, number: int, draw: random.Random) -> Shape:
    if settings.shapes:
        return parse_shape(settings.shapes[(number - 1) % len(settings.shapes)])
    return draw_shape(settings.hops[(number - 1) % len(settings.hops)], draw)


def _item(
    settings: WorldSettings,
    item_id: str,
    key: str,
    shape: Shape,
    steps: Mapping[int, Step],
    catalogue: Catalogue,
) -> SourceItem:
    """Return the item of some steps.

    Raises:
        ContractError: if the rules cannot plan it.
    """
    draw = rng(settings.seed, DATASET, key)
    last = terminal(shape)
    passing = _bare(key, shape, steps)
    coiner = ItemCoiner(settings.seed, passing)
    names = _passing_names(steps, coiner)
    drafted = _named(passing, steps, names, last, draw)
    plan = propose_plan(drafted, catalogue, coiner)
    if any(hop.relation != steps[hop.index].relation.id for hop in plan.hops):
        raise Refusal("Q2", "a step reads as another relation than it was drawn for")
    passages, supports = write_passages(
        plan, catalogue, coiner, draw, ambiguity=settings.ambiguity, least=settings.passages
    )
    surfaces = {entity.ref: entity.virtual for entity in plan.entities}
    anchored = {hop.index: hop.slots for hop in plan.hops}
    hops = tuple(
        hop.model_copy(
            update={
                "question": _step_text(
                    steps[hop.index],
                    {slot: _spoken(ref, surfaces) for slot, ref in anchored[hop.index].items()},
                    draw,
                ),
                "answer": surfaces[f"h{hop.index}"].surface,
                "support": supports[hop.index],
            }
        )
        for hop in drafted.hops
    )
    return drafted.model_copy(
        update={
            "id": item_id,
            "question": plan.question,
            "answer": surfaces[f"h{last}"].surface,
            "passages": passages,
            "hops": hops,
        }
    )


def _bare(key: str, shape: Shape, steps: Mapping[int, Step]) -> SourceItem:
    """Return an item without names yet, whose key seeds the passing ones."""
    return SourceItem(
        dataset=DATASET,
        id=key,
        question="?",
        answer="?",
        passages=(),
        hops=tuple(
            SourceHop(
                index=index,
                question=steps[index].relation.id,
                answer="?",
                support=None,
                depends_on=shape[index],
            )
            for index in sorted(shape)
        ),
    )


Names = dict[tuple[int, str], str]
"""Name by (hop, slot) where a name fills a slot, and by (hop, "y") of its answer."""


def _passing_names(steps: Mapping[int, Step], coiner: ItemCoiner) -> Names:
    names: Names = {}
    for index, step in sorted(steps.items()):
        for slot, type_id in step.relation.arguments.items():
            if slot not in step.sources:
                names[index, slot] = coiner.coin(type_id, "", _LIKE.get(type_id, "")).surface
        like = _LIKE.get(step.kind or step.value, _LIKE.get(step.value, ""))
        if step.text.startswith("how many times"):
            like = "17"
        names[index, "y"] = coiner.coin(step.value, "", like, kind=step.kind).surface
    return names


def _named(
    item: SourceItem, steps: Mapping[int, Step], names: Names, last: int, draw: random.Random
) -> SourceItem:
    """Return the item with passing names in question, steps and answers."""
    question = _phrase(last, steps, names)
    return item.model_copy(
        update={
            "question": f"{question[:1].upper()}{question[1:]}?",
            "answer": names[last, "y"],
            "hops": tuple(
                hop.model_copy(
                    update={
                        "question": _step_text(
                            steps[hop.index], _fillers(steps[hop.index], names), draw
                        ),
                        "answer": names[hop.index, "y"],
                    }
                )
                for hop in item.hops
            ),
        }
    )


def _phrase(hop: int, steps: Mapping[int, Step], names: Names) -> str:
    """Return the wording of a hop with those of the hops it depends on inside it."""
    step = steps[hop]
    text = step.text.replace("{kind}", step.kind)
    for slot in step.relation.arguments:
        earlier = step.sources.get(slot)
        inner = names[hop, slot] if earlier is None else _phrase(earlier, steps, names)
        text = text.replace(f"{{{slot}}}", inner)
    return text


def _fillers(step: Step, names: Names) -> dict[str, str]:
    return {
        slot: f"#{step.sources[slot]}" if slot in step.sources else names[step.index, slot]
        for slot in step.relation.arguments
    }


def _spoken(ref: str, surfaces: Mapping[str, PlannedName]) -> str:
    return f"#{ref[1:]}" if ref.startswith("h") else surfaces[ref].surface


def _step_text(step: Step, fillers: Mapping[str, str], draw: random.Random) -> str:
    """Return the annotation of a step: `subject >> label` where it can be, else its question.

    Raises:
        Refusal: Q2 if the relation has no question that names all its slots.
    """
    relation = step.relation
    if list(relation.arguments) == ["x"] and relation.labels:
        return f"{fillers['x']} >> {relation.labels[0]}"
    for voice in relation.questions:
        text = said(voice.text, draw)
        slots = set(slots_in(text))
        if slots - {"kind"} == set(relation.arguments) and ("kind" not in slots or step.kind):
            text = text.replace("{kind}", step.kind)
            for slot, filler in fillers.items():
                text = text.replace(f"{{{slot}}}", filler)
            return f"{text[:1].upper()}{text[1:]}?"
    raise Refusal("Q2", f"relation {relation.id} has no question to state its step by")
