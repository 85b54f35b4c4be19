"""The ends of a run, each with an agent that brings it about."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence

import pytest

from realhop_kg.llm.records import Message
from realhop_kg.model.trajectory import (
    AskedQuestion,
    CallFault,
    Document,
    Ending,
    Mode,
    Trajectory,
)
from realhop_kg.refusal.evaluate.agents import Assistant, RequestedCall
from realhop_kg.refusal.evaluate.conversation import converse, result_text
from realhop_kg.refusal.evaluate.scripted import SCRIPTS, ScriptedAgent
from tests.refusal.evaluate.runs import DOCUMENT, question


class Told:
    """Says one message after the other, and keeps what it was sent."""

    name = "told"

    def __init__(self, *said: Assistant) -> None:
        self.said = list(said)
        self.sent: list[list[Message]] = []

    async def respond(self, question: AskedQuestion, messages: Sequence[Message]) -> Assistant:
        self.sent.append(list(messages))
        return self.said[len(self.sent) - 1]


def call(query: object = "Korrum", name: str = "search", given: str = "") -> RequestedCall:
    arguments = (
        query if isinstance(query, str) and query[:1] in "{[" else json.dumps({"query": query})
    )
    return RequestedCall(id=given, name=name, arguments=str(arguments))


def calls(*made: RequestedCall, text: str = "") -> Assistant:
    return Assistant(text=text, calls=made)


async def search(queries: Sequence[str]) -> list[tuple[Document, ...]]:
    return [(DOCUMENT,) if query != "nothing" else () for query in queries]


def run(agent: Told, budget: int = 8, searching: bool = True) -> Trajectory:
    return asyncio.run(
        converse(agent, question("refusal/1"), search if searching else None, budget)
    )


def test_the_bare_question_is_all_that_is_sent() -> None:
    agent = Told(Assistant(text="Korrum."))
    found = run(agent, searching=False)
    assert agent.sent == [[Message(role="user", content=question("refusal/1").question)]]
    assert (found.mode, found.ending, found.response) == (Mode.PLAIN, Ending.ANSWERED, "Korrum.")


def test_a_turn_is_sent_back_whole_with_its_results_in_order() -> None:
    agent = Told(
        calls(call("a", given="x"), call("nothing", given="y"), text="Hm."), Assistant(text="A.")
    )
    found = run(agent)
    _, said, first, second = (message.sent() for message in agent.sent[1])
    assert said["content"] == "Hm."
    made = said["tool_calls"]
    assert isinstance(made, list)
    assert [each["id"] for each in made if isinstance(each, dict)] == ["x", "y"]
    assert first == {
        "role": "tool",
        "tool_call_id": "x",
        "content": "[1] Korrum\nKorrum lies on the Imbrel.",
    }
    assert second["content"] == "No passage was found."
    assert (found.length, found.ending, len(found.calls)) == (2, Ending.ANSWERED, 2)


def test_after_the_last_search_one_more_turn_may_answer() -> None:
    found = run(Told(calls(call()), calls(call()), Assistant(text="So.")), budget=2)
    assert (found.ending, found.length, found.response) == (Ending.ANSWERED, 3, "So.")


def test_a_further_call_after_the_last_search_is_exhaustion() -> None:
    found = run(Told(calls(call()), calls(call()), calls(call(), text="I think so")), budget=2)
    assert (found.ending, found.length, found.response) == (Ending.EXHAUSTED, 3, "")
    assert [each.fault for each in found.calls] == [None, None, CallFault.BUDGET]


def test_silence_after_the_last_search_is_exhaustion_and_before_it_is_no_response() -> None:
    silent = Assistant(ending=Ending.NO_RESPONSE, failure="no text came")
    after = run(Told(calls(call()), silent), budget=1)
    before = run(Told(calls(call()), silent), budget=2)
    blank = run(Told(calls(call()), Assistant(text=" \n")), budget=1)
    assert (after.ending, before.ending, blank.ending) == (
        Ending.EXHAUSTED,
        Ending.NO_RESPONSE,
        Ending.EXHAUSTED,
    )


def test_parallel_calls_beyond_the_budget_are_told_so_and_the_turn_after_is_free() -> None:
    agent = Told(calls(*(call(f"q{at}") for at in range(10))), Assistant(text="So."))
    found = run(agent)
    assert [each.fault for each in found.calls] == [None] * 8 + [CallFault.BUDGET] * 2
    assert (found.length, found.ending) == (2, Ending.ANSWERED)
    results = [message.sent()["content"] for message in agent.sent[1][2:]]
    assert results[8:] == [result_text(found.calls[8])] * 2
    assert "limit of searches" in str(results[9])
    ids = [each.id for each in found.calls]
    assert len(set(ids)) == 10


@pytest.mark.parametrize(
    ("made", "fault"),
    [
        (call('{"query": "Korr'), CallFault.ARGUMENTS),
        (call('["Korrum"]'), CallFault.ARGUMENTS),
        (call(7), CallFault.ARGUMENTS),
        (call("  "), CallFault.QUERY),
        (call('{"q": "Korrum"}'), CallFault.QUERY),
        (RequestedCall(id="", name="search", arguments=""), CallFault.QUERY),
        (call(name="browse"), CallFault.TOOL),
        (call(name=""), CallFault.TOOL),
        (call("{" * 5000), CallFault.ARGUMENTS),
    ],
)
def test_a_call_that_cannot_be_served_costs_one_and_is_told(
    made: RequestedCall, fault: CallFault
) -> None:
    agent = Told(calls(made), Assistant(text="So."))
    found = run(agent, budget=1)
    [kept] = found.calls
    assert (kept.fault, kept.arguments, kept.documents) == (fault, made.arguments, ())
    assert found.ending is Ending.ANSWERED
    back = agent.sent[1][1].sent()["tool_calls"]
    assert isinstance(back, list)
    assert isinstance(back[0], dict)
    function = back[0]["function"]
    assert isinstance(function, dict)
    assert function["arguments"] in (made.arguments, "{}")
    assert str(agent.sent[1][2].sent()["content"]).startswith("Error: ")


def test_endless_broken_calls_end() -> None:
    found = run(Told(*[calls(call(name="browse"))] * 9))
    assert (found.ending, found.length, len(found.calls)) == (Ending.EXHAUSTED, 9, 9)


def test_ids_that_repeat_or_lack_are_made_anew() -> None:
    found = run(Told(calls(call(given="x"), call(given="x"), call()), Assistant(text="So.")))
    assert [each.id for each in found.calls] == ["x", "call_1_2", "call_1_3"]


def test_a_call_without_a_tool_on_offer_is_no_response() -> None:
    found = run(Told(calls(call())), searching=False)
    assert (found.ending, found.failure) == (
        Ending.NO_RESPONSE,
        "a tool call, but no tool was offered",
    )
    assert [each.fault for each in found.calls] == [CallFault.TOOL]
    spoken = run(Told(calls(call(), text="Korrum.")), searching=False)
    assert (spoken.ending, spoken.response) == (Ending.ANSWERED, "Korrum.")


@pytest.mark.parametrize("ending", [Ending.TRUNCATED, Ending.FILTERED, Ending.FAILED])
def test_what_a_provider_spoils_ends_the_run_and_keeps_its_turns(ending: Ending) -> None:
    spoilt = Assistant(text="Half an ans", ending=ending, failure="because")
    found = run(Told(calls(call()), spoilt))
    assert (found.ending, found.failure, found.response) == (ending, "because", "")
    assert [turn.text for turn in found.turns] == ["", "Half an ans"]


def test_scripts_make_the_turns_and_calls_that_they_say() -> None:
    told: dict[str, tuple[int, int]] = {}
    for name, script in SCRIPTS.items():
        agent = ScriptedAgent(name, script, search=True)
        found = asyncio.run(converse(agent, question("refusal/1"), search, 8))
        told[name] = (found.length, len(found.calls))
    assert told == {
        "halts-right": (2, 1), "answers": (2, 1), "searches": (9, 9), "wrong-reason": (1, 0),
        "vague": (1, 0), "stops-early": (2, 1), "knows-and-searches": (5, 4), "parallel": (2, 10),
        "faulty": (4, 3),
    }  # fmt: skip
