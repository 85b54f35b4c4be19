"""A real model, however small, through the whole path; it proves the path, never a result.

CI starts it; by hand, start it with `tools/local_model/run.sh start` and name its address in
REALHOP_LOCAL_MODEL.
"""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from realhop_kg.freeze.reader import FrozenDataset
from realhop_kg.llm.ledger import Filters, found
from realhop_kg.llm.limits import Limits
from realhop_kg.llm.records import Message, Reply, ReplyStatus
from realhop_kg.llm.replies import ReplyStore
from tests.construct.models.many import write_many
from tests.construct.models.runs import construct
from tests.llm.asked import request
from tests.llm.asking import ask_all

pytestmark = pytest.mark.local_model

PATIENT = Limits(concurrency=1, call_timeout=600, attempts=2)


@pytest.fixture(scope="module")
def url() -> str:
    named = os.environ.get("REALHOP_LOCAL_MODEL", "")
    if not named:
        pytest.skip("no local model; start tools/local_model/run.sh and name its address")
    return named


def test_as_a_solver_it_answers_and_its_answers_are_kept(url: str, tmp_path: Path) -> None:
    texts = [
        f"{town} is the seat of {county} County. What is the seat of {county} County? Name it only."
        for town, county in (("Calder", "Marrin"), ("Averil", "Tolmer"))
    ]
    requests = [
        request(
            messages=(Message(role="user", content=text),),
            parameters={"max_tokens": 16, "temperature": 0},
        )
        for text in texts
    ]
    path = tmp_path / "r.sqlite"
    replies, totals = ask_all(url, path, requests, PATIENT)
    assert totals.replies == 2
    with ReplyStore(path) as store:
        for asked, reply in zip(requests, replies, strict=True):
            assert isinstance(reply, Reply)
            (kept,) = store.replies(asked.key)
            assert (kept.text, kept.prompt_tokens) == (reply.text, reply.prompt_tokens)
            assert kept.text.strip()
            assert kept.completion_tokens


def test_what_it_cannot_plan_ends_as_named_exclusions_with_its_replies_in_the_store(
    url: str, tmp_path: Path
) -> None:
    source = _without_distractors(write_many(tmp_path / "many.jsonl", 5))
    out, store = tmp_path / "out", tmp_path / "r.sqlite"
    words = ("--api-base", url, "--out", out, "--replies", store, "--json", "--concurrency", "1")
    # It begins a plan and then repeats one key until it is cut off, at 600 tokens as at 32.
    greedy = ("--param", "max_tokens=32", "--param", "temperature=0")
    words = (*words, *greedy, "--call-timeout", "600", "--model", "openai/smollm2")
    done = construct(source, *words, dataset="jsonl")
    assert done.returncode == 0, done.stderr
    figures = json.loads(done.stdout)
    assert figures["read"] == figures["constructed"] + figures["excluded"] == 5
    assert figures["calls"]["by_stage"]["plan"] >= 5
    for each in FrozenDataset.open(out).excluded():
        assert each.code
        assert each.message
        with ReplyStore(store) as replies:
            [first, *_] = found(replies, Filters(item=each.id))
            [raw, *_] = replies.replies(first.key)
        assert first.stage == "plan"
        assert json.loads(raw.raw)["choices"][0]["message"]["content"] == raw.text
        if raw.status is ReplyStatus.TRUNCATED:
            assert "max_tokens" in each.message


def _without_distractors(path: Path) -> Path:
    """Leave the passages out that only make the prompt longer."""
    records = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    for record in records:
        del record["passages"][2:]
    path.write_text("".join(f"{json.dumps(record)}\n" for record in records), encoding="utf-8")
    return path
