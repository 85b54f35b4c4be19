"""Asks the model of a stage: prompt, reply, one re-ask about form, repairs about content."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from shlex import quote
from typing import Generic, TypeVar

from pydantic import BaseModel, JsonValue

from realhop_kg.errors import ContractError, InputError
from realhop_kg.llm.client import Asker
from realhop_kg.llm.parse import FormError, parse_reply
from realhop_kg.llm.prompts import Template, load_template
from realhop_kg.llm.records import Message, ModelRequest, Reply, ReplyStatus
from realhop_kg.model.finding import CONTRACTS, Code, Finding
from realhop_kg.model.refusal_item import REFUSAL_CONTRACTS, RefusalCode, RefusalFinding
from realhop_kg.settings import StageModel

__all__ = [
    "REPAIRS",
    "Conversation",
    "Models",
    "RejectedError",
    "StageCounts",
    "problems_of",
    "settled",
]

REPAIRS = 2
"""Tries to mend a proposal that breaks a contract, before the item is excluded (ours)."""

Schema = TypeVar("Schema", bound=BaseModel)
Result = TypeVar("Result")

_WHY = {
    ReplyStatus.TRUNCATED: "was cut off at the maximum of tokens; raise max_tokens",
    ReplyStatus.FILTERED: "was withheld by the provider's content filter; ask another model",
    ReplyStatus.EMPTY: "was empty; ask another model",
    ReplyStatus.FAILED: "never came; run again",
}

_REFUSED = "never came; shorten the request, mend its parameters or ask another model"


class RejectedError(ContractError):
    """A proposal that breaks contracts.

    Attributes:
        findings: all of them.
    """

    def __init__(self, findings: Sequence[Finding | RefusalFinding]) -> None:
        first = findings[0]
        nodes = first.nodes if isinstance(first, Finding) else (first.item,)
        super().__init__(first.code, first.message, nodes)
        self.findings = tuple(findings)


@dataclass
class StageCounts:
    """What a stage has asked and mended."""

    asked: int = 0
    """Replies that were used, from the store or fresh."""
    json_repaired: int = 0
    """Replies that were not JSON as they came."""
    reasks: int = 0
    """Replies that were cut off or had not the asked form, and were asked for once more."""
    repairs: int = 0
    """Proposals that broke a contract and were sent back."""
    refused: int = 0
    """Items excluded at this stage."""


@dataclass
class Models:
    """The models of a run, with their templates; one for all items.

    Attributes:
        folder: the templates of the stages: construct or refusal.
        counts: figures by stage.
    """

    asker: Asker
    stages: Mapping[str, StageModel]
    prompt_dir: Path | None = None
    folder: str = "construct"
    counts: dict[str, StageCounts] = field(default_factory=dict)
    scores: dict[str, Counter[int]] = field(default_factory=dict)
    """How often the audit gave each mark, by what it marks."""
    used: dict[str, set[tuple[str, str]]] = field(default_factory=dict)
    """Stage and key of the replies that went into each item that is under way."""

    def __post_init__(self) -> None:
        """Read every template that the run can need, so that a broken one is told at once.

        Raises:
            InputError: naming the template.
        """
        ids = {name: f"{self.folder}/{name}" for name in self.stages}
        if ids:
            # How a model is asked again is the same for all benchmarks.
            ids |= {name: f"construct/{name}" for name in ("repair", "reask")}
        self.templates = {name: load_template(each, self.prompt_dir) for name, each in ids.items()}

    @property
    def hashes(self) -> dict[str, str]:
        """SHA-256 of each template by its name, for the manifest."""
        return {template.name: template.hash for template in self.templates.values()}

    def of(self, stage: str) -> StageCounts:
        """Return the figures of a stage."""
        return self.counts.setdefault(stage, StageCounts())

    def conversation(
        self, stage: str, item: str, inputs: Mapping[str, object], schema: type[Schema]
    ) -> Conversation[Schema]:
        """Begin a conversation about one proposal.

        Args:
            stage: one of those that models fill.
            item: key of the item.
            inputs: what its template is filled with.
            schema: the form of the reply.
        """
        template = self.templates[stage]
        if template.front.output != schema.__name__:
            raise InputError(
                f"template {template.name} gives {template.front.output}, the stage takes "
                f"{schema.__name__}"
            )
        return Conversation(self, stage, item, template, list(template.render(inputs)), schema)

    def follow_up(self, name: str, inputs: Mapping[str, object]) -> tuple[Message, ...]:
        """Return the messages that go on with a conversation."""
        return self.templates[name].render(inputs)


@dataclass
class Conversation(Generic[Schema]):
    """What is said to a model about one proposal, and what it says."""

    models: Models
    stage: str
    item: str
    template: Template
    messages: list[Message]
    schema: type[Schema]

    def request(self) -> ModelRequest:
        """Return the request that the conversation has come to."""
        setup = self.models.stages[self.stage]
        return ModelRequest(
            model=setup.model,
            messages=tuple(self.messages),
            parameters=_parameters(setup, self.schema),
            template=self.template.name,
            template_hash=self.template.hash,
            stage=self.stage,
            item=self.item,
        )

    async def reply(self) -> Schema:
        """Return the model's next proposal, asked for twice if its form is wrong.

        Raises:
            ContractError: M1 if no usable reply comes.
        """
        counts = self.models.of(self.stage)
        text = await self._said()
        try:
            parsed = parse_reply(text, self.schema)
        except FormError as error:
            counts.reasks += 1
            self.messages += self.models.follow_up("reask", {"error": str(error)})
            text = await self._said()
            try:
                parsed = parse_reply(text, self.schema)
            except FormError as again:
                raise ContractError(
                    Code.M1,
                    f"the {self.stage} reply has not the asked form: {again}; "
                    f"`realhop replies prune --item {quote(self.item)}` has it asked for anew",
                ) from again
        counts.json_repaired += parsed.repaired
        return parsed.value

    def object_to(self, problems: Sequence[str]) -> None:
        """Send the last proposal back with what is wrong about it."""
        self.models.of(self.stage).repairs += 1
        self.messages += self.models.follow_up("repair", {"problems": list(problems)})

    async def _said(self) -> str:
        request = self.request()
        reply = await self.models.asker.ask(request)
        # What was cut off is cut off again where nothing is drawn.
        if reply.status is ReplyStatus.TRUNCATED and request.parameters.get("temperature") != 0:
            self.models.of(self.stage).reasks += 1
            reply = await self.models.asker.ask(request)
        if not reply.good:
            raise ContractError(Code.M1, f"the {self.stage} reply {_why(reply, self.item)}")
        self.models.of(self.stage).asked += 1
        self.models.used.setdefault(self.item, set()).add((self.stage, request.key))
        self.messages.append(Message(role="assistant", content=reply.text))
        return reply.text


async def settled(
    conversation: Conversation[Schema], accept: Callable[[Schema, bool], Result]
) -> Result:
    """Return what the first acceptable proposal gives.

    Args:
        conversation: a fresh conversation.
        accept: makes the result of a proposal, or raises ContractError; it is told whether the
            proposal is the last one.

    Raises:
        ContractError: of the last proposal, if none is acceptable.
    """
    for last in (*(False,) * REPAIRS, True):
        proposal = await conversation.reply()
        try:
            return accept(proposal, last)
        except ContractError as error:
            if last:
                raise
            conversation.object_to(problems_of(error))
    raise AssertionError("the last proposal returns or raises")


def problems_of(error: ContractError) -> list[str]:
    """Return an error in words that a model can work with."""
    if isinstance(error, RejectedError):
        return [_told(finding.code, finding.message) for finding in error.findings]
    return [_told(error.code, error.message)]


def _told(code: str, message: str) -> str:
    if code not in CONTRACTS:
        return f"{message} (the rule: {REFUSAL_CONTRACTS[RefusalCode(code)]})"
    contract = CONTRACTS[Code(code)]
    return f"{message} (the rule: {contract.holds_when}; what to do: {contract.fix})"


def _why(reply: Reply, item: str) -> str:
    last = reply.attempts[-1].outcome if reply.attempts and not reply.text else ""
    told = _REFUSED if reply.refused else _WHY[reply.status]
    if reply.source != "live" and not reply.refused:
        # What has come from files stands, so that the same command would say the same.
        again = f"`realhop replies prune --unusable --item {quote(item)}` has it written again"
        told = f"{told.removesuffix('; run again')}; {again}"
    return told + (f" ({last})" if last not in ("", "ok") else "")


def _parameters(setup: StageModel, schema: type[BaseModel]) -> dict[str, JsonValue]:
    parameters = dict(setup.parameters)
    if setup.json_mode == "object":
        parameters["response_format"] = {"type": "json_object"}
    elif setup.json_mode == "schema":
        form: dict[str, JsonValue] = {
            "name": schema.__name__,
            "schema": schema.model_json_schema(),
            "strict": False,
        }
        parameters["response_format"] = {"type": "json_schema", "json_schema": form}
    return parameters
