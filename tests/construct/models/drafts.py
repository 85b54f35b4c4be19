"""Stages of small own items, with a model that says what a test tells it to say."""

from __future__ import annotations

import asyncio
import copy
import json
from collections.abc import Callable, Iterable
from typing import Any, Literal

from realhop_kg.construct.models.pipeline import construct_item
from realhop_kg.freeze.freeze import Packed
from realhop_kg.graph.reasoning import ReasoningGraph
from realhop_kg.graph.schema import ItemNode
from realhop_kg.llm.asking import Models
from realhop_kg.llm.records import Attempt, ModelRequest, Reply, ReplyStatus
from realhop_kg.llm.stages import read_backend
from realhop_kg.model.frozen import ExcludedItem
from realhop_kg.model.item import SourceHop, SourceItem
from realhop_kg.model.text import Passage
from realhop_kg.relations.catalogue import catalogue
from realhop_kg.settings import MODEL_STAGES, StageModel
from tests.construct.models.scribe import Scribe

QUESTION = "What team was Anna Benson's husband on?"


def item(question: str = QUESTION) -> SourceItem:
    """Return an own record with the names that the scribe knows."""
    texts = [
        "Anna Benson is a model. Anna Benson married the pitcher Tobin Marsh in 1999.",
        "Tobin Marsh was a pitcher. Oakford United signed Tobin Marsh in 1996.",
        "Lake Orm is a lake. Lake Orm froze in 1911.",
        "Pennock is a town. Pennock burnt in 1911.",
        "Stell is a village. Stell has a mill.",
        "Quay Hill is a hill. Quay Hill has a tower.",
    ]
    return SourceItem(
        dataset="own",
        id="2hop__own",
        question=question,
        answer="Oakford United",
        passages=tuple(
            Passage(index=index, title=f"Page {index}", text=text, is_support=index < 2)
            for index, text in enumerate(texts)
        ),
        hops=(
            SourceHop(index=1, question="Anna Benson >> spouse", answer="Tobin Marsh", support=0),
            SourceHop(
                index=2,
                question="#1 >> member of sports team",
                answer="Oakford United",
                support=1,
                depends_on=(1,),
            ),
        ),
        file="own.jsonl",
        line=1,
    )


Change = Callable[[dict[str, Any]], Any]


class Model:
    """Says what the scribe would say, but for some replies of some stages.

    Attributes:
        heard: every request, in order.
    """

    def __init__(
        self,
        source: Literal["live", "batch"] = "live",
        outcome: str = "",
        **said: Iterable[Change | str | ReplyStatus],
    ) -> None:
        """Take what is said otherwise: by stage, for its first, second ... request.

        A function changes the scribe's reply (None leaves it as it is), a text replaces it, a
        status makes it unusable, of a source and after one try with an outcome.
        """
        self.heard: list[ModelRequest] = []
        self._said = {stage: list(changes) for stage, changes in said.items()}
        self._scribe = Scribe()
        self._source: Literal["live", "batch"] = source
        self._outcome = outcome

    async def ask(self, request: ModelRequest) -> Reply:
        self.heard.append(request)
        body = {"messages": [message.model_dump() for message in request.messages]}
        text = self._scribe.reply(body) or ""
        waiting = self._said.get(request.stage)
        change = waiting.pop(0) if waiting else None
        if isinstance(change, ReplyStatus):
            tries = (Attempt(outcome=self._outcome, seconds=0),) if self._outcome else ()
            return Reply(key=request.key, status=change, source=self._source, attempts=tries)
        if isinstance(change, str):
            text = change
        elif change is not None:
            value = copy.deepcopy(json.loads(text))
            text = json.dumps(change(value) or value)
        return Reply(key=request.key, status=ReplyStatus.GOOD, text=text)

    def asked(self, stage: str) -> list[ModelRequest]:
        return [request for request in self.heard if request.stage == stage]


def constructed(
    model: Model, source: SourceItem | None = None, **changed: Any
) -> tuple[Packed | ExcludedItem, Models]:
    """Construct an item with a model at every stage."""
    stages = {stage: StageModel(model="test/model") for stage in MODEL_STAGES}
    models = Models(model, stages, **changed)
    outcome = asyncio.run(
        construct_item(source or item(), catalogue(), 0, read_backend("llm"), models)
    )
    return outcome, models


def packed(outcome: Packed | ExcludedItem) -> Packed:
    assert isinstance(outcome, Packed), outcome
    return outcome


def excluded(outcome: Packed | ExcludedItem) -> ExcludedItem:
    assert isinstance(outcome, ExcludedItem)
    return outcome


def pruned_of(outcome: Packed | ExcludedItem) -> list[str]:
    """Return what pruning took from an item, with its reasons."""
    graph = ReasoningGraph.from_node_link(packed(outcome).graph)
    return graph.get("item", ItemNode).pruned


def host_requests() -> list[ModelRequest]:
    """Return what the scribe's own item asks for, host by host."""
    model = Model()
    constructed(model)
    return model.asked("realize")


def without(*path: Any) -> Change:
    """Leave a part of a reply out."""

    def change(reply: Any) -> None:
        for step in path[:-1]:
            reply = reply[step]
        del reply[path[-1]]

    return change
