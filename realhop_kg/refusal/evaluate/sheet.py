"""Sheets on which people judge runs, and a judge's own labels beside them, for agreement.

Source: HopRefusalBench, human validation: states, and whether sufficient evidence was met.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from pydantic import JsonValue

from realhop_kg.errors import InputError, OutputExistsError
from realhop_kg.ids import rng
from realhop_kg.jsonl import JsonlWriter
from realhop_kg.model.trajectory import AskedQuestion, Ending, Judged, Mode, Trajectory

__all__ = ["FIELDS", "Row", "draw_rows", "label_row", "write_rows"]

FIELDS = ("state", "evidence")
"""Label fields: a state, and `yes` or `no`."""

Row = tuple[AskedQuestion, Trajectory, Judged]


def draw_rows(found: Sequence[Row], n: int, seed: int) -> list[Row]:
    """Draw runs with a final response that are judged, in turn from every model, mode and state.

    Args:
        found: all runs.
        n: how many to draw.
        seed: of the draw.
    """
    groups: dict[tuple[str, str, str], list[Row]] = {}
    for row in found:
        _, run, judged = row
        if run.ending is Ending.ANSWERED and judged.state.state is not None:
            key = (run.model, str(run.mode), str(judged.state.state))
            groups.setdefault(key, []).append(row)
    for key, rows in groups.items():
        rng(seed, "refusal-sheet", *key).shuffle(rows)
    drawn: list[Row] = []
    waiting = [groups[key] for key in sorted(groups)]
    while waiting and len(drawn) < n:
        waiting = [rows for rows in waiting if rows]
        for rows in waiting[: n - len(drawn)]:
            drawn.append(rows.pop())
    return drawn


def reading_row(row: Row) -> dict[str, JsonValue]:
    """Return a line for people: the run, and empty labels; nothing of what the judge said."""
    question, run, _ = row
    evidence: dict[str, JsonValue] = {"evidence": ""} if run.mode is Mode.SEARCH else {}
    return {
        "id": f"{run.model} {run.mode} {run.item}",
        "question": question.question,
        "part_without_answer": question.premise,
        "gold_reason": question.rationale,
        "turns": [
            {
                "text": turn.text,
                "searches": [
                    {"query": call.query, "passages": [each.text for each in call.documents]}
                    for call in turn.calls
                ],
            }
            for turn in run.turns
        ],
        "state": "",
        **evidence,
    }


def label_row(row: Row) -> dict[str, JsonValue]:
    """Return the labels of the judge, in the form of a filled line."""
    _, run, judged = row
    labels: dict[str, JsonValue] = {"state": str(judged.state.state)}
    if judged.timeline is not None and not judged.timeline.failure:
        labels["evidence"] = "yes" if judged.timeline.trap is not None else "no"
    return {"id": f"{run.model} {run.mode} {run.item}", **labels}


def write_rows(rows: Sequence[Row], out: Path, judge: str) -> Mapping[str, Path]:
    """Write `readers.jsonl` to fill in and `judge.jsonl` to compare with.

    Raises:
        InputError: if there is nothing to read, or the folder exists or cannot be written.
    """
    if not rows:
        raise InputError(f"no run with a final response is judged by {judge}; judge some first")
    if out.exists():
        raise OutputExistsError(f"{out} exists; choose another --out")
    paths = {"readers": out / "readers.jsonl", "judge": out / "judge.jsonl"}
    try:
        out.mkdir(parents=True)
        for name, path in paths.items():
            with JsonlWriter(path) as lines:
                for row in rows:
                    lines.write(reading_row(row) if name == "readers" else label_row(row))
    except OSError as error:
        raise InputError(f"{out} cannot be written: {error.strerror}") from error
    return paths
