"""What each stage does with proposals that break a contract: quote it back, twice, then exclude."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from realhop_kg.contracts.check import check_item
from realhop_kg.freeze.freeze import Packed
from realhop_kg.graph.reasoning import ReasoningGraph
from realhop_kg.graph.schema import InsertionNode, ItemNode
from realhop_kg.llm.asking import REPAIRS
from realhop_kg.llm.records import ReplyStatus
from realhop_kg.model.finding import Severity
from realhop_kg.model.frozen import ExcludedItem
from realhop_kg.relations.catalogue import catalogue
from tests.construct.models.drafts import Change, Model, constructed, excluded, item, packed


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


def without(*path: Any) -> Change:
    def change(reply: Any) -> None:
        for step in path[:-1]:
            reply = reply[step]
        del reply[path[-1]]

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


def pruned_of(outcome: Packed | ExcludedItem) -> list[str]:
    graph = ReasoningGraph.from_node_link(packed(outcome).graph)
    return graph.get("item", ItemNode).pruned


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


def reworded(text: str) -> Change:
    def change(reply: dict[str, Any]) -> None:
        reply["sentences"][0]["text"] = text

    return change


SENTENCES = [
    ("T2", without("sentences", 0), "is not written"),
    ("T4", reworded("Mirela Castane is married."), "does not name"),
    ("T4", reworded("Mirela Castane {x} Dorian Hask."), "holds braces"),
    (
        "T4",
        reworded("Mirela Castane is married to Dorian Hask of the Ardmere Falcons."),
        "names 'Ardmere Falcons', which is not of its fact",
    ),
    ("T3", reworded("Mirela Castane is married to Dorian Hask"), "no whole sentence"),
    ("T5", reworded("Mirela Castane is married to Dorian Hask, and he is glad."), "refers by 'he'"),
    ("T3", lambda reply: reply["sentences"][0].update(place=99), "has place 99"),
    ("T3", lambda reply: reply["sentences"][0].update(place=None), "has place None"),
]


@pytest.mark.parametrize(("code", "change", "said"), SENTENCES, ids=[s[2] for s in SENTENCES])
def test_a_sentence_that_breaks_a_contract_is_worded_again_in_its_host_alone(
    code: str, change: Change, said: str
) -> None:
    plain = Model()
    constructed(plain)
    model = Model(realize=[change])
    packed(constructed(model)[0])
    asked = model.asked("realize")
    assert len(asked) == len(plain.asked("realize")) + 1
    assert said in asked[-1].messages[-1].content
    assert asked[-1].messages[:2] == asked[0].messages


def test_a_sentence_of_gold_that_stays_wrong_excludes_the_item() -> None:
    wrong = reworded("Mirela Castane is married.")
    hosts = len(_asked_once())
    changes: list[Any] = [wrong, *[None] * (hosts - 1), *[wrong] * REPAIRS]
    out = excluded(constructed(Model(realize=changes))[0])
    assert (out.code, out.stage) == ("T4", "realize")


def _asked_once() -> list[Any]:
    model = Model()
    constructed(model)
    return model.asked("realize")


def test_a_reply_of_another_form_is_asked_for_once_more_with_the_error() -> None:
    model = Model(plan=['{"color": "blue"}'])
    outcome, models = constructed(model)
    packed(outcome)
    assert "entities: Field required" in model.asked("plan")[1].messages[-1].content
    assert models.counts["plan"].reasks == 1
    assert models.counts["plan"].repairs == 0
    out = excluded(constructed(Model(plan=["no", "never"]))[0])
    assert (out.code, out.stage) == ("M1", "plan")
    assert "has not the asked form" in out.message


def test_almost_json_is_mended_and_counted() -> None:
    fenced = "Here you are:\n```json\n" + json.dumps({"hosts": []}) + "\n```"
    model = Model(route=[fenced])
    outcome, models = constructed(model)
    packed(outcome)
    assert models.counts["route"].json_repaired == 1
    assert models.counts["route"].repairs == 1  # no hosts in it


@pytest.mark.parametrize(
    ("status", "said"),
    [
        (ReplyStatus.TRUNCATED, "was cut off at the maximum of tokens; raise max_tokens"),
        (ReplyStatus.FILTERED, "was withheld by the provider's content filter"),
        (ReplyStatus.FAILED, "never came"),
        (ReplyStatus.EMPTY, "was empty"),
    ],
)
@pytest.mark.parametrize("stage", ["plan", "compete", "route", "realize", "audit"])
def test_an_unusable_reply_excludes_the_item_with_its_reason(
    stage: str, status: ReplyStatus, said: str
) -> None:
    out = excluded(constructed(Model(**{stage: [status]}))[0])
    assert out.code == "M1"
    assert f"the {stage} reply {said.split()[0]}" in out.message
    assert said in out.message


# --- the audit


def objection(field: str, **problem: Any) -> Change:
    def change(reply: dict[str, Any]) -> None:
        reply[field] = [{"problem": "as a reader would see", **problem}]

    return change


def test_a_broken_question_contract_excludes_the_item() -> None:
    out = excluded(constructed(Model(audit=[objection("question_problems", hop=2)]))[0])
    assert (out.code, out.stage) == ("M2", "check")
    assert "step 2: as a reader would see" in out.message


def test_a_competitor_with_a_defensible_answer_is_pruned_and_the_rest_reviewed_again() -> None:
    model = Model(audit=[objection("other_answers", id="path:s2a")])
    assert pruned_of(constructed(model)[0]) == ["path:s2a: M2 as a reader would see"]
    assert len(model.asked("audit")) == 2
    assert "path:s2a" not in model.asked("audit")[1].messages[1].content


def test_a_hop_that_loses_both_strict_paths_excludes_the_item() -> None:
    changes = [objection("other_answers", id=f"path:s2{letter}") for letter in "ab"]
    out = excluded(constructed(Model(audit=changes))[0])
    assert (out.code, out.stage) == ("S6", "check")


def test_an_ambiguous_sentence_is_worded_again_in_its_host_alone() -> None:
    hosts = len(_asked_once())
    model = Model(audit=[objection("ambiguous", id="f:g.h1")])
    packed(constructed(model)[0])
    asked = model.asked("realize")
    assert len(asked) == hosts + 1
    assert "f:g.h1: as a reader would see" in asked[-1].messages[-1].content
    assert len(model.asked("audit")) == 2


def test_objections_that_stay_exclude_the_item() -> None:
    changes = [objection("ambiguous", id="f:g.h1")] * (REPAIRS + 1)
    out = excluded(constructed(Model(audit=changes))[0])
    assert (out.code, out.stage) == ("M2", "check")
    assert "f:g.h1: as a reader would see" in out.message


def test_what_the_audit_names_must_be_there() -> None:
    out = excluded(constructed(Model(audit=[objection("ambiguous", id="f:nowhere")]))[0])
    assert out.code == "M1"
    assert "names 'f:nowhere'" in out.message


def test_marks_are_counted_and_decide_nothing() -> None:
    def mark(reply: dict[str, Any]) -> None:
        reply.update(salience=5, hardening=1)

    outcome, models = constructed(Model(audit=[mark]))
    packed(outcome)
    assert models.scores["salience"] == {5: 1}
    assert models.scores["hardening"] == {1: 1}


# --- whole passages, from a user's own template


WHOLE = """---
id: construct/realize
version: 1
inputs: [text, facts]
output: RealizeReply
---
[system]
You write sentences into a passage and give the whole passage back.
[user]
{{ text | fenced("passage") }}
{% for fact in facts %}
- {{ fact.id }}
{{ fact.text | fenced("fact") }}
{% endfor %}
Marks: ⟦1⟧ to ⟦2⟧ in the text.
"""


class Weaver(Model):
    """Gives whole passages back, altered by `spoil`."""

    def __init__(self, spoil: Callable[[str], str]) -> None:
        super().__init__()
        self._spoil = spoil

    async def ask(self, request: Any) -> Any:
        reply = await super().ask(request)
        if request.stage != "realize":
            return reply
        prompt = request.messages[1].content
        facts = self._scribe._realize(prompt)["sentences"]
        body = prompt.split(">\n", 1)[1].split("\n</passage")[0]
        text = self._spoil(body.replace(" ⟦2⟧", "").replace(" ⟦1⟧", "§"))
        woven = text.replace("§", "".join(f" {fact['text']}" for fact in facts))
        said = {"passage": woven, "sentences": [{**fact, "place": None} for fact in facts]}
        return reply.model_copy(update={"text": json.dumps(said)})


@pytest.mark.parametrize(
    "spoil",
    [
        lambda text: text,
        lambda text: text.replace("froze", "was frozen"),
        lambda text: "In short: " + text.upper().replace("§", "§ "),
        lambda text: "§",
    ],
    ids=["untouched", "a word changed", "all capitals", "only the additions"],
)
def test_a_passage_that_comes_back_altered_is_rebuilt_from_its_source(
    tmp_path: Path, spoil: Callable[[str], str]
) -> None:
    (tmp_path / "realize.v1.jinja").write_text(WHOLE, encoding="utf-8")
    # The scribe knows no such prompt, so its own words are taken.
    outcome = packed(constructed(Weaver(spoil), prompt_dir=tmp_path)[0])
    source = item()
    insertions = outcome.item.insertions
    for passage, original in zip(outcome.item.passages, source.passages, strict=True):
        text = passage.text
        for added in sorted(insertions, key=lambda each: (each.offset, each.order), reverse=True):
            if added.passage == passage.index:
                assert added.text in text
                text = text.replace(added.text, "", 1)
        assert text == original.text
    graph = ReasoningGraph.from_node_link(outcome.graph)
    assert len(graph.nodes(InsertionNode)) == len(insertions) == 18
