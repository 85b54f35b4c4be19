"""The runs of models on questions without an answer, as pages show them: by model and mode.

Read from a folder of `realhop refusal run`; trajectories wait in a temporary file until the page of
their question is written, since a folder of runs may be larger than memory.
"""

from __future__ import annotations

import json
import tempfile
import weakref
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from realhop_kg.appending import BadRecord, read_lines
from realhop_kg.jsonl import canonical
from realhop_kg.model.trajectory import CallFault, Ending, Judged, Mode, State, Trajectory
from realhop_kg.refusal.evaluate.folder import JUDGED, TRAJECTORIES, RefusalRun
from realhop_kg.refusal.evaluate.settings import Arm, trajectory_digest
from realhop_kg.refusal.evaluate.timeline import After, MeasureSettings, after

__all__ = ["FAULTS", "MODES", "NOT_ASKED", "NOT_JUDGED", "STATES", "ShownRun", "ShownRuns"]

STATES = {
    State.TACH: "target-aware correct halting",
    State.PPH: "prefix premature halting",
    State.WRH: "wrong-rationale halting",
    State.URH: "uninformative-rationale halting",
    State.SHD: "suffix hallucination drift",
    State.SEH: "search-exhausted halting",
}
"""What each state is called."""

MODES = {Mode.PLAIN: "no search", Mode.SEARCH: "search"}

NOT_ASKED, NOT_JUDGED, NO_STATE = "not asked", "not judged", "no state"

FAULTS = {
    CallFault.ARGUMENTS: "malformed arguments",
    CallFault.TOOL: "no such tool",
    CallFault.QUERY: "empty query",
    CallFault.BUDGET: "the budget was used up",
}
"""Why a call was not served, in words."""

_ENDINGS = {
    Ending.ANSWERED: "a final response",
    Ending.EXHAUSTED: "no final response: the search budget is used up",
    Ending.NO_RESPONSE: "neither text nor call",
    Ending.TRUNCATED: "a message that was cut off",
    Ending.FILTERED: "a message that was withheld",
    Ending.FAILED: "a fault: the model could not be asked",
}

Name = tuple[str, Mode]
"""(model, mode)."""


@dataclass(frozen=True, slots=True)
class ShownRun:
    """One run of a model on a question, with what a judge says of it."""

    arm: Arm
    run: Trajectory | None
    """None where the question is not asked yet."""
    judged: Judged | None
    """None where the run is not judged."""
    note: str = ""
    """What else is to be said."""

    @property
    def mode(self) -> str:
        """Whether it could search, in words."""
        return MODES[self.arm.mode]

    @property
    def state(self) -> State | None:
        """What the model did, where that is known."""
        return self.judged.state.state if self.judged else None

    @property
    def word(self) -> str:
        """The state, or why there is none, as a table has it."""
        if self.run is None:
            return NOT_ASKED
        if self.judged is None:
            return NOT_JUDGED
        return str(self.state) if self.state else NO_STATE

    @property
    def meaning(self) -> str:
        """What the state is called."""
        return STATES[self.state] if self.state else ""

    @property
    def ending(self) -> str:
        """How the run ended, in words."""
        if self.run is None:
            return ""
        told = _ENDINGS[self.run.ending]
        return f"{told} ({self.run.failure})" if self.run.failure else told

    @property
    def trap(self) -> int | None:
        """The turn with sufficient evidence (T_trap)."""
        timeline = self.judged.timeline if self.judged else None
        return timeline.trap if timeline else None

    @property
    def later(self) -> After | None:
        """The accounting turn (A) and what comes after it; None without evidence, and for SEH."""
        timeline = self.judged.timeline if self.judged else None
        if self.run is None or timeline is None or self.state is State.SEH:
            return None
        return after(self.run, timeline, MeasureSettings())


class ShownRuns:
    """A folder of runs, held by question.

    Attributes:
        folder: where it lies.
        judge: whose judgements; empty where nobody judged.
        arms: models and modes: models in the order in which they were asked, without search first.
        dataset_digest: digest of the dataset whose questions were asked.
        unread: stored lines that could not be read.
    """

    def __init__(self, run: RefusalRun, judge: str) -> None:
        self.folder: Path = run.folder
        self.judge = judge
        self.dataset_digest = run.settings.dataset_digest
        self.unread: list[BadRecord] = []
        models = list(dict.fromkeys(arm.model for arm in run.settings.arms))
        modes = list(Mode)
        self.arms = sorted(
            run.settings.arms, key=lambda arm: (models.index(arm.model), modes.index(arm.mode))
        )
        # Closed with the last use of this: pages are written long after it is opened.
        self._file: IO[bytes] = tempfile.TemporaryFile()  # noqa: SIM115
        weakref.finalize(self, self._file.close)
        self._runs: dict[str, dict[Name, tuple[int, int]]] = {}
        self._judged: dict[str, dict[Name, Judged]] = {}
        self._read()

    def _read(self) -> None:
        for run in self._sound_runs():
            line = canonical(run.model_dump(mode="json")).encode()
            held = self._runs.setdefault(run.item, {})
            held[run.model, run.mode] = self._file.tell(), len(line)
            self._file.write(line)
        for each in read_lines(self.folder / JUDGED, Judged):
            if isinstance(each, BadRecord):
                self.unread.append(each)
            elif each.judge == self.judge:
                self._judged.setdefault(each.item, {})[each.model, each.mode] = each

    def _sound_runs(self) -> Iterator[Trajectory]:
        for each in read_lines(self.folder / TRAJECTORIES, Trajectory):
            if isinstance(each, BadRecord):
                self.unread.append(each)
            else:
                yield each

    def of(self, item: str) -> tuple[ShownRun, ...]:
        """Return the last run of every model and mode on a question."""
        return tuple(self._shown(item, arm) for arm in self.arms)

    def _shown(self, item: str, arm: Arm) -> ShownRun:
        place = self._runs.get(item, {}).get((arm.model, arm.mode))
        if place is None:
            return ShownRun(arm, None, None)
        self._file.seek(place[0])
        data = json.loads(self._file.read(place[1]))
        run = Trajectory.model_validate(data)
        judged = self._judged.get(item, {}).get((arm.model, arm.mode))
        if judged is None:
            return ShownRun(arm, run, None)
        if judged.trajectory != trajectory_digest(data):
            note = "it was run again after it was judged; `realhop refusal judge` judges it anew"
            return ShownRun(arm, run, None, note)
        return ShownRun(arm, run, judged)
