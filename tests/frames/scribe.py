"""A stand-in for a model that proposes chains: right in the end, after a few slips."""

from __future__ import annotations

import json
from typing import Any

from tests.frames.worlds import QUESTIONS


class Scribe:
    """Replies by the question of the prompt; some replies are first of a wrong form or untrue."""

    def reply(self, body: dict[str, Any]) -> str | None:
        """Return the reply to a request of the chat API, or None if nobody wrote one."""
        messages = body["messages"]
        asked, again = messages[1]["content"], len(messages) > 2
        for number, (question, _, hops) in enumerate(QUESTIONS):
            if question in asked:
                steps = [
                    {"question": step, "answer": said, "quote": quote, "title": title or "Anything"}
                    for step, said, quote, title in hops
                ]
                return self._slip(number, steps, again)
        return None

    def _slip(self, number: int, steps: list[dict[str, str]], again: bool) -> str:
        if number == 0 and not again:
            return "I would begin with the author."
        if number == 1 and not again:
            steps[0]["quote"] = steps[0]["quote"].replace("was born", "came into the world")
        if number == 2 and not again:
            steps[1]["question"] = steps[1]["question"].replace("#1", "Otto Grane")
        if number == 3:
            steps = []
        return json.dumps({"hops": steps, "remark": "as asked"})
