"""Reads (QA)^2 (`QAQA_evaluation_set_Dec2022.csv`, or records of its columns as JSON).

`all_assumptions_valid` is `has_invalid` in the released file, `False` in the paper's table, where
an assumption fails; such a question has a false premise, named in `questionable_assumption`.
Questions are in lower case and lack their mark, which is added.

Source: Kim et al., "(QA)^2: Question Answering with Questionable Assumptions", ACL 2023.
"""

from __future__ import annotations

from pathlib import Path

from graph_builders.seed_files import Row, texts
from graph_builders.seeds import LeftOut
from graph_builders.seeds_labelled import Judged, LabelledBuilder
from realhop_kg.model.refusal import Cause, SeedTerms

__all__ = ["BUILDER"]

_INVALID = frozenset({"has_invalid", "false"})
_VALID = frozenset({"all_valid", "true"})


def _judge(row: Row, path: Path) -> Judged:
    value = str(row.data.get("all_assumptions_valid", "")).strip()
    if value.casefold() in _INVALID:
        return Judged(Cause.FP, row.text("type_questionable_assumption") or value)
    if value.casefold() in _VALID:
        return Judged(None, value, LeftOut.CONTROL, "every assumption holds: it has an answer")
    message = f"field `all_assumptions_valid` is {value!r}, neither has_invalid nor all_valid"
    return Judged(None, value, LeftOut.UNREADABLE, message)


BUILDER = LabelledBuilder(
    name="qaqa",
    terms=SeedTerms(
        licence="none stated",
        redistributable=False,
        note="terms not known here: check them before passing anything on",
    ),
    question="question",
    needed=frozenset({"question", "all_assumptions_valid", "questionable_assumption"}),
    judge=_judge,
    rationales=lambda row: texts(row.data.get("abstractive_answer")),
    premise="questionable_assumption",
)
"""The builder of (QA)^2."""
