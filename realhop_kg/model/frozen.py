"""The records of a frozen dataset: `items.jsonl`, `excluded.jsonl` and what they hold."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from realhop_kg.model.finding import Finding
from realhop_kg.model.item import TextRange
from realhop_kg.model.record import SCHEMA_VERSION, Record
from realhop_kg.model.text import Insertion, Passage, Span

__all__ = [
    "ExcludedItem",
    "FrozenCompetitor",
    "FrozenHop",
    "FrozenItem",
    "FrozenPremise",
    "SourceSide",
    "Substitution",
]


class Substitution(Record):
    """One source entity and the virtual one put in its place."""

    source: str
    virtual: str
    entity_type: str
    role: str


class FrozenPremise(Record):
    """One written piece of gold evidence: a whole fact, or one premise of a split fact."""

    id: str
    """Id of the fact or premise in the item's graph."""
    span: Span


class FrozenHop(Record):
    """One hop: what a Drop removes, and what it leaves unanswered."""

    index: int
    wording: str
    """The part of the question that voices the hop."""
    answer: str
    support: int
    """Index of the passage that a Drop of the hop removes."""
    depends_on: tuple[int, ...]
    evidence: tuple[FrozenPremise, ...]
    source_step: str
    source_answer: str
    source_spans: tuple[TextRange, ...] = Field(default=(), exclude_if=lambda spans: not spans)
    """What of the source passage states the hop: quotes (FRAMES), supporting sentences (2Wiki);
    in code points of the source text. Without any, a Drop of the source side takes the passage.
    """


class FrozenCompetitor(Record):
    """One competitor path that survived pruning."""

    id: str
    kind: Literal["strict", "flexible"]
    protected_hop: int
    break_hop: int
    endpoint: str
    complete: bool
    """False for a Flexible fragment."""
    spans: tuple[Span, ...]
    """Where its own facts and premises are written; inherited facts are gold's."""


class SourceSide(Record):
    """The question as it was before construction; its passages follow from T1."""

    id: str
    question: str
    answer: str
    aliases: tuple[str, ...]


class FrozenItem(Record):
    """One constructed question with its context, as models and auditors use it."""

    schema_version: int = SCHEMA_VERSION
    id: str
    """Item key: dataset and source id."""
    dataset: str
    topology: str
    question: str
    answer: str
    aliases: tuple[str, ...]
    passages: tuple[Passage, ...]
    """Realized passages, in source order."""
    insertions: tuple[Insertion, ...]
    """What was added; deleting it gives the source passages back (contract T1)."""
    hops: tuple[FrozenHop, ...]
    competitors: tuple[FrozenCompetitor, ...]
    substitutions: tuple[Substitution, ...]
    kept: tuple[str, ...]
    """Names of the question that were not rebound, each `surface: reason`."""
    pruned: tuple[str, ...] = ()
    """What pruning removed and why, each `id: code message`."""
    diagnostics: tuple[Finding, ...] = ()
    """Findings that do not exclude the item (V1, V2)."""
    marks: dict[str, int] = Field(default_factory=dict, exclude_if=lambda marks: not marks)
    """Marks from 1 to 5 of the semantic audit, which decide nothing: `salience` (5: the right path
    stands out at a glance), `hardening` (5: every premise is needed); absent without a review.
    """
    source: SourceSide


class ExcludedItem(Record):
    """One record or item that is not in the dataset, and why."""

    id: str
    """Item key, or empty where the record has none."""
    dataset: str
    file: str
    line: int
    """Line (or list element) of the record, from 1."""
    stage: Literal["read", "plan", "rebind", "branch", "route", "realize", "check"]
    code: str
    """The first code; `findings` has all."""
    field: str = ""
    """Field of the record concerned, where there is one."""
    message: str
    """What is wrong, and what to do about it."""
    question: str = ""
    findings: tuple[Finding, ...] = Field(default_factory=tuple)
