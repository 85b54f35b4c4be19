"""The forms in which models fill the slots of each stage."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict, Field

__all__ = [
    "SCHEMAS",
    "AuditReply",
    "Candidate",
    "CompeteReply",
    "EntitySlot",
    "HopSlot",
    "PlanReply",
    "RealizeReply",
    "RouteReply",
]


class _Slots(BaseModel):
    """Part of a reply; what nobody asked for is left out, as models like to add remarks."""

    model_config = ConfigDict(extra="ignore", use_attribute_docstrings=True)


class EntitySlot(_Slots):
    """An entity and its invented counterpart."""

    ref: str
    mentions: list[str] = Field(default_factory=list)
    """Wordings of the question that name it."""
    name: str
    article: str = ""
    aliases: list[str] = Field(default_factory=list)
    type: str
    kind: str = ""


class KeptSlot(_Slots):
    """A capitalised word of the question that stays."""

    surface: str
    reason: str


class FillerSlot(_Slots):
    """What fills an argument slot."""

    slot: str
    ref: str


class PremisesSlot(_Slots):
    """A fact in two sentences that a key joins."""

    key: str
    link: str
    value: str


class HopSlot(_Slots):
    """The fact of one step."""

    hop: int
    voiced: str
    """Part of the source question."""
    relation: str
    statement: str
    slots: list[FillerSlot]
    symmetric: bool = False
    transitive: bool = False
    many: bool = False
    """Whether a subject may have several such values."""
    definite: bool = True
    premises: PremisesSlot | None = None


class PlanReply(_Slots):
    """Registry, substitutions and gold facts."""

    entities: list[EntitySlot]
    kept: list[KeptSlot] = Field(default_factory=list)
    hops: list[HopSlot]


class ValueSlot(_Slots):
    """An invented answer of one step."""

    hop: int
    name: str
    article: str = ""


class Candidate(_Slots):
    """One wrong turning."""

    relation: str
    statement: str
    link: str = ""
    value: str = ""
    because: str
    values: list[ValueSlot]


class HopCandidates(_Slots):
    """The wrong turnings of one step."""

    hop: int
    strict: list[Candidate]
    flexible: list[Candidate] = Field(default_factory=list)


class CompeteReply(_Slots):
    """Competitors of every step."""

    hops: list[HopCandidates]


class HostSlot(_Slots):
    """Where one fact goes."""

    fact: str
    passage: int


class RouteReply(_Slots):
    """Hosts of the competitors' facts."""

    hosts: list[HostSlot]


class SentenceSlot(_Slots):
    """The sentence of one fact or premise."""

    id: str
    text: str
    place: int | None = None
    """Number of a place, counted from 1."""


class RealizeReply(_Slots):
    """Sentences of one host."""

    sentences: list[SentenceSlot]
    passage: str = ""
    """The whole passage with its sentences, from templates that ask for it."""


class HopProblem(_Slots):
    """What is wrong at a step."""

    hop: int
    problem: str


class NodeProblem(_Slots):
    """What is wrong with a sentence or path."""

    id: str
    problem: str


class AuditReply(_Slots):
    """Semantic review of an item."""

    question_problems: list[HopProblem]
    ambiguous: list[NodeProblem] = Field(default_factory=list)
    other_answers: list[NodeProblem] = Field(default_factory=list)
    salience: int | None = Field(default=None, ge=1, le=5)
    hardening: int | None = Field(default=None, ge=1, le=5)


SCHEMAS: dict[str, type[BaseModel]] = {
    schema.__name__: schema
    for schema in (PlanReply, CompeteReply, RouteReply, RealizeReply, AuditReply)
}
"""Reply forms by the name that a template's front matter gives."""
