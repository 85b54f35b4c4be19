"""The folder of a run: settings, items, contexts and answers, append-only and resumable.

`run.json` holds the settings, `items.jsonl` what was audited, `shortcuts.jsonl` the cues of each
question, `conditions.jsonl` what was removed for each context, `excluded.jsonl` what of the source
could not be audited, and `trials.jsonl` every answer in the order in which it came. A later record
of the same cell replaces an earlier one.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from pydantic import ValidationError

from realhop_kg.audit.plan import AuditSettings
from realhop_kg.audit.shortcuts import Shortcuts
from realhop_kg.errors import InputError
from realhop_kg.jsonl import BadLine, JsonlWriter, canonical, read_records
from realhop_kg.model.record import Record
from realhop_kg.model.run import AuditedItem, ConditionRecord, TrialRecord

__all__ = ["BadTrial", "RunFolder"]

RUN, ITEMS, CONDITIONS = "run.json", "items.jsonl", "conditions.jsonl"
TRIALS, EXCLUDED, SHORTCUTS = "trials.jsonl", "excluded.jsonl", "shortcuts.jsonl"

_GROWING = frozenset(("models", "parameters"))
"""Settings that a resumed run may extend: by models, with their own parameters."""

Kind = TypeVar("Kind", bound=Record)


@dataclass(frozen=True, slots=True)
class BadTrial:
    """A line of `trials.jsonl` that holds no answer."""

    line: int
    reason: str
    folder: str
    """Name of its run; a report may be over several."""

    @property
    def said(self) -> str:
        """The line as a finding."""
        return f"{self.folder}/{TRIALS}:{self.line}: {self.reason}"


class RunFolder:
    """One run.

    Attributes:
        folder: where it lies.
        settings: what decided it.
    """

    def __init__(self, folder: Path, settings: AuditSettings) -> None:
        self.folder = folder
        self.settings = settings

    @classmethod
    def open(cls, folder: Path) -> RunFolder:
        """Open a run for reading.

        Raises:
            InputError: if it is none, or of a newer schema.
        """
        path = folder / RUN
        try:
            data = json.loads(path.read_bytes())
            return cls(folder, AuditSettings.model_validate(data["settings"]))
        except OSError as error:
            raise InputError(
                f"{folder} is no audit run: it has no readable {RUN}; name a folder that `realhop "
                "audit --out` wrote"
            ) from error
        except (ValueError, KeyError, TypeError) as error:
            raise InputError(f"{path} cannot be read as the settings of a run: {error}") from error

    @classmethod
    def start(cls, folder: Path, settings: AuditSettings) -> RunFolder:
        """Open a run for writing: a new one, or the same one again to go on.

        Args:
            folder: the folder; made if it is missing.
            settings: must equal those that are stored, but for more models.

        Raises:
            InputError: if the folder holds something else, or a run under other settings.
        """
        if (folder / RUN).is_file():
            there = cls.open(folder)
            there._check_same(settings)
            stored = there.settings
            models = tuple(dict.fromkeys((*stored.models, *settings.models)))
            parameters = {**stored.parameters, **settings.parameters}
            settings = settings.model_copy(update={"models": models, "parameters": parameters})
        elif folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
            raise InputError(f"{folder} is not empty and no audit run; choose another --out")
        run = cls(folder, settings)
        try:
            folder.mkdir(parents=True, exist_ok=True)
            run._write_settings()
        except OSError as error:
            raise InputError(
                f"{folder} cannot be written: {error.strerror}; choose another --out"
            ) from error
        return run

    def _check_same(self, settings: AuditSettings) -> None:
        before, now = self.settings.parameters, settings.parameters
        for model in settings.models:
            if model in self.settings.models and before.get(model, {}) != now.get(model, {}):
                raise InputError(
                    f"{self.folder} holds answers of {model} with parameters "
                    f"{canonical(before.get(model, {}))}, not {canonical(now.get(model, {}))}; "
                    "resume it with the same ones, or choose another --out"
                )
        for name in AuditSettings.model_fields:
            ours, theirs = getattr(self.settings, name), getattr(settings, name)
            if name not in _GROWING and ours != theirs:
                raise InputError(
                    f"{self.folder} holds a run with {name} {_said(ours)}, not {_said(theirs)}; "
                    "resume it with the same settings, or choose another --out"
                )

    def _write_settings(self) -> None:
        content = {"schema_version": 1, "settings": self.settings.model_dump(mode="json")}
        _replace(self.folder / RUN, json.dumps(content, indent=2, ensure_ascii=False) + "\n")

    @property
    def planned(self) -> bool:
        """Whether items and contexts are stored whole."""
        return (self.folder / CONDITIONS).is_file()

    def store_plan(
        self,
        planned: Iterable[tuple[AuditedItem, Shortcuts, Iterable[ConditionRecord]]],
        excluded: Callable[[], Iterable[Record]],
    ) -> None:
        """Store what will be asked about; a kill leaves nothing half-written under its name.

        Args:
            planned: each item with its cues and contexts.
            excluded: gives what of the source is left out, asked after all items were read.
        """
        names = (ITEMS, SHORTCUTS, EXCLUDED, CONDITIONS)
        partial = {name: self.folder / f".{name}.partial" for name in names}
        with (
            JsonlWriter(partial[ITEMS]) as items,
            JsonlWriter(partial[CONDITIONS]) as contexts,
            JsonlWriter(partial[SHORTCUTS]) as cues,
            JsonlWriter(partial[EXCLUDED]) as left_out,
        ):
            for item, shortcuts, removals in planned:
                items.write(item.model_dump(mode="json"))
                cues.write(shortcuts.model_dump(mode="json"))
                for record in removals:
                    contexts.write(record.model_dump(mode="json"))
            for gone in excluded():
                left_out.write(gone.model_dump(mode="json"))
        for name in names:  # the last one says that the plan is whole
            partial[name].replace(self.folder / name)

    def items(self) -> Iterator[AuditedItem]:
        """Yield what was audited, in order."""
        return self._records(ITEMS, AuditedItem)

    def shortcuts(self) -> Iterator[Shortcuts]:
        """Yield the cues of each audited question, in order."""
        return self._records(SHORTCUTS, Shortcuts)

    def conditions(self) -> Iterator[ConditionRecord]:
        """Yield every context, in order."""
        return self._records(CONDITIONS, ConditionRecord)

    def excluded(self) -> int:
        """Return how many records of the source are left out."""
        path = self.folder / EXCLUDED
        if not path.is_file():
            return 0
        with path.open("rb") as file:
            return sum(1 for _ in file)

    def trials(self) -> Iterator[TrialRecord | BadTrial]:
        """Yield every stored answer, in the order in which it came, and lines that are none."""
        path = self.folder / TRIALS
        if not path.is_file() or not path.stat().st_size:
            return
        for record in read_records(path):
            if isinstance(record, BadLine):
                yield BadTrial(record.line, record.reason, self.folder.name)
                continue
            try:
                yield TrialRecord.model_validate(record.data)
            except ValidationError as error:
                first = error.errors()[0]
                place = ".".join(map(str, first["loc"])) or "the record"
                yield BadTrial(record.line, f"{place}: {first['msg']}", self.folder.name)

    def _records(self, name: str, kind: type[Kind]) -> Iterator[Kind]:
        path = self.folder / name
        if not path.is_file():
            raise InputError(f"{path} is missing; run `realhop audit` again to complete the run")
        if not path.stat().st_size:
            return
        for record in read_records(path):
            if isinstance(record, BadLine):
                raise InputError(f"{path}, line {record.line}: {record.reason}")
            try:
                yield kind.model_validate(record.data)
            except ValidationError as error:
                raise InputError(f"{path}, line {record.line}: {error}") from error


def _replace(path: Path, text: str) -> None:
    partial = path.with_name(f".{path.name}.partial")
    partial.write_text(text, encoding="utf-8")
    partial.replace(path)


def _said(value: object) -> str:
    if isinstance(value, tuple):
        return ", ".join(map(str, value)) or "none"
    if isinstance(value, dict):
        return canonical(value)
    return str(value)
