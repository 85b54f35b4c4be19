"""Prompts out, responses in: a model that runs anywhere, by two plain JSONL files.

`prompts.jsonl` holds what is still to be answered, one object per line with `id`, `model` and
`messages`. `responses.jsonl` holds answers, one object per line with `id` and `response`; lines may
stand in any order, files may be appended to, a later line of an id wins. The verdicts of a model
judge go the same way: its prompts have `model` set to the judge, and stand in the same files.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Self

from realhop_kg.audit.judge import Judgement, exact, judge_messages, read_verdict
from realhop_kg.audit.solvers import Answer, Prompt, request_key
from realhop_kg.errors import InputError
from realhop_kg.jsonl import BadLine, JsonlWriter, read_records
from realhop_kg.llm.prompts import Template
from realhop_kg.llm.records import Message

__all__ = ["PENDING", "Batch", "BatchJudge", "BatchSolver"]

PROMPTS, RESPONSES = "prompts.jsonl", "responses.jsonl"

PENDING = "waits for a response of the batch"


class Batch:
    """A folder of prompts and responses; open it in a `with` statement.

    Attributes:
        folder: where it lies.
        waiting: prompts written in this run, each once.
        problems: what of the responses cannot be used, in words.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.waiting = 0
        self.problems: list[str] = []
        self._responses: dict[str, str] = {}
        self._used: set[str] = set()
        self._asked: set[str] = set()
        self._writer = JsonlWriter(folder / f".{PROMPTS}.partial")

    def __enter__(self) -> Self:
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            self._writer.__enter__()
        except OSError as error:
            raise InputError(
                f"{self.folder} cannot be written: {error.strerror}; choose another --batch"
            ) from error
        self._read()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._writer.__exit__(kind, error, trace)
        if error is None:
            self._writer.path.replace(self.folder / PROMPTS)
        else:
            self._writer.path.unlink(missing_ok=True)

    def ask(self, model: str, messages: tuple[Message, ...], trial: int = 1) -> str | None:
        """Return the response to a request, or write its prompt and return None."""
        key = request_key(model, messages, trial)
        if key in self._responses:
            self._used.add(key)
            return self._responses[key]
        if key not in self._asked:
            self._asked.add(key)
            self.waiting += 1
            sent = [message.model_dump() for message in messages]
            self._writer.write({"id": key, "model": model, "messages": sent})
        return None

    def unused(self) -> int:
        """Return how many responses answer nothing that was asked in this run."""
        return len(self._responses.keys() - self._used)

    def _read(self) -> None:
        path = self.folder / RESPONSES
        if not path.is_file() or not path.stat().st_size:
            return
        for record in read_records(path):
            place = f"{path.name}:{record.line}"
            if isinstance(record, BadLine):
                self.problems.append(f"{place}: {record.reason}")
                continue
            data = record.data if isinstance(record.data, dict) else {}
            key, response = data.get("id"), data.get("response")
            if not isinstance(key, str) or not isinstance(response, str):
                self.problems.append(f"{place}: write an object with the texts `id` and `response`")
                continue
            self._responses[key] = response


class BatchSolver:
    """A model that answers through a batch.

    Attributes:
        name: the model.
    """

    def __init__(self, name: str, batch: Batch) -> None:
        self.name = name
        self._batch = batch

    def answer(self, prompt: Prompt) -> Answer:
        """Return the response, or say that it is pending."""
        response = self._batch.ask(prompt.model, prompt.messages, prompt.trial)
        if response is None:
            return Answer(failure=PENDING, pending=True)
        return Answer(text=response)


class BatchJudge:
    """A model that judges through a batch.

    Attributes:
        name: the model.
    """

    def __init__(self, name: str, template: Template, batch: Batch) -> None:
        self.name = name
        self._template = template
        self._batch = batch

    def judge(self, question: str, references: Sequence[str], response: str) -> Judgement:
        """Return the exact match, what the model said, or that it is still to say it."""
        found = exact(references, response)
        if found is not None:
            return found
        reply = self._batch.ask(
            self.name, judge_messages(self._template, question, references, response)
        )
        if reply is None:
            return Judgement(verdict=None, by=self.name, failure=PENDING)
        return read_verdict(reply, self.name)
