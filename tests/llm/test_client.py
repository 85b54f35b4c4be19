"""The client against a real server: every fault over HTTP."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

import pytest

from realhop_kg.errors import BudgetError, InputError, ProviderError
from realhop_kg.llm.limits import Limits
from realhop_kg.llm.provider import Provider
from realhop_kg.llm.records import Reply, ReplyStatus
from realhop_kg.llm.replies import ReplyStore
from tests.llm.asked import request
from tests.llm.asking import QUICK, ask, ask_all
from tests.llm.stub import stub


def kept(path: Path, key: str) -> list[Reply]:
    with ReplyStore(path) as store:
        return store.replies(key)


def test_a_reply_is_kept_and_not_asked_for_again(tmp_path: Path) -> None:
    path, asked = tmp_path / "r.sqlite", request()
    with stub() as server:
        first = ask(server.url, path, asked)
        again = ask(server.url, path, asked)
        assert server.calls == 1
    assert (first.text, first.status, first.finish_reason) == ("ok", "good", "stop")
    assert again.text == "ok"
    (whole,) = kept(path, asked.key)
    assert '"content":"ok"' in whole.raw
    assert whole.prompt_tokens is not None
    assert whole.cost is None  # nobody knows the price of this model
    assert [attempt.outcome for attempt in whole.attempts] == ["ok"]


def test_half_a_character_in_a_reply_is_kept_as_it_came(tmp_path: Path) -> None:
    path, script = tmp_path / "r.sqlite", tmp_path / "script.json"
    script.write_text('[{"when": [], "reply": "half \\ud83d"}]')
    with stub(script=script) as server:
        assert ask(server.url, path, request()).text == "half \ud83d"
    (whole,) = kept(path, request().key)
    assert '"content":"half \\ud83d"' in whole.raw


def test_equal_requests_at_one_time_are_one_call(tmp_path: Path) -> None:
    with stub("--delay", "0.2") as server:
        replies, totals = ask_all(server.url, tmp_path / "r.sqlite", [request()] * 20)
        assert server.calls == 1
    assert {reply.text for reply in replies if isinstance(reply, Reply)} == {"ok"}
    assert totals.calls == totals.replies == 1


def test_another_trial_is_another_call(tmp_path: Path) -> None:
    with stub() as server:
        ask_all(server.url, tmp_path / "r.sqlite", [request(trial=n) for n in (1, 2, 3)])
        assert server.calls == 3


@pytest.mark.parametrize(
    ("fault", "said"),
    [
        ("limited", "slow down"),
        ("limited_bare", "slow down"),
        ("limited_quota", "quota of requests per minute"),
        ("error", "oh dear"),
        ("reset", "Connection error"),
        ("hang", "timed out|no reply in 8 seconds"),
        ("empty", "no text came"),
    ],
)
def test_a_transient_fault_is_tried_again_and_remembered(
    tmp_path: Path, fault: str, said: str
) -> None:
    path, asked = tmp_path / "r.sqlite", request()
    with stub("--faults", fault, "--faulty-calls", "1") as server:
        reply = ask(server.url, path, asked)
        assert server.calls == 2
    assert reply.text == "ok"
    (whole,) = kept(path, asked.key)
    first, second = whole.attempts
    assert any(part in first.outcome for part in said.split("|")), first.outcome
    assert second.outcome == "ok"
    if fault == "limited":
        assert 0.3 <= second.waited <= 0.41


@pytest.mark.parametrize("fault", ["empty", "null", "blank", "called"])
def test_empty_replies_are_kept_whole_and_all_of_them_are_paid_for(
    tmp_path: Path, fault: str
) -> None:
    path, asked = tmp_path / "r.sqlite", request(model="openai/gpt-4o-mini")
    with stub("--faults", fault) as server:
        replies, totals = ask_all(server.url, path, [asked])
        assert server.calls == QUICK.attempts
    (whole,) = kept(path, asked.key)
    assert whole.status is ReplyStatus.EMPTY
    assert '"usage"' in whole.raw
    assert len(whole.attempts) == QUICK.attempts
    once = sum(len(message.content) for message in asked.messages) // 4
    assert whole.prompt_tokens == totals.prompt_tokens == QUICK.attempts * once
    assert whole.cost == pytest.approx(totals.cost)
    assert totals.cost >= QUICK.attempts * once * 15e-8
    assert replies == [whole.model_copy(update={"received": ""})]


def test_empty_tries_before_a_good_reply_and_before_a_stop_are_paid_for(tmp_path: Path) -> None:
    path, asked = tmp_path / "r.sqlite", request(model="openai/gpt-4o-mini")
    once = sum(len(message.content) for message in asked.messages) // 4
    with stub("--faults", "null") as server:
        limits = QUICK.model_copy(update={"max_calls": 2})
        replies, totals = ask_all(server.url, path, [asked], limits)
    assert isinstance(replies[0], BudgetError)
    assert totals.prompt_tokens == 2 * once
    with stub("--faults", "null", "--faulty-calls", "1") as server:
        assert ask(server.url, path, asked).prompt_tokens == 2 * once
    stopped, good = kept(path, asked.key)
    assert (stopped.status, stopped.prompt_tokens) == (ReplyStatus.EMPTY, 2 * once)
    assert (good.status, good.prompt_tokens) == (ReplyStatus.GOOD, 2 * once)


def test_what_empty_tries_cost_counts_for_the_limit_at_once(tmp_path: Path) -> None:
    # The server counts 10,000 tokens of input, $0.0015: a third try would go beyond the limit.
    asked = request("long " * 8000, model="openai/gpt-4o-mini", parameters={"max_tokens": 10})
    limits = QUICK.model_copy(update={"max_cost": 0.003})
    with stub("--faults", "null") as server:
        replies, totals = ask_all(server.url, tmp_path / "r.sqlite", [asked], limits)
        assert server.calls == 2
    assert isinstance(replies[0], BudgetError)
    assert 0.002 < totals.cost <= 0.0035


def test_a_fault_that_stays_ends_as_a_failed_reply(tmp_path: Path) -> None:
    path, asked = tmp_path / "r.sqlite", request()
    with stub("--faults", "error") as server:
        reply = ask(server.url, path, asked)
        assert server.calls == QUICK.attempts
    assert reply.status is ReplyStatus.FAILED
    assert len(kept(path, asked.key)[0].attempts) == QUICK.attempts
    with stub() as server:
        assert ask(server.url, path, asked).good
    assert [each.status for each in kept(path, asked.key)] == ["failed", "good"]


@pytest.mark.parametrize(
    ("fault", "status"),
    [
        ("bad", ReplyStatus.FAILED),
        ("overflow", ReplyStatus.FAILED),
        ("cut", ReplyStatus.TRUNCATED),
        ("filtered", ReplyStatus.FILTERED),
        ("withheld", ReplyStatus.FILTERED),
    ],
)
def test_what_another_try_would_not_mend_is_asked_once(
    tmp_path: Path, fault: str, status: ReplyStatus
) -> None:
    path, asked = tmp_path / "r.sqlite", request()
    with stub("--faults", fault) as server:
        assert ask(server.url, path, asked).status is status
        assert server.calls == 1
        assert ask(server.url, path, asked).status is status
        assert server.calls == 2  # kept, and not taken for an answer
    first, second = kept(path, asked.key)
    assert first.status is second.status is status
    assert first.refused is (fault in ("bad", "overflow"))


@pytest.mark.parametrize(
    ("model", "fault"), [("openai/missing", ""), ("nowhere/small", ""), ("openai/small", "quota")]
)
def test_what_no_request_can_pass_stops_the_run(tmp_path: Path, model: str, fault: str) -> None:
    requests = [request(f"question {n}", model=model) for n in range(40)]
    limits = QUICK.model_copy(update={"concurrency": 2})
    with stub("--faults", fault) as server:
        replies, _ = ask_all(server.url, tmp_path / "r.sqlite", requests, limits)
        assert server.calls <= 4
    assert all(isinstance(reply, ProviderError) for reply in replies)
    assert "cannot be asked" in str(replies[0])


def test_a_key_is_in_no_error_and_in_no_reply(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, secret = tmp_path / "r.sqlite", "bad-secret-0123456789"
    monkeypatch.setenv("OPENAI_API_KEY", secret)
    with stub() as server, pytest.raises(ProviderError, match="Incorrect API key") as caught:
        ask(server.url, path, request())
    assert secret not in f"{caught.value!r} {caught.value.__cause__} {caught.value.__context__!r}"
    monkeypatch.setenv("OPENAI_API_KEY", "good-" + secret)
    with stub("--echo-key", "good-" + secret) as server:
        assert ask(server.url, path, request()).text == '{"key": "[key]"}'
    with ReplyStore(path) as store:
        everything = "\n".join(f"{each.raw}" for each in store.replies(request().key))
    assert secret not in everything
    assert secret.encode() not in path.read_bytes()


def test_an_address_with_a_password_is_refused() -> None:
    with pytest.raises(InputError, match="holds a password"):
        Provider("http://me:secret@127.0.0.1/v1")


def test_a_provider_that_answers_nobody_is_given_up(tmp_path: Path) -> None:
    requests = [request(f"question {n}") for n in range(100)]
    limits = Limits(attempts=1, concurrency=4)
    with stub("--faults", "error") as server:
        replies, _ = ask_all(server.url, tmp_path / "r.sqlite", requests, limits)
        assert server.calls <= 20
    stopped = [reply for reply in replies if isinstance(reply, ProviderError)]
    assert len(stopped) >= 80
    assert "12 calls in a row failed in every try" in str(stopped[0])


def test_a_server_that_cannot_be_reached_is_an_error_of_few_calls_too(tmp_path: Path) -> None:
    path, limits = tmp_path / "r.sqlite", Limits(attempts=2, longest_wait=0.1)
    with pytest.raises(ProviderError, match=r"no server answered: every call \(2\) failed"):
        ask_all("http://127.0.0.1:9/v1", path, [request("one"), request("two")], limits)
    assert [each.status for each in kept(path, request("one").key)] == [ReplyStatus.FAILED]
    with stub("--faults", "error") as server:  # there is one, and it says no
        replies, _ = ask_all(server.url, path, [request("one")], limits)
    assert isinstance(replies[0], Reply)


def test_no_call_goes_beyond_the_number_allowed_and_the_next_run_goes_on(tmp_path: Path) -> None:
    path = tmp_path / "r.sqlite"
    requests = [request(f"question {n}") for n in range(10)]
    limits = QUICK.model_copy(update={"max_calls": 4})
    with stub() as server:
        replies, totals = ask_all(server.url, path, requests, limits)
        assert server.calls == totals.calls == 4
        assert sum(isinstance(reply, BudgetError) for reply in replies) == 6
        assert BudgetError.exit_code == 3
        replies, totals = ask_all(server.url, path, requests)
        assert server.calls == 10
    assert totals.stored == 4
    assert all(isinstance(reply, Reply) and reply.good for reply in replies)


def test_no_call_may_overstep_the_money(tmp_path: Path) -> None:
    parameters = {"max_tokens": 1000}
    requests = [
        request(f"question {n}", model="openai/gpt-4o-mini", parameters=parameters)
        for n in range(10)
    ]
    # One call can cost a little more than 1000 output tokens at $0.60 a million.
    limits = QUICK.model_copy(update={"max_cost": 0.0025})
    with stub("--delay", "0.3") as server:
        replies, totals = ask_all(server.url, tmp_path / "r.sqlite", requests, limits)
        assert server.calls == 4  # together they could reach the limit, whatever they cost then
    assert sum(isinstance(reply, BudgetError) for reply in replies) == 6
    assert totals.cost <= 0.0025
    assert totals.unpriced == 0


def test_a_limit_in_money_needs_a_known_price(tmp_path: Path) -> None:
    limits = QUICK.model_copy(update={"max_cost": 1.0})
    with stub() as server, pytest.raises(InputError, match="price of openai/small is unknown"):
        ask(server.url, tmp_path / "r.sqlite", request(), limits)


def test_a_run_ends_in_time_even_if_nobody_answers(tmp_path: Path) -> None:
    limits = Limits(call_timeout=60, run_timeout=1.0)
    # The library is loaded before the clock runs.
    Provider().price("openai/gpt-4o-mini")
    start = time.monotonic()
    with stub("--faults", "hang") as server, pytest.raises(BudgetError, match="1 seconds are over"):
        ask(server.url, tmp_path / "r.sqlite", request(), limits)
    assert time.monotonic() - start < 60  # the time limit of a call


def test_no_more_calls_are_under_way_than_allowed(tmp_path: Path) -> None:
    requests = [request(f"question {n}") for n in range(30)]
    limits = QUICK.model_copy(update={"concurrency": 3})
    with stub("--delay", "0.02") as server:
        ask_all(server.url, tmp_path / "r.sqlite", requests, limits)
        assert server.stats()["busiest"] == 3


def test_requests_per_minute_are_kept(tmp_path: Path) -> None:
    requests = [request(f"question {n}") for n in range(15)]
    limits = QUICK.model_copy(update={"requests_per_minute": 300})
    with stub() as server:
        start = time.monotonic()
        ask_all(server.url, tmp_path / "r.sqlite", requests, limits)
        # Five at once, and then five a second.
        assert time.monotonic() - start > 1.9


def test_tokens_per_minute_are_kept(tmp_path: Path) -> None:
    requests = [request("word " * 80 + str(n)) for n in range(6)]  # about 100 tokens each
    limits = QUICK.model_copy(update={"tokens_per_minute": 6000})
    with stub() as server:
        ask_all(server.url, tmp_path / "warm.sqlite", [request()])
        start = time.monotonic()
        ask_all(server.url, tmp_path / "r.sqlite", requests, limits)
        fast = time.monotonic() - start
        limits = QUICK.model_copy(update={"tokens_per_minute": 600})
        start = time.monotonic()
        ask_all(server.url, tmp_path / "r2.sqlite", requests[:2], limits)
        slow = time.monotonic() - start
    assert fast < slow
    assert slow > 10  # 200 tokens, of which 60 pass at once


OFFLINE = """
import os, sys

def deny(event, args):
    if event in ("socket.connect", "socket.getaddrinfo", "socket.gethostbyname"):
        raise SystemExit(f"network at import: {args}")

sys.addaudithook(deny)
from realhop_kg.llm.provider import Provider
provider = Provider()
assert "litellm" not in sys.modules
assert provider.price("openai/gpt-4o-mini") is not None
assert provider.json_mode("openai/gpt-4o-mini") == "schema"
assert provider.json_mode("openai/small") == "off"
assert "litellm" in sys.modules
print("quiet")
"""


def test_loading_the_provider_library_uses_no_network() -> None:
    done = subprocess.run([sys.executable, "-c", OFFLINE], capture_output=True, text=True)
    assert done.stdout == "quiet\n", done.stderr


def test_one_module_alone_imports_the_provider_library() -> None:
    root = Path(__file__).resolve().parents[2] / "realhop_kg"
    found = [
        path.name
        for path in sorted(root.rglob("*.py"))
        if any(
            line.strip().startswith(("import litellm", "from litellm"))
            for line in path.read_text(encoding="utf-8").splitlines()
        )
    ]
    assert found == ["provider.py"]
