"""The record of a question whose passages lack the evidence of one step."""

from __future__ import annotations

from realhop_kg.model.record import SCHEMA_VERSION, Record
from realhop_kg.model.refusal import Cause
from realhop_kg.model.refusal_item import Topology
from realhop_kg.model.text import Passage

__all__ = ["DropRefusal", "KeptDrop"]


class DropRefusal(Record):
    """One REALHOP question with one support passage taken away: its passages answer it no more."""

    schema_version: int = SCHEMA_VERSION
    id: str
    """Key of the item, and the hop: `musique/2hop__1_2/drop-1`."""
    item: str
    """Key of the REALHOP item."""
    question: str
    passages: tuple[Passage, ...]
    """The context that is left, in order."""
    cause: Cause = Cause.AU
    topology: Topology
    """By the place of the dropped hop: first, between, last."""
    depth: int
    """Steps of the question."""
    broken_step: int
    """The dropped hop."""
    removed: int
    """Index of the passage that was taken away."""
    rationale: str
    """Why the passages do not answer the question."""


class KeptDrop(Record):
    """A Drop that gave no question, and why."""

    id: str
    code: str
    message: str
