"""What answers questions turn by turn: the protocol, and models with native tool calls."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Protocol

from pydantic import JsonValue

from realhop_kg.audit.tokens import count_tokens
from realhop_kg.jsonl import canonical
from realhop_kg.llm.client import Asker
from realhop_kg.llm.records import Message, ModelRequest, Reply, ReplyStatus
from realhop_kg.llm.replies import ReplyStore
from realhop_kg.model.record import Record
from realhop_kg.model.trajectory import AskedQuestion, Ending, TurnTokens

__all__ = ["TOOL", "TOOL_NAME", "Agent", "Assistant", "ModelAgent", "RequestedCall", "counted"]

TOOL_NAME = "search"
TOOL: dict[str, JsonValue] = {
    "type": "function",
    "function": {
        "name": TOOL_NAME,
        "description": "Search a snapshot of Wikipedia. Returns the passages that fit best.",
        "parameters": {
            "type": "object",
            "properties": {"query": {"type": "string", "description": "What to look for."}},
            "required": ["query"],
        },
    },
}
"""The one tool, in the form of the chat API; it says nothing of refusing."""

_ENDINGS = {
    ReplyStatus.TRUNCATED: Ending.TRUNCATED,
    ReplyStatus.FILTERED: Ending.FILTERED,
    ReplyStatus.EMPTY: Ending.NO_RESPONSE,
    ReplyStatus.FAILED: Ending.FAILED,
}


class RequestedCall(Record):
    """A tool call as a model made it."""

    id: str
    name: str
    arguments: str


class Assistant(Record):
    """One assistant message, or why there is none."""

    text: str = ""
    reasoning: str = ""
    calls: tuple[RequestedCall, ...] = ()
    tokens: TurnTokens = TurnTokens()
    prompt_tokens: int | None = None
    finish_reason: str = ""
    latency: float = 0.0
    reply: str = ""
    ending: Ending | None = None
    """How the run ends if no message can be used; otherwise None."""
    failure: str = ""


class Agent(Protocol):
    """Answers a conversation.

    A model uses the messages alone. Scripted agents may look at the question's record, which is
    how their states are known in advance.
    """

    @property
    def name(self) -> str:
        """What `--model` calls it."""
        ...

    async def respond(self, question: AskedQuestion, messages: Sequence[Message]) -> Assistant:
        """Return the next assistant message; no fault of one message is raised."""
        ...


class ModelAgent:
    """A model behind the reply store, asked through its provider's own tool calling.

    Attributes:
        name: as the provider layer names it.
    """

    def __init__(
        self,
        name: str,
        asker: Asker,
        store: ReplyStore,
        parameters: Mapping[str, JsonValue],
        search: bool,
    ) -> None:
        """Say whom to ask, and how.

        Args:
            name: the model.
            asker: a live client, or the store alone.
            store: where replies are kept whole.
            parameters: temperature and whatever else is sent.
            search: whether it is given the search tool; its choice is automatic.
        """
        self.name = name
        self._asker, self._store = asker, store
        offered: dict[str, JsonValue] = {"tools": [TOOL], "tool_choice": "auto"} if search else {}
        self._parameters = {**parameters, **offered}

    async def respond(self, question: AskedQuestion, messages: Sequence[Message]) -> Assistant:
        """Return what the model answers; equal conversations are answered from the store."""
        request = ModelRequest(
            model=self.name,
            messages=tuple(messages),
            parameters=dict(self._parameters),
            stage="refusal-run",
            item=question.item,
        )
        reply = await self._asker.ask(request)
        if not reply.good:
            last = reply.attempts[-1].outcome if reply.attempts else str(reply.status)
            return Assistant(
                text=reply.text,
                finish_reason=reply.finish_reason,
                latency=reply.latency,
                reply=request.key,
                ending=_ENDINGS[reply.status],
                failure=last,
            )
        if not reply.raw:
            # What the store gives on a hit leaves the provider's own answer out.
            reply = next(each for each in self._store.replies(request.key) if each.good)
        return _read(reply)


def _read(reply: Reply) -> Assistant:
    """Return the message that a provider's answer holds, whatever else is odd about it."""
    answer = _object(reply.raw)
    response = answer.get("response")
    body = response.get("body") if isinstance(response, dict) else answer  # of a batch, or live
    message = _message(body if isinstance(body, dict) else {})
    usage = body.get("usage") if isinstance(body, dict) else None
    found = message.get("tool_calls")
    calls = tuple(_call(each) for each in found) if isinstance(found, list) else ()
    reasoning = message.get("reasoning_content")
    told = Assistant(
        text=reply.text,
        reasoning=reasoning if isinstance(reasoning, str) else "",
        calls=calls,
        prompt_tokens=reply.prompt_tokens,
        finish_reason=reply.finish_reason,
        latency=reply.latency,
        reply=reply.key,
    )
    tokens = _tokens(told, reply.completion_tokens, usage if isinstance(usage, dict) else {})
    return told.model_copy(update={"tokens": tokens})


def _object(raw: str) -> dict[str, object]:
    try:
        value = json.loads(raw)
    except (ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}


def _message(body: Mapping[str, object]) -> dict[str, object]:
    choices = body.get("choices")
    first = choices[0] if isinstance(choices, list) and choices else None
    message = first.get("message") if isinstance(first, dict) else None
    return message if isinstance(message, dict) else {}


def _call(entry: object) -> RequestedCall:
    given = entry if isinstance(entry, dict) else {}
    function = given.get("function")
    inner = function if isinstance(function, dict) else {}
    arguments = inner.get("arguments")
    # Some servers send the arguments as an object, not as the text of one.
    text = arguments if isinstance(arguments, str) else canonical(arguments or {})
    return RequestedCall(
        id=str(given.get("id") or ""), name=str(inner.get("name") or ""), arguments=text
    )


def _tokens(told: Assistant, completion: int | None, usage: Mapping[str, object]) -> TurnTokens:
    """Return the provider's own counts by kind, as far as it gives them."""
    if completion is None:
        return counted(told)
    details = usage.get("completion_tokens_details")
    given = details.get("reasoning_tokens") if isinstance(details, dict) else None
    reasoning = given if isinstance(given, int) and given >= 0 else count_tokens(told.reasoning)
    reasoning = min(reasoning, completion)
    rest = completion - reasoning
    if told.calls:
        return TurnTokens(reasoning=reasoning, search=rest)
    return TurnTokens(reasoning=reasoning, answer=rest)


def counted(told: Assistant) -> TurnTokens:
    """Return the tokens of a message whose provider counts none: words and marks."""
    said = sum(count_tokens(f"{call.name} {call.arguments}") for call in told.calls)
    said += count_tokens(told.text)
    reasoning = count_tokens(told.reasoning)
    if told.calls:
        return TurnTokens(reasoning=reasoning, search=said, estimated=True)
    return TurnTokens(reasoning=reasoning, answer=said, estimated=True)
