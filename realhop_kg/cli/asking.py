"""How a command asks models: live, by batch files, or from stored replies alone."""

from __future__ import annotations

import asyncio
import signal
from collections import Counter
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from realhop_kg.errors import InputError

if TYPE_CHECKING:
    from realhop_kg.llm.asking import Models
    from realhop_kg.llm.batch import BatchAsker, StoredAsker
    from realhop_kg.llm.client import Client
    from realhop_kg.llm.limits import Limits, Totals
    from realhop_kg.llm.replies import ReplyStore

__all__ = [
    "Channel",
    "answering",
    "interruptible",
    "model_lines",
    "open_asker",
    "until_interrupted",
    "waits",
]

Result = TypeVar("Result")

_STOPS = (signal.SIGINT, signal.SIGTERM)


@dataclass(frozen=True, kw_only=True)
class Channel:
    """Where replies come from; nothing of it decides a result.

    Attributes:
        replies: the reply store.
        limits: how much, how fast and how long.
        api_base: address of an OpenAI-compatible server, or empty.
        prompt_dir: folder of the user's own prompts, or None.
        addresses: address by model, of models that another server answers for.
        batch: folder of batch files, or None.
        openai: whether files in the form of the OpenAI batch API are written there.
        plain: whether `prompts.jsonl` is written and `responses.jsonl` read there.
        offline: whether stored replies alone are used.
    """

    replies: Path
    limits: Limits
    api_base: str = ""
    prompt_dir: Path | None = None
    addresses: Mapping[str, str] = field(default_factory=dict)
    batch: Path | None = None
    openai: bool = True
    plain: bool = False
    offline: bool = False

    def __post_init__(self) -> None:
        """Check that it says one thing.

        Raises:
            InputError: if both batch files and no asking at all are wanted.
        """
        if self.batch is not None and self.offline:
            raise InputError("--batch and --offline exclude each other; leave one of them out")


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


@asynccontextmanager
async def answering(
    channel: Channel,
) -> AsyncIterator[tuple[Client | BatchAsker | StoredAsker, ReplyStore]]:
    """Give whoever answers, with its reply store; Ctrl-C lets the calls under way come in."""
    from realhop_kg.llm.replies import ReplyStore

    interruptible()
    with ReplyStore(channel.replies, write=True) as store:
        async with open_asker(channel, store, lambda _: None) as asker:
            yield asker, store


def until_interrupted(main: Coroutine[Any, Any, Result]) -> Result:
    """Run a coroutine that calls `interruptible`; a signal ends the process as it should."""
    before = {each: signal.getsignal(each) for each in _STOPS}
    try:
        return asyncio.run(main)
    except asyncio.CancelledError as error:
        for each, handler in before.items():
            signal.signal(each, handler)
        signal.raise_signal(signal.SIGTERM if signal.SIGTERM in error.args else signal.SIGINT)
        raise


def interruptible() -> None:
    """Let Ctrl-C or SIGTERM cancel the running task once the calls under way have come in."""
    task = asyncio.current_task()
    if task is None:
        return
    with suppress(NotImplementedError):  # not on every system
        for each in _STOPS:
            asyncio.get_running_loop().add_signal_handler(each, task.cancel, each)


def waits(waiting: Counter[str], channel: Channel) -> str:
    """Return what a run waits for, and how it goes on."""
    items = ", ".join(f"{count} for {stage}" for stage, count in waiting.items())
    if channel.offline:
        return f"{waiting.total()} items lack replies ({items}); run without --offline"
    return (
        f"{waiting.total()} items wait for replies ({items}); send the files of {channel.batch}, "
        f"take the results in with `realhop replies import FILE... --replies {channel.replies}`, "
        "and run the same command again"
    )


def model_lines(models: Models, totals: Totals) -> Iterator[str]:
    """Yield what the models of a run were asked, as lines."""
    for stage, counts in models.counts.items():
        yield (
            f"{stage:<12} {counts.asked} replies, {counts.json_repaired} mended, "
            f"{counts.reasks} asked again for form, {counts.repairs} for content, "
            f"{counts.refused} items refused"
        )
    for mark, marks in sorted(models.scores.items()):
        yield f"{mark:<12} " + ", ".join(f"{mark}: {n}" for mark, n in sorted(marks.items()))
    yield f"calls        {totals}"
    if totals.unpriced:
        yield f"price        unknown for {totals.unpriced} replies; the cost above is without them"
