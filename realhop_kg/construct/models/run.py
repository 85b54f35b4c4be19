"""Constructs many items with models: several under way at a time, outcomes in the input's order."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Iterable, Mapping
from contextlib import suppress

from realhop_kg.construct.models.pipeline import construct_item
from realhop_kg.freeze.freeze import Packed
from realhop_kg.llm.asking import Models
from realhop_kg.llm.batch import WaitingError
from realhop_kg.model.frozen import ExcludedItem
from realhop_kg.model.item import SourceItem
from realhop_kg.relations.catalogue import catalogue
from realhop_kg.settings import Backend

__all__ = ["Waiting", "construct_all"]


class Waiting:
    """An item that waits for a reply of a batch.

    Attributes:
        stage: the stage whose reply is missing.
    """

    def __init__(self, stage: str) -> None:
        self.stage = stage


Outcome = Packed | ExcludedItem | Waiting


async def construct_all(
    outcomes: Iterable[SourceItem | ExcludedItem],
    seed: int,
    backend: Mapping[str, Backend],
    models: Models,
    window: int = 64,
) -> AsyncIterator[Outcome]:
    """Yield one outcome per record, in the order of the records, whatever comes back first.

    Args:
        outcomes: what a builder read.
        seed: the run's seed.
        backend: who fills each stage.
        models: the models.
        window: items under way at a time; more of them keep more calls busy.

    Raises:
        ProviderError: if the run has to stop; what was asked is in the store.
    """
    relations = catalogue()
    under_way: deque[asyncio.Task[Outcome] | ExcludedItem] = deque()

    async def construct(item: SourceItem) -> Outcome:
        try:
            return await construct_item(item, relations, seed, backend, models)
        except WaitingError as error:
            return Waiting(str(error))

    try:
        for outcome in outcomes:
            under_way.append(
                outcome
                if isinstance(outcome, ExcludedItem)
                else asyncio.create_task(construct(outcome))
            )
            if len(under_way) >= window:
                yield await _result(under_way.popleft())
        while under_way:
            yield await _result(under_way.popleft())
    finally:
        left = [task for task in under_way if isinstance(task, asyncio.Task)]
        for task in left:
            task.cancel()
        for task in left:
            with suppress(Exception, asyncio.CancelledError):
                await task


async def _result(waiting: asyncio.Task[Outcome] | ExcludedItem) -> Outcome:
    return await waiting if isinstance(waiting, asyncio.Task) else waiting
