"""What decides a refusal run: the dataset, and for each model and mode how it was asked."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Literal

from pydantic import Field, JsonValue

from realhop_kg.errors import InputError
from realhop_kg.ids import digest
from realhop_kg.jsonl import canonical
from realhop_kg.llm.prompts import Template
from realhop_kg.llm.stages import refuse_parameter
from realhop_kg.model.record import Record
from realhop_kg.model.refusal_drop import DropRefusal
from realhop_kg.model.refusal_item import RefusalItem
from realhop_kg.model.trajectory import AskedQuestion, Mode
from realhop_kg.search.check import Coverage, SearchFinding

__all__ = [
    "Arm",
    "RunSettings",
    "SearchSettings",
    "asked",
    "asked_with_passages",
    "read_parameters",
    "trajectory_digest",
]

_OURS = frozenset(("tools", "tool_choice"))
"""What a run sets itself."""


class SearchSettings(Record):
    """How searches are carried out."""

    budget: int = Field(default=8, ge=1)
    """Search calls in a run; every tool call counts, served or not."""
    top_k: int = Field(default=3, ge=1)
    """Passages per call."""
    retriever: dict[str, JsonValue] = Field(default_factory=dict)
    """As the retriever says of itself."""
    index: str = ""
    """Digest of the index; empty for a server."""
    beyond_budget: Literal["told"] = "told"
    """Parallel calls beyond the budget are not carried out; the model is told so."""
    final_turn: Literal["free"] = "free"
    """After the last search there is one more turn, and nothing forces an answer in it."""


class Arm(Record):
    """One model in one mode."""

    model: str
    mode: Mode
    parameters: dict[str, JsonValue] = Field(default_factory=dict)
    """As they are sent."""
    search: SearchSettings | None = None
    checks: tuple[SearchFinding, ...] = ()
    """What the self-test of the retriever found."""
    coverage: Coverage | None = None
    """Pages of the chains that the corpus has."""

    @property
    def name(self) -> str:
        """Model and mode."""
        return f"{self.model} {self.mode}"

    @property
    def decides(self) -> dict[str, JsonValue]:
        """What decides its trajectories; what was only found out does not."""
        found: dict[str, JsonValue] = self.model_dump(mode="json", exclude={"checks", "coverage"})
        return found


class RunSettings(Record):
    """One folder of runs on one dataset."""

    dataset: str
    """Name of the dataset's folder."""
    dataset_digest: str
    limit: int | None = None
    """Number of questions, or all."""
    template: str = ""
    """Name and SHA-256 of the template by which passages are put before a question; empty where
    questions are asked bare."""
    arms: tuple[Arm, ...] = ()
    """In the order in which they were first asked."""


def asked(item: RefusalItem) -> AskedQuestion:
    """Return what a run keeps of a question."""
    chain = item.chain
    return AskedQuestion(
        item=item.id,
        question=item.question,
        cause=item.cause,
        topology=item.topology,
        depth=item.depth,
        rationale=item.rationale,
        premise=chain.defect.question,
        hidden=chain.hidden,
        prefix=tuple(link.target for link in chain.prefix),
        pages=chain.pages,
    )


def asked_with_passages(drop: DropRefusal, template: Template) -> AskedQuestion:
    """Return what a run keeps of a Drop, which is asked together with its passages.

    Args:
        drop: the question.
        template: puts passages and question into one message of the user.

    Raises:
        InputError: if the template makes anything but one message of the user.
    """
    messages = template.render({"question": drop.question, "passages": drop.passages})
    if [message.role for message in messages] != ["user"]:
        raise InputError(
            f"template {template.name} must have one part, [user]; questions of runs "
            "are asked without a system message"
        )
    return AskedQuestion(
        item=drop.id,
        question=drop.question,
        cause=drop.cause,
        topology=drop.topology,
        depth=drop.depth,
        rationale=drop.rationale,
        premise=f"its step {drop.broken_step}, in the light of the passages that were given",
        prompt=messages[0].content,
    )


def read_parameters(given: Iterable[str], defaults: dict[str, JsonValue]) -> dict[str, JsonValue]:
    """Return what is sent with every request: the defaults, changed as asked for.

    Args:
        given: `NAME=VALUE`; values are JSON or plain text, `null` takes a parameter out.
        defaults: greedy decoding without thinking, as far as the model takes that.

    Raises:
        InputError: if one is of another form, or not for here.
    """
    found = dict(defaults)
    for entry in given:
        name, equals, text = entry.partition("=")
        if not equals or not name:
            raise InputError(f"--param {entry!r}: write NAME=VALUE")
        if name in _OURS:
            raise InputError(f"--param {name} is not for here; the run sets it itself")
        try:
            value: JsonValue = json.loads(text)
        except ValueError:
            value = text
        refuse_parameter(name, value)
        found[name] = value
    return {name: value for name, value in found.items() if value is not None}


def trajectory_digest(data: dict[str, JsonValue]) -> str:
    """Return the digest of a stored run, by which its judgement knows it."""
    return digest(canonical(data), length=32)
