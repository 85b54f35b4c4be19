"""What every command that asks models shares: who answers, what is waited for, how it stops."""

from __future__ import annotations

import asyncio
import signal
from collections import Counter
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from collections.abc import Iterator

    from realhop_kg.llm.asking import Models
    from realhop_kg.llm.client import Asker
    from realhop_kg.llm.limits import Limits, Totals
    from realhop_kg.llm.replies import ReplyStore

__all__ = ["Asking", "asker_of", "interruptible", "model_lines", "run_asking", "waits"]

Result = TypeVar("Result")


@dataclass(frozen=True, kw_only=True)
class Asking:
    """How models are asked: nothing here decides what is built."""

    replies: Path
    limits: Limits
    api_base: str = ""
    prompt_dir: Path | None = None
    batch: Path | None = None
    offline: bool = False


def run_asking(work: Coroutine[Any, Any, Result]) -> Result:
    """Run what asks models; Ctrl-C ends it once the calls that are under way came in."""
    before = signal.getsignal(signal.SIGINT)
    try:
        return asyncio.run(work)
    except asyncio.CancelledError:
        signal.signal(signal.SIGINT, before)
        signal.raise_signal(signal.SIGINT)
        raise


def interruptible() -> None:
    """Let Ctrl-C cancel the task that is running, where the system can."""
    task = asyncio.current_task()
    assert task is not None
    with suppress(NotImplementedError):  # not on every system
        asyncio.get_running_loop().add_signal_handler(signal.SIGINT, task.cancel)


@asynccontextmanager
async def asker_of(
    run: Asking, store: ReplyStore, progress: Callable[[Totals], None]
) -> AsyncIterator[tuple[Asker, Totals]]:
    """Give whoever answers: a live client, batch files, or the store alone."""
    from realhop_kg.llm.batch import BatchAsker, StoredAsker
    from realhop_kg.llm.client import Client
    from realhop_kg.llm.provider import Provider

    if run.offline:
        stored = StoredAsker(store)
        yield stored, stored.totals
        return
    if run.batch is not None:
        with BatchAsker(store, run.batch) as asker:
            yield asker, asker.totals
        return
    provider = Provider(run.api_base, run.limits.call_timeout)
    async with Client(store, provider, run.limits, progress) as client:
        yield client, client.totals


def waits(waiting: Counter[str], run: Asking) -> str:
    """Return what a run waits for, and how it goes on."""
    items = ", ".join(f"{count} for {stage}" for stage, count in waiting.items())
    if run.offline:
        return f"{waiting.total()} items lack replies ({items}); run without --offline"
    return (
        f"{waiting.total()} items wait for replies ({items}); send the files of {run.batch}, take "
        f"the results in with `realhop replies import FILE... --replies {run.replies}`, and run "
        "the same command again"
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
