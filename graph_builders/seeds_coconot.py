"""Reads CoCoNot (`coconot_eval.jsonl`).

`subcategory` decides the cause. The contrast file has the same fields and the same subcategories
with the opposite label - its requests should be answered - so every record of a file that is
called contrast, or lies in a folder that is, counts as a control.

Source: Brahman et al., "The Art of Saying No: Contextual Noncompliance in Language Models",
NeurIPS 2024 Datasets and Benchmarks.
"""

from __future__ import annotations

from pathlib import Path

from graph_builders.seed_files import Row
from graph_builders.seeds import LeftOut
from graph_builders.seeds_labelled import Judged, LabelledBuilder
from realhop_kg.model.refusal import Cause, SeedTerms

__all__ = ["BUILDER"]

_CAUSES = {
    "universal unknowns": Cause.AU,
    "false presuppositions": Cause.FP,
    "underspecified": Cause.UC,
}


def _judge(row: Row, path: Path) -> Judged:
    category = row.text("subcategory")
    if any("contrast" in part.casefold() for part in path.absolute().parts[-2:]):
        message = "of the contrast set: it should be answered"
        return Judged(None, category, LeftOut.CONTROL, message)
    return Judged(_CAUSES.get(category), category)


BUILDER = LabelledBuilder(
    name="coconot",
    terms=SeedTerms(
        licence="MIT",
        redistributable=True,
        note="of the repository; the copy on a hub has a licence of its own, which to check",
    ),
    question="prompt",
    needed=frozenset({"prompt", "category", "subcategory"}),
    judge=_judge,
    source_id="id",
)
"""The builder of CoCoNot."""
