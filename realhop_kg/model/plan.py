"""What the propose stages hand to the graph operators: plans, without any graph in them."""

from __future__ import annotations

from pydantic import Field

from realhop_kg.model.entity import EntityRole
from realhop_kg.model.record import Record

__all__ = [
    "BranchPlan",
    "PlannedEntity",
    "PlannedHop",
    "PlannedName",
    "RebindPlan",
    "RoutePlan",
    "Split",
    "WrittenSentence",
]


class PlannedName(Record):
    """A virtual name or value."""

    surface: str
    article: str = ""
    aliases: tuple[str, ...] = ()
    """Other forms that count as the same answer."""


class PlannedEntity(Record):
    """A source entity and what it is rebound to."""

    ref: str
    """`h2` for the answer of hop 2, `q1` for the first name of the question."""
    source: str
    virtual: PlannedName
    entity_type: str
    asked_kind: str
    role: EntityRole
    hint: str = ""
    """A noun of the question that tells a person's gender (`husband`), if any."""


class PlannedHop(Record):
    """One hop as a fact with filled slots."""

    index: int
    relation: str
    required: str
    """The relation as the question voices it."""
    wording: str
    """The part of the constructed question that voices the hop."""
    asked_kind: str
    slots: dict[str, str]
    """For each slot, the `ref` of the entity that fills it."""
    multi_valued: bool
    definite: bool


class RebindPlan(Record):
    """The gold plan: registry, substitutions and one fact per hop (Appendix I.1)."""

    question: str
    kept: tuple[str, ...] = ()
    entities: tuple[PlannedEntity, ...]
    hops: tuple[PlannedHop, ...]


class Split(Record):
    """How one fact is split: which frame of its predicate, joined by which key."""

    frame: int
    key: str
    """Surface of the key entity."""


class BranchPlan(Record):
    """One competitor path: the near-miss at its hop and fresh values from there on."""

    hop: int
    candidate: int = Field(ge=1)
    near_miss: str
    """Predicate id."""
    values: dict[int, PlannedName]
    """A fresh value for every hop of R(h)."""
    splits: dict[int, Split]
    """One for each hop of R(h) whose gold fact is split."""


class RoutePlan(Record):
    """Where facts go."""

    hosts: dict[str, int]
    """Index of the host passage by id of a fact; its premises go with it."""


class WrittenSentence(Record):
    """The sentence of a fact or premise, and where it is inserted in its host."""

    source: str
    """Id of the fact or premise."""
    offset: int
    order: int
    text: str
    """The sentence, without separator."""
