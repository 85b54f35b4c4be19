"""A source question as a builder reads it: hops, dependencies, passages."""

from __future__ import annotations

import re
from typing import Literal

from pydantic import Field

from realhop_kg.ids import item_key
from realhop_kg.model.record import Record
from realhop_kg.model.text import Passage

__all__ = ["REFERENCE", "DeletionUnit", "SourceHop", "SourceItem", "TextRange"]

REFERENCE = re.compile(r"#(\d+)(?!\d)")
"""How a hop names the answer of an earlier hop: `#1`."""


class SourceHop(Record):
    """One step of a decomposed question."""

    index: int = Field(ge=1)
    """Number of the step, counted from 1, as `#1` refers to it."""
    question: str
    """The step as annotated: a question, or `subject >> relation`, with `#k` references."""
    answer: str
    support: int | None
    """Index of the passage that supports the step, where the dataset names one."""
    depends_on: tuple[int, ...] = ()
    """The steps whose answers the question names, in order of first mention."""


class TextRange(Record):
    """A range of the text of one passage, in code points."""

    passage: int = Field(ge=0)
    start: int = Field(ge=0)
    end: int
    """One past the last code point."""


class DeletionUnit(Record):
    """What a Drop of one target removes."""

    target: str
    """Name of the target: `h1`, `h2`, ..., as far as possible the hop's."""
    kind: Literal["passage", "support_sentences", "spans"]
    """A whole support passage, the supporting sentences of one title, or recorded spans."""
    parts: tuple[TextRange, ...]
    """Where it stands; a passage that loses all its text loses its title with it."""
    endpoints: tuple[str, ...] = ()
    """Names that state the hop wherever they occur in one sentence, for the closure of spans."""


class SourceItem(Record):
    """One source question with its context and decomposition."""

    dataset: str
    id: str
    question: str
    answer: str
    aliases: tuple[str, ...] = ()
    answerable: bool = True
    passages: tuple[Passage, ...]
    hops: tuple[SourceHop, ...]
    """Empty where the dataset annotates no steps."""
    units: tuple[DeletionUnit, ...] = ()
    """Deletion targets where they are not the support passages of the hops."""
    choices: tuple[str, ...] = ()
    """Options of multiple choice in the source's order, the answer among them; usually none."""
    false_chain: tuple[int, ...] = ()
    """Indices of passages that were inserted to mislead: no Drop and no Control removes them."""
    file: str = ""
    """Name of the file it was read from, for messages."""
    line: int = 0
    """Line (or list element) in that file, from 1."""

    @property
    def key(self) -> str:
        """The key that seeds every draw of this item."""
        return item_key(self.dataset, self.id)

    @property
    def dependencies(self) -> dict[int, tuple[int, ...]]:
        """For each hop, the hops it depends on."""
        return {hop.index: hop.depends_on for hop in self.hops}
