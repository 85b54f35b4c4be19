"""Runs, questions and outcomes written in a few letters, for tests of measures."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from realhop_kg.model.refusal import Cause
from realhop_kg.model.refusal_item import Topology
from realhop_kg.model.trajectory import (
    AskedQuestion,
    Document,
    Ending,
    Mode,
    SearchCall,
    State,
    Trajectory,
    Turn,
    TurnTokens,
)
from realhop_kg.refusal.evaluate.outcomes import Outcome

DOCUMENT = Document(id="1", title="Korrum", text="Korrum lies on the Imbrel.", score=1.0)

Told = tuple[int, int, int, int]
"""Calls of a turn, and its reasoning, search and answer tokens."""


def trajectory(
    *turns: Told,
    item: str = "refusal/1",
    model: str = "m",
    mode: Mode = Mode.SEARCH,
    ending: Ending = Ending.ANSWERED,
    documents: bool = True,
) -> Trajectory:
    found = (DOCUMENT,) if documents else ()
    return Trajectory(
        item=item,
        model=model,
        mode=mode,
        ending=ending,
        turns=tuple(
            Turn(
                number=number,
                text="" if calls else "No record says so.",
                calls=tuple(
                    SearchCall(
                        id=f"{number}.{at}", name="search", arguments="{}", query="q",
                        documents=found,
                    )
                    for at in range(calls)
                ),
                tokens=TurnTokens(reasoning=reasoning, search=search, answer=answer),
            )
            for number, (calls, reasoning, search, answer) in enumerate(turns, 1)
        ),
    )  # fmt: skip


def question(item: str, **changed: object) -> AskedQuestion:
    fields = {
        "item": item,
        "question": "Which river did the teacher of Petra Sundew secretly like best?",
        "cause": Cause.AU,
        "topology": Topology.TERMINAL,
        "depth": 2,
        "rationale": "A liking that was kept secret is not recorded.",
        "premise": "Which river did Corin Aldwyn secretly like best?",
    }
    return AskedQuestion.model_validate(fields | changed)


def outcome(item: str, state: State, **changed: object) -> Outcome:
    fields = {"cause": Cause.AU, "topology": Topology.ROOT, "depth": 2} | changed
    return Outcome(item, state=state, **fields)  # type: ignore[arg-type]


def outcomes(counts: Iterable[tuple[State, int]], start: str = "q") -> list[Outcome]:
    """As many outcomes of each state as are given, numbered through."""
    states: Sequence[State] = [state for state, count in counts for _ in range(count)]
    return [outcome(f"{start}{number}", state) for number, state in enumerate(states)]
