"""Batch files: what is missing goes out in the form of the OpenAI batch API, results come back in.

The key of a request is its `custom_id`, so results may come in any order and in any number of
files, and batch files, live calls and replays share one store.
"""

from __future__ import annotations

import os
from collections import Counter
from concurrent.futures import Future
from pathlib import Path
from types import TracebackType
from typing import BinaryIO, Self

from realhop_kg.errors import InputError
from realhop_kg.jsonl import canonical
from realhop_kg.llm.limits import Totals
from realhop_kg.llm.plain import PlainFiles
from realhop_kg.llm.records import ModelRequest, Reply
from realhop_kg.llm.replies import ReplyStore

__all__ = ["BatchAsker", "StoredAsker", "WaitingError"]

_MOST_LINES = 50_000
_MOST_BYTES = 190_000_000
"""What the batch API takes in one file."""

_TRIES = 2
"""Unusable results of one request before the last of them stands."""


class WaitingError(Exception):
    """A reply is not there yet; the item goes on when it has been imported."""


class StoredAsker:
    """Answers from the store alone: a replay of what came back, or a look at what is missing.

    Attributes:
        totals: what the store answered.
    """

    def __init__(self, store: ReplyStore | None, *, unusable: bool = True) -> None:
        """Prepare.

        Args:
            store: the reply store, or None if there is none yet.
            unusable: whether the latest unusable reply stands where there is no good one, as in a
                replay.
        """
        self.totals = Totals()
        self._store = store
        self._unusable = unusable

    async def ask(self, request: ModelRequest) -> Reply:
        """Return what came back for a request.

        Raises:
            WaitingError: if nothing did.
        """
        found = self._store.get(request.key) if self._store else None
        if found is None and self._unusable and self._store:
            found = next(reversed(self._store.replies(request.key)), None)
        if found is None:
            raise WaitingError(request.stage)
        self.totals.stored += 1
        return found


class BatchAsker:
    """Answers from the store, and writes what is missing to one batch file per stage.

    Attributes:
        totals: what the store answered.
        waiting: number of missing replies by stage.
        folder: where the files are.
        plain: the files of the plain form, where it is written too.
    """

    def __init__(
        self, store: ReplyStore, folder: Path, *, openai: bool = True, plain: bool = False
    ) -> None:
        """Prepare; use it in a `with` statement, which puts the files in place at its end.

        Args:
            store: opened for writing.
            folder: where the batch files are written; batch files of earlier runs are replaced,
                other files are left alone.
            openai: whether files in the form of the OpenAI batch API are written.
            plain: whether `prompts.jsonl` is written and `responses.jsonl` read.
        """
        self.totals = Totals()
        self.waiting: Counter[str] = Counter()
        self.folder = folder
        self.plain = PlainFiles(store, folder) if plain else None
        self._openai = openai
        self._store = store
        self._asked: set[str] = set()
        self._files: dict[str, _BatchFile] = {}
        self._remembered: list[Future[bool]] = []

    def __enter__(self) -> Self:
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            for old in self.folder.glob("*.jsonl"):
                if _is_batch_file(old):
                    old.unlink()
            if self.plain is not None:
                self.plain.open()
        except OSError as error:
            raise InputError(
                f"{self.folder} cannot be written: {error.strerror}; choose another --batch"
            ) from error
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        for file in self._files.values():
            file.close()
        if self.plain is not None:
            self.plain.close()
        for future in self._remembered:
            future.result()

    async def ask(self, request: ModelRequest) -> Reply:
        """Return what came back for a request.

        Raises:
            WaitingError: if nothing usable came yet; the request is then in a batch file.
        """
        known = self._store.get(request.key)
        if known is None and self._store.has_request(request.key):
            unusable = self._store.replies(request.key)
            # Who runs a model by hand has said all there is to say.
            stands = len(unusable) >= _TRIES or (unusable and unusable[-1].source == "plain")
            known = unusable[-1] if stands else None
        if known is not None:
            self.totals.stored += 1
            return known
        if request.key not in self._asked:
            self._asked.add(request.key)
            self.waiting[request.stage] += 1
            self._send(request)
        raise WaitingError(request.stage)

    def _send(self, request: ModelRequest) -> None:
        stage = request.stage or "requests"
        if self._openai:
            if stage not in self._files:
                self._files[stage] = _BatchFile(self.folder, stage)
            self._files[stage].write(request)
        if self.plain is not None:
            self.plain.write(request)
        self._remembered.append(self._store.remember(request))


class _BatchFile:
    """The batch file of one stage; a part is put in place when it is complete."""

    def __init__(self, folder: Path, stage: str) -> None:
        self._folder = folder
        self._stage = stage
        self._part = 0
        self._lines = 0
        self._bytes = 0
        self._open: BinaryIO | None = None

    @property
    def _path(self) -> Path:
        part = "" if self._part < 2 else f".{self._part}"
        return self._folder / f"{self._stage}{part}.jsonl"

    def write(self, request: ModelRequest) -> None:
        line = canonical(batch_line(request)).encode() + b"\n"
        full = self._lines >= _MOST_LINES or self._bytes + len(line) > _MOST_BYTES
        if self._open is None or full:
            self.close()
            self._part += 1
            self._lines = self._bytes = 0
            self._open = self._path.with_suffix(".partial").open("wb")
        self._open.write(line)
        self._lines += 1
        self._bytes += len(line)

    def close(self) -> None:
        if self._open is not None:
            self._open.close()
            self._path.with_suffix(".partial").replace(self._path)
            self._open = None


def _is_batch_file(path: Path) -> bool:
    """Return whether a file is one that a run wrote here, and no result that a user keeps."""
    with path.open("rb") as file:
        return file.readline(32).startswith(b'{"body":') and b'"method":"POST"' in _tail(file)


def _tail(file: BinaryIO) -> bytes:
    file.seek(0, os.SEEK_END)
    file.seek(max(0, file.tell() - 200))
    return file.read()


def batch_line(request: ModelRequest) -> dict[str, object]:
    """Return a request as a line of a batch file."""
    return {
        "custom_id": request.key,
        "method": "POST",
        "url": "/v1/chat/completions",
        "body": {
            "model": request.model.removeprefix("openai/"),
            "messages": [message.sent() for message in request.messages],
            **request.parameters,
        },
    }
