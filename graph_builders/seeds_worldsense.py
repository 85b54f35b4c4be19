"""Reads WorldSense: the training trials (`trials_10k.jsonl`) and the test trials.

`target_message` 3, or `goldresp_obfusc` Yoda, says that nothing can be decided: underspecified
context. The prompts hold their answer options, and the third one gives the defect away, so the
question is built again from the first two; a prompt in which these are not found is left out.

Source: Benchekroun et al., "WorldSense: A Synthetic Benchmark for Grounded Reasoning in Large
Language Models", 2023.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from graph_builders.seed_files import Row, json_rows
from graph_builders.seeds import LeftOut, NotSeed, not_seed
from realhop_kg.model.refusal import Cause, Seed, SeedTerms

__all__ = ["BUILDER", "WorldSenseBuilder", "without_options"]

_UNDECIDED = ("3", "Yoda")
_ANSWERED = ("1", "2", "TRUE", "FALSE", "POSSIBLE", "IMPOSSIBLE")
_OBFUSCATED = ("Emmanuel", "Megi", "Dieuwke", "Pascal", "Mark", "Youssef")
_PROMPT = re.compile(
    r"(?P<story>.+?)\s*\n"
    r"(?P<statements>Choose one of the following alternatives: )?"
    r"\(1\) (?P<first>.+?), \(2\) (?P<second>.+?),? or \(3\) (?:it is|is it) impossible to decide",
    re.DOTALL,
)


def without_options(prompt: str) -> str:
    r"""Return the question of a prompt without its answer options; empty if it has another form.

    Examples:
        >>> without_options("Ana came after Bo. \n(1) did Bo win, (2) did Bo lose, or (3) is it "
        ...                 "impossible to decide ?")
        'Ana came after Bo. Did Bo win, or did Bo lose?'
    """
    match = _PROMPT.match(prompt.strip())
    if match is None:
        return ""
    story, first, second = (" ".join(match[part].split()) for part in ("story", "first", "second"))
    if match["statements"]:
        return f"{story} Which is true: {first}, or {second}?"
    return f"{story} {first[:1].upper()}{first[1:]}, or {second[:1].lower()}{second[1:]}?"


class WorldSenseBuilder:
    """The builder of WorldSense."""

    name = "worldsense"
    terms = SeedTerms(
        licence="CC-BY-NC-4.0",
        redistributable=False,
        note="not for commercial use: keep out of what has a freer licence",
    )

    def recognises(self, row: Row) -> bool:
        """Return whether a record is a training or a test trial."""
        return "goldresp_obfusc" in row.data or {"dialog_history", "target_message"} <= (
            row.data.keys()
        )

    def read(self, path: Path) -> Iterator[Seed | NotSeed]:
        """Yield one outcome per trial of a file, in file order.

        Raises:
            InputError: at the first step, if the file cannot be read.
        """
        for row in json_rows(path):
            yield self._outcome(path, row)

    def _outcome(self, path: Path, row: Row) -> Seed | NotSeed:
        prompt = row.text("text") or _last_message(row.data.get("dialog_history"))
        gold = row.text("goldresp_obfusc") or str(row.data.get("target_message", ""))
        if row.problem or not prompt or gold not in (*_UNDECIDED, *_ANSWERED, *_OBFUSCATED):
            message = row.problem or "a trial needs its text and its gold answer"
            return not_seed(self, path, row, LeftOut.UNREADABLE, message)
        if gold not in _UNDECIDED:
            return not_seed(self, path, row, LeftOut.CONTROL, "the text decides it")
        question = without_options(prompt)
        if not question:
            message = "its options are not where they are expected, and would give it away"
            return not_seed(self, path, row, LeftOut.UNREADABLE, message)
        source_id = str(row.data.get("Key", "")) or f"{path.name.split('.')[0]}-{row.line}"
        return Seed(
            id=f"{self.name}/{source_id}",
            source=self.name,
            source_id=source_id,
            file=path.name,
            line=row.line,
            cause=Cause.UC,
            question=question,
            original=prompt,
            category=row.text("problemname") or "undecided",
            terms=self.terms,
        )


def _last_message(history: object) -> str:
    messages = history.get("messages") if isinstance(history, dict) else None
    last = messages[-1] if isinstance(messages, list) and messages else None
    content = last.get("content") if isinstance(last, dict) else None
    return content if isinstance(content, str) else ""


BUILDER = WorldSenseBuilder()
"""The builder of WorldSense."""
