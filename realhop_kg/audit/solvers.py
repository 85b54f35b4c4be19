"""What answers prompts: the one protocol that models, batches and scripted solvers share."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

from realhop_kg.audit.auditable import Auditable
from realhop_kg.ids import digest
from realhop_kg.llm.records import Message
from realhop_kg.model.record import Record
from realhop_kg.model.run import AuditedSide, ConditionRecord

__all__ = [
    "ABSTAINED",
    "CONSTRUCTED_ONLY",
    "PENDING",
    "Answer",
    "Prompt",
    "Solver",
    "answers_side",
    "request_key",
]

ABSTAINED = "unknown"
"""What the templates ask for where the context does not give the answer."""

PENDING = "waits for a reply of the batch"
"""The failure of what a batch has not answered yet."""

CONSTRUCTED_ONLY = frozenset(("scripted/reader",))
"""Solvers that derive from the facts of constructed items: a source question has none for them."""


def answers_side(model: str, side: AuditedSide) -> bool:
    """Return whether a model is asked on a side; the others have no panel there."""
    return side == "constructed" or model not in CONSTRUCTED_ONLY


@dataclass(frozen=True)
class Prompt:
    """One request, and what it is about.

    Attributes:
        item: the question on its side, with its gold answer.
        condition: what was removed.
        context: what is left of the context.
        model: who is asked.
        trial: number of the trial.
        messages: what a model is sent: all that it sees.
        template: name of the template that they were rendered from.
        template_hash: its SHA-256.
        choices: the options that it names, in the order A to D; none where it asks for words.
    """

    item: Auditable
    condition: ConditionRecord
    context: str
    model: str
    trial: int
    messages: tuple[Message, ...]
    template: str = ""
    template_hash: str = ""
    choices: tuple[str, ...] = ()

    @cached_property
    def key(self) -> str:
        """Digest of the whole request: equal requests have equal keys on every machine."""
        return request_key(self.model, self.messages, self.trial)


def request_key(model: str, messages: tuple[Message, ...], trial: int) -> str:
    """Return the digest of a request."""
    said = [part for message in messages for part in (message.role, message.content)]
    return digest(model, trial, *said, length=32)


class Answer(Record):
    """What came of a prompt."""

    text: str | None = None
    """The answer as it came, or None."""
    failure: str = ""
    """Why there is none."""
    pending: bool = False
    """Whether it may still come: a batch was written, and its replies are not in."""


class Solver(Protocol):
    """Answers prompts at once, without asking anybody (`AskedSolver` is a model that is asked).

    Scripted solvers may look at the item, which is how they can have known results; each says what
    it looks at.
    """

    @property
    def name(self) -> str:
        """What `--model` calls it."""
        ...

    def answer(self, prompt: Prompt) -> Answer:
        """Return the answer, or why there is none; no failure of one prompt is raised."""
        ...
