"""`realhop estimate` beside what a run really takes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from realhop_kg.llm.ledger import Filters, found
from realhop_kg.llm.provider import Provider
from realhop_kg.llm.replies import ReplyStore
from tests.construct.models.many import write_many
from tests.construct.models.runs import construct
from tests.llm.stub import stub
from tests.processes import realhop

MANY = ("--writer", "tests.construct.models.many:ManyScribe")
STAGES = ["plan", "compete", "route", "realize", "audit"]


def estimate(source: Path, store: Path, *words: str) -> dict[str, Any]:
    settings = ("--dataset", "jsonl", "--model", "openai/scribe", "--param", "json=off")
    done = realhop("estimate", source, *settings, "--replies", store, "--json", *words)
    assert done.returncode == 0, done.stderr
    return dict(json.loads(done.stdout))


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a source `four.jsonl` and the store `r.sqlite` of a run over it."""
    folder = tmp_path_factory.mktemp("estimate")
    source = write_many(folder / "four.jsonl", 4)
    words = ("--out", folder / "out", "--replies", folder / "r.sqlite")
    with stub(*MANY) as server:
        done = construct(source, *words, "--api-base", server.url, dataset="jsonl")
    assert done.returncode == 0, done.stderr
    return folder


def test_an_estimate_is_near_what_a_run_takes(run: Path) -> None:
    before = estimate(run / "four.jsonl", run / "none.sqlite")
    assert (before["items"], before["finished"], before["cost"]) == (4, 0, None)
    assert not (run / "none.sqlite").exists()
    provider = Provider()
    with ReplyStore(run / "r.sqlite") as store:
        for stage in before["stages"]:
            kept = list(found(store, Filters(stage=stage["stage"])))
            tokens = sum(provider.tokens(store.request(each.key)) for each in kept)
            assert stage["calls"] == pytest.approx(len(kept), rel=0.3)
            assert stage["prompt_tokens"] == pytest.approx(tokens, rel=0.3)
            assert stage["learned_from"] == 0
            written = sum(each.completion_tokens or 0 for each in kept)
            assert stage["completion_tokens"] == pytest.approx(written, rel=0.7)
    assert [stage["stage"] for stage in before["stages"]] == STAGES


def test_stored_replies_cost_nothing_and_tell_how_long_replies_are(run: Path) -> None:
    after = estimate(run / "four.jsonl", run / "r.sqlite")
    assert (after["items"], after["finished"]) == (0, 4)
    assert sum(stage["calls"] for stage in after["stages"]) == 0
    more = estimate(write_many(run / "six.jsonl", 6), run / "r.sqlite")
    assert (more["items"], more["finished"]) == (2, 4)
    assert all(stage["learned_from"] >= 4 for stage in more["stages"])


def test_known_prices_give_a_cost_and_rules_take_no_call(run: Path) -> None:
    words = ("--model", "openai/gpt-4o-mini", "--backend", "plan=llm,compete=llm,audit=llm")
    found = estimate(run / "four.jsonl", run / "none.sqlite", *words)
    assert [stage["stage"] for stage in found["stages"]] == ["plan", "compete", "audit"]
    for stage in found["stages"]:
        # $0.15 and $0.60 a million tokens, as litellm's own list has it.
        cost = stage["prompt_tokens"] * 15e-8 + stage["completion_tokens"] * 6e-7
        assert stage["cost"] == pytest.approx(cost)
    assert found["cost"] == pytest.approx(sum(stage["cost"] for stage in found["stages"]))
