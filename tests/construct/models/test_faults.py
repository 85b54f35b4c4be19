"""Whole runs that are disturbed: faults over HTTP, kills, limits, interrupts."""

from __future__ import annotations

import json
import random
import signal
import time
from collections import Counter
from pathlib import Path

import pytest

from realhop_kg.freeze.reader import FrozenDataset
from realhop_kg.llm.ledger import Filters, found
from realhop_kg.llm.records import ReplyStatus
from realhop_kg.llm.replies import ReplyStore
from tests.construct.models.many import write_many
from tests.construct.models.runs import SETTINGS, contents
from tests.llm.stub import Stub, stub
from tests.llm.stub_server import SPOILT, TRANSIENT, digest
from tests.processes import realhop, start

MANY = ("--writer", "tests.construct.models.many:ManyScribe")
CONSTRUCT = ("construct", "--dataset", "jsonl", *SETTINGS)


def good(path: Path) -> set[str]:
    """Return what was asked and has a good reply in a store, as the server tells it apart."""
    if not path.is_file():
        return set()
    with ReplyStore(path) as store:
        kept = [each.key for each in found(store, Filters(status=ReplyStatus.GOOD))]
        requests = [store.request(key) for key in kept]
    return {
        digest(
            {
                "model": request.model,
                "messages": [message.model_dump() for message in request.messages],
            }
        )
        for request in requests
    }


@pytest.mark.slow
@pytest.mark.parametrize("items", [24, pytest.param(500, marks=pytest.mark.soak)])
def test_of_many_items_under_faults_each_is_constructed_or_excluded_with_a_reason(
    tmp_path: Path, items: int
) -> None:
    source = write_many(tmp_path / "many.jsonl", items)
    out, store = tmp_path / "out", tmp_path / "r.sqlite"
    limits = ("--concurrency", "64", "--call-timeout", "5", "--attempts", "8")
    faults = ("--faults", ",".join((*TRANSIENT, *SPOILT)), "--fault-rate", "0.2")
    with stub(*MANY, *faults, "--retry-after", "0.2", "--slow", "0.2") as server:
        words = (*CONSTRUCT, source, "--out", out, "--replies", store, "--json", *limits)
        done = realhop(*words, "--api-base", server.url)
        assert done.returncode == 0, done.stderr
        stats = server.stats()
        kept = good(store)
        again = realhop(*words, "--api-base", server.url, "--force")
        assert again.returncode == 0, again.stderr
        later = server.stats()
    figures = json.loads(done.stdout)
    assert figures["read"] == items
    assert figures["constructed"] + figures["excluded"] == items
    assert figures["constructed"] > items * 2 // 5
    assert set(stats["faults"]) == {*TRANSIENT, *SPOILT}
    assert stats["unscripted"] == []
    assert max(stats["good"].values()) == 1
    assert figures["calls"]["retries"] > items // 5
    # What has a good reply was not asked again by the second run; what had none was.
    assert {key: stats["calls"][key] for key in kept} == {key: later["calls"][key] for key in kept}
    assert json.loads(again.stdout)["constructed"] > figures["constructed"]
    for each in FrozenDataset.open(out).excluded():
        assert each.code == "M1"
        assert each.message


@pytest.mark.slow
@pytest.mark.parametrize(
    ("kills", "items"), [(4, 10), pytest.param(20, 30, marks=pytest.mark.soak)]
)
def test_a_run_killed_at_many_points_ends_in_the_same_bytes_and_pays_nothing_twice(
    tmp_path: Path, kills: int, items: int
) -> None:
    source = write_many(tmp_path / "many.jsonl", items)
    calm, out, store = tmp_path / "calm", tmp_path / "out", tmp_path / "r.sqlite"
    words = (*CONSTRUCT, source, "--concurrency", "3")
    with stub(*MANY) as server:
        ours = ("--out", calm, "--replies", tmp_path / "calm.sqlite")
        assert realhop(*words, *ours, "--api-base", server.url).returncode == 0
        whole = server.calls
    draw = random.Random(9)
    paid: dict[str, int] = {}
    with stub(*MANY, "--delay", "0.05") as server:
        words = (*words, "--out", out, "--replies", store, "--api-base", server.url)
        for _ in range(kills):
            target = server.calls + draw.randrange(1, 10)
            run = start(*words)
            _wait_for_calls(server, target)
            time.sleep(draw.uniform(0, 0.1))
            run.send(signal.SIGKILL)
            assert run.wait().returncode == -signal.SIGKILL
            assert not out.exists()
            calls = server.stats()["calls"]
            # A call whose reply was stored before an earlier kill has not been made again.
            assert {key: calls[key] for key in paid} == paid
            paid = {key: calls[key] for key in good(store)}
        assert realhop(*words).returncode == 0
        calls = server.stats()["calls"]
    assert 0 < len(paid) < whole
    assert {key: calls[key] for key in paid} == paid
    assert len(calls) == whole
    assert contents(out) == contents(calm)


