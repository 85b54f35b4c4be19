"""Reads Plausible Distractors: HotpotQA records with some paragraphs swapped for false ones.

The records do not mark the inserted paragraphs. They are found as the difference from the
unmodified file, which holds the same records in the same rows and lies beside the other as
`no_changes_NAME`. A row whose twin is another question is excluded (B2), and so is one in which
nothing was inserted.

Ids repeat: one question may carry several sets of false paragraphs. The second and later records
of an id are called `ID~2`, `ID~3`, ...

Source: Bhuiya, Schlegel and Winkler, "Seemingly Plausible Distractors in Multi-Hop Reasoning: Are
Large Language Models Attentive Readers?", EMNLP 2024.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from itertools import islice, zip_longest
from pathlib import Path

from graph_builders.base import Excluded
from graph_builders.form import FormBuilder
from graph_builders.normalize import Unusable
from graph_builders.supported import supported
from realhop_kg.errors import InputError
from realhop_kg.jsonl import BadLine, RawRecord, read_records
from realhop_kg.model.finding import Code
from realhop_kg.model.item import SourceItem

__all__ = ["BUILDER", "TWIN"]

_NAME = "distractors"

TWIN = "no_changes_"
"""What the name of the unmodified file begins with."""

_FORM = FormBuilder(
    name=_NAME,
    form="Plausible Distractors",
    other="give the file with the inserted paragraphs, in the HotpotQA schema",
    marks=("supporting_facts",),
    item=partial(supported, _NAME),
)


@dataclass(frozen=True)
class DistractorsBuilder:
    """A `Builder` that reads a file together with its unmodified twin."""

    name: str = _NAME

    def read(self, path: Path, limit: int | None = None) -> Iterator[SourceItem | Excluded]:
        """Yield one outcome per record; see `Builder.read`.

        Raises:
            InputError: also if the unmodified file does not lie beside it.
        """
        twin = path.with_name(TWIN + path.name)
        if not twin.is_file():
            raise InputError(
                f"{twin} is missing; put the unmodified file there, since only the difference from "
                "it says which paragraphs were inserted"
            )
        originals = read_records(twin)
        outcomes = _FORM.read(path, limit)
        times: Counter[str] = Counter()
        records = islice(read_records(path), limit)
        next(outcomes, None)  # recognises the form, or says that it is another
        for record, original in zip_longest(records, originals):
            if record is None:
                return
            yield self._paired(record, original, times)

    def _paired(
        self,
        record: RawRecord | BadLine,
        original: RawRecord | BadLine | None,
        times: Counter[str],
    ) -> SourceItem | Excluded:
        outcome = _FORM.outcome(record, set())
        if isinstance(outcome, Excluded):
            return outcome
        times[outcome.id] += 1
        number = times[outcome.id]
        try:
            inserted = _inserted(outcome, original)
        except Unusable as error:
            return _FORM.excluded(record, outcome.id, error)
        name = outcome.id if number == 1 else f"{outcome.id}~{number}"
        return outcome.model_copy(update={"id": name, "false_chain": inserted})


def _inserted(item: SourceItem, original: RawRecord | BadLine | None) -> tuple[int, ...]:
    """Return the indices of the paragraphs that the twin does not have."""
    if not isinstance(original, RawRecord):
        message = "the unmodified file has no such row; the two files must have the same rows"
        raise Unusable(Code.B2, "", message)
    try:
        twin = supported(_NAME, original.data)
    except Unusable as error:
        message = f"the row of the unmodified file cannot be used: {error.message}"
        raise Unusable(Code.B2, error.field, message) from error
    if (twin.id, twin.question) != (item.id, item.question):
        message = (
            "the row of the unmodified file is another question; the two files must have the "
            "same rows"
        )
        raise Unusable(Code.B2, "id", message)
    there = Counter((passage.title, passage.text) for passage in twin.passages)
    found = []
    for passage in item.passages:
        if there[passage.title, passage.text]:
            there[passage.title, passage.text] -= 1
        else:
            found.append(passage.index)
    gold = [index for index in found if item.passages[index].is_support]
    if not found or gold:
        wrong = "inserts nothing" if not found else "changes a supporting paragraph"
        message = f"the record {wrong} beside the unmodified one; leave it out"
        raise Unusable(Code.B2, "context", message)
    return tuple(found)


BUILDER = DistractorsBuilder()
"""The builder of `--dataset distractors`."""
