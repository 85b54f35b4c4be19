"""The reply store: every reply of a model, kept in one SQLite file before anything reads it.

Replies enter through one writer thread that commits many at once; `put` is done when its reply is
on the disk. A process that is killed therefore loses no reply that it acted on, and since a
request has one good reply at most, none is doubled.
"""

from __future__ import annotations

import json
import os
import queue
import sqlite3
import threading
from concurrent.futures import Future
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Self

from realhop_kg.errors import InputError, ProviderError
from realhop_kg.llm.records import Message, ModelRequest, Reply
from realhop_kg.llm.rows import (
    HIT,
    REPLY,
    Entry,
    insert,
    read_hit,
    read_reply,
    transaction,
    unpacked,
)

__all__ = ["ReplyStore"]

_APPLICATION = 0x52484C50
"""SQLite's application id of a reply store."""

_VERSION = 1
_TOGETHER = 512
"""Replies in one transaction, at most."""


class ReplyStore:
    """One file of replies; open it in a `with` statement.

    Reads may come from any thread. Any number of processes may read, one may write.

    Attributes:
        path: the file.
    """

    def __init__(self, path: Path, *, write: bool = False) -> None:
        """Name the store; nothing is opened before the `with` statement.

        Args:
            path: the SQLite file.
            write: whether replies will be put in; the file is then made if it is missing.
        """
        self.path = path
        self._write = write
        self._waiting: queue.SimpleQueue[Entry | None] = queue.SimpleQueue()
        self._writer: threading.Thread | None = None
        self._lock = -1
        self._readers = threading.local()
        self._opened: list[sqlite3.Connection] = []

    def __enter__(self) -> Self:
        if not self._write and not self.path.is_file():
            raise InputError(f"{self.path} is no file; name a reply store with --replies")
        try:
            if self._write:
                self.path.parent.mkdir(parents=True, exist_ok=True)
                self._claim()
            with self.connection as connection:
                self._prepare(connection)
        except (OSError, sqlite3.Error) as error:
            self.close()
            raise InputError(f"{self.path} cannot be used as reply store: {error}") from error
        except InputError:
            self.close()
            raise
        if self._write:
            self._writer = threading.Thread(target=self._work, name="reply-writer")
            self._writer.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Write what is waiting and close the file."""
        if self._writer is not None:
            self._waiting.put(None)
            self._writer.join()
            self._writer = None
        while self._opened:
            self._opened.pop().close()
        self._readers = threading.local()
        if self._lock >= 0:
            os.close(self._lock)
            self._lock = -1

    def get(self, key: str) -> Reply | None:
        """Return the good reply to a request, or None.

        It comes without the provider's raw answer and the history of tries, which `replies` has:
        what is read on every hit of a run is what a run needs.
        """
        row = self.connection.execute(
            f"SELECT {HIT} FROM replies WHERE key = ? AND status = 'good'", (key,)
        ).fetchone()
        return None if row is None else read_hit(key, row)

    def put(self, request: ModelRequest, reply: Reply) -> Future[bool]:
        """Keep a reply; the result comes once it is on the disk.

        Returns:
            A future of whether it was new: a second good reply to a request is left out.

        Raises:
            ValueError: if the reply is to another request, or the store is open for reading only.
        """
        if self._writer is None:
            raise ValueError(f"{self.path} is not open for writing")
        if reply.key != request.key:
            raise ValueError("the reply is to another request")
        future: Future[bool] = Future()
        self._waiting.put(Entry(request, reply, future))
        return future

    def replies(self, key: str) -> list[Reply]:
        """Return everything that ever came back for a request, in order of arrival."""
        rows = self.connection.execute(
            f"SELECT {REPLY} FROM replies WHERE key = ? ORDER BY id", (key,)
        )
        return [read_reply(row) for row in rows]

    def request(self, key: str) -> ModelRequest:
        """Return a request by its key.

        Raises:
            InputError: if the store has none.
        """
        row = self.connection.execute(
            "SELECT model, messages, parameters, template, template_hash, trial, stage, item "
            "FROM requests WHERE key = ?",
            (key,),
        ).fetchone()
        if row is None:
            raise InputError(f"{self.path} has no request {key}")
        model, messages, parameters, template, template_hash, trial, stage, item = row
        return ModelRequest(
            model=model,
            messages=tuple(
                Message(role=role, content=self._text(digest))
                for role, digest in json.loads(messages)
            ),
            parameters=json.loads(parameters),
            template=template,
            template_hash=template_hash,
            trial=trial,
            stage=stage,
            item=item,
        )

    def has_request(self, key: str) -> bool:
        """Return whether a reply to a request was ever kept, good or not."""
        found = self.connection.execute("SELECT 1 FROM requests WHERE key = ?", (key,))
        return found.fetchone() is not None

    def remember(self, request: ModelRequest) -> Future[bool]:
        """Keep a request that has no reply yet, so that a batch result can be taken back."""
        if self._writer is None:
            raise ValueError(f"{self.path} is not open for writing")
        future: Future[bool] = Future()
        self._waiting.put(Entry(request, None, future))
        return future

    @property
    def connection(self) -> sqlite3.Connection:
        """This thread's connection."""
        found: sqlite3.Connection | None = getattr(self._readers, "connection", None)
        if found is None:
            found = self._connect()
            self._readers.connection = found
            self._opened.append(found)
        return found

    def _connect(self) -> sqlite3.Connection:
        mode = "rwc" if self._write else "ro"
        uri = f"{self.path.resolve().as_uri()}?mode={mode}"
        # Closed by whoever closes the store, so the thread that made it does not matter.
        return sqlite3.connect(
            uri, uri=True, timeout=30, isolation_level=None, check_same_thread=False
        )

    def _prepare(self, connection: sqlite3.Connection) -> None:
        (application,) = connection.execute("PRAGMA application_id").fetchone()
        (version,) = connection.execute("PRAGMA user_version").fetchone()
        (tables,) = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
        if application != _APPLICATION and (tables or not self._write):
            raise InputError(f"{self.path} is no reply store; name another file with --replies")
        if version > _VERSION:
            raise InputError(
                f"{self.path} was written by a newer realhop-kg (store version {version}, this one "
                f"reads {_VERSION}); upgrade, or name another file with --replies"
            )
        if not self._write:
            return
        connection.execute("PRAGMA journal_mode = WAL")
        if not tables:
            schema = (Path(__file__).parent / "schema.sql").read_text(encoding="utf-8")
            connection.executescript(
                f"BEGIN IMMEDIATE; {schema} PRAGMA application_id = {_APPLICATION}; "
                f"PRAGMA user_version = {_VERSION}; COMMIT;"
            )

    def _claim(self) -> None:
        """Become the one writer; the lock goes with the process, however that ends.

        Raises:
            InputError: if another process writes.
        """
        if os.name != "posix":
            return
        import fcntl

        self._lock = os.open(f"{self.path}.lock", os.O_RDWR | os.O_CREAT, 0o644)
        try:
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise InputError(
                f"{self.path} is being written by another run; wait for it, or name another file "
                "with --replies"
            ) from error

    def _work(self) -> None:
        connection = self._connect()
        # A reply is paid for: it must survive a power cut, too.
        connection.execute("PRAGMA synchronous = FULL")
        try:
            while entries := self._next():
                self._write_all(connection, [entry for entry in entries if entry is not None])
                if entries[-1] is None:
                    return
        finally:
            connection.close()

    def _next(self) -> list[Entry | None]:
        entries = [self._waiting.get()]
        with suppress(queue.Empty):
            while entries[-1] is not None and len(entries) < _TOGETHER:
                entries.append(self._waiting.get_nowait())
        return entries

    def _write_all(self, connection: sqlite3.Connection, entries: list[Entry]) -> None:
        try:
            with transaction(connection):
                new = [insert(connection, entry) for entry in entries]
        except Exception as error:
            if len(entries) > 1:  # the others need not suffer for one that cannot be written
                for entry in entries:
                    self._write_all(connection, [entry])
                return
            failure = ProviderError(
                f"{self.path} cannot be written: {error}; what it holds is kept, so mend that and "
                "run again"
            )
            entries[0].future.set_exception(failure)
            return
        for entry, was_new in zip(entries, new, strict=True):
            entry.future.set_result(was_new)

    def _text(self, digest: str) -> str:
        (body,) = self.connection.execute(
            "SELECT body FROM texts WHERE digest = ?", (digest,)
        ).fetchone()
        return unpacked(body)
