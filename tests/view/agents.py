"""Runs of models written in a few letters, for pages that show them."""

from __future__ import annotations

from realhop_kg.model.trajectory import (
    CallFault,
    Document,
    Ending,
    Judged,
    Mode,
    SearchCall,
    State,
    StateJudgement,
    TimelineJudgement,
    Trajectory,
    Turn,
    TurnTokens,
)
from realhop_kg.refusal.evaluate.settings import Arm
from realhop_kg.view.runs import ShownRun

__all__ = ["made_run"]


def made_run(
    turns: int,
    state: State | None = State.TACH,
    *,
    stated: int | None = None,
    shown: int | None = None,
    title: str = "Page 1",
    more: str = "",
    model: str = "made/model",
    mode: Mode = Mode.SEARCH,
) -> ShownRun:
    """Return a run that searches once in every turn but the last, and is judged.

    Args:
        turns: number of turns.
        state: what it shows; SEH ends with a call.
        stated: turn in which it states the reason.
        shown: turn whose passages show it.
        title: of the passage that every search returns.
        more: stands at the end of every text.
        model: who ran.
        mode: whether it may search.
    """
    exhausted = state is State.SEH
    run = Trajectory(
        item="refusal/made",
        model=model + more,
        mode=mode,
        ending=Ending.EXHAUSTED if exhausted else Ending.ANSWERED,
        failure=f"a further call came{more}" if exhausted else "",
        turns=tuple(
            Turn(
                number=number,
                text=f"The reason of turn {number}.{more}" if number in (stated, turns) else "",
                reasoning=f"Let me see.{more}" if number == 1 else "",
                calls=() if number == turns and not exhausted else (_call(number, title, more),),
                tokens=TurnTokens(reasoning=10, search=5),
                finish_reason=f"stop{more}",
                reply=f"r{more}",
            )
            for number in range(1, turns + 1)
        ),
    )
    timed = mode is Mode.SEARCH and not exhausted
    judged = Judged(
        item=run.item,
        model=run.model,
        mode=mode,
        trajectory="0",
        judge=f"rules{more}",
        state=StateJudgement(state=state, by=f"rules{more}", reason=f"so it reads{more}"),
        timeline=TimelineJudgement(stated=stated, shown=shown, by="rules") if timed else None,
    )
    return ShownRun(Arm(model=run.model, mode=mode), run, judged)


def _call(number: int, title: str, more: str) -> SearchCall:
    if number == 2 and more:
        return SearchCall(
            id=f"c{more}", name=f"browse{more}", arguments=f"{{{more}", fault=CallFault.TOOL
        )
    found = Document(id=f"d{more}", title=f"{title}{more}", text=f"It is said.{more}", score=1.25)
    return SearchCall(
        id=f"{number}{more}", name="search", arguments="{}", query=f"query {number}{more}",
        documents=(found,),
    )  # fmt: skip
