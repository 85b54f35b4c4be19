"""The records of refusal questions: causes, seeds, hyperlinks and the settings of a walk."""

from __future__ import annotations

from enum import StrEnum
from typing import Literal, Self

from pydantic import Field, model_validator

from realhop_kg.model.record import SCHEMA_VERSION, Record

__all__ = ["Cause", "Hyperlink", "Seed", "SeedTerms", "WalkSettings"]


class Cause(StrEnum):
    """Why a question has no answer (HopRefusalBench, three causes)."""

    AU = "AU"
    """Answer unknown: the fact asked for is not established or knowable."""
    FP = "FP"
    """False premise: the question takes something for granted that does not hold."""
    UC = "UC"
    """Underspecified context: a qualifier that the answer needs is missing."""


class SeedTerms(Record):
    """Under which terms a source of seeds may be used."""

    licence: str
    """SPDX identifier, or `none stated`."""
    redistributable: bool
    """Whether its questions may be part of a dataset that anyone may pass on."""
    note: str = ""


class Seed(Record):
    """One question that has no answer, as its source has it."""

    schema_version: int = SCHEMA_VERSION
    id: str
    """Key, unique over sources: `kuq/17`."""
    source: str
    """Name of the builder that read it."""
    source_id: str
    """Id in the source, or its line where the source has none."""
    file: str
    """Name of the file without its folder."""
    line: int = Field(ge=1)
    cause: Cause
    question: str = Field(min_length=1)
    original: str = ""
    """The question as it stands in the source, where it was reworded."""
    premise: str = ""
    """The premise that does not hold, where the source names it."""
    rationales: tuple[str, ...] = ()
    """Reasons why it has no answer, as the source gives them; of uneven quality."""
    category: str = ""
    """The value of the source that decided the cause."""
    terms: SeedTerms
    anchor: str = ""
    """Page that a prefix can reach (backward anchor), where the source names one."""
    bridge: str = ""
    """Page from which a suffix can start (forward bridge), where the source names one."""


class Hyperlink(Record):
    """One link between two pages, with the sentence that holds it."""

    source: str
    """Title of the page that links."""
    target: str
    """Title of the page that is linked to."""
    lead: bool
    """Whether it stands in the opening paragraphs."""
    paragraph: int = Field(ge=0)
    """Item of the page's `text`, counted from 0."""
    start: int = Field(ge=0)
    """First code point of the anchor in that item."""
    end: int
    anchor: str
    """The linked words."""
    sentence: str


class WalkSettings(Record):
    """Which links a walk may take; the defaults are the paper's."""

    low: int = Field(default=10, ge=0)
    """Least degree of a page."""
    high: int = Field(default=200, ge=0)
    """Greatest degree of a page."""
    degree: Literal["total", "in", "out"] = "total"
    """Which links count; each pair of pages counts once in each direction."""
    degree_over: Literal["all", "lead"] = "all"
    """Whether links outside the opening paragraphs count too."""
    lead_only: bool = True
    """Whether only links of the opening paragraphs are taken."""
    disambiguation: bool = True
    """Whether disambiguation pages are taken."""
    top: int = Field(default=5, ge=1)
    """How many of the most coherent candidates one is drawn from."""
    pool: int = Field(default=256, ge=1)
    """Of more candidates than this, as many are drawn evenly before they are ranked (ours)."""

    @model_validator(mode="after")
    def _ordered(self) -> Self:
        if self.low > self.high:
            raise ValueError(f"low {self.low} is above high {self.high}; swap them")
        return self
