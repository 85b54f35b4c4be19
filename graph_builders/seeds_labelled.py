"""Reads sources in which one field of a flat record decides the cause."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from graph_builders.seed_files import Row, rows, worded
from graph_builders.seeds import LeftOut, NotSeed, not_seed
from realhop_kg.model.refusal import Cause, Seed, SeedTerms

__all__ = ["Judged", "LabelledBuilder"]


@dataclass(frozen=True, slots=True)
class Judged:
    """What a builder says of one record."""

    cause: Cause | None
    """None where the record is no seed."""
    category: str = ""
    """The value that decided it."""
    why: LeftOut = LeftOut.OTHER_CAUSE
    """Why it is no seed."""
    message: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelledBuilder:
    """A source of flat records.

    Attributes:
        name: the source.
        terms: its terms of use.
        question: name of the field with the question.
        needed: fields by which a record of the source is recognised.
        judge: tells seeds from the rest, and their cause.
        rationales: gives the reasons that a record holds.
        premise: name of the field with the premise that does not hold.
        source_id: name of the field with the id; without one, the line is the id.
    """

    name: str
    terms: SeedTerms
    question: str
    needed: frozenset[str]
    judge: Callable[[Row, Path], Judged]
    rationales: Callable[[Row], tuple[str, ...]] = lambda row: ()
    premise: str = ""
    source_id: str = ""

    def recognises(self, row: Row) -> bool:
        """Return whether a record has the fields of this source."""
        return self.needed <= row.data.keys()

    def read(self, path: Path) -> Iterator[Seed | NotSeed]:
        """Yield one outcome per record of a file, in file order.

        Raises:
            InputError: at the first step, if the file cannot be read.
        """
        for row in rows(path):
            yield self._outcome(path, row)

    def _outcome(self, path: Path, row: Row) -> Seed | NotSeed:
        if row.problem:
            return not_seed(self, path, row, LeftOut.UNREADABLE, row.problem)
        question = row.text(self.question)
        if not question:
            message = f"field `{self.question}` is no text; give the question there"
            return not_seed(self, path, row, LeftOut.UNREADABLE, message)
        judged = self.judge(row, path)
        if judged.cause is None:
            message = judged.message or f"`{judged.category}` is none of AU, FP and UC"
            return not_seed(self, path, row, judged.why, message)
        source_id = row.text(self.source_id) if self.source_id else ""
        source_id = source_id or f"{path.name.split('.')[0]}-{row.line}"
        return Seed(
            id=f"{self.name}/{source_id}",
            source=self.name,
            source_id=source_id,
            file=path.name,
            line=row.line,
            cause=judged.cause,
            question=worded(question),
            rationales=self.rationales(row),
            category=judged.category,
            terms=self.terms,
            premise=row.text(self.premise) if self.premise else "",
        )
