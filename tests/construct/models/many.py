"""Any number of own questions that differ in their names alone, and a scribe for all of them."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from tests.construct.models.drafts import item
from tests.construct.models.scribe import Scribe

SOURCE = "Anna Benson"
_MARK = r"([a-z]{4})"


def mark(number: int) -> str:
    """Return four letters for a number, which the names of its question end in."""
    letters = []
    for _ in range(4):
        number, letter = divmod(number, 26)
        letters.append(chr(ord("a") + letter))
    return "".join(letters)


def write_many(path: Path, count: int) -> Path:
    """Write questions in the plain form."""
    base = item()
    with path.open("w", encoding="utf-8") as stream:
        for number in range(count):
            record = {
                "id": f"own-{number:03}",
                "question": base.question,
                "answer": base.answer,
                "passages": [{"title": p.title, "text": p.text} for p in base.passages],
                "hops": [
                    {"question": hop.question, "answer": hop.answer, "support": hop.support}
                    for hop in base.hops
                ],
            }
            stream.write(json.dumps(record).replace(SOURCE, SOURCE + mark(number)) + "\n")
    return path


class ManyScribe(Scribe):
    """Answers for the questions of `write_many`: the first item's replies with other names."""

    def __init__(self) -> None:
        super().__init__()
        first = self.items[0]
        self._invented = {entity["name"].removeprefix("the ") for entity in first["entities"]}
        for candidates in first["compete"].values():
            for candidate in candidates:
                self._invented |= {name.removeprefix("the ") for name in candidate["values"]}

    def reply(self, body: dict[str, Any]) -> str | None:
        text = body["messages"][1]["content"]
        for name in (SOURCE, "Mirela Castane"):
            found = re.search(f"{name}{_MARK}", text)
            if found:
                return self._marked(body, found[1])
        return super().reply(body)

    def _marked(self, body: dict[str, Any], letters: str) -> str | None:
        system, user = body["messages"][:2]
        plain = {**user, "content": user["content"].replace(letters, "")}
        said = super().reply({**body, "messages": [system, plain]})
        if said is None:
            return None
        for name in (SOURCE, *sorted(self._invented)):
            said = said.replace(name, name + letters)
        return said
