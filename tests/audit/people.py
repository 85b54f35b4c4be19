"""Models for the stub server whose answers to an audit are known beforehand."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path
from typing import Any

ANSWERS = "REALHOP_TEST_ANSWERS"
"""Environment variable: a JSON file of answer by question."""


class People:
    """Answers by what its name says, as `openai/NAME`."""

    def __init__(self) -> None:
        self.answers = json.loads(Path(os.environ[ANSWERS]).read_text(encoding="utf-8"))

    def reply(self, body: dict[str, Any]) -> str:
        """Return the answer or verdict of the model that is named."""
        name = body["model"].removeprefix("openai/")
        said = body["messages"][-1]["content"]
        if name.startswith("judge"):
            return self._verdict(name, body["messages"])
        [answer] = {
            answer for question, answer in self.answers.items() if f"Question: {question}" in said
        }
        if name == "recaller":
            return answer
        if name == "reader":  # needs to see the answer
            return answer if answer in said.partition("Question: ")[0] else "unknown"
        if name == "talker":
            return f"It must be {answer}, I believe."
        return "" if name == "mute" else "unknown"

    def _verdict(self, name: str, messages: list[dict[str, str]]) -> str:
        if name == "judge-chatty" and len(messages) == 2:
            return 'Well: {"verdict": "correct"} or so'
        if name == "judge-mad":
            return "no idea"
        asked = messages[1]["content"]
        references = re.findall(r"^- (.*)$", asked, re.MULTILINE)
        response = asked.partition("Response (JSON string): ")[2]
        right = any(reference in response for reference in references)
        return json.dumps({"verdict": "correct" if right else "incorrect", "reason": "."})
