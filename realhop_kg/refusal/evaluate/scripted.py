"""Agents that follow a script, so that their states and measures are known in advance.

They serve tests and calibration: what a judge or a measure says of them can be checked. Each looks
at the question's record, which no model sees.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from realhop_kg.errors import InputError
from realhop_kg.jsonl import canonical
from realhop_kg.llm.records import Message
from realhop_kg.model.trajectory import AskedQuestion, State
from realhop_kg.refusal.evaluate.agents import TOOL_NAME, Assistant, RequestedCall, counted

__all__ = ["PREFIX", "SCRIPTS", "STATES", "Move", "Script", "ScriptedAgent", "scripted"]

PREFIX = "scripted/"

Call = tuple[str, str]
"""Name of the tool and its arguments."""
Move = tuple[str, tuple[Call, ...]]
"""Text of a message, and its calls."""
Script = Callable[[AskedQuestion, int, bool], Move]
"""Gives the move of a turn (from 1), with or without a search tool."""


def _search(query: str) -> Call:
    return TOOL_NAME, canonical({"query": query})


def _right(question: AskedQuestion) -> Move:
    return f"This question cannot be answered. {question.rationale}", ()


def _answer(question: AskedQuestion) -> Move:
    guess = question.hidden[-1] if question.hidden else "the first of its kind"
    return f"The answer is {guess}.", ()


def halts_right(question: AskedQuestion, turn: int, search: bool) -> Move:
    """Search once for the seed question, then refuse for the gold reason."""
    return ("", (_search(question.premise),)) if search and turn == 1 else _right(question)


def answers(question: AskedQuestion, turn: int, search: bool) -> Move:
    """Search once for the question, then answer as if there were nothing wrong."""
    return ("", (_search(question.question),)) if search and turn == 1 else _answer(question)


def searches(question: AskedQuestion, turn: int, search: bool) -> Move:
    """Search until nobody lets it; without search, answer."""
    return ("", (_search(f"{question.premise} {turn}"),)) if search else _answer(question)


def wrong_reason(question: AskedQuestion, turn: int, search: bool) -> Move:
    """Refuse for a concrete reason that is wrong."""
    told = "This question cannot be answered because the parish archive burned down in 1911."
    return told, ()


def vague(question: AskedQuestion, turn: int, search: bool) -> Move:
    """Refuse without any reason."""
    return "I am not able to answer this question.", ()


def stops_early(question: AskedQuestion, turn: int, search: bool) -> Move:
    """Search once, then stop because the beginning of the chain could not be resolved."""
    if search and turn == 1:
        return "", (_search(question.question),)
    return "I could not identify the entity that the question starts from, so I stopped there.", ()


def knows_and_searches(question: AskedQuestion, turn: int, search: bool) -> Move:
    """Say the gold reason at once, search three times more all the same, then refuse."""
    text, _ = _right(question)
    if search and turn <= 4:
        return (text if turn == 1 else ""), (_search(f"{question.premise} {turn}"),)
    return text, ()


def parallel(question: AskedQuestion, turn: int, search: bool) -> Move:
    """Make ten calls at once, then refuse for the gold reason."""
    if search and turn == 1:
        return "", tuple(_search(f"{question.premise} {at}") for at in range(1, 11))
    return _right(question)


def faulty(question: AskedQuestion, turn: int, search: bool) -> Move:
    """Make a malformed call, one of an unknown tool and an empty one, then refuse rightly."""
    broken: dict[int, Call] = {
        1: (TOOL_NAME, '{"query": "Korrum'),
        2: ("browse", canonical({"query": question.premise})),
        3: (TOOL_NAME, canonical({"query": "  "})),
    }
    return ("", (broken[turn],)) if search and turn in broken else _right(question)


SCRIPTS: dict[str, Script] = {
    "halts-right": halts_right,
    "answers": answers,
    "searches": searches,
    "wrong-reason": wrong_reason,
    "vague": vague,
    "stops-early": stops_early,
    "knows-and-searches": knows_and_searches,
    "parallel": parallel,
    "faulty": faulty,
}
"""Script by name."""

STATES: dict[str, tuple[State, State]] = {
    "halts-right": (State.TACH, State.TACH),
    "answers": (State.SHD, State.SHD),
    "searches": (State.SHD, State.SEH),
    "wrong-reason": (State.WRH, State.WRH),
    "vague": (State.URH, State.URH),
    "stops-early": (State.PPH, State.PPH),
    "knows-and-searches": (State.TACH, State.TACH),
    "parallel": (State.TACH, State.TACH),
    "faulty": (State.TACH, State.TACH),
}
"""Known states without and with search."""


class ScriptedAgent:
    """Follows a script.

    Attributes:
        name: `scripted/` and the name of the script.
    """

    def __init__(self, name: str, script: Script, search: bool) -> None:
        self.name = name
        self._script, self._search = script, search

    async def respond(self, question: AskedQuestion, messages: Sequence[Message]) -> Assistant:
        """Return the move of the turn that the conversation has come to."""
        text, calls = self._script(question, turn_of(messages), self._search)
        said = Assistant(
            text=text,
            calls=tuple(
                RequestedCall(id=f"call_{turn_of(messages)}_{at}", name=name, arguments=arguments)
                for at, (name, arguments) in enumerate(calls, 1)
            ),
            finish_reason="tool_calls" if calls else "stop",
        )
        return said.model_copy(update={"tokens": counted(said)})


def turn_of(messages: Sequence[Message]) -> int:
    """Return the number of the turn that comes next."""
    return 1 + sum(message.sent()["role"] == "assistant" for message in messages)


def scripted(name: str, search: bool) -> ScriptedAgent:
    """Return the scripted agent of a name.

    Raises:
        InputError: if there is none.
    """
    script = SCRIPTS.get(name.removeprefix(PREFIX))
    if script is None:
        raise InputError(f"no script {name!r}; there are {', '.join(SCRIPTS)}")
    return ScriptedAgent(name, script, search)
