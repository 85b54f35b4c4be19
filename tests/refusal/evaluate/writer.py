"""Answers chat requests as the scripted agents do, and as models do that misbehave."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path
from typing import Any

from realhop_kg.model.trajectory import AskedQuestion
from realhop_kg.refusal.evaluate.scripted import SCRIPTS


def call(name: str, arguments: Any, at: int = 1) -> dict[str, Any]:
    return {"id": f"c{at}", "type": "function", "function": {"name": name, "arguments": arguments}}


def verdict(content: str) -> str:
    """Judge as a model would that takes the gold reason word for word."""
    [reason] = re.findall(r"^Gold reason: (.*)$", content, re.MULTILINE)
    if "Timeline" in content:
        turns = content.split("\nTurn ")[1:]
        stated = next((at for at, turn in enumerate(turns, 1) if reason in turn), None)
        return json.dumps({"stated_turn": stated, "shown_turn": None, "reason": "so"})
    response = content.split("Final response (JSON string):")[1]
    return json.dumps({"state": "TACH" if reason in response else "SHD", "reason": "so"})


class AgentWriter:
    """The model `openai/halts-right` follows the script `halts-right`, and so on."""

    def __init__(self) -> None:
        lines = Path(os.environ["SERVED_QUESTIONS"]).read_text(encoding="utf-8").splitlines()
        found = [AskedQuestion.model_validate_json(line) for line in lines]
        self._questions = {each.question: each for each in found}

    def reply(self, body: dict[str, Any]) -> Any:
        """Return the message of the turn that the conversation has come to."""
        messages = body["messages"]
        if messages[0]["role"] == "system" and body["model"].endswith("judge"):
            return verdict(messages[1]["content"])
        if [message["role"] for message in messages][:2] not in (["user"], ["user", "assistant"]):
            return None  # nothing may stand before the bare question
        turn = 1 + sum(message["role"] == "assistant" for message in messages)
        name = body["model"].removeprefix("openai/")
        searching = [tool["function"]["name"] for tool in body.get("tools", ())] == ["search"]
        if name in ODD:
            return ODD[name](turn)
        question = self._questions[messages[0]["content"]]
        text, calls = SCRIPTS[name](question, turn, searching)
        if not calls:
            return text
        return {
            "content": text or None,
            "tool_calls": [call(*each, at) for at, each in enumerate(calls, 1)],
        }


ODD: dict[str, Any] = {
    "odd-object": lambda turn: (
        {"content": None, "tool_calls": [call("search", json.dumps({"query": "Korrum"}))]}
        if turn == 1
        else "The answer is Korrum."
    ),
    "odd-same-ids": lambda turn: (
        {"content": "", "tool_calls": [call("search", '{"query": "a"}')] * 3}
        if turn == 1
        else "The answer is Korrum."
    ),
    "odd-text-and-call": lambda turn: {
        "content": f"Looking, {turn}.", "tool_calls": [call("search", '{"query": "Korrum"}')]
    },
    "odd-numbers": lambda turn: (
        {"content": None, "tool_calls": [call("search", '{"query": 7}'), call("", "[]", 2)]}
        if turn == 1
        else "Fine."
    ),
    "odd-silent": lambda turn: "",
    "odd-silent-after": lambda turn: (
        {"content": None, "tool_calls": [call("search", '{"query": "Korrum"}')]}
        if turn <= 8
        else ""
    ),
}  # fmt: skip
