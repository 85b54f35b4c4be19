"""Reads KUQ, the Known-Unknown Questions (`knowns_unknowns.jsonl`).

`category` decides the cause; only unknowns have one, and `unknown: false` is a control. The crowd's
`answer` strings are reasons of very uneven quality.

Source: Amayuelas et al., "Knowledge of Knowledge: Exploring Known-Unknowns Uncertainty with Large
Language Models", Findings of ACL 2024.
"""

from __future__ import annotations

from pathlib import Path

from graph_builders.seed_files import Row, texts
from graph_builders.seeds import LeftOut
from graph_builders.seeds_labelled import Judged, LabelledBuilder
from realhop_kg.model.refusal import Cause, SeedTerms

__all__ = ["BUILDER"]

_CAUSES = {
    "future unknown": Cause.AU,
    "unsolved problem": Cause.AU,
    "false assumption": Cause.FP,
    "ambiguous": Cause.UC,
}


def _judge(row: Row, path: Path) -> Judged:
    unknown, category = row.data.get("unknown"), row.text("category")
    if unknown is False:
        return Judged(None, category, LeftOut.CONTROL, "a known question: it has an answer")
    if unknown is not True:
        message = "field `unknown` is neither true nor false"
        return Judged(None, category, LeftOut.UNREADABLE, message)
    return Judged(_CAUSES.get(category), category)


BUILDER = LabelledBuilder(
    name="kuq",
    terms=SeedTerms(licence="MIT", redistributable=True),
    question="question",
    needed=frozenset({"question", "answer", "unknown"}),
    judge=_judge,
    rationales=lambda row: texts(row.data.get("answer")),
)
"""The builder of KUQ."""
