"""What is asked of a model and what came back: the records of the reply store."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Sequence
from enum import StrEnum
from functools import cached_property, lru_cache
from typing import Literal, TypeVar

from pydantic import Field, JsonValue

from realhop_kg.jsonl import canonical
from realhop_kg.model.record import Record

__all__ = [
    "REFUSED",
    "WITHHELD",
    "Attempt",
    "Message",
    "ModelRequest",
    "Reply",
    "ReplyStatus",
    "text_digest",
]

REFUSED = "refused as it is"
"""In the outcome of a try: the request is too long, say, and so it would be the next time."""

WITHHELD = ("content_filter", "content_policy_violation")
"""Codes of an error that a content filter makes."""

Number = TypeVar("Number", int, float)


@lru_cache(maxsize=1024)
def text_digest(text: str) -> str:
    """Return the SHA-256 of a text; a long carrier that many requests share is hashed once."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def _sum(values: Iterable[Number | None]) -> Number | None:
    """Return the sum of what is known, or None where nothing is."""
    known = [value for value in values if value is not None]
    return sum(known[1:], known[0]) if known else None


class Message(Record):
    """One message of a conversation."""

    role: Literal["system", "user", "assistant", "whole"]
    """Who speaks; `whole` for one with tool calls or the result of one, kept as JSON."""
    content: str
    """Its text; of a `whole` message the JSON object that is sent."""

    def sent(self) -> dict[str, JsonValue]:
        """Return the message as it is sent."""
        if self.role != "whole":
            # A lone surrogate, as a model may have said it, cannot be sent.
            content = self.content.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
            return {"role": self.role, "content": content}
        value: dict[str, JsonValue] = json.loads(self.content)
        return value


class ModelRequest(Record):
    """One question to a model: everything that decides the reply, and two labels that do not."""

    model: str
    """Model as the provider layer names it (`openai/gpt-4o-mini`)."""
    messages: tuple[Message, ...] = Field(min_length=1)
    parameters: dict[str, JsonValue] = Field(default_factory=dict)
    """Temperature, effort, maximum tokens, response format and provider parameters, as sent."""
    template: str = ""
    """Id and version of the prompt template (`construct/plan.v1`)."""
    template_hash: str = ""
    """SHA-256 of the template's text."""
    trial: int = Field(default=1, ge=1)
    """Number of the trial: another trial is another request."""
    stage: str = ""
    """What it is asked for (`plan`); not part of the key."""
    item: str = ""
    """Key of the item it is asked for; not part of the key."""

    @cached_property
    def key(self) -> str:
        """SHA-256 of the whole request: equal requests have equal keys on every machine."""
        whole = {
            "model": self.model,
            "messages": [[each.role, text_digest(each.content)] for each in self.messages],
            "parameters": self.parameters,
            "template": self.template,
            "template_hash": self.template_hash,
            "trial": self.trial,
        }
        return hashlib.sha256(canonical(whole).encode()).hexdigest()


class ReplyStatus(StrEnum):
    """Whether a reply can be used."""

    GOOD = "good"
    """Complete: used, and never asked for again."""
    TRUNCATED = "truncated"
    """Cut off at the maximum of tokens."""
    FILTERED = "filtered"
    """Withheld by the provider's content filter."""
    EMPTY = "empty"
    """Without any text."""
    FAILED = "failed"
    """No reply came: every attempt failed."""

    @classmethod
    def of(cls, text: str, finish_reason: str, calls: bool = False) -> ReplyStatus:
        """Return the status of a reply that came; one with tool calls needs no text."""
        if finish_reason == "content_filter":
            return cls.FILTERED
        if finish_reason == "length":
            return cls.TRUNCATED
        return cls.GOOD if text.strip() or calls else cls.EMPTY


class Attempt(Record):
    """One try to get a reply."""

    outcome: str
    """`ok`, or what went wrong."""
    seconds: float = Field(ge=0)
    """How long it took."""
    waited: float = Field(default=0, ge=0)
    """Seconds of waiting before it."""


class Reply(Record):
    """What came back for one request, kept before anything reads it."""

    key: str
    """Key of the request."""
    status: ReplyStatus
    text: str = ""
    finish_reason: str = ""
    """As the provider says it."""
    model: str = ""
    """Model as the provider reports it."""
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    cost: float | None = None
    """US dollars, or None where the price is unknown."""
    latency: float = 0.0
    """Seconds of the attempt that succeeded."""
    attempts: tuple[Attempt, ...] = ()
    source: Literal["live", "batch", "plain"] = "live"
    """How it came: a call, a result of the batch API, or a line of `responses.jsonl`."""
    raw: str = ""
    """The provider's answer as it came: JSON text."""
    received: str = ""
    """Time of arrival, UTC, ISO 8601; set by the store, decides nothing."""

    def with_tries(self, attempts: Sequence[Attempt], earlier: Sequence[Reply]) -> Reply:
        """Return the reply with the history of its tries, and what all of them took.

        Args:
            attempts: every try, in order.
            earlier: empty replies to the same request that came before; they are paid for, too.
        """
        came = (*earlier, self)
        return self.model_copy(
            update={
                "attempts": tuple(attempts),
                "prompt_tokens": _sum(each.prompt_tokens for each in came),
                "completion_tokens": _sum(each.completion_tokens for each in came),
                "cost": _sum(each.cost for each in came),
            }
        )

    @property
    def without_choice(self) -> bool:
        """Whether the provider's answer held no choice at all, so that nobody said nothing."""
        ended = bool(self.finish_reason) or self.source == "plain"
        return self.status is ReplyStatus.EMPTY and not ended

    @property
    def refused(self) -> bool:
        """Whether the request was refused as it is, so that asking again makes no sense."""
        failed = self.status is ReplyStatus.FAILED and bool(self.attempts)
        return failed and REFUSED in self.attempts[-1].outcome

    @property
    def good(self) -> bool:
        """Whether it can be used."""
        return self.status is ReplyStatus.GOOD
