"""Small requests and replies for tests."""

from __future__ import annotations

from typing import Any

from realhop_kg.llm.records import Attempt, Message, ModelRequest, Reply, ReplyStatus


def request(text: str = "Where is Calder?", **changed: Any) -> ModelRequest:
    fields = {
        "model": "openai/small",
        "messages": (
            Message(role="system", content="Be brief."),
            Message(role="user", content=text),
        ),
        "parameters": {"temperature": 0.0},
        "template": "construct/plan.v1",
        "template_hash": "aa",
        "stage": "plan",
        "item": "own/1",
    }
    return ModelRequest.model_validate(fields | changed)


def reply(to: ModelRequest, text: str = "In Orm.", **changed: Any) -> Reply:
    fields = {
        "key": to.key,
        "status": ReplyStatus.GOOD,
        "text": text,
        "finish_reason": "stop",
        "model": "small-2026",
        "prompt_tokens": 12,
        "completion_tokens": 3,
        "cost": 0.25,
        "latency": 0.5,
        "attempts": (
            Attempt(outcome="429 rate limit", seconds=0.1),
            Attempt(outcome="ok", seconds=0.5, waited=1.0),
        ),
        "raw": '{"choices":[]}',
    }
    return Reply.model_validate(fields | changed)
