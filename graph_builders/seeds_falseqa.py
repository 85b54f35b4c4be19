"""Reads FalseQA (`train.csv`, `valid.csv`, `test.csv`).

`label` 1 is a false premise, 0 an answerable control. `answer` is a rebuttal, which serves as the
reason; in the test file it is a Python list of three, written as text.

Source: Hu et al., "Won't Get Fooled Again: Answering Questions with False Premises", ACL 2023.
"""

from __future__ import annotations

import ast
from pathlib import Path

from graph_builders.seed_files import Row, texts
from graph_builders.seeds import LeftOut
from graph_builders.seeds_labelled import Judged, LabelledBuilder
from realhop_kg.model.refusal import Cause, SeedTerms

__all__ = ["BUILDER"]

_LONGEST_LIST = 100_000


def _judge(row: Row, path: Path) -> Judged:
    label = str(row.data.get("label", "")).strip()
    if label == "1":
        return Judged(Cause.FP, "label 1")
    if label == "0":
        return Judged(None, "label 0", LeftOut.CONTROL, "label 0: it has an answer")
    return Judged(None, label, LeftOut.UNREADABLE, "field `label` is neither 0 nor 1")


def _rebuttals(row: Row) -> tuple[str, ...]:
    answer = row.text("answer")
    if answer.startswith("[") and answer.endswith("]") and len(answer) <= _LONGEST_LIST:
        try:
            listed = ast.literal_eval(answer)
        except (ValueError, SyntaxError, MemoryError, RecursionError):
            return texts(answer)
        if isinstance(listed, list) and (found := texts(listed)):
            return found
    return texts(answer)


BUILDER = LabelledBuilder(
    name="falseqa",
    terms=SeedTerms(
        licence="none stated",
        redistributable=False,
        note="the repository has no licence: for research, not to be passed on",
    ),
    question="question",
    needed=frozenset({"question", "answer", "label"}),
    judge=_judge,
    rationales=_rebuttals,
)
"""The builder of FalseQA."""
