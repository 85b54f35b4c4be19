"""Asks models: from the reply store where it can, else live, with limits and one retry layer.

A reply is in the store before anybody sees it. Calls that are under way when a run stops are paid
for, so they are waited for and kept.
"""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from types import TracebackType
from typing import Protocol, Self

from tenacity import AsyncRetrying, RetryCallState, retry_if_exception_type, stop_after_attempt
from tenacity.wait import wait_random_exponential

from realhop_kg.errors import InputError, ProviderError, RealHopError
from realhop_kg.llm.faults import LastingFault, TransientFault
from realhop_kg.llm.limits import Budget, Limits, Totals, limiter, longest_reply
from realhop_kg.llm.provider import Provider
from realhop_kg.llm.records import Attempt, ModelRequest, Reply, ReplyStatus
from realhop_kg.llm.replies import ReplyStore

__all__ = ["Asker", "Client"]

_FAILURES_IN_A_ROW = 12
"""Calls that fail in all their tries, with no success between, before the provider is given up."""

_GRACE = 5.0
"""Seconds that the provider's own timeout may be late."""

_CHARACTERS_A_TOKEN = 4


class Asker(Protocol):
    """Whoever answers requests: a live client, or the store alone."""

    async def ask(self, request: ModelRequest) -> Reply:
        """Return what came back for a request, usable or not."""


