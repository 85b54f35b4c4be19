"""Prompts out, responses in: a model that runs anywhere, by two plain JSONL files.

`prompts.jsonl` holds what is still to be answered, one object per line with `id`, `model` and
`messages`. `responses.jsonl` holds answers, one object per line with `id` and `response`; lines may
stand in any order, the file may be appended to, a later line of an id wins until the first run
that reads it: from then on the reply store has the answer.
"""

from __future__ import annotations

from concurrent.futures import Future
from pathlib import Path

from realhop_kg.jsonl import BadLine, JsonlWriter, read_records
from realhop_kg.llm.records import ModelRequest, Reply, ReplyStatus
from realhop_kg.llm.replies import ReplyStore

__all__ = ["PROMPTS", "RESPONSES", "PlainFiles"]

PROMPTS, RESPONSES = "prompts.jsonl", "responses.jsonl"

_TOLD = 20
"""Lines of which a run speaks; the others are counted."""


class PlainFiles:
    """The two files of a folder, beside a reply store.

    Attributes:
        taken: answers that were new to the store.
        unknown: answers to no request that the store knows.
        problems: what cannot be used of the responses, in words, the first of it.
    """

    def __init__(self, store: ReplyStore, folder: Path) -> None:
        self.taken = 0
        self.unknown = 0
        self.problems: list[str] = []
        self._store = store
        self._folder = folder
        self._writer = JsonlWriter(folder / f".{PROMPTS}.partial")

    def open(self) -> None:
        """Take the responses into the store and begin the prompts.

        Raises:
            OSError: if the folder cannot be written.
            InputError: if the responses cannot be read at all.
        """
        self._take_in()
        self._writer.__enter__()

    def write(self, request: ModelRequest) -> None:
        """Write a request as a prompt."""
        sent = [message.model_dump() for message in request.messages]
        self._writer.write({"id": request.key, "model": request.model, "messages": sent})

    def close(self) -> None:
        """Put the prompts in place."""
        self._writer.__exit__(None, None, None)
        self._writer.path.replace(self._folder / PROMPTS)

    def _take_in(self) -> None:
        path = self._folder / RESPONSES
        if not path.is_file() or not path.stat().st_size:
            return
        answers: dict[str, str] = {}
        bad = 0
        for record in read_records(path):
            place = f"{path.name}:{record.line}"
            data = {} if isinstance(record, BadLine) or not isinstance(record.data, dict) else (
                record.data
            )  # fmt: skip
            key, response = data.get("id"), data.get("response")
            if isinstance(key, str) and isinstance(response, str):
                answers[key] = response
                continue
            bad += 1
            if bad <= _TOLD:
                wrong = "write an object with the texts `id` and `response`"
                self.problems.append(
                    f"{place}: {record.reason if isinstance(record, BadLine) else wrong}"
                )
        if bad > _TOLD:
            self.problems.append(f"{path.name}: {bad - _TOLD} more lines like these")
        self._store_all(answers)

    def _store_all(self, answers: dict[str, str]) -> None:
        waiting: list[Future[bool]] = []
        for key, text in answers.items():
            if not self._store.has_request(key):
                self.unknown += 1
                continue
            status = ReplyStatus.GOOD if text.strip() else ReplyStatus.EMPTY
            if any(reply.source == "plain" for reply in self._store.replies(key)):
                continue
            reply = Reply(key=key, status=status, text=text, source="plain")
            waiting.append(self._store.put(self._store.request(key), reply))
        self.taken = sum(future.result() for future in waiting)
