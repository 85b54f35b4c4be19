"""Writes questions without an answer as a site: chains of hyperlinks, or Drops of REALHOP items."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from realhop_kg.freeze.manifest import Manifest
from realhop_kg.model.refusal_item import (
    REFUSAL_CONTRACTS,
    LeftOutSeed,
    RefusalCode,
    RefusalFigures,
    RefusalItem,
)
from realhop_kg.model.trajectory import State
from realhop_kg.refusal.evaluate.settings import Arm
from realhop_kg.refusal.reader import RefusalDataset
from realhop_kg.view.charts import Bar, Chart, Drawn, drawn
from realhop_kg.view.files import file_name
from realhop_kg.view.refusal_page import CHAIN_SCRIPTS, refusal_page
from realhop_kg.view.runs import MODES, STATES, ShownRun, ShownRuns
from realhop_kg.view.site import Column, Filter, Progress, SiteSummary, Table, write_folder
from realhop_kg.view.soundness import differing

__all__ = ["left_out_chart", "meaning", "write_refusal_site"]


def write_refusal_site(
    dataset: RefusalDataset,
    out: Path,
    force: bool = False,
    runs: ShownRuns | None = None,
    progress: Progress = lambda done, total: None,
) -> SiteSummary:
    """Write the site of a dataset of refusal questions and return what it holds.

    Args:
        dataset: the dataset.
        out: the folder to write.
        force: whether a site that stands there is replaced.
        runs: runs of models on it, if there are any.
        progress: told (questions done, questions in all).

    Raises:
        InputError: if the dataset cannot be read, or the folder cannot be written.
    """
    return write_folder(_Chains(dataset, runs, progress), out, force)


def meaning(code: str) -> str:
    """Return what a code of left-out questions holds, where it is known."""
    return REFUSAL_CONTRACTS[RefusalCode(code)] if code in list(RefusalCode) else ""


def left_out_chart(codes: Counter[str], what: str) -> Chart:
    """Return the chart of what gave no question, by code."""
    bars = []
    for code, count in sorted(codes.items(), key=lambda entry: (-entry[1], entry[0])):
        held = meaning(code)
        told = f"{count}: broken is “{held}”" if held else str(count)
        bars.append(Bar(code, (("source", count),), told))
    return Chart("Left out by code", what, tuple(bars))


class _Chains:
    """The contents of the site of a dataset of chains."""

    models = ()
    scripts = CHAIN_SCRIPTS

    def __init__(self, dataset: RefusalDataset, runs: ShownRuns | None, progress: Progress) -> None:
        self.failed: list[str] = []
        self.differs = differing(dataset.folder)
        self._dataset, self._runs, self._progress = dataset, runs, progress
        self._states: list[Counter[str]] = [Counter() for _ in self._arms]
        self._seen: dict[int, set[str]] = {place: set() for place in (3, 4, 5, 8)}
        self._codes: Counter[str] = Counter()

    @property
    def _arms(self) -> list[Arm]:
        return self._runs.arms if self._runs else []

    @property
    def manifest(self) -> Manifest:
        """What the dataset says of itself."""
        return self._dataset.manifest

    def rows(self, folder: Path) -> Iterator[list[Any]]:
        """Yield the row of each question, and write its page into a folder."""
        total = self.manifest.counts.constructed
        for number, item in enumerate(self._dataset.items(), 1):
            name = f"{number:05d}-{file_name(item.id)}.html"
            runs = self._runs.of(item.id) if self._runs else ()
            content = refusal_page(item, runs, site="..", differs=self.differs)
            (folder / name).write_bytes(content.encode())
            row = _row(item, name, runs)
            for counted, one in zip(self._states, runs, strict=True):
                counted[one.word] += 1
            for place, values in self._seen.items():
                values.add(str(row[place]))
            yield row
            self._progress(number, total)

    def excluded_rows(self) -> Iterator[list[Any]]:
        """Yield the row of each use of a seed that gave no question."""
        for left in self._dataset.left_out():
            self._codes[str(left.code)] += 1
            yield _left_out_row(left)

    def said(self) -> str:
        """Return what stands at the top."""
        counts = self.manifest.counts
        places = ", ".join(f"{name} {count}" for name, count in counts.topologies.items())
        return (
            f"{counts.constructed} questions that have no answer, set into chains of hyperlinks "
            f"({places or 'none'}); {counts.excluded} uses of a seed gave none.{self._asked()}"
        )

    def _asked(self) -> str:
        if not self._runs:
            return ""
        models = len({arm.model for arm in self._arms})
        judged = f"judged by {self._runs.judge}" if self._runs.judge else "not judged"
        return f" Runs of {models} model{'' if models == 1 else 's'}, {judged}."

    def tables(self) -> tuple[Table, Table]:
        """Return how questions, and seeds that gave none, are shown."""
        seen = {place: tuple(sorted(values)) for place, values in self._seen.items()}
        codes = tuple(sorted(self._codes))
        states = [_state_column(arm, at) for at, arm in enumerate(self._arms, _FIRST_STATE)]
        by_state = [
            Filter(
                f"state-{at}",
                f"State of {told.head}",
                told.at,
                tuple(sorted(seen_states)),
                head=True,
            )
            for at, (told, seen_states) in enumerate(zip(states, self._states, strict=True))
        ]
        return (
            Table(
                columns=(
                    Column("item", 1, "c-id"),
                    Column("cause", 3, "c-paths", bold=True, told="AU, FP or UC"),
                    Column("topology", 4, "c-v", told="where the unanswerable step stands"),
                    Column("depth", 5, "c-paths", told="steps, the unanswerable one included"),
                    Column("breaks at", 6, "c-v"),
                    Column("question", 2),
                    Column("why there is no answer", 9, "c-wide"),
                    Column("seed of", 8, "c-v"),
                    *states,
                ),
                search=(1, 2, 7, 9),
                filters=(
                    Filter("cause", "cause", 3, seen[3]),
                    Filter("topology", "topology", 4, seen[4]),
                    Filter("depth", "depth", 5, seen[5]),
                    Filter("source", "seed of", 8, seen[8]),
                    *by_state,
                ),
            ),
            Table(
                columns=(
                    Column("seed", 1, "c-id"),
                    Column("code", 2, "c-v", bold=True),
                    Column("cause", 3, "c-paths"),
                    Column("as", 4, "c-shape"),
                    Column("question", 5),
                    Column("why", 6),
                ),
                search=(1, 5, 6),
                filters=(Filter("code", "code", 2, codes),),
                detail=(
                    ("code", 2),
                    ("wanted", 7),
                    ("why", 6),
                    ("cause", 3),
                    ("as", 4),
                    ("question", 5),
                    ("from", 8),
                ),
            ),
        )

    def charts(self) -> Iterable[Drawn]:
        """Return the charts of what was built, of its seeds, and of what was left out."""
        figures = RefusalFigures.model_validate(self.manifest.config)
        note = "Uses of a seed that gave no question: the code of what did not hold."
        states = _state_chart(self._arms, self._states)
        every = (states, _cells(figures), _seeds(figures), _draws(figures))
        charts = (*every, left_out_chart(self._codes, note))
        return [drawn(chart) for chart in charts if chart.bars]


def _row(item: RefusalItem, name: str, runs: Sequence[ShownRun]) -> list[Any]:
    return [
        f"items/{name}",
        item.id,
        item.question,
        str(item.cause),
        str(item.topology),
        item.depth,
        f"step {item.broken_step}",
        item.starts_from,
        item.chain.defect.source,
        item.rationale,
        *(one.word for one in runs),
    ]


_FIRST_STATE = 10
"""Place in a row of the first state of a run."""


def _state_column(arm: Arm, at: int) -> Column:
    return Column(f"{arm.model}, {MODES[arm.mode]}", at, "c-state", bold=True, told=_STATES_TOLD)


_STATES_TOLD = "; ".join(f"{state} {meaning}" for state, meaning in STATES.items())


def _state_chart(arms: Sequence[Arm], states: Sequence[Counter[str]]) -> Chart:
    """Return the chart of what each model did in each mode."""
    bars = []
    for arm, counted in zip(arms, states, strict=True):
        right, drift = counted[State.TACH], counted[State.SHD]
        rest = sum(counted[state] for state in State) - right - drift
        parts = (("gold", right), ("defect", drift), ("suffix", rest))
        told = ", ".join(f"{word} {count}" for word, count in sorted(counted.items()))
        bars.append(Bar(f"{arm.model}, {MODES[arm.mode]}", parts, told))
    note = f"Questions by state: TACH (blue), SHD (pink), other states (dashed). {_STATES_TOLD}."
    return Chart("States by model and mode", note, tuple(bars))


def _left_out_row(left: LeftOutSeed) -> list[Any]:
    place = f"{left.topology}, depth {left.depth}" if left.topology else "any place"
    code = str(left.code)
    return [
        "",
        left.id,
        code,
        str(left.cause),
        place,
        left.question,
        left.message,
        meaning(code),
        left.source,
    ]


def _cells(figures: RefusalFigures) -> Chart:
    """Return the chart of questions filled and wanted, by cause, topology and depth."""
    bars = []
    for name, cell in figures.cells.items():
        wanted, filled = cell.get("wanted", 0), cell.get("filled", 0)
        parts = (("gold", filled), ("source", max(0, wanted - filled)))
        cause, topology, depth = (*name.split(":"), "", "")[:3]
        bars.append(Bar(f"{cause} {topology}, depth {depth}", parts, f"{filled} of {wanted}"))
    note = "Questions (blue) of those wanted, by cause, topology and depth."
    return Chart("Yield by cell", note, tuple(bars))


def _seeds(figures: RefusalFigures) -> Chart:
    bars = []
    for name, source in figures.sources.items():
        rest = max(0, source.linked - source.questions), max(0, source.read - source.linked)
        parts = (("gold", source.questions), ("suffix", rest[0]), ("source", rest[1]))
        barred = f", {source.barred} left out by terms" if source.barred else ""
        told = f"{source.questions} questions, {source.linked} linked of {source.read}{barred}"
        bars.append(Bar(name, parts, told))
    note = "Seeds that gave a question (blue), that have a page (dashed), and the others."
    return Chart("Seeds by source", note, tuple(bars))


def _draws(figures: RefusalFigures) -> Chart:
    bars = []
    for code, count in sorted(figures.draws.items(), key=lambda entry: (-entry[1], entry[0])):
        held = meaning(code)
        told = f"{count}: broken is “{held}”" if held else str(count)
        bars.append(Bar(code, (("gold" if code == "kept" else "source", count),), told))
    return Chart("Draws", "Walks that were tried, by what became of them.", tuple(bars))