class Client:
    """Answers requests from the store, and asks the provider for what is missing.

    Attributes:
        totals: what the run has done so far.
    """

    def __init__(
        self,
        store: ReplyStore,
        provider: Provider,
        limits: Limits | None = None,
        progress: Callable[[Totals], None] | None = None,
    ) -> None:
        """Prepare; use it in an `async with` statement.

        Args:
            store: opened for writing.
            provider: where requests are sent.
            limits: how much, how fast and how long.
            progress: called with the totals after every reply.
        """
        self.totals = Totals()
        self._store = store
        self._provider = provider
        self._limits = limits or Limits()
        self._progress = progress
        self._budget = Budget(self._limits, self.totals)
        self._flying: dict[str, asyncio.Task[Reply]] = {}
        self._stopped: RealHopError | None = None
        self._failures = 0
        self._unreached: list[str] = []
        # Only how long to wait depends on it, never a result.
        self._jitter = random.Random()

    async def __aenter__(self) -> Self:
        limits = self._limits
        self._halted = asyncio.Event()
        self._slots = asyncio.Semaphore(limits.concurrency)
        self._requests = limiter(limits.requests_per_minute, 1)
        self._tokens = limiter(limits.tokens_per_minute, 6)
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.drain()
        unreached = self._unreached
        if error is None and unreached and len(unreached) == self.totals.replies:
            raise ProviderError(
                f"no server answered: every call ({len(unreached)}) failed in every try, the last "
                f"with {unreached[-1]!r}; see that the address is right and run again"
            )

    async def drain(self) -> None:
        """Wait for the calls that are under way, and begin no other."""
        self._stop(ProviderError("the run has ended"))
        if self._flying:
            await asyncio.gather(*self._flying.values(), return_exceptions=True)

    async def ask(self, request: ModelRequest) -> Reply:
        """Return the good reply of the store, or what the provider answers now.

        An unusable reply (cut off, filtered, failed in every try) is returned as such.

        Raises:
            BudgetError: if a limit of the run is reached.
            ProviderError: if the provider cannot be asked at all.
        """
        known = self._store.get(request.key)
        if known is not None:
            self.totals.stored += 1
            return known
        task = self._flying.get(request.key)
        if task is None:
            if self._stopped is not None:
                raise self._stopped
            task = asyncio.create_task(self._fly(request))
            self._flying[request.key] = task
            task.add_done_callback(partial(self._landed, request.key))
        # Whoever asked may be cancelled; a call that is paid for goes on.
        return await asyncio.shield(task)

    def _landed(self, key: str, task: asyncio.Task[Reply]) -> None:
        del self._flying[key]
        if not task.cancelled():
            task.exception()  # nobody may be left to ask for it

    async def _fly(self, request: ModelRequest) -> Reply:
        attempts: list[Attempt] = []
        empty: list[Reply] = []
        try:
            reply = await self._tried(request, attempts, empty)
        except RealHopError as error:
            self._stop(error)
            if empty:  # paid for, whatever stops the run
                await self._keep(request, empty.pop().with_tries(attempts, empty))
            raise
        return await self._keep(request, reply.with_tries(attempts, empty))

    async def _keep(self, request: ModelRequest, reply: Reply) -> Reply:
        try:
            await asyncio.wrap_future(self._store.put(request, reply))
        except RealHopError as error:
            self._stop(error)
            raise
        self._budget.settle(request.key)
        self.totals.count(request.stage, reply)
        if self._progress is not None:
            self._progress(self.totals)
        self._note(reply)
        return reply

    def _note(self, reply: Reply) -> None:
        """Give a provider up that fails in one call after the other."""
        self._failures = self._failures + 1 if reply.status is ReplyStatus.FAILED else 0
        if self._failures >= _FAILURES_IN_A_ROW:
            self._stop(
                ProviderError(
                    f"{self._failures} calls in a row failed in every try, the last with "
                    f"{reply.attempts[-1].outcome!r}; run again when the provider answers"
                )
            )

    async def _tried(
        self, request: ModelRequest, attempts: list[Attempt], empty: list[Reply]
    ) -> Reply:
        """Try until a reply comes or another try makes no sense.

        Args:
            request: what is asked.
            attempts: takes the history of the tries.
            empty: takes the empty replies that came before the one that is returned.
        """
        retrying = AsyncRetrying(
            retry=retry_if_exception_type(TransientFault),
            stop=stop_after_attempt(self._limits.attempts),
            wait=self._wait,
            sleep=self._sleep,
            reraise=True,
        )
        try:
            async for attempt in retrying:
                waited = attempt.retry_state.upcoming_sleep
                with attempt:
                    return await self._noted(request, waited, attempts, empty)
        except LastingFault as fault:
            return Reply(key=request.key, status=fault.status)
        except TransientFault as fault:
            if empty:
                return empty.pop()
            if not fault.reached:
                self._unreached.append(str(fault))
        return Reply(key=request.key, status=ReplyStatus.FAILED)

    async def _noted(
        self, request: ModelRequest, waited: float, attempts: list[Attempt], empty: list[Reply]
    ) -> Reply:
        """Make one try and add it to the history, whatever comes of it."""
        if attempts:
            self.totals.retries += 1
        start, outcome = time.perf_counter(), "stopped"
        try:
            async with self._slots:
                await self._turn(request)
                start = time.perf_counter()
                reply = await self._try(request)
            if reply.status is ReplyStatus.EMPTY:
                empty.append(reply)
                self._budget.hold(request.key, reply.cost or 0.0)
                raise TransientFault("no text came")
            outcome = "ok"
            return reply
        except (TransientFault, LastingFault) as fault:
            outcome = str(fault)
            raise
        finally:
            seconds = time.perf_counter() - start
            attempts.append(Attempt(outcome=outcome, seconds=seconds, waited=waited))

    async def _turn(self, request: ModelRequest) -> None:
        """Wait for the provider's own limits, and load what the first call would load."""
        if self._stopped is not None:
            raise self._stopped
        self._budget.check_time()
        if self._requests is not None:
            await self._requests.acquire()
        if self._tokens is not None:
            # An estimate is enough: the provider's own count decides, and is honoured by waiting.
            size = sum(len(message.content) for message in request.messages)
            wanted = size / _CHARACTERS_A_TOKEN + longest_reply(request)
            while wanted > 0:
                part = min(wanted, self._tokens.max_rate)
                await self._tokens.acquire(part)
                wanted -= part
        await self._provider.prepare(request.model)

    async def _try(self, request: ModelRequest) -> Reply:
        budget = self._budget
        dearest = self._dearest(request)
        budget.take(dearest)
        # The provider has a timeout of its own; a server that sends a byte a minute beats it.
        limit = self._limits.call_timeout + _GRACE
        if budget.deadline is not None:
            limit = min(limit, max(0.0, budget.deadline - time.monotonic()))
        try:
            async with asyncio.timeout(limit):
                return await self._provider.send(request)
        except TimeoutError:
            budget.check_time()
            raise TransientFault(f"no reply in {limit:g} seconds") from None
        finally:
            budget.give_back(dearest)

    def _wait(self, state: RetryCallState) -> float:
        """Return how long to wait: as long as asked for, else longer and longer, with jitter."""
        fault = state.outcome.exception() if state.outcome else None
        if isinstance(fault, TransientFault) and fault.wait is not None:
            return fault.wait + self._jitter.uniform(0, 0.1)
        return wait_random_exponential(multiplier=0.5, max=self._limits.longest_wait)(state)

    async def _sleep(self, seconds: float) -> None:
        """Wait between two tries; the end of the run cuts it short."""
        deadline = self._budget.deadline
        if deadline is not None:
            seconds = min(seconds, max(0.0, deadline - time.monotonic()))
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._halted.wait()

    def _stop(self, error: RealHopError) -> None:
        self._stopped = self._stopped or error
        self._halted.set()

    def _dearest(self, request: ModelRequest) -> float:
        """Return the dollars that one try can cost at most; 0 where no limit asks."""
        if self._limits.max_cost is None:
            return 0.0
        price = self._provider.price(request.model)
        if price is None:
            raise InputError(
                f"the price of {request.model} is unknown, so --max-cost cannot be kept; "
                "use --max-calls instead"
            )
        longest = longest_reply(request) or price.longest
        return self._provider.tokens(request) * price.prompt + longest * price.completion
