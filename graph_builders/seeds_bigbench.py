"""Reads BIG-Bench's known_unknowns: `task.json`, or the rows of its copy on a hub.

`target_scores["Unknown"] == 1` is an unknown answer; its twin, which can be answered, follows it.
Rows of the copy wrap the question (`Q: ...`, the choices, `A:`) and list choices and scores.

Source: Srivastava et al., "Beyond the Imitation Game", TMLR 2023.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from graph_builders.seed_files import Row, json_rows, worded
from graph_builders.seeds import LeftOut, NotSeed, not_seed
from realhop_kg.model.refusal import Cause, Seed, SeedTerms

__all__ = ["BUILDER", "BigBenchBuilder"]


class BigBenchBuilder:
    """The builder of known_unknowns."""

    name = "bigbench"
    terms = SeedTerms(
        licence="Apache-2.0",
        redistributable=True,
        note="the task carries a canary: keep it out of training data",
    )

    def recognises(self, row: Row) -> bool:
        """Return whether a record is the task, or a row of the copy."""
        return "examples" in row.data or {"inputs", "multiple_choice_scores"} <= row.data.keys()

    def read(self, path: Path) -> Iterator[Seed | NotSeed]:
        """Yield one outcome per example of a file, in file order.

        Raises:
            InputError: at the first step, if the file cannot be read.
        """
        for row in json_rows(path):
            examples = row.data.get("examples")
            if not isinstance(examples, list):
                yield self._outcome(path, row)
                continue
            for number, example in enumerate(examples, 1):
                data = example if isinstance(example, dict) else {}
                yield self._outcome(path, Row(number, data))

    def _outcome(self, path: Path, row: Row) -> Seed | NotSeed:
        question, scores = _asked(row), _scores(row.data)
        if row.problem or not question or scores is None:
            message = row.problem or "an example needs `input` and `target_scores`"
            return not_seed(self, path, row, LeftOut.UNREADABLE, message)
        if scores.get("Unknown") != 1:
            return not_seed(self, path, row, LeftOut.CONTROL, "`Unknown` is not its answer")
        source_id = f"{path.name.split('.')[0]}-{row.line}"
        return Seed(
            id=f"{self.name}/{source_id}",
            source=self.name,
            source_id=source_id,
            file=path.name,
            line=row.line,
            cause=Cause.AU,
            question=worded(question),
            category="Unknown",
            terms=self.terms,
        )


def _asked(row: Row) -> str:
    if question := row.text("input"):
        return question
    wrapped = row.text("inputs").partition("\n")[0]
    return wrapped.removeprefix("Q:").strip()


def _scores(data: Mapping[str, object]) -> dict[str, object] | None:
    scores = data.get("target_scores")
    if isinstance(scores, dict):
        return scores
    choices, marks = data.get("multiple_choice_targets"), data.get("multiple_choice_scores")
    if isinstance(choices, list) and isinstance(marks, list):
        return dict(zip(map(str, choices), marks, strict=False))
    return None


BUILDER = BigBenchBuilder()
"""The builder of BIG-Bench's known_unknowns."""
