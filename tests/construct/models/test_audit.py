"""What the semantic audit does with an item: objections mend, prune or exclude, marks are kept."""

from __future__ import annotations

from typing import Any

from realhop_kg.llm.asking import REPAIRS
from tests.construct.models.drafts import (
    Change,
    Model,
    constructed,
    excluded,
    host_requests,
    packed,
    pruned_of,
    without,
)


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
    hosts = len(host_requests())
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


def test_marks_are_kept_with_the_item_and_decide_nothing() -> None:
    def mark(reply: dict[str, Any]) -> None:
        reply.update(salience=5, hardening=1)

    outcome, models = constructed(Model(audit=[mark]))
    assert packed(outcome).item.marks == {"salience": 5, "hardening": 1}
    assert models.scores["salience"] == {5: 1}
    assert models.scores["hardening"] == {1: 1}


def test_a_review_without_marks_leaves_none_in_the_record() -> None:
    outcome, _ = constructed(Model(audit=[without("salience")]))
    assert packed(outcome).item.marks == {"hardening": 4}
    given = packed(constructed(Model(audit=[_bare]))[0])
    assert given.item.marks == {}
    assert "marks" not in given.item.model_dump()
    (item,) = (node for node in given.graph["nodes"] if node["id"] == "item")
    assert "marks" not in item


def _bare(reply: dict[str, Any]) -> None:
    del reply["salience"], reply["hardening"]
