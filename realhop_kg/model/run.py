"""The records of an audit run: what was asked, what was removed, what was answered and judged."""

from __future__ import annotations

from enum import StrEnum
from typing import Literal

from pydantic import Field

from realhop_kg.model.record import SCHEMA_VERSION, Record

__all__ = [
    "Ablation",
    "AuditedItem",
    "AuditedSide",
    "Cell",
    "Condition",
    "ConditionRecord",
    "Removed",
    "TrialRecord",
    "Verdict",
]

AuditedSide = Literal["source", "constructed"]
"""Which of two paired questions was asked."""

Ablation = Literal["both", "gold_only", "flexible_only", "strict_only"]
"""Which competitor families the context keeps; `both` is the item as it is frozen."""


class Condition(StrEnum):
    """What was done to the context (DESIGN section 4)."""

    FULL = "full"
    DROP = "drop"
    DROP_PREMISE = "drop_premise"
    CONTROL = "control"
    MASK = "mask"
    CLOSED_BOOK = "closed_book"


class Verdict(StrEnum):
    """What a judge says of an answer; only `correct` counts as correct."""

    CORRECT = "correct"
    PARTIAL = "partial"
    INCORRECT = "incorrect"

    @property
    def halves(self) -> int:
        """The score 1, 0.5 or 0 in halves, so that sums are exact."""
        return {"correct": 2, "partial": 1, "incorrect": 0}[self.value]


class Removed(Record):
    """A range of the rendered Full context that an intervention removes."""

    start: int = Field(ge=0)
    """First code point."""
    end: int
    """One past the last code point."""
    passage: int | None = None
    """Index of the passage it lies in, or None where it spans several."""


class AuditedItem(Record):
    """One question as it was audited, without its context."""

    schema_version: int = SCHEMA_VERSION
    item: str
    """Item key; the two sides of a pair share it."""
    side: AuditedSide
    question: str
    answer: str
    aliases: tuple[str, ...] = ()
    topology: str = ""
    targets: tuple[str, ...]
    """Deletion targets (`h1`, `h2`, ...), one Drop each: the hops of BNR."""
    endpoints: tuple[str, ...] = ()
    """Answers to which planned competitors lead."""


class ConditionRecord(Record):
    """One context that was asked about, and what was removed for it."""

    item: str
    side: AuditedSide
    ablation: Ablation = "both"
    condition: Condition
    target: str = ""
    feasible: bool = True
    reason: str = ""
    """Why it is not feasible."""
    removed: tuple[Removed, ...] = ()
    characters: int = Field(default=0, ge=0)
    """Code points removed: the actual difference from Full, closure included."""
    tokens: int = Field(default=0, ge=0)
    """Tokens removed, as `realhop_kg.audit.tokens` counts them."""
    budget: int = Field(default=0, ge=0)
    """What a control was to match, in its own unit."""
    whole_sentences: bool = True
    """Whether only whole sentences were removed."""


class TrialRecord(Record):
    """One answer of one model under one condition, as far as it came."""

    schema_version: int = SCHEMA_VERSION
    item: str
    side: AuditedSide
    ablation: Ablation = "both"
    condition: Condition
    target: str = ""
    model: str
    trial: int = Field(ge=1)
    prompt: str = ""
    """Digest of the whole request, by which a resumed run knows what it has."""
    response: str | None = None
    """The answer, or None where none came."""
    read_as: str = ""
    """The option that a multiple-choice response names; otherwise empty."""
    verdict: Verdict | None = None
    """None where no judgement was reached: counted apart, never as incorrect."""
    judged_by: str = ""
    """`exact`, `alias`, `f1`, `choice`, or the name of the judge."""
    failure: str = ""
    """Why there is no response or no verdict."""

    @property
    def cell(self) -> Cell:
        """What the record answers: a later record of the same cell replaces it."""
        return (
            self.model,
            self.side,
            self.ablation,
            self.item,
            self.trial,
            self.condition.value,
            self.target,
        )


Cell = tuple[str, str, str, str, int, str, str]
"""(model, side, ablation, item, trial, condition, target)."""
