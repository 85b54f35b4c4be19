"""Batch files: what is missing goes out in the form of the OpenAI batch API, results come back in.

The key of a request is its `custom_id`, so results may come in any order and in any number of
files, and batch files, live calls and replays share one store.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping
from concurrent.futures import Future
from pathlib import Path
from types import TracebackType
from typing import BinaryIO, Self

from pydantic import Field, ValidationError

from realhop_kg.errors import InputError
from realhop_kg.jsonl import BadLine, RawRecord, canonical, read_records
from realhop_kg.llm.limits import Totals
from realhop_kg.llm.records import Attempt, ModelRequest, Reply, ReplyStatus
from realhop_kg.llm.replies import ReplyStore
from realhop_kg.model.record import Record

__all__ = ["BatchAsker", "ImportReport", "StoredAsker", "WaitingError", "import_results"]

_MOST_LINES = 50_000
_MOST_BYTES = 190_000_000
"""What the batch API takes in one file."""

_TRIES = 2
"""Unusable results of one request before the last of them stands."""

_REPORTED = 20
"""Lines that a report tells in full."""


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
    """

    def __init__(self, store: ReplyStore, folder: Path) -> None:
        """Prepare; use it in a `with` statement, which puts the files in place at its end.

        Args:
            store: opened for writing.
            folder: where the batch files are written; files of earlier runs are replaced.
        """
        self.totals = Totals()
        self.waiting: Counter[str] = Counter()
        self._store = store
        self._folder = folder
        self._asked: set[str] = set()
        self._files: dict[str, _BatchFile] = {}
        self._remembered: list[Future[bool]] = []

    def __enter__(self) -> Self:
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            for old in self._folder.glob("*.jsonl"):
                old.unlink()
        except OSError as error:
            raise InputError(f"{self._folder} cannot be written: {error.strerror}") from error
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        for file in self._files.values():
            file.close()
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
            known = unusable[-1] if len(unusable) >= _TRIES else None
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
        if stage not in self._files:
            self._files[stage] = _BatchFile(self._folder, stage)
        self._files[stage].write(request)
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


def batch_line(request: ModelRequest) -> dict[str, object]:
    """Return a request as a line of a batch file."""
    return {
        "custom_id": request.key,
        "method": "POST",
        "url": "/v1/chat/completions",
        "body": {
            "model": request.model.removeprefix("openai/"),
            "messages": [message.model_dump() for message in request.messages],
            **request.parameters,
        },
    }


class ImportReport(Record):
    """What became of the lines of result files."""

    imported: int = 0
    """Good replies that were new."""
    duplicates: int = 0
    """Good replies to requests that had one."""
    unusable: int = 0
    """Results that were cut off, filtered, empty or failed; kept, to be asked again."""
    unknown: int = 0
    """Results to requests that the store does not know."""
    bad: int = 0
    """Lines that are no results."""
    told: tuple[str, ...] = Field(default_factory=tuple)
    """What is wrong, line by line, the first of each file."""


def import_results(store: ReplyStore, paths: Iterable[Path]) -> ImportReport:
    """Take results of the batch API, or the lines of `realhop replies export`, into the store.

    Args:
        store: opened for writing.
        paths: files in any order, complete or not.

    Raises:
        InputError: if a file cannot be read at all.
    """
    counts: Counter[str] = Counter()
    told: list[str] = []
    pending: list[tuple[Future[bool], bool]] = []
    for path in paths:
        for line in read_records(path):
            if isinstance(line, BadLine):
                counts["bad"] += 1
                told.append(f"{line.file} line {line.line}: {line.reason}")
                continue
            for request, reply, problem in _results(store, line):
                if problem:
                    counts["unknown" if request is None and reply is not None else "bad"] += 1
                    told.append(f"{line.file} line {line.line}: {problem}")
                elif request is not None and reply is not None:
                    pending.append((store.put(request, reply), reply.good))
                    if not reply.good:
                        outcome = reply.attempts[-1].outcome if reply.attempts else reply.status
                        told.append(f"{line.file} line {line.line}: {reply.status}: {outcome}")
    for future, good in pending:
        new = future.result()
        counts["unusable" if not good else "imported" if new else "duplicates"] += 1
    more = len(told) - _REPORTED
    if more > 0:
        told = [*told[:_REPORTED], f"and {more} more"]
    return ImportReport(**counts, told=tuple(told))


_Result = tuple[ModelRequest | None, Reply | None, str]


def _results(store: ReplyStore, line: RawRecord) -> list[_Result]:
    data = line.data
    if isinstance(data, dict) and isinstance(data.get("request"), dict):
        return _from_export(data)
    if not isinstance(data, dict) or not isinstance(data.get("custom_id"), str):
        return [(None, None, "no custom_id; give files that the batch API returned")]
    key = data["custom_id"]
    try:
        reply = _from_batch(key, data)
    except (ValueError, TypeError, AttributeError, LookupError) as error:
        return [(None, None, f"custom_id {key[:16]}: no answer in the form of the API: {error}")]
    if not store.has_request(key):
        return [(None, reply, f"custom_id {key[:16]} is no request of {store.path}; left out")]
    return [(store.request(key), reply, "")]


def _from_export(data: Mapping[str, object]) -> list[_Result]:
    try:
        request = ModelRequest.model_validate(data["request"])
        replies = data.get("replies")
        found = (
            [Reply.model_validate(each) for each in replies] if isinstance(replies, list) else []
        )
    except ValidationError as error:
        first = error.errors()[0]
        return [(None, None, f"no exported reply: {first['loc']}: {first['msg']}")]
    if any(reply.key != request.key for reply in found):
        return [(None, None, "the replies are to another request than the line says; left out")]
    return [(request, reply, "") for reply in found]


def _from_batch(key: str, data: Mapping[str, object]) -> Reply:
    """Return the reply of a result line; an error row is a failed one.

    Raises:
        ValueError, TypeError, AttributeError, LookupError: if the line has another form.
    """
    response = data.get("response")
    raw = canonical(dict(data))
    body = response.get("body") if isinstance(response, dict) else None
    code = response.get("status_code", 200) if isinstance(response, dict) else 0
    error = data.get("error") or (body.get("error") if isinstance(body, dict) else None)
    if error or not isinstance(body, dict) or not isinstance(code, int) or code >= 400:
        said = json.dumps(error, ensure_ascii=False)[:300] if error else f"status {code}"
        attempt = Attempt(outcome=f"batch: {said}", seconds=0)
        return Reply(
            key=key, status=ReplyStatus.FAILED, attempts=(attempt,), source="batch", raw=raw
        )
    choice = body["choices"][0] if body["choices"] else {}
    text = choice.get("message", {}).get("content") or ""
    finish = choice.get("finish_reason") or ""
    usage = body.get("usage") or {}
    return Reply(
        key=key,
        status=ReplyStatus.of(text, finish),
        text=text,
        finish_reason=finish,
        model=body.get("model") or "",
        prompt_tokens=usage.get("prompt_tokens"),
        completion_tokens=usage.get("completion_tokens"),
        source="batch",
        raw=raw,
    )
