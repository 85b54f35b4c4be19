"""How commands of refusal runs ask models: live, from batch files, or from stored replies alone."""

from __future__ import annotations

import signal
from collections.abc import AsyncIterator, Coroutine
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from realhop_kg.llm.client import Asker
    from realhop_kg.llm.limits import Limits, Totals
    from realhop_kg.llm.replies import ReplyStore

__all__ = ["Asking", "answering", "interruptible"]

Done = TypeVar("Done")


@dataclass(frozen=True)
class Asking:
    """How models are asked; none of it decides a result."""

    replies: Path
    limits: Limits
    api_base: str = ""
    batch: Path | None = None
    offline: bool = False


@asynccontextmanager
async def answering(asking: Asking) -> AsyncIterator[tuple[Asker, ReplyStore, Totals]]:
    """Give whoever answers: a live client, batch files, or the store alone.

    Ctrl-C lets the calls that are under way come in.
    """
    import asyncio

    from realhop_kg.llm.batch import BatchAsker, StoredAsker
    from realhop_kg.llm.client import Client
    from realhop_kg.llm.provider import Provider
    from realhop_kg.llm.replies import ReplyStore

    task = asyncio.current_task()
    assert task is not None
    with suppress(NotImplementedError):  # not on every system
        asyncio.get_running_loop().add_signal_handler(signal.SIGINT, task.cancel)
    with ReplyStore(asking.replies, write=True) as store:
        if asking.offline:
            stored = StoredAsker(store)
            yield stored, store, stored.totals
        elif asking.batch is not None:
            with BatchAsker(store, asking.batch) as waiting:
                yield waiting, store, waiting.totals
        else:
            provider = Provider(asking.api_base, asking.limits.call_timeout)
            async with Client(store, provider, asking.limits) as client:
                yield client, store, client.totals


def interruptible(work: Coroutine[Any, Any, Done]) -> Done:
    """Run asynchronous work; Ctrl-C ends it in its own time, and then the command."""
    import asyncio

    before = signal.getsignal(signal.SIGINT)
    try:
        return asyncio.run(work)
    except asyncio.CancelledError:
        signal.signal(signal.SIGINT, before)
        signal.raise_signal(signal.SIGINT)
        raise
