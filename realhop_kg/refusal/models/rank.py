"""Path selection by a model: which pages go on best from where a walk is."""

from __future__ import annotations

from collections.abc import Generator
from typing import TypeVar

from realhop_kg.errors import ContractError
from realhop_kg.graph.hyperlinks.coherence import Bm25Coherence
from realhop_kg.graph.hyperlinks.walk import Choice
from realhop_kg.llm.asking import Models, settled
from realhop_kg.model.refusal_item import RefusalCode
from realhop_kg.refusal.models.replies import RankReply

__all__ = ["rank_with_model", "walked"]

_SHOWN = 24
"""Candidates that a model is shown; of more, the most similar by their texts (ours)."""
_LEAD = 240
"""Code points of an opening that it is shown."""

Result = TypeVar("Result")


async def walked(steps: Generator[Choice, list[int], Result], item: str, models: Models) -> Result:
    """Return what a walk comes to when a model ranks the candidates of each of its steps.

    Raises:
        ContractError: as the walk does; M1 if the model gives no ranking.
    """
    try:
        choice = next(steps)
        while True:
            choice = steps.send(await rank_with_model(choice, item, models))
    except StopIteration as end:
        result: Result = end.value
        return result


async def rank_with_model(choice: Choice, item: str, models: Models) -> list[int]:
    """Return the places of the most coherent candidates, the best first.

    Where no more are left than are wanted, all of them are the best and nobody is asked.

    Raises:
        ContractError: M1, if no usable ranking comes.

    Source: HopRefusalBench, construction of paths.
    """
    page, candidates, top = choice
    if len(candidates) <= top:
        return list(range(len(candidates)))
    shown = list(range(len(candidates)))
    if len(shown) > _SHOWN:
        shown = sorted(Bm25Coherence().rank(page, candidates, _SHOWN))

    def accept(reply: RankReply, last: bool) -> list[int]:
        best = list(dict.fromkeys(n for n in reply.best if 1 <= n <= len(shown)))
        if len(best) < top:
            raise ContractError(
                RefusalCode.M1, f"{len(best)} numbers of candidates; give {top} different ones"
            )
        return [shown[number - 1] for number in best[:top]]

    inputs: dict[str, object] = {
        "title": page.title,
        "lead": page.lead[:_LEAD],
        "candidates": [
            {"title": candidates[place].title, "lead": candidates[place].lead[:_LEAD]}
            for place in shown
        ],
        "top": top,
    }
    return await settled(models.conversation("rank", item, inputs, RankReply), accept)
