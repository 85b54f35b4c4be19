"""Asks the reply store: figures, lists, removal and export."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator

from pydantic import Field

from realhop_kg.errors import InputError
from realhop_kg.llm.records import ModelRequest, Reply, ReplyStatus
from realhop_kg.llm.replies import ReplyStore
from realhop_kg.model.record import Record

__all__ = [
    "Exported",
    "Filters",
    "Listed",
    "StageFigures",
    "exported",
    "found",
    "key_of",
    "mean_reply",
    "prune",
    "totals",
]


class Filters(Record):
    """Which replies are meant; an empty field matches all."""

    model: str = ""
    stage: str = ""
    template: str = ""
    """Template id, with or without its version."""
    item: str = ""
    status: ReplyStatus | None = None
    unusable: bool = False
    """Every status but `good`."""

    @property
    def any(self) -> bool:
        """Whether they leave anything out."""
        return self != Filters()

    def where(self) -> tuple[str, list[str]]:
        """Return the SQL condition over `replies` and `requests`, and its values."""
        clauses, values = ["1 = 1"], []
        for column, wanted in (
            ("requests.model", self.model),
            ("requests.stage", self.stage),
            ("requests.item", self.item),
            ("replies.status", self.status or ""),
        ):
            if wanted:
                clauses.append(f"{column} = ?")
                values.append(str(wanted))
        if self.template:
            clauses.append("(requests.template = ? OR requests.template LIKE ? ESCAPE '\\')")
            values += [self.template, f"{_escaped(self.template)}.v%"]
        if self.unusable:
            clauses.append("replies.status <> 'good'")
        return " AND ".join(clauses), values


class StageFigures(Record):
    """Figures of one model at one stage."""

    model: str
    stage: str
    template: str
    replies: dict[str, int] = Field(default_factory=dict)
    """Replies by status."""
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cost: float = 0.0
    """US dollars, of the replies whose price is known."""
    unpriced: int = 0
    """Replies whose price is unknown."""
    seconds: float = 0.0
    """Mean latency of the good replies."""
    attempts: int = 0


class Listed(Record):
    """One reply in a list."""

    key: str
    status: str
    stage: str
    item: str
    model: str
    template: str
    trial: int
    prompt_tokens: int | None
    completion_tokens: int | None
    cost: float | None
    finish_reason: str
    source: str
    received: str


class Exported(Record):
    """A request with everything that came back for it."""

    key: str
    request: ModelRequest
    replies: tuple[Reply, ...]


_FEWEST_STORED = 3
"""Stored replies of a stage and model from which their size is taken."""

_FROM = "FROM replies JOIN requests USING (key)"


def totals(store: ReplyStore, filters: Filters) -> list[StageFigures]:
    """Return the figures by stage, model and template, sorted by these."""
    where, values = filters.where()
    rows = store.connection.execute(
        "SELECT requests.model, stage, template, status, count(*), sum(prompt_tokens), "
        "sum(completion_tokens), sum(cost), sum(cost IS NULL), avg(latency), "
        f"sum(json_array_length(attempts)) {_FROM} WHERE {where} "
        "GROUP BY 1, 2, 3, 4 ORDER BY stage, requests.model, template, status",
        values,
    )
    groups: dict[tuple[str, str, str], StageFigures] = {}
    for model, stage, template, status, count, prompt, completion, cost, bare, mean, tries in rows:
        known = groups.get((model, stage, template)) or StageFigures(
            model=model, stage=stage, template=template
        )
        groups[model, stage, template] = known.model_copy(
            update={
                "replies": {**known.replies, status: count},
                "prompt_tokens": known.prompt_tokens + (prompt or 0),
                "completion_tokens": known.completion_tokens + (completion or 0),
                "cost": known.cost + (cost or 0.0),
                "unpriced": known.unpriced + bare,
                "seconds": mean if status == ReplyStatus.GOOD else known.seconds,
                "attempts": known.attempts + (tries or 0),
            }
        )
    return list(groups.values())


def found(store: ReplyStore, filters: Filters, limit: int | None = None) -> Iterator[Listed]:
    """Yield the replies that match, in order of arrival."""
    where, values = filters.where()
    fields = tuple(Listed.model_fields)
    columns = ", ".join("requests.model" if field == "model" else field for field in fields)
    rows = store.connection.execute(
        f"SELECT {columns} {_FROM} WHERE {where} ORDER BY replies.id LIMIT ?",
        [*values, -1 if limit is None else limit],
    )
    for row in rows:
        yield Listed.model_validate(dict(zip(fields, row, strict=True)))


def key_of(store: ReplyStore, start: str) -> str:
    """Return the one key that begins with a text.

    Raises:
        InputError: if none or several do.
    """
    keys = [
        key
        for (key,) in store.connection.execute(
            "SELECT key FROM requests WHERE key LIKE ? ESCAPE '\\' LIMIT 2",
            (f"{_escaped(start)}%",),
        )
    ]
    if len(keys) != 1:
        how_many = "several keys begin" if keys else "no key begins"
        raise InputError(
            f"{how_many} with {start!r} in {store.path}; `realhop replies list` shows them"
        )
    return str(keys[0])


def exported(store: ReplyStore, filters: Filters) -> Iterator[Exported]:
    """Yield each request that has a matching reply, with all its replies, sorted by key."""
    where, values = filters.where()
    keys = store.connection.execute(
        f"SELECT DISTINCT key {_FROM} WHERE {where} ORDER BY key", values
    )
    for (key,) in keys:
        yield Exported(key=key, request=store.request(key), replies=tuple(store.replies(key)))


def prune(store: ReplyStore, filters: Filters, *, dry_run: bool = False) -> int:
    """Remove the replies that match, and the requests and texts that nothing needs any more.

    Args:
        store: opened for writing.
        filters: what to remove; must not match everything.
        dry_run: only count.

    Raises:
        InputError: if the filters leave nothing out.
    """
    if not filters.any:
        raise InputError("say which replies to remove, for example --unusable or --template")
    where, values = filters.where()
    connection = store.connection
    (count,) = connection.execute(f"SELECT count(*) {_FROM} WHERE {where}", values).fetchone()
    if dry_run or not count:
        return int(count)
    connection.execute(
        f"CREATE TEMP TABLE gone AS SELECT replies.id, key {_FROM} WHERE {where}", values
    )
    connection.execute("BEGIN IMMEDIATE")
    connection.execute("DELETE FROM replies WHERE id IN (SELECT id FROM gone)")
    # A request without any reply may be under way in a batch.
    connection.execute(
        "DELETE FROM requests WHERE key IN (SELECT key FROM gone) "
        "AND key NOT IN (SELECT key FROM replies)"
    )
    connection.execute(
        "DELETE FROM texts WHERE digest NOT IN "
        "(SELECT m.value ->> 1 FROM requests, json_each(requests.messages) AS m)"
    )
    connection.execute("COMMIT")
    connection.execute("DROP TABLE gone")
    _shrink(connection)
    return int(count)


def _shrink(connection: sqlite3.Connection) -> None:
    connection.execute("VACUUM")
    connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")


def _escaped(text: str) -> str:
    return "".join(f"\\{char}" if char in "\\%_" else char for char in text)


def mean_reply(store: ReplyStore | None, stage: str, model: str) -> tuple[float, int]:
    """Return the mean tokens of the stored replies of a stage and model, and their number.

    Where fewer than three are stored there is nothing to learn from: (0, 0).
    """
    if store is None:
        return 0.0, 0
    mean, count = store.connection.execute(
        "SELECT avg(completion_tokens), count(completion_tokens) FROM replies "
        "JOIN requests USING (key) WHERE stage = ? AND requests.model = ? AND status = 'good'",
        (stage, model),
    ).fetchone()
    return (float(mean), int(count)) if count >= _FEWEST_STORED else (0.0, 0)
