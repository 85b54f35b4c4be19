"""Reads a source ranking to compare a leaderboard with: another run, or a published table.

Constructed questions of LongBench and fictional ones have no source twin, so the ranking that they
are compared with comes from elsewhere. Source: REALHOP, section 6.3 and Appendix K (Table 10).
"""

from __future__ import annotations

import csv
import math
from pathlib import Path

from realhop_kg.audit.folder import RunFolder
from realhop_kg.audit.measures.ranks import ranks
from realhop_kg.audit.reporting.boards import Board, Line, board
from realhop_kg.audit.reporting.records import read_run
from realhop_kg.errors import InputError

__all__ = ["read_board"]


def read_board(path: Path) -> Board:
    """Return the board of a run's source side, or of a table of scores.

    Args:
        path: folder of a run (its source side, else its only side), or a CSV with the columns
            `model` and `score`; scores are in percent, or all between 0 and 1.

    Raises:
        InputError: naming the line, if there is no ranking in it.
    """
    return _of_run(path) if path.is_dir() else _of_table(path)


def _of_run(path: Path) -> Board:
    run = RunFolder.open(path)
    panels = [panel for panel in read_run(run).panels if panel.ablation == "both"]
    side = "source" if any(panel.side == "source" for panel in panels) else "constructed"
    found = board([panel for panel in panels if panel.side == side])
    if found is None:
        raise InputError(f"{path} has no question that all its models answered; finish that run")
    return found.model_copy(update={"side": "source", "origin": f"the {side} side of {path.name}"})


def _of_table(path: Path) -> Board:
    scores: dict[str, float] = {}
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            rows = csv.DictReader(file)
            if not {"model", "score"} <= set(rows.fieldnames or ()):
                raise InputError(f"{path}: its first line must name the columns model and score")
            for row in rows:
                _add(scores, row, f"{path}:{rows.line_num}")
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise InputError(f"{path} cannot be read as a ranking: {error}") from error
    if len(scores) < 2:
        raise InputError(f"{path} ranks {len(scores)} models; a ranking has two or more")
    scale = 100 if max(scores.values()) > 1 else 1
    placed = ranks(scores)
    order = sorted(placed, key=lambda model: (placed[model], model))
    spread = (max(scores.values()) - min(scores.values())) / scale
    return Board(
        side="source",
        n=0,
        origin=path.name,
        lines=tuple(
            Line(
                model=model,
                trials=(scores[model] / scale,),
                average=scores[model] / scale,
                rank=placed[model],
            )
            for model in order
        ),
        trial_spreads=(spread,),
        spread=spread,
    )


def _add(scores: dict[str, float], row: dict[str, str | None], place: str) -> None:
    model, text = (row["model"] or "").strip(), (row["score"] or "").strip()
    try:
        score = float(text)
    except ValueError:
        score = math.nan
    if not model or not 0 <= score <= 100:
        raise InputError(f"{place}: write a model and a score from 0 to 100, not {text!r}")
    if model in scores:
        raise InputError(f"{place}: {model} is ranked twice; keep one line")
    scores[model] = score
