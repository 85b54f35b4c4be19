"""How a command asks models: live, by batch files, or from stored replies alone."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import AsyncIterator, Callable, Coroutine, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from realhop_kg.llm.batch import BatchAsker, StoredAsker
    from realhop_kg.llm.client import Client
    from realhop_kg.llm.limits import Limits, Totals
    from realhop_kg.llm.replies import ReplyStore

__all__ = ["Channel", "interruptible", "open_asker", "until_interrupted"]

Result = TypeVar("Result")


@dataclass(frozen=True)
class Channel:
    """Where replies come from; nothing of it decides a result.

    Attributes:
        replies: the reply store.
        limits: how much, how fast and how long.
        api_base: address of an OpenAI-compatible server, or empty.
        addresses: address by model, of models that another server answers for.
        batch: folder of batch files, or None.
        openai: whether files in the form of the OpenAI batch API are written there.
        plain: whether `prompts.jsonl` is written and `responses.jsonl` read there.
        offline: whether stored replies alone are used.
    """

    replies: Path
    limits: Limits
    api_base: str = ""
    addresses: Mapping[str, str] = field(default_factory=dict)
    batch: Path | None = None
    openai: bool = True
    plain: bool = False
    offline: bool = False


@asynccontextmanager
async def open_asker(
    channel: Channel, store: ReplyStore, progress: Callable[[Totals], None]
) -> AsyncIterator[Client | BatchAsker | StoredAsker]:
    """Give whoever answers: a live client, batch files, or the store alone."""
    from realhop_kg.llm.batch import BatchAsker, StoredAsker
    from realhop_kg.llm.client import Client
    from realhop_kg.llm.provider import Provider

    if channel.offline:
        yield StoredAsker(store)
    elif channel.batch is not None:
        with BatchAsker(store, channel.batch, openai=channel.openai, plain=channel.plain) as asker:
            yield asker
    else:
        timeout = channel.limits.call_timeout
        provider = Provider(channel.api_base, timeout, channel.addresses)
        async with Client(store, provider, channel.limits, progress) as client:
            yield client


def until_interrupted(main: Coroutine[Any, Any, Result]) -> Result:
    """Run a coroutine that calls `interruptible`; Ctrl-C ends the process as it should."""
    before = signal.getsignal(signal.SIGINT)
    try:
        return asyncio.run(main)
    except asyncio.CancelledError:
        signal.signal(signal.SIGINT, before)
        signal.raise_signal(signal.SIGINT)
        raise


def interruptible() -> None:
    """Let Ctrl-C cancel the running task, so that the calls under way come in before the end."""
    task = asyncio.current_task()
    if task is None:
        return
    with suppress(NotImplementedError):  # not on every system
        asyncio.get_running_loop().add_signal_handler(signal.SIGINT, task.cancel)
