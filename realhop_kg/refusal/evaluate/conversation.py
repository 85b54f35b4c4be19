"""Lets one agent work on one question, turn by turn, until the run has one of its defined ends.

Rules: a run without search is one turn. With search, every tool call costs one of the budget,
served or not, so that a loop of broken calls ends too; parallel calls are kept, in their order, and
those beyond the budget are told so and cost nothing. When the budget is used up the agent has one
more turn, unforced: a further call in it, or no text, is search exhaustion.

Source: HopRefusalBench, inference modes and retrieval; DESIGN section 6.
"""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Sequence

from realhop_kg.jsonl import canonical
from realhop_kg.llm.records import Message
from realhop_kg.model.trajectory import (
    AskedQuestion,
    CallFault,
    Document,
    Ending,
    Mode,
    SearchCall,
    Trajectory,
    Turn,
)
from realhop_kg.refusal.evaluate.agents import TOOL_NAME, Agent, Assistant, RequestedCall

__all__ = ["FAULT_TEXTS", "Search", "converse", "result_text"]

Search = Callable[[Sequence[str]], Awaitable[list[tuple[Document, ...]]]]
"""Searches for several queries at once; the results come in their order."""

FAULT_TEXTS = {
    CallFault.ARGUMENTS: 'Error: the arguments are no JSON object with a text "query".',
    CallFault.TOOL: f'Error: there is no such tool; the only one is "{TOOL_NAME}".',
    CallFault.QUERY: "Error: the query is empty.",
    CallFault.BUDGET: "Error: the limit of searches is reached; this call was not carried out.",
}
"""What an agent is told in the place of documents."""


async def converse(
    agent: Agent, question: AskedQuestion, search: Search | None, budget: int
) -> Trajectory:
    """Return the run of an agent on a question.

    Args:
        agent: who answers.
        question: is sent as it is, with its passages if it has any: no system message, no hint
            to refuse.
        search: carries out searches; None for a run without.
        budget: search calls in the run.

    Raises:
        RealHopError: if the run as a whole has to stop (limits, provider, retriever).
    """
    messages = [Message(role="user", content=question.prompt or question.question)]
    turns: list[Turn] = []
    left = budget if search is not None else 0
    ending, failure = None, ""
    while ending is None:
        said = await agent.respond(question, messages)
        used_up = search is not None and left == 0
        ending, failure = _ending(said, search is not None, used_up)
        if ending in (None, Ending.ANSWERED) or said.calls or said.text:
            turn, left = await _turn(said, len(turns) + 1, search, left)
            turns.append(turn)
            messages += _sent(turn)
    return Trajectory(
        item=question.item,
        model=agent.name,
        mode=Mode.PLAIN if search is None else Mode.SEARCH,
        ending=ending,
        failure=failure,
        turns=tuple(turns),
    )


def _ending(said: Assistant, searching: bool, used_up: bool) -> tuple[Ending | None, str]:
    """Return how a run ends with a message, or None if it goes on."""
    if said.ending is Ending.NO_RESPONSE and used_up:
        return Ending.EXHAUSTED, "no text came after the last search"
    if said.ending is not None:
        return said.ending, said.failure
    if said.calls and searching:
        told = "a further call came after the last search"
        return (Ending.EXHAUSTED, told) if used_up else (None, "")
    if said.text.strip():
        return Ending.ANSWERED, ""
    if used_up:
        return Ending.EXHAUSTED, "no text came after the last search"
    told = "a tool call, but no tool was offered" if said.calls else "neither text nor call came"
    return Ending.NO_RESPONSE, told


async def _turn(said: Assistant, number: int, search: Search | None, left: int) -> tuple[Turn, int]:
    """Carry out the calls of a message, and return the turn with what is left of the budget."""
    calls: list[SearchCall] = []
    seen: set[str] = set()
    for place, asked in enumerate(said.calls, 1):
        name = asked.id if asked.id and asked.id not in seen else f"call_{number}_{place}"
        seen.add(name)
        call = _checked(asked, name, left, search is not None)
        left -= call.fault is not CallFault.BUDGET and search is not None
        calls.append(call)
    queries = [call.query for call in calls if call.served]
    results = iter(await search(queries) if search is not None and queries else ())
    calls = [
        call.model_copy(update={"documents": next(results)}) if call.served else call
        for call in calls
    ]
    turn = Turn(
        number=number,
        text=said.text,
        reasoning=said.reasoning,
        calls=tuple(calls),
        tokens=said.tokens,
        prompt_tokens=said.prompt_tokens,
        finish_reason=said.finish_reason,
        latency=said.latency,
        reply=said.reply,
    )
    return turn, left


def _checked(asked: RequestedCall, name: str, left: int, offered: bool) -> SearchCall:
    """Return a call with its query, or with what is wrong with it."""
    call = SearchCall(id=name, name=asked.name, arguments=asked.arguments)
    query, fault = "", None
    if offered and left <= 0:
        fault = CallFault.BUDGET
    elif not offered or asked.name != TOOL_NAME:
        fault = CallFault.TOOL
    else:
        query, fault = _query(asked.arguments)
    return call.model_copy(update={"query": query, "fault": fault})


def _query(arguments: str) -> tuple[str, CallFault | None]:
    try:
        given = json.loads(arguments or "{}")
    except (ValueError, RecursionError):
        return "", CallFault.ARGUMENTS
    if not isinstance(given, dict):
        return "", CallFault.ARGUMENTS
    query = given.get("query", "")
    if not isinstance(query, str):
        return "", CallFault.ARGUMENTS
    return (query, None) if query.strip() else ("", CallFault.QUERY)


def _sent(turn: Turn) -> list[Message]:
    """Return a turn as the messages that the next request holds."""
    if not turn.calls:
        return [Message(role="assistant", content=turn.text)]
    said = {
        "role": "assistant",
        "content": turn.text or None,
        "tool_calls": [
            {
                "id": call.id,
                "type": "function",
                "function": {"name": call.name, "arguments": _repeated(call)},
            }
            for call in turn.calls
        ],
    }
    results = (
        {"role": "tool", "tool_call_id": call.id, "content": result_text(call)}
        for call in turn.calls
    )
    return [Message(role="whole", content=canonical(each)) for each in (said, *results)]


def _repeated(call: SearchCall) -> str:
    """Return the arguments as they go back: providers refuse a conversation with broken JSON."""
    return "{}" if call.fault is CallFault.ARGUMENTS else call.arguments


def result_text(call: SearchCall) -> str:
    """Return what an agent is shown of a call: its passages, or what is wrong with it."""
    if call.fault is not None:
        return FAULT_TEXTS[call.fault]
    if not call.documents:
        return "No passage was found."
    return "\n\n".join(
        f"[{rank}] {each.title}\n{each.text}" for rank, each in enumerate(call.documents, 1)
    )
