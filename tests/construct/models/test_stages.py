"""What each stage does with proposals that break a contract: quote it back, twice, then exclude."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from realhop_kg.contracts.check import check_item
from realhop_kg.graph.build import CONSTRUCTED
from realhop_kg.graph.reasoning import ReasoningGraph
from realhop_kg.graph.schema import ItemNode
from realhop_kg.llm.asking import REPAIRS
from realhop_kg.model.finding import Severity
from realhop_kg.relations.catalogue import catalogue
from tests.construct.models.drafts import (
    Change,
    Model,
    constructed,
    excluded,
    packed,
    pruned_of,
    without,
)


def entity(ref: str, **fields: Any) -> Change:
    def change(reply: dict[str, Any]) -> None:
        next(each for each in reply["entities"] if each["ref"] == ref).update(fields)

    return change


def hop(number: int, **fields: Any) -> Change:
    def change(reply: dict[str, Any]) -> None:
        reply["hops"][number - 1].update(fields)

    return change


def premises(**fields: Any) -> Change:
    def change(reply: dict[str, Any]) -> None:
        reply["hops"][1]["premises"].update(fields)

    return change


def candidate(number: int, which: int, **fields: Any) -> Change:
    def change(reply: dict[str, Any]) -> None:
        reply["hops"][number - 1]["strict"][which].update(fields)

    return change


def test_the_own_item_is_constructed_and_keeps_every_contract() -> None:
    model = Model()
    outcome = packed(constructed(model)[0])
    relations = catalogue()
    predicates = relations.predicates.extended(outcome.own)
    graph = ReasoningGraph.from_node_link(outcome.graph)
    found = check_item(graph, predicates, relations.types.parents, plan_time=True)
    assert [each for each in found if each.severity is Severity.BLOCKING] == []
    assert outcome.item.question == "What team was Mirela Castane's husband on?"
    assert len(model.asked("plan")) == len(model.asked("audit")) == 1
    replies = graph.get(CONSTRUCTED, ItemNode).replies
    stages = [reply.partition(": ")[0] for reply in replies]
    assert list(dict.fromkeys(stages)) == ["plan", "compete", "route", "realize", "audit"]
    assert {reply.partition(": ")[2] for reply in replies} == {
        request.key for stage in dict.fromkeys(stages) for request in model.asked(stage)
    }


PLANS: list[tuple[str, Change, str]] = [
    ("R1", without("entities", 1), "not in the registry|h1"),
    ("R1", entity("h2", type="gizmo"), "has type 'gizmo'"),
    ("R1", entity("h2", type="city", kind="county"), "a county is asked for, h2 has type city"),
    ("R2", entity("h2", name="Dorian Hask", article=""), "have one virtual name"),
    ("R3", entity("h1", name="Lake Orm"), "'Lake Orm' occurs in the original text"),
    ("R3", entity("h1", name="Mirela Castane Junior"), "'Mirela Castane' is part of"),
    ("R6", entity("h1", name="Tobin Marsh"), "keeps its name"),
    ("R5", entity("q1", mentions=["Anna"]), "in the question is neither rebound"),
    ("Q1", entity("q1", mentions=["Ann Bensen"]), "does not hold 'Ann Bensen'"),
    ("Q1", entity("q1", mentions=[]), "says no wording"),
    ("Q2", hop(1, voiced="her husband"), "does not hold 'her husband'"),
    ("G1", hop(1, statement="{x} is married."), "must hold {x}, {y}"),
    ("G1", hop(2, slots=[{"slot": "x", "ref": "q1"}]), "does not use the hops it depends on"),
    ("G1", without("hops", 0), "one fact per hop"),
    ("T3", hop(1, statement="{x} is married to {y}"), "no complete sentence"),
    ("T5", hop(1, statement="{x} is his wife, says {y}."), "refers by 'his'"),
    ("G2", hop(2, premises=None), "0 of 2 hops are split"),
    ("G3", premises(link="{x} played for {y} under {k}."), "must hold {k}, {x}"),
    ("G3", premises(key="the old ledger"), "needs a number"),
]


@pytest.mark.parametrize(("code", "change", "said"), PLANS, ids=[f"{p[0]}-{p[2]}" for p in PLANS])
def test_a_plan_that_breaks_a_contract_is_sent_back_and_mended(
    code: str, change: Change, said: str
) -> None:
    model = Model(plan=[change])
    outcome, models = constructed(model)
    packed(outcome)
    first, second = model.asked("plan")
    assert [message.role for message in second.messages] == ["system", "user", "assistant", "user"]
    told = second.messages[-1].content
    assert any(part in told for part in said.split("|")), told
    assert "(the rule: " in told
    assert second.messages[:2] == first.messages
    assert models.counts["plan"].repairs == 1

    outcome, models = constructed(Model(plan=[change] * (REPAIRS + 1)))
    out = excluded(outcome)
    assert (out.code, out.stage) == (code, "plan")
    assert models.counts["plan"].repairs == REPAIRS
    assert models.counts["plan"].refused == 1


COMPETITORS: list[tuple[str, Change, str]] = [
    ("S5a", without("hops", 1), "one entry for every step"),
    ("S5a", without("hops", 0, "strict", 1), "has 1 strict candidates"),
    ("S5a", candidate(1, 1, relation="brother-in-law"), "two candidates have the relation"),
    ("S4", candidate(1, 0, statement="{x} is married to {y}."), "that of the right relation"),
    ("S4", candidate(1, 0, because=" "), "nothing says why"),
    ("S2", candidate(1, 0, values=[{"hop": 1, "name": "Joren Vale"}]), "R(h) is"),
    ("S4", candidate(2, 0, link=""), "must hold {k}, {x}"),
]


@pytest.mark.parametrize(
    ("code", "change", "said"), COMPETITORS, ids=[f"{c[0]}-{c[2]}" for c in COMPETITORS]
)
def test_competitors_that_break_a_contract_are_sent_back_and_mended(
    code: str, change: Change, said: str
) -> None:
    model = Model(compete=[change])
    packed(constructed(model)[0])
    assert said in model.asked("compete")[1].messages[-1].content
    out = excluded(constructed(Model(compete=[change] * (REPAIRS + 1)))[0])
    assert out.stage in ("branch", "check")
    assert out.code == code


@pytest.mark.parametrize(
    "change",
    [
        candidate(1, 1, statement="{x} failed to marry {y}."),
        candidate(
            1, 1, values=[{"hop": 1, "name": "Lake Orm"}, {"hop": 2, "name": "Selby Harriers"}]
        ),
    ],
    ids=["labelled as wrong", "a known name"],
)
def test_one_bad_competitor_that_stays_bad_is_pruned_alone(change: Change) -> None:
    outcome, models = constructed(Model(compete=[change] * (REPAIRS + 1)))
    pruned = pruned_of(outcome)
    assert len(pruned) == 1
    assert pruned[0].startswith(("f:s1b.h1: R3 ", "f:s1b.h1: S4 "))
    assert models.counts["compete"].repairs == REPAIRS


ROUTES: list[tuple[str, Callable[[dict[str, Any]], Any], str]] = [
    ("H1", without("hosts", 0), "has no host"),
    ("H1", lambda reply: reply["hosts"][0].update(passage=77), "cannot go to passage 77"),
    ("H1", lambda reply: reply["hosts"][0].update(fact="f:x"), "'f:x' is no fact"),
    (
        "H3",
        lambda reply: [host.update(passage=3) for host in reply["hosts"]] and reply,
        "shares its host with its continuation",
    ),
    (
        "H2",
        lambda reply: (
            [host.update(passage=0) for host in reply["hosts"] if host["fact"] == "f:f1a.h1"]
            and reply
        ),
        "passage 0 is forbidden to f:f1a.h1",
    ),
]


@pytest.mark.parametrize(("code", "change", "said"), ROUTES, ids=[r[2] for r in ROUTES])
def test_a_route_that_breaks_a_contract_is_sent_back_and_mended(
    code: str, change: Change, said: str
) -> None:
    model = Model(route=[change])
    packed(constructed(model)[0])
    assert said in model.asked("route")[1].messages[-1].content
    out = excluded(constructed(Model(route=[change] * (REPAIRS + 1)))[0])
    assert (out.code, out.stage) == (code, "route")


def test_gold_stays_in_its_support_whatever_the_router_says() -> None:
    def move(reply: dict[str, Any]) -> None:
        reply["hosts"].append({"fact": "f:g.h1", "passage": 4})

    outcome = packed(constructed(Model(route=[move]))[0])
    assert {hop.evidence[0].span.passage for hop in outcome.item.hops} == {0, 1}