def _wait_for_calls(server: Stub, calls: int) -> None:
    until = time.monotonic() + 300
    while server.calls < calls:
        assert time.monotonic() < until
        time.sleep(0.02)


def test_a_run_stops_at_its_limit_and_the_next_one_goes_on(tmp_path: Path) -> None:
    source = write_many(tmp_path / "many.jsonl", 3)
    words = (*CONSTRUCT, source, "--out", tmp_path / "out", "--replies", tmp_path / "r.sqlite")
    with stub(*MANY) as server:
        done = realhop(*words, "--api-base", server.url, "--max-calls", "5")
        assert done.returncode == 3
        assert done.stderr == "realhop: --max-calls 5 is reached; run again with more to go on\n"
        assert server.calls == 5
        assert not (tmp_path / "out").exists()
        done = realhop(*words, "--api-base", server.url)
        assert done.returncode == 0
        assert max(Counter(server.stats()["calls"]).values()) == 1
    assert "price        unknown for " in done.stdout


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--call-timeout", "0"), "Invalid value for '--call-timeout'"),
        (("--run-timeout", "nan"), "Invalid value for '--run-timeout'"),
        (("--offline", "--batch", "b"), "--batch and --offline exclude each other"),
        (("--backend", "rules", "--batch", "b"), "asks no model, so --model, --param, --batch"),
        (("--backend", "plans=llm"), "write rules, llm, or STAGE=rules|llm"),
    ],
)
def test_options_that_make_no_sense_are_refused(
    tmp_path: Path, words: tuple[str, ...], said: str
) -> None:
    source = write_many(tmp_path / "many.jsonl", 1)
    ours = ("--out", tmp_path / "out", "--replies", tmp_path / "r.sqlite")
    done = realhop(*CONSTRUCT, source, *ours, *words)
    assert done.returncode == 2
    assert said in done.stderr
    assert "Traceback" not in done.stderr


def test_a_wrong_key_or_model_is_one_line_without_the_key(tmp_path: Path) -> None:
    secret = "bad-secret-0123456789"
    source = write_many(tmp_path / "many.jsonl", 3)
    store = tmp_path / "r.sqlite"
    words = (*CONSTRUCT, source, "--out", tmp_path / "out", "--replies", store)
    with stub(*MANY) as server:
        words = (*words, "--api-base", server.url)
        wrong = realhop(*words, "--model", "openai/missing")
        denied = realhop(*words, environment={"OPENAI_API_KEY": secret})
    for done, said in ((wrong, "does not exist"), (denied, "Incorrect API key provided: [key]")):
        assert done.returncode == 3
        assert said in done.stderr
        assert len(done.stderr.splitlines()) == 1
    assert secret not in denied.stderr + denied.stdout
    assert secret.encode() not in b"".join(path.read_bytes() for path in tmp_path.glob("r.sqlite*"))


@pytest.mark.parametrize(("stop", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_stop_keeps_the_calls_that_are_under_way(
    tmp_path: Path, stop: signal.Signals, code: int
) -> None:
    source = write_many(tmp_path / "many.jsonl", 8)
    store = tmp_path / "r.sqlite"
    words = (*CONSTRUCT, source, "--out", tmp_path / "out", "--replies", store)
    with stub(*MANY, "--delay", "1") as server:
        run = start(*words, "--api-base", server.url, "--concurrency", "8")
        _wait_for_calls(server, 8)
        run.send(stop)
        done = run.wait()
        calls = server.calls
    assert done.returncode == code
    assert "interrupted" in done.stderr
    assert "Traceback" not in done.stderr
    assert len(good(store)) == calls
