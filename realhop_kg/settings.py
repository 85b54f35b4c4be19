"""Settings of a run: what the manifest records, and what decides the output beside the input."""

from __future__ import annotations

from typing import Literal

from pydantic import Field, JsonValue

from realhop_kg.model.record import Record

__all__ = [
    "MODEL_STAGES",
    "REFUSAL_STAGES",
    "Backend",
    "ConstructConfig",
    "ModelsConfig",
    "StageModel",
]


class ConstructConfig(Record):
    """Settings of `realhop construct` that can change its output."""

    dataset: str
    """Name of the builder: musique or jsonl."""
    seed: int = 0
    backend: Literal["rules"] = "rules"
    limit: int | None = Field(default=None, ge=1)
    """Number of records to read, or all."""


Backend = Literal["rules", "llm"]

MODEL_STAGES = ("plan", "compete", "route", "realize", "audit")
"""Stages that a model can fill, in their order; rules know no audit of meaning."""

REFUSAL_STAGES = ("annotate", "rank", "fuse", "review", "audit")
"""Stages of refusal questions that a model can fill; what rules word needs no surface audit."""


class StageModel(Record):
    """The model of one stage, as it is asked."""

    model: str
    """As the provider layer names it (`openai/gpt-4o-mini`)."""
    parameters: dict[str, JsonValue] = Field(default_factory=dict)
    """Temperature, effort, maximum tokens and provider parameters."""
    json_mode: Literal["schema", "object", "off"] = "off"
    """How it is told to answer in JSON."""


class ModelsConfig(Record):
    """Settings of `realhop construct` with models that can change its output."""

    dataset: str
    """Name of the builder: musique or jsonl."""
    seed: int = 0
    backend: dict[str, Backend]
    """Who fills each stage."""
    stages: dict[str, StageModel]
    """The models of the stages that models fill."""
    limit: int | None = Field(default=None, ge=1)
    """Number of records to read, or all."""
