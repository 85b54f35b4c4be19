"""The folder of refusal runs: settings, questions, trajectories, judgements; resumable.

`run.json` holds the settings of every model and mode, `questions.jsonl` what was asked,
`trajectories.jsonl` every run turn by turn, `searches.jsonl` what was found for each query,
`judged.jsonl` what judges said. The last three only grow; a later record replaces an earlier one.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import TypeVar

from realhop_kg.appending import BadRecord, read_lines
from realhop_kg.errors import InputError
from realhop_kg.jsonl import JsonlWriter
from realhop_kg.model.record import Record
from realhop_kg.model.trajectory import AskedQuestion, Judged, Mode, Trajectory
from realhop_kg.refusal.evaluate.settings import Arm, RunSettings

__all__ = ["RefusalRun"]

RUN, QUESTIONS, TRAJECTORIES = "run.json", "questions.jsonl", "trajectories.jsonl"
SEARCHES, JUDGED, REPLIES = "searches.jsonl", "judged.jsonl", "replies.sqlite"


Kind = TypeVar("Kind", bound=Record)


class RefusalRun:
    """One folder of runs.

    Attributes:
        folder: where it lies.
        settings: what decided it.
        bad: stored lines that could not be read, as far as they were met.
    """

    def __init__(self, folder: Path, settings: RunSettings) -> None:
        self.folder, self.settings = folder, settings
        self.bad: list[BadRecord] = []

    @classmethod
    def open(cls, folder: Path) -> RefusalRun:
        """Open a folder for reading.

        Raises:
            InputError: if it is no such folder.
        """
        path = folder / RUN
        try:
            data = json.loads(path.read_bytes())
            return cls(folder, RunSettings.model_validate(data["settings"]))
        except OSError as error:
            raise InputError(
                f"{folder} holds no refusal runs: it has no readable {RUN}; name a folder that "
                "`realhop refusal run --out` wrote"
            ) from error
        except (ValueError, KeyError, TypeError, RecursionError) as error:
            raise InputError(
                f"{path} does not hold the settings of refusal runs; name a folder that `realhop "
                "refusal run --out` wrote (an audit's goes to --audit)"
            ) from error

    @classmethod
    def start(
        cls, folder: Path, settings: RunSettings, arm: Arm, questions: list[AskedQuestion]
    ) -> RefusalRun:
        """Open a folder for writing: a new one, or one of the same dataset.

        Args:
            folder: made if it is missing.
            settings: of the dataset, without arms.
            arm: model and mode that are asked now; one that is there must have been asked alike.
            questions: of the dataset.

        Raises:
            InputError: if the folder holds something else, or was begun under other settings.
        """
        arms: tuple[Arm, ...] = ()
        if (folder / RUN).is_file():
            there = cls.open(folder)
            _check_same(folder, there.settings, settings, arm)
            arms = there.settings.arms
        elif folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
            raise InputError(
                f"{folder} is not empty and holds no refusal runs; choose another --out"
            )
        kept = [each for each in arms if each.name != arm.name]
        place = next((at for at, each in enumerate(arms) if each.name == arm.name), len(kept))
        kept.insert(place, arm)
        run = cls(folder, settings.model_copy(update={"arms": tuple(kept)}))
        try:
            folder.mkdir(parents=True, exist_ok=True)
            if not (folder / QUESTIONS).is_file():
                _write_questions(folder / QUESTIONS, questions)
            run._write_settings()
        except OSError as error:
            raise InputError(f"{folder} cannot be written: {error.strerror}") from error
        return run

    def _write_settings(self) -> None:
        content = {"schema_version": 1, "settings": self.settings.model_dump(mode="json")}
        partial = self.folder / f".{RUN}.partial"
        partial.write_text(
            json.dumps(content, indent=2, ensure_ascii=False) + "\n", encoding="utf-8"
        )
        partial.replace(self.folder / RUN)

    def withdraw(self, model: str, mode: Mode) -> None:
        """Take back a model in a mode that was never run: a wrong name, say, or wrong settings.

        The folder stays, with whatever replies it holds; a later run goes on in it.
        """
        there = RefusalRun.open(self.folder).settings
        kept = tuple(each for each in there.arms if (each.model, each.mode) != (model, mode))
        self.settings = there.model_copy(update={"arms": kept})
        self._write_settings()

    def questions(self) -> list[AskedQuestion]:
        """Return what was asked, in the order of the dataset."""
        return list(self._sound(read_lines(self.folder / QUESTIONS, AskedQuestion)))

    def trajectories(self, model: str, mode: Mode) -> dict[str, Trajectory]:
        """Return the last stored run of a model in a mode on every question."""
        return {
            each.item: each
            for each in self._sound(read_lines(self.folder / TRAJECTORIES, Trajectory))
            if (each.model, each.mode) == (model, mode)
        }

    def judged(self, model: str, mode: Mode, judge: str) -> dict[str, Judged]:
        """Return the last judgement by question of a judge on a model in a mode."""
        return {
            each.item: each
            for each in self._sound(read_lines(self.folder / JUDGED, Judged))
            if (each.model, each.mode, each.judge) == (model, mode, judge)
        }

    def judges(self) -> list[str]:
        """Return the judges that said anything, in the order in which they first did."""
        found = self._sound(read_lines(self.folder / JUDGED, Judged))
        return list(dict.fromkeys(each.judge for each in found))

    def _sound(self, found: Iterator[Kind | BadRecord]) -> Iterator[Kind]:
        for each in found:
            if not isinstance(each, BadRecord):
                yield each
            elif each not in self.bad:
                self.bad.append(each)


def _write_questions(path: Path, questions: list[AskedQuestion]) -> None:
    partial = path.with_name(f".{path.name}.partial")
    with JsonlWriter(partial) as lines:
        for question in questions:
            lines.write(question.model_dump(mode="json"))
    partial.replace(path)


def _check_same(folder: Path, there: RunSettings, now: RunSettings, arm: Arm) -> None:
    for name in ("dataset_digest", "limit", "template"):
        ours, theirs = getattr(there, name), getattr(now, name)
        if ours != theirs:
            raise InputError(
                f"{folder} holds runs with {name} {ours}, not {theirs}; go on with the same "
                "dataset, or choose another --out"
            )
    known = next((each for each in there.arms if each.name == arm.name), None)
    if known is not None and known.decides != arm.decides:
        one, other = known.decides, arm.decides
        name = next(each for each in one if one[each] != other[each])
        raise InputError(
            f"{folder} holds runs of {arm.name} with {name} {one[name]}, not {other[name]}; go on "
            "with the same settings, or choose another --out"
        )
