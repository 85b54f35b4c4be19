"""The answers of an audit run, as pages show them: by model and condition, with what was removed.

Read from `trials.jsonl` and `conditions.jsonl` of a run's folder; a later record of a cell
replaces an earlier one.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from realhop_kg.audit.context import Range
from realhop_kg.errors import InputError
from realhop_kg.graph.reasoning import ReasoningGraph
from realhop_kg.graph.views import planned_endpoints
from realhop_kg.jsonl import BadLine, read_records
from realhop_kg.view.chains import path_name

__all__ = ["Answer", "Asked", "Outcome", "Run", "grouped", "hits", "read_run"]

_TRIALS, _CONDITIONS, _SETTINGS = "trials.jsonl", "conditions.jsonl", "run.json"
_ORDER = ("full", "drop", "drop_premise", "control", "mask", "closed_book")

Key = tuple[str, str, str, str]
"""(side, ablation, condition, target)."""


@dataclass(frozen=True, slots=True)
class Answer:
    """One answer of a model."""

    model: str
    trial: int
    response: str
    """Empty where none came."""
    verdict: str
    """`correct`, `partial`, `incorrect`, or empty where there is no judgement."""
    failure: str


@dataclass(frozen=True, slots=True)
class Asked:
    """One condition of an item, with every answer to it."""

    side: str
    ablation: str
    condition: str
    target: str
    removed: tuple[Range, ...]
    """Ranges of the rendered context, in code points."""
    answers: dict[str, tuple[Answer, ...]]
    """By model, in the order of trials."""

    @property
    def name(self) -> str:
        """What people call it: `Drop h1`."""
        words = [self.condition.replace("_", " ").capitalize(), self.target]
        words += [f"({self.ablation.replace('_', ' ')})"] if self.ablation != "both" else []
        words += ["(source question)"] if self.side == "source" else []
        return " ".join(filter(None, words))


@dataclass(slots=True)
class Outcome:
    """How a model did on the constructed side of an item: right answers of all, by condition."""

    full: tuple[int, int] = (0, 0)
    drop: tuple[int, int] = (0, 0)
    control: tuple[int, int] = (0, 0)
    wrong_hits: int = 0
    """Incorrect answers that are what a planned competitor leads to."""


@dataclass(slots=True)
class Run:
    """An audit run, held by item."""

    folder: Path
    source_digest: str = ""
    """Digest of the dataset that was audited; empty where the folder does not say."""
    models: list[str] = field(default_factory=list)
    unread: list[str] = field(default_factory=list)
    """What could not be read, each with file and line."""
    _answers: dict[str, dict[Key, dict[tuple[str, int], Answer]]] = field(default_factory=dict)
    _removed: dict[str, dict[Key, tuple[Range, ...]]] = field(default_factory=dict)

    def of(self, item: str) -> tuple[Asked, ...]:
        """Return the conditions under which an item was asked, Full first."""
        held, removed = self._answers.get(item, {}), self._removed.get(item, {})
        found = []
        for key in sorted(held, key=_rank):
            cells = sorted(held[key].items())
            by_model = {
                model: tuple(answer for (name, _), answer in cells if name == model)
                for model in self.models
            }
            found.append(Asked(*key, removed=removed.get(key, ()), answers=by_model))
        return tuple(found)

    def outcomes(self, item: str, graph: ReasoningGraph) -> dict[str, Outcome]:
        """Return how each model did on an item."""
        found = {model: Outcome() for model in self.models}
        for asked in self.of(item):
            if (asked.side, asked.ablation) != ("constructed", "both"):
                continue
            for model, answers in asked.answers.items():
                judged = [answer for answer in answers if answer.verdict]
                if asked.condition in ("full", "drop", "control"):
                    right, of = getattr(found[model], asked.condition)
                    right += sum(answer.verdict == "correct" for answer in judged)
                    setattr(found[model], asked.condition, (right, of + len(judged)))
                found[model].wrong_hits += sum(
                    bool(hits(graph, answer)) for answer in judged if asked.condition == "full"
                )
        return found


def grouped(answers: Iterable[Answer]) -> list[tuple[Answer, int]]:
    """Return answers that say and are worth the same once, with how often they came."""
    found: dict[tuple[str, str, str], tuple[Answer, int]] = {}
    for answer in answers:
        key = answer.response, answer.verdict, answer.failure
        first, count = found.get(key, (answer, 0))
        found[key] = first, count + 1
    return list(found.values())


def hits(graph: ReasoningGraph, answer: Answer) -> tuple[str, ...]:
    """Return the names of the paths that lead to an incorrect answer."""
    if answer.verdict != "incorrect":
        return ()
    found = planned_endpoints(graph, answer.response)
    return tuple(dict.fromkeys(path_name(path) for path, _ in found))


def read_run(folder: Path) -> Run:
    """Read the answers of an audit run.

    A line that cannot be read is listed in `unread`; the rest goes on.

    Raises:
        InputError: if the folder holds no readable `trials.jsonl`.
    """
    if not (folder / _TRIALS).is_file():
        raise InputError(
            f"{folder} is no audit run: it has no {_TRIALS}; name a folder that `realhop audit` "
            "wrote"
        )
    run = Run(folder, _audited(folder))
    models: set[str] = set()
    for place, record in _lines(folder / _TRIALS, run.unread):
        try:
            model, trial = str(record["model"]), int(record["trial"])
            answer = Answer(
                model,
                trial,
                str(record.get("response") or ""),
                str(record.get("verdict") or ""),
                str(record.get("failure") or ""),
            )
            by_key = run._answers.setdefault(str(record["item"]), {})
            by_key.setdefault(_key(record), {})[model, trial] = answer
        except (KeyError, TypeError, ValueError) as error:
            run.unread.append(f"{place}: no answer ({error}); leave the line out")
            continue
        models.add(model)
    run.models = sorted(models)
    if (folder / _CONDITIONS).is_file():
        for place, record in _lines(folder / _CONDITIONS, run.unread):
            try:
                ranges = tuple((int(cut["start"]), int(cut["end"])) for cut in record["removed"])
                run._removed.setdefault(str(record["item"]), {})[_key(record)] = ranges
            except (KeyError, TypeError, ValueError) as error:
                run.unread.append(f"{place}: no condition ({error}); leave the line out")
    return run


def _audited(folder: Path) -> str:
    """Return the digest of the dataset that was audited, where the folder says it."""
    try:
        settings = json.loads((folder / _SETTINGS).read_bytes())["settings"]
        return str(settings["source_digest"]) if settings["form"] == "frozen" else ""
    except (OSError, ValueError, LookupError, TypeError, RecursionError):
        return ""


def _lines(path: Path, unread: list[str]) -> Iterator[tuple[str, dict[str, Any]]]:
    if not path.stat().st_size:
        return
    for record in read_records(path):
        place = f"{record.file}, line {record.line}"
        if isinstance(record, BadLine):
            unread.append(f"{place}: {record.reason}")
        elif isinstance(record.data, dict):
            yield place, record.data
        else:
            unread.append(f"{place}: no JSON object; leave the line out")


def _key(record: dict[str, Any]) -> Key:
    ablation = str(record.get("ablation") or "both")
    return str(record["side"]), ablation, str(record["condition"]), str(record.get("target") or "")


def _rank(key: Key) -> tuple[bool, bool, int, str, str, str]:
    side, ablation, condition, target = key
    place = _ORDER.index(condition) if condition in _ORDER else len(_ORDER)
    return side != "constructed", ablation != "both", place, ablation, condition, target
