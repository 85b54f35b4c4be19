"""Model calls per second against a local server, and what the reply store gives out."""

from __future__ import annotations

import asyncio
import sqlite3
import tempfile
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import closing
from pathlib import Path

from bench.rows import Row, fastest
from realhop_kg.llm.client import Client
from realhop_kg.llm.limits import Limits
from realhop_kg.llm.provider import Provider
from realhop_kg.llm.records import Message, ModelRequest, Reply, ReplyStatus
from realhop_kg.llm.replies import ReplyStore
from tests.llm.stub import stub

__all__ = ["rows"]

_MODEL = "openai/small"
_DELAY = "0.05"
"""Seconds of a reply."""


def rows(quick: bool) -> Iterator[Row]:
    """Yield the rows of this figure."""
    with stub("--delay", _DELAY) as server:
        for concurrency in (64, 256):
            yield from _calls(server.url, concurrency, 300 if quick else 600, 1 if quick else 3)
    yield from _store(2_000 if quick else 20_000)


def _request(text: str) -> ModelRequest:
    return ModelRequest(model=_MODEL, messages=(Message(role="user", content=text),))


def _calls(url: str, concurrency: int, count: int, repeats: int) -> Iterator[Row]:
    runs = iter(range(1_000))
    with tempfile.TemporaryDirectory() as folder:

        def ours(count: int = count) -> None:
            number = next(runs)
            asyncio.run(_ours(url, Path(folder) / f"{number}.sqlite", concurrency, count))

        def bare(count: int = count) -> None:
            asyncio.run(_litellm(url, concurrency, count))

        def raw(count: int = count) -> None:
            asyncio.run(_httpx(url, concurrency, count))

        for work in (ours, bare, raw):
            work(1)  # libraries load at the first call
        spent = fastest(ours, bare, raw, repeats=repeats)
    rates = [count / seconds for seconds in spent]
    for name, rate in (("litellm.acompletion", rates[1]), ("httpx.AsyncClient", rates[2])):
        yield Row(
            f"model calls, {concurrency} at a time",
            f"{rates[0]:,.0f}/s",
            f"{rate:,.0f}/s",
            f"{rates[0] / rate:.2f}x its rate",
            f"peer: bare {name} without store, limits or retries; 50 ms replies",
        )


async def _ours(url: str, path: Path, concurrency: int, count: int) -> None:
    with ReplyStore(path, write=True) as store:
        async with Client(store, Provider(url), Limits(concurrency=concurrency)) as client:
            replies = await asyncio.gather(
                *(client.ask(_request(f"question {number}")) for number in range(count))
            )
    if not all(reply.good for reply in replies):
        raise RuntimeError("a reply of the local server was not good")


async def _litellm(url: str, concurrency: int, count: int) -> None:
    from realhop_kg.llm.provider import loaded_litellm

    litellm = loaded_litellm()

    async def ask(number: int) -> None:
        await litellm.acompletion(
            model=_MODEL,
            messages=[{"role": "user", "content": f"question {number}"}],
            api_base=url,
            api_key="none",
            num_retries=0,
            max_retries=0,
        )

    await _bounded(ask, concurrency, count)


async def _httpx(url: str, concurrency: int, count: int) -> None:
    import httpx

    limits = httpx.Limits(max_connections=concurrency, max_keepalive_connections=concurrency)
    async with httpx.AsyncClient(limits=limits, timeout=60) as client:

        async def ask(number: int) -> None:
            messages = [{"role": "user", "content": f"question {number}"}]
            body = {"model": "small", "messages": messages}
            answer = await client.post(f"{url}/chat/completions", json=body)
            answer.raise_for_status()

        await _bounded(ask, concurrency, count)


async def _bounded(ask: Callable[[int], Awaitable[None]], concurrency: int, count: int) -> None:
    slots = asyncio.Semaphore(concurrency)

    async def one(number: int) -> None:
        async with slots:
            await ask(number)

    await asyncio.gather(*map(one, range(count)))


def _store(count: int) -> Iterator[Row]:
    requests = [_request(f"question {number}") for number in range(count)]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "r.sqlite"
        yield _hits(path, requests)
        yield _opened(path, requests[0])


def _opened(path: Path, stored: ModelRequest) -> Row:
    async def first() -> None:
        with ReplyStore(path, write=True) as store:
            async with Client(store, Provider("http://127.0.0.1:9/v1")) as client:
                await client.ask(stored)

    def bare() -> None:
        with closing(sqlite3.connect(path)) as connection:
            connection.execute("SELECT * FROM replies WHERE key = ?", (stored.key,)).fetchone()

    ours, peer = fastest(lambda: asyncio.run(first()), lambda: asyncio.run(_done(bare)), repeats=20)
    return Row(
        "start-up, store and client to the first reply",
        f"{ours * 1000:.1f} ms",
        f"{peer * 1000:.1f} ms",
        f"{ours / peer:.1f}x its time",
        "peer: sqlite3 opens the file and reads the row; ours also claims the file, starts its "
        "writer, and waits until that has ended",
    )


async def _done(work: Callable[[], None]) -> None:
    work()


def _hits(path: Path, requests: list[ModelRequest]) -> Row:
    count = len(requests)
    with ReplyStore(path, write=True) as store:
        start = time.perf_counter()
        kept = [
            store.put(each, Reply(key=each.key, status=ReplyStatus.GOOD, text="ok"))
            for each in requests
        ]
        for future in kept:
            future.result()
        written = count / (time.perf_counter() - start)

        def ours() -> None:
            for each in requests:
                store.get(each.key)

        def rows_only() -> None:
            for each in requests:
                store.connection.execute(
                    "SELECT * FROM replies WHERE key = ? AND status = 'good'", (each.key,)
                ).fetchone()

        hit, row = (count / seconds for seconds in fastest(ours, rows_only, repeats=3))
    return Row(
        "reply store, hits",
        f"{hit:,.0f}/s",
        f"{row:,.0f}/s",
        f"{hit / row:.2f}x its rate",
        f"peer: the bare sqlite3 row, no record made of it; {written:,.0f} replies/s written",
    )
