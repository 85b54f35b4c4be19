"""Plans the contexts of one question: every condition that a run asks about, in a fixed order."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from pydantic import Field, JsonValue

from realhop_kg.audit.auditable import Auditable, UnitKind
from realhop_kg.audit.control import Budget, background, control
from realhop_kg.audit.intervene import (
    MASKS,
    Removal,
    closed_book,
    drop,
    drop_premise,
    full,
    mask,
)
from realhop_kg.model.record import Record
from realhop_kg.model.run import Ablation, AuditedSide, Condition

__all__ = ["AuditSettings", "plan_item"]


class AuditSettings(Record):
    """What decides the records of a run, beside the replies: stored as `run.json` says it."""

    source: str
    """Name of the dataset folder or file, without where it lay."""
    source_digest: str
    """Digest of the frozen dataset, or SHA-256 of the source file."""
    form: str
    """`frozen`, or the builder that read the source file."""
    sides: tuple[AuditedSide, ...] = Field(min_length=1)
    conditions: tuple[Condition, ...] = Field(min_length=1)
    ablations: tuple[Ablation, ...] = ("both",)
    """Which competitor families the constructed context keeps, each a panel of its own."""
    models: tuple[str, ...] = Field(min_length=1)
    trials: int = Field(default=1, ge=1)
    unit: UnitKind = "passage"
    """What a Drop of a constructed hop removes."""
    closure: bool = False
    """Whether sentences that name all endpoints of a hop are dropped with its spans."""
    budget: Budget = "tokens"
    """What a control matches."""
    mask_shape: Literal["circular", "inside"] = "circular"
    seed: int = 0
    limit: int | None = None
    choices: str = ""
    """SHA-256 of the file of frozen options; empty without multiple choice of a dataset."""
    judge: str = "offline-f1-0.8"
    parameters: dict[str, dict[str, JsonValue]] = Field(default_factory=dict)
    """Temperature, effort, maximum tokens and provider parameters by model, as sent."""
    judge_parameters: dict[str, JsonValue] = Field(default_factory=dict)
    templates: dict[str, str] = Field(default_factory=dict)
    """SHA-256 by id of each template used."""


def plan_item(item: Auditable, settings: AuditSettings) -> Iterator[Removal]:
    """Yield every context of one question, infeasible ones too.

    Ablations are of the constructed side; masks and the closed-book probe are asked about the item
    as it is frozen, not under ablations.
    """
    ablations = settings.ablations if item.side == "constructed" else ("both",)
    for ablation in ablations:
        if Condition.FULL in settings.conditions:
            yield full(item, ablation)
        yield from _deletions(item, settings, ablation)
    if Condition.MASK in settings.conditions:
        for number in range(1, MASKS + 1):
            yield mask(item, number, circular=settings.mask_shape == "circular")
    if Condition.CLOSED_BOOK in settings.conditions:
        yield closed_book(item)


def _deletions(item: Auditable, settings: AuditSettings, ablation: Ablation) -> Iterator[Removal]:
    drops = [drop(item, unit, ablation, closure=settings.closure) for unit in item.units]
    if Condition.DROP in settings.conditions:
        yield from drops
    if Condition.DROP_PREMISE in settings.conditions:
        for premise in item.premises:
            yield drop_premise(item, premise, ablation)
    if Condition.CONTROL in settings.conditions:
        names = (*item.endpoints, *(name for unit in item.units for name in unit.endpoints))
        found = background(item, settings.budget, names)
        for dropped in drops:
            yield control(item, dropped, found, settings.seed)
