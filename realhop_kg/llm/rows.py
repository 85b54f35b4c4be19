"""Rows of the reply store: how requests and replies are written and read back."""

from __future__ import annotations

import json
import sqlite3
import zlib
from collections.abc import Iterator
from concurrent.futures import Future
from contextlib import contextmanager, suppress
from datetime import UTC, datetime

from realhop_kg.errors import InputError
from realhop_kg.jsonl import canonical
from realhop_kg.llm.records import Attempt, ModelRequest, Reply, ReplyStatus, text_digest

__all__ = ["HIT", "REPLY", "Entry", "insert", "read_hit", "read_reply", "transaction", "unpacked"]

REPLY = (
    "key, status, text, finish_reason, model, prompt_tokens, completion_tokens, cost, latency, "
    "attempts, source, raw, received"
)

HIT = (
    "status, text, finish_reason, model, prompt_tokens, completion_tokens, cost, latency, source, "
    "received"
)
"""What a run needs of a good reply; its raw answer and the history of its tries are for people."""

_HIT = tuple(HIT.split(", "))


class Entry:
    """Something to be written, and whom to tell."""

    __slots__ = ("future", "reply", "request")

    def __init__(self, request: ModelRequest, reply: Reply | None, future: Future[bool]) -> None:
        self.request = request
        self.reply = reply
        self.future = future


@contextmanager
def transaction(connection: sqlite3.Connection) -> Iterator[None]:
    """Commit what is done inside, or leave no trace of it."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
        connection.execute("COMMIT")
    except BaseException:
        with suppress(sqlite3.Error):
            connection.execute("ROLLBACK")
        raise


def insert(connection: sqlite3.Connection, entry: Entry) -> bool:
    """Write one entry, and return whether its reply was new."""
    request, reply = entry.request, entry.reply
    if (
        connection.execute("SELECT 1 FROM requests WHERE key = ?", (request.key,)).fetchone()
        is None
    ):
        for message in request.messages:
            connection.execute(
                "INSERT OR IGNORE INTO texts VALUES (?, ?)",
                (text_digest(message.content), _packed(message.content)),
            )
        connection.execute(
            "INSERT INTO requests VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (
                request.key,
                request.model,
                canonical([[m.role, text_digest(m.content)] for m in request.messages]),
                canonical(request.parameters),
                request.template,
                request.template_hash,
                request.trial,
                request.stage,
                request.item,
            ),
        )
    if reply is None:
        return False
    done = connection.execute(
        f"INSERT OR IGNORE INTO replies ({REPLY}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            reply.key,
            reply.status,
            _packed(reply.text),
            _plain(reply.finish_reason),
            _plain(reply.model),
            reply.prompt_tokens,
            reply.completion_tokens,
            reply.cost,
            reply.latency,
            canonical([attempt.model_dump(mode="json") for attempt in reply.attempts]),
            reply.source,
            _packed(reply.raw),
            reply.received or datetime.now(UTC).isoformat(timespec="seconds"),
        ),
    )
    return done.rowcount == 1


def read_reply(row: tuple[object, ...]) -> Reply:
    """Return the reply that a row holds."""
    fields = dict(zip(REPLY.split(", "), row, strict=True))
    attempts = json.loads(str(fields["attempts"]))
    return Reply.model_validate(
        {
            **fields,
            "status": ReplyStatus(str(fields["status"])),
            "attempts": tuple(Attempt.model_validate(each) for each in attempts),
            "text": unpacked(fields["text"]),
            "raw": unpacked(fields["raw"]),
        }
    )


def read_hit(key: str, row: tuple[object, ...]) -> Reply:
    """Return the reply to a request that a row of `HIT` holds."""
    fields = dict(zip(_HIT, row, strict=True))
    fields["key"] = key
    fields["status"] = ReplyStatus(str(fields["status"]))
    fields["text"] = unpacked(fields["text"])
    return Reply.model_validate(fields)


def _packed(text: str) -> bytes:
    return zlib.compress(text.encode("utf-8", "surrogatepass"), 1)


def _plain(text: str) -> str:
    return text.encode("utf-8", "backslashreplace").decode()


def unpacked(body: object) -> str:
    """Return a text as it was before it was packed.

    Raises:
        InputError: if it is no packed text.
    """
    if not isinstance(body, bytes):
        raise InputError("the reply store is damaged: a text is no text; name another store")
    return zlib.decompress(body).decode("utf-8", "surrogatepass")
