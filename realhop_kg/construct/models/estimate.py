"""Calls, tokens and cost of a run before any call is made."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from realhop_kg.construct.models.audit import audit_inputs
from realhop_kg.construct.models.compete import compete_inputs
from realhop_kg.construct.models.pipeline import construct_item
from realhop_kg.construct.models.plan import plan_inputs
from realhop_kg.construct.models.realize import Realization, hosts_of
from realhop_kg.construct.models.replies import SCHEMAS
from realhop_kg.construct.models.route import route_inputs
from realhop_kg.construct.models.standin import stand_in
from realhop_kg.errors import ContractError
from realhop_kg.llm.asking import Models
from realhop_kg.llm.batch import WaitingError
from realhop_kg.llm.ledger import mean_reply
from realhop_kg.llm.provider import Price
from realhop_kg.llm.records import ModelRequest
from realhop_kg.llm.replies import ReplyStore
from realhop_kg.model.item import SourceItem
from realhop_kg.relations.catalogue import catalogue
from realhop_kg.settings import MODEL_STAGES, Backend

__all__ = ["Estimate", "StageEstimate", "estimate"]

_TOKENS_A_FACT = {"plan": 120, "compete": 22, "route": 6, "realize": 32, "audit": 1}
"""Tokens of a reply for each fact that it speaks of, where no reply is stored to learn from.

Taken from the hand-written replies to five questions of the tests.
"""


@dataclass
class StageEstimate:
    """What one stage will take."""

    stage: str
    model: str
    calls: int = 0
    prompt_tokens: int = 0
    completion_tokens: float = 0.0
    learned_from: int = 0
    """Stored replies that the size of replies is taken from; 0 where it is assumed."""
    cost: float | None = None
    """US dollars, or None where the price is unknown."""


@dataclass
class Estimate:
    """What a run will take, without repairs and repeated questions."""

    stages: dict[str, StageEstimate]
    items: int = 0
    """Items that need calls."""
    finished: int = 0
    """Items that stored replies are enough for."""
    hopeless: int = 0
    """Items that no reply can construct."""
    codes: dict[str, int] = field(default_factory=dict)
    """Why not, by code."""

    @property
    def cost(self) -> float | None:
        """Dollars of all stages, or None where one has no known price."""
        costs = [stage.cost for stage in self.stages.values() if stage.calls]
        return None if None in costs else sum(cost for cost in costs if cost is not None)


def estimate(
    items: Iterable[SourceItem],
    seed: int,
    backend: Mapping[str, Backend],
    models: Models,
    store: ReplyStore | None,
    tokens: Callable[[ModelRequest], int],
    price: Callable[[str], Price | None],
) -> Estimate:
    """Return what a run over these items will take.

    Prompts are rendered as far as the stored replies lead, and after that with a stand-in for what
    the earlier stages will give.

    Args:
        items: the source items.
        seed: the run's seed.
        backend: who fills each stage.
        models: the models, asking nobody but the store.
        store: the reply store, if there is one.
        tokens: counts the tokens of a request.
        price: the price of a model, if it is known.
    """
    found = Estimate(
        {stage: StageEstimate(stage, setup.model) for stage, setup in models.stages.items()}
    )
    sizes = {stage: mean_reply(store, stage, setup.model) for stage, setup in models.stages.items()}
    for item in items:
        first = asyncio.run(_next_stage(item, seed, backend, models))
        if first is None:
            found.finished += 1
            continue
        try:
            requests = list(_requests(item, models, MODEL_STAGES[MODEL_STAGES.index(first) :]))
        except ContractError as error:
            found.hopeless += 1
            found.codes[error.code] = found.codes.get(error.code, 0) + 1
            continue
        found.items += 1
        for stage, request, facts in requests:
            each = found.stages[stage]
            each.calls += 1
            each.prompt_tokens += tokens(request)
            mean, each.learned_from = sizes[stage]
            each.completion_tokens += mean if each.learned_from else _assumed(stage, facts)
    for each in found.stages.values():
        known = price(each.model)
        if known is not None:
            each.cost = (
                each.prompt_tokens * known.prompt + each.completion_tokens * known.completion
            )
    return found


async def _next_stage(
    item: SourceItem, seed: int, backend: Mapping[str, Backend], models: Models
) -> str | None:
    """Return the first stage whose reply is missing, or None if nothing is."""
    try:
        await construct_item(item, catalogue(), seed, backend, models)
    except WaitingError as error:
        return str(error)
    return None


def _requests(
    item: SourceItem, models: Models, stages: Iterable[str]
) -> Iterator[tuple[str, ModelRequest, int]]:
    """Yield stage, request, and number of facts it speaks of, for some stages of an item."""
    draft = stand_in(item, catalogue())
    hosts = hosts_of(draft)
    facts = sum(len(nodes) for nodes in hosts.values())
    for stage in stages:
        if stage not in models.stages:
            continue
        if stage == "realize":
            realization = Realization(draft, models, hosts)
            inputs = [(realization.inputs(host), len(nodes)) for host, nodes in hosts.items()]
        else:
            made = {
                "plan": lambda: plan_inputs(item, draft.catalogue),
                "compete": lambda: compete_inputs(draft),
                "route": lambda: route_inputs(draft),
                "audit": lambda: audit_inputs(draft),
            }[stage]()
            inputs = [(made, len(item.hops) if stage == "plan" else facts)]
        schema = SCHEMAS[models.templates[stage].front.output]
        for filled, count in inputs:
            conversation = models.conversation(stage, item.key, filled, schema)
            yield stage, conversation.request(), count


def _assumed(stage: str, facts: int) -> int:
    return _TOKENS_A_FACT[stage] * facts
