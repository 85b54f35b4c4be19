"""Limits of a run that asks models, and its running totals."""

from __future__ import annotations

import time
from dataclasses import dataclass, field

from aiolimiter import AsyncLimiter
from pydantic import Field

from realhop_kg.errors import BudgetError
from realhop_kg.llm.records import ModelRequest, Reply
from realhop_kg.model.record import Record

__all__ = ["Budget", "Limits", "Totals", "limiter", "longest_reply"]


class Limits(Record):
    """How much, how fast and how long; none of it decides a result."""

    concurrency: int = Field(default=16, ge=1)
    """Calls under way at a time."""
    requests_per_minute: int | None = Field(default=None, ge=1)
    tokens_per_minute: int | None = Field(default=None, ge=1)
    attempts: int = Field(default=6, ge=1)
    """Tries of one call."""
    call_timeout: float = Field(default=300.0, gt=0)
    """Seconds that one try may take."""
    run_timeout: float | None = Field(default=None, gt=0)
    """Seconds after which no call is begun or waited for."""
    max_calls: int | None = Field(default=None, ge=0)
    """Tries in the whole run."""
    max_cost: float | None = Field(default=None, ge=0)
    """US dollars in the whole run."""
    longest_wait: float = Field(default=120.0, gt=0)
    """Seconds between two tries at most, unless the provider asks for more."""


@dataclass
class Totals:
    """What a run has done so far."""

    calls: int = 0
    """Tries that were sent."""
    replies: int = 0
    """Replies that came, good or not."""
    stored: int = 0
    """Replies that the store had already."""
    retries: int = 0
    unusable: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cost: float = 0.0
    unpriced: int = 0
    """Replies whose price is unknown."""
    by_stage: dict[str, int] = field(default_factory=dict)
    """Replies that came, by stage."""

    def count(self, stage: str, reply: Reply) -> None:
        """Add a reply that was just received."""
        self.replies += 1
        self.unusable += not reply.good
        self.prompt_tokens += reply.prompt_tokens or 0
        self.completion_tokens += reply.completion_tokens or 0
        self.cost += reply.cost or 0.0
        self.unpriced += reply.cost is None
        self.by_stage[stage] = self.by_stage.get(stage, 0) + 1

    def __str__(self) -> str:
        price = f"${self.cost:.4f}" + (f" + {self.unpriced} unpriced" if self.unpriced else "")
        return (
            f"{self.calls} calls, {self.stored} from the store, "
            f"{self.prompt_tokens + self.completion_tokens:,} tokens, {price}"
        )


class Budget:
    """Hard stops: what would overstep a limit is not begun.

    Attributes:
        deadline: when the run ends, on the monotonic clock, or None.
    """

    def __init__(self, limits: Limits, totals: Totals) -> None:
        self._limits = limits
        self._totals = totals
        self._reserved = 0.0
        self._held: dict[str, float] = {}
        timeout = limits.run_timeout
        self.deadline = None if timeout is None else time.monotonic() + timeout

    def take(self, dearest: float) -> None:
        """Begin a try that costs at most `dearest` dollars.

        Raises:
            BudgetError: if a limit would be overstepped.
        """
        limits, totals = self._limits, self._totals
        if limits.max_calls is not None and totals.calls >= limits.max_calls:
            raise BudgetError(
                f"--max-calls {limits.max_calls} is reached; run again with more to go on"
            )
        if limits.max_cost is not None:
            sure = totals.cost + sum(self._held.values()) + self._reserved + dearest
            if sure > limits.max_cost:
                raise BudgetError(
                    f"the next call could overstep --max-cost {limits.max_cost:g} "
                    f"(${totals.cost:.4f} are spent); run again with more to go on"
                )
        self.check_time()
        totals.calls += 1
        self._reserved += dearest

    def give_back(self, dearest: float) -> None:
        """End a try: its own cost is counted with its reply."""
        self._reserved -= dearest

    def hold(self, key: str, cost: float) -> None:
        """Add what a try has cost whose request goes on, until that is counted as a whole."""
        if cost:
            self._held[key] = self._held.get(key, 0.0) + cost

    def settle(self, key: str) -> None:
        """Let go of what was held for a request: it is counted now."""
        self._held.pop(key, None)

    def check_time(self) -> None:
        """Raise BudgetError if the run's time is over."""
        if self.deadline is not None and time.monotonic() >= self.deadline:
            raise BudgetError(
                f"the run's {self._limits.run_timeout:g} seconds are over; run again to go on"
            )


def limiter(per_minute: int | None, seconds: float) -> AsyncLimiter | None:
    """Return a limiter that lets through at once what is due in some seconds.

    A whole minute's worth at once, and again as it drains, would be twice the limit.
    """
    if per_minute is None:
        return None
    burst = max(1.0, per_minute * seconds / 60)
    return AsyncLimiter(burst, burst * 60 / per_minute)


def longest_reply(request: ModelRequest) -> int:
    """Return the most tokens that a reply may have, or 0 where the request does not say."""
    value = request.parameters.get("max_completion_tokens") or request.parameters.get("max_tokens")
    return value if isinstance(value, int) else 0
