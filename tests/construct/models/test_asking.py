"""Replies that cannot be used as they come: of another form, almost JSON, cut off, withheld."""

from __future__ import annotations

import json
from typing import Any

import pytest

from realhop_kg.jsonl import canonical
from realhop_kg.llm.records import ReplyStatus
from tests.construct.models.drafts import Model, constructed, excluded, packed


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
    assert "`realhop replies prune --item own/2hop__own`" in out.message


@pytest.mark.parametrize("odd", ["\ud800", "\x00", "\x1b[2J"])
def test_characters_that_no_text_may_hold_are_a_wrong_form(odd: str) -> None:
    def spoil(reply: Any) -> None:
        reply["sentences"][0]["text"] += odd

    model = Model(realize=[spoil])
    packed(constructed(model)[0])
    assert f"U+{ord(odd[0]):04X}" in model.asked("realize")[1].messages[-1].content
    said = json.dumps({"question_problems": [{"hop": 1, "problem": f"vague{odd}"}]})
    out = excluded(constructed(Model(audit=[said, said]))[0])
    assert (out.code, out.stage) == ("M1", "check")
    assert odd not in canonical(out.model_dump(mode="json"))
    out.model_dump_json().encode()


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
    out = excluded(constructed(Model(source="live", outcome="", **{stage: [status] * 2}))[0])
    assert out.code == "M1"
    assert f"the {stage} reply {said.split()[0]}" in out.message
    assert said in out.message


@pytest.mark.parametrize("status", [ReplyStatus.FAILED, ReplyStatus.EMPTY, ReplyStatus.FILTERED])
def test_what_came_from_a_batch_and_stands_says_how_it_goes_out_again(status: ReplyStatus) -> None:
    out = excluded(constructed(Model(plan=[status], source="batch"))[0])
    said = "`realhop replies prune --unusable --item own/2hop__own` has it written again"
    assert said in out.message
    assert "run again" not in out.message


def test_a_request_that_is_refused_as_it_is_need_not_be_run_again() -> None:
    model = Model(plan=[ReplyStatus.FAILED], outcome="refused as it is: too long")
    out = excluded(constructed(model)[0])
    assert "shorten the request" in out.message
    assert "refused as it is: too long" in out.message
    assert "run again" not in out.message


def test_a_reply_that_was_cut_off_is_asked_for_once_more() -> None:
    model = Model(plan=[ReplyStatus.TRUNCATED])
    outcome, models = constructed(model)
    packed(outcome)
    first, second = model.asked("plan")
    assert first.key == second.key
    assert models.counts["plan"].reasks == 1
    model = Model(plan=[ReplyStatus.TRUNCATED] * 2)
    assert excluded(constructed(model)[0]).code == "M1"
    assert len(model.asked("plan")) == 2
