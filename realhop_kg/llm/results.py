"""Takes results of the batch API, and exports of other stores, into the reply store."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping
from concurrent.futures import Future
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from realhop_kg.jsonl import BadLine, RawRecord, canonical, read_records
from realhop_kg.llm.records import (
    REFUSED,
    WITHHELD,
    Attempt,
    ModelRequest,
    Reply,
    ReplyStatus,
    text_digest,
)
from realhop_kg.llm.replies import ReplyStore
from realhop_kg.model.record import Record

__all__ = ["ImportReport", "import_results"]

_LASTING = (400, 413, 422)
"""Status codes of a request that would fail again."""

_REPORTED = 20
"""Lines that a report tells in full."""


class ImportReport(Record):
    """What became of the lines of result files."""

    imported: int = 0
    """Good replies that were new."""
    duplicates: int = 0
    """Good replies to requests that had one, and unusable results that were there already."""
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
    unusable: set[tuple[str, str]] = set()
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
                    if not reply.good and _seen(store, line, reply, unusable):
                        counts["duplicates"] += 1
                        continue
                    pending.append((store.put(request, reply), reply.good))
                    if not reply.good:
                        told.append(f"{line.file} line {line.line}: {_why(reply)}")
    for future, good in pending:
        new = future.result()
        counts["unusable" if not good else "imported" if new else "duplicates"] += 1
    more = len(told) - _REPORTED
    if more > 0:
        told = [*told[:_REPORTED], f"and {more} more"]
    return ImportReport(**counts, told=tuple(told))


class _Part(BaseModel):
    """Part of an answer of the API; what the store does not read may have any form."""

    model_config = ConfigDict(extra="ignore", strict=True)


class _Message(_Part):
    content: str | None = None
    tool_calls: list[object] | None = None


class _Choice(_Part):
    message: _Message | None = None
    finish_reason: str | None = None


class _Usage(_Part):
    prompt_tokens: int | None = None
    completion_tokens: int | None = None


class _Answer(_Part):
    choices: list[_Choice] | None = None
    model: str | None = None
    usage: _Usage | None = None


_Result = tuple[ModelRequest | None, Reply | None, str]


def _why(reply: Reply) -> str:
    if reply.attempts:
        return f"{reply.status}: {reply.attempts[-1].outcome}"
    return f"{reply.status}: finish reason {reply.finish_reason or 'not given'}"


def _seen(store: ReplyStore, line: RawRecord, reply: Reply, before: set[tuple[str, str]]) -> bool:
    """Return whether this very result came before: a file taken in twice is no second try.

    Args:
        store: the reply store.
        line: the line; the API gives each result an id, and lines without one are all new.
        reply: the unusable reply in it.
        before: key and raw answer of those of this import; it is added.
    """
    if not isinstance(line.data, dict) or not line.data.get("id"):
        return False
    mark = reply.key, text_digest(reply.raw)
    if mark in before:
        return True
    before.add(mark)
    return any(each.raw == reply.raw for each in store.replies(reply.key))


def _results(store: ReplyStore, line: RawRecord) -> list[_Result]:
    data = line.data
    if isinstance(data, dict) and isinstance(data.get("request"), dict):
        return _from_export(data)
    if not isinstance(data, dict) or not isinstance(data.get("custom_id"), str):
        return [(None, None, "no custom_id; give files that the batch API returned")]
    key = data["custom_id"]
    request = store.request(key) if store.has_request(key) else None
    try:
        reply = _from_batch(key, data, bool(request and request.parameters.get("tools")))
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(map(str, ("response", "body", *first["loc"])))
        wrong = "should be an object" if first["type"] == "model_type" else first["msg"]
        return [(None, None, f"custom_id {key[:16]}: {place}: {wrong}")]
    if request is None:
        return [(None, reply, f"custom_id {key[:16]} is no request of {store.path}; left out")]
    return [(request, reply, "")]


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


def _from_batch(key: str, data: Mapping[str, object], tools: bool) -> Reply:
    """Return the reply of a result line; an error row is a failed one.

    Args:
        key: key of the request.
        data: the line.
        tools: whether the request offers tools; else a call of one is no reply.

    Raises:
        ValidationError: if the answer has another form than the API gives.
    """
    response = data.get("response")
    raw = canonical(dict(data))
    body = response.get("body") if isinstance(response, dict) else None
    code = response.get("status_code", 200) if isinstance(response, dict) else 0
    error = data.get("error") or (body.get("error") if isinstance(body, dict) else None)
    if error or not isinstance(body, dict) or not isinstance(code, int) or code >= 400:
        said = json.dumps(error, ensure_ascii=False)[:300] if error else f"no answer, status {code}"
        filtered = isinstance(error, dict) and error.get("code") in WITHHELD
        refused = f"{REFUSED}: " if code in _LASTING and not filtered else ""
        return Reply(
            key=key,
            status=ReplyStatus.FILTERED if filtered else ReplyStatus.FAILED,
            attempts=(Attempt(outcome=f"batch: {refused}{said}", seconds=0),),
            source="batch",
            raw=raw,
        )
    answer = _Answer.model_validate(body)
    choice = answer.choices[0] if answer.choices else _Choice()
    message = choice.message or _Message()
    usage = answer.usage or _Usage()
    text, finish = message.content or "", choice.finish_reason or ""
    return Reply(
        key=key,
        status=ReplyStatus.of(text, finish, tools and bool(message.tool_calls)),
        text=text,
        finish_reason=finish,
        model=answer.model or "",
        prompt_tokens=usage.prompt_tokens,
        completion_tokens=usage.completion_tokens,
        source="batch",
        raw=raw,
    )
