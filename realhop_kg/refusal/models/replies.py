"""The forms in which models fill the slots of each stage of a refusal question."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict

__all__ = [
    "AnnotateReply",
    "FuseReply",
    "RankReply",
    "ReviewReply",
    "SaidSlot",
    "SurfaceReply",
]


class _Slots(BaseModel):
    """Part of a reply; what nobody asked for is left out, as models like to add remarks."""

    model_config = ConfigDict(extra="ignore", use_attribute_docstrings=True)


class AnnotateReply(_Slots):
    """Backward anchor, forward bridge and rationale of a seed."""

    anchor: str
    """Title of the page of a concrete entity that the seed names; empty if there is none."""
    mention: str
    """The words of the seed that name it."""
    bridge: str
    """Title of a page of the kind that the seed asks for; empty if there is none."""
    rationale: str
    """Why the seed has no answer."""


class RankReply(_Slots):
    """The candidates that go on best from a page."""

    best: list[int]
    """Their numbers, the best first."""


class FuseReply(_Slots):
    """A chain as one question."""

    question: str


class ReviewReply(_Slots):
    """What is wrong with a question; empty lists are the normal case."""

    leakage: list[str]
    hops: list[str]
    coherence: list[str]
    cause: list[str]


class SaidSlot(_Slots):
    """The words that say one step."""

    step: int
    words: str


class SurfaceReply(_Slots):
    """The steps that a final wording expresses, and whether its rationale still fits."""

    steps: list[SaidSlot]
    rationale_holds: bool
    rationale: str
    """The rationale, corrected where it does not fit the wording."""
