"""Settings of a run: what the manifest records, and what decides the output beside the input."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from realhop_kg.model.record import Record

__all__ = ["ConstructConfig"]


class ConstructConfig(Record):
    """Settings of `realhop construct` that can change its output."""

    dataset: str
    """Name of the builder: musique or jsonl."""
    seed: int = 0
    backend: Literal["rules"] = "rules"
    limit: int | None = Field(default=None, ge=1)
    """Number of records to read, or all."""
