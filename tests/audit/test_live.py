"""Audits of live models over HTTP: answers, verdicts, faults, limits, resuming."""

from __future__ import annotations

from pathlib import Path

import pytest

from realhop_kg.audit.folder import RunFolder
from realhop_kg.audit.reporting.records import read_run
from realhop_kg.audit.reporting.report import build_report
from realhop_kg.errors import BudgetError, InputError, ProviderError
from realhop_kg.freeze.reader import FrozenDataset
from realhop_kg.llm.replies import ReplyStore
from realhop_kg.model.run import TrialRecord, Verdict
from tests.audit.live import QUICK, audit, people
from tests.llm.stub_server import TRANSIENT

READER, RECALLER, TALKER = "openai/reader", "openai/recaller", "openai/talker"
JUDGE = "openai/judge"
FAULTS = ",".join(each for each in TRANSIENT if each not in ("hang", "empty"))


def trials(folder: Path) -> list[TrialRecord]:
    return [
        each for each in RunFolder.open(folder / "run").trials() if isinstance(each, TrialRecord)
    ]


def bnr(folder: Path) -> dict[tuple[str, str], float | None]:
    run = RunFolder.open(folder / "run")
    found = build_report(run, read_run(run), resamples=0)
    return {(each.model, each.side): each.value for each in found.figures if each.measure == "bnr"}


def test_several_live_models_and_a_scripted_one_in_one_run(dataset: Path, tmp_path: Path):
    models = (READER, "scripted/recaller", RECALLER)
    with people(dataset, tmp_path) as server:
        done = audit(dataset, tmp_path, models, url=server.url, trials=2)
        assert server.calls == done.outcome.asked * 2 // 3
    found = trials(tmp_path)
    assert len(found) == len({each.cell for each in found}) == done.outcome.asked
    assert [each.model for each in found[:6]] == [name for name in models for _ in range(2)]
    assert done.outcome.failed == done.outcome.pending == 0
    assert done.totals is not None
    assert done.totals.unpriced == done.totals.replies == done.outcome.asked * 2 // 3
    values = bnr(tmp_path)
    for side in ("source", "constructed"):
        assert values[RECALLER, side] == values["scripted/recaller", side] == 0
        assert values[READER, side] not in (None, 0)


def test_what_matches_exactly_is_not_judged_and_the_rest_is(dataset: Path, tmp_path: Path):
    with people(dataset, tmp_path) as server:
        done = audit(dataset, tmp_path, (RECALLER, TALKER), url=server.url, judge=JUDGE)
        assert done.totals is not None
        assert done.totals.by_stage["solver"] == done.outcome.asked
        # The same answer to the same question is judged once, whatever the condition.
        assert done.totals.by_stage["judge"] == 8
    judged = {each.model: {each.judged_by} for each in trials(tmp_path)}
    assert judged == {RECALLER: {"exact"}, TALKER: {JUDGE}}
    assert all(each.verdict is Verdict.CORRECT for each in trials(tmp_path))


def test_a_judge_is_asked_once_more_for_a_verdict_that_cannot_be_read(
    dataset: Path, tmp_path: Path
):
    chatty, mad = tmp_path / "chatty", tmp_path / "mad"
    chatty.mkdir()
    mad.mkdir()
    with people(dataset, tmp_path) as server:
        audit(dataset, chatty, (TALKER,), url=server.url, judge="openai/judge-chatty", limit=1)
        done = audit(dataset, mad, (TALKER,), url=server.url, judge="openai/judge-mad", limit=1)
    assert {each.verdict for each in trials(chatty)} == {Verdict.CORRECT}
    assert done.outcome.failed == done.outcome.reasons.total() == len(trials(mad)) > 0
    assert {each.verdict for each in trials(mad)} == {None}
    assert all("not one JSON object" in each.failure for each in trials(mad))
    assert all(each.response for each in trials(mad))


def test_faults_that_pass_change_nothing(dataset: Path, tmp_path: Path):
    calm, rough = tmp_path / "calm", tmp_path / "rough"
    calm.mkdir()
    rough.mkdir()
    words = ("--faults", FAULTS, "--fault-rate", "0.4", "--faulty-calls", "2", "--slow", "0.1")
    limits = QUICK.model_copy(update={"attempts": 6})
    with people(dataset, tmp_path) as server:
        audit(dataset, calm, (TALKER, READER), url=server.url, judge=JUDGE)
    with people(dataset, tmp_path, *words, "--retry-after", "0.05") as server:
        done = audit(dataset, rough, (TALKER, READER), url=server.url, judge=JUDGE, limits=limits)
        assert sum(server.stats()["faults"].values()) > 5
    assert done.totals is not None
    assert done.totals.retries > 5
    for name in ("trials.jsonl", "conditions.jsonl", "items.jsonl", "run.json"):
        assert (calm / "run" / name).read_bytes() == (rough / "run" / name).read_bytes()


def test_useless_replies_are_counted_apart_and_asked_for_again(dataset: Path, tmp_path: Path):
    words = ("--faults", "cut,filtered", "--fault-rate", "0.1", "--faulty-calls", "1")
    with people(dataset, tmp_path, *words) as server:
        first = audit(dataset, tmp_path, (RECALLER,), url=server.url, limit=20)
        assert 0 < first.outcome.failed < len(trials(tmp_path))
        run = RunFolder.open(tmp_path / "run")
        records = read_run(run)
        assert {lack.reason for lack in records.missing} <= {
            "the answer was cut off at the maximum of tokens; raise max_tokens",
            "the answer was withheld by the provider's content filter",
        }
        assert bnr(tmp_path)[RECALLER, "constructed"] == 0
        second = audit(dataset, tmp_path, (RECALLER,), url=server.url, limit=20)
    assert second.outcome.asked == first.outcome.failed
    assert second.outcome.failed == 0
    assert read_run(RunFolder.open(tmp_path / "run")).missing == []


def test_an_empty_answer_stays_in_the_denominator_and_is_incorrect(dataset: Path, tmp_path: Path):
    limits = QUICK.model_copy(update={"attempts": 1})
    with people(dataset, tmp_path) as server:
        audit(
            dataset, tmp_path, ("openai/mute",), url=server.url, limits=limits, conditions="full",
            limit=2,
        )  # fmt: skip
    found = trials(tmp_path)
    assert {(each.response, each.verdict) for each in found} == {("", Verdict.INCORRECT)}
    run = RunFolder.open(tmp_path / "run")
    said = build_report(run, read_run(run), resamples=0).warnings
    count = len(found)
    assert any(
        f"{count} of {count} answers of openai/mute are empty (full {count})" in each
        for each in said
    )


def test_a_reply_without_a_choice_is_no_answer(dataset: Path, tmp_path: Path):
    limits = QUICK.model_copy(update={"attempts": 1})
    with people(dataset, tmp_path, "--faults", "empty") as server:
        done = audit(
            dataset, tmp_path, (RECALLER,), url=server.url, limits=limits, conditions="full",
            limit=2,
        )  # fmt: skip
    assert done.outcome.failed == len(trials(tmp_path)) > 0
    said = {(each.response, each.verdict, each.failure) for each in trials(tmp_path)}
    assert said == {(None, None, "the provider's reply held no answer")}
    with people(dataset, tmp_path) as server:
        again = audit(dataset, tmp_path, (RECALLER,), url=server.url, conditions="full", limit=2)
    assert (again.outcome.asked, again.outcome.failed) == (done.outcome.failed, 0)


def test_a_limit_stops_the_run_and_the_next_goes_on_without_a_call_paid_twice(
    dataset: Path, tmp_path: Path
):
    limits = QUICK.model_copy(update={"max_calls": 10, "concurrency": 4})
    with people(dataset, tmp_path) as server:
        with pytest.raises(BudgetError, match="--max-calls 10 is reached") as stopped:
            audit(dataset, tmp_path, (RECALLER,), url=server.url, limits=limits)
        assert stopped.value.exit_code == 3
        assert server.calls == 10
        done = audit(dataset, tmp_path, (RECALLER,), url=server.url)
        assert set(server.stats()["calls"].values()) == {1}
    assert done.totals is not None
    assert done.totals.calls == len(trials(tmp_path)) - 10
    assert done.outcome.failed == 0


def test_a_wrong_key_and_an_unknown_price_stop_at_once(
    dataset: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    priced = QUICK.model_copy(update={"max_cost": 1.0})
    with people(dataset, tmp_path) as server:
        with pytest.raises(InputError, match="price of openai/recaller is unknown"):
            audit(dataset, tmp_path, (RECALLER,), url=server.url, limits=priced)
        monkeypatch.setenv("OPENAI_API_KEY", "bad-key-of-the-test")
        with pytest.raises(ProviderError, match="cannot be asked") as stopped:
            audit(dataset, tmp_path, (RECALLER,), url=server.url)
    assert "bad-key" not in str(stopped.value)


def test_a_replay_needs_no_server_and_gives_the_same_records(dataset: Path, tmp_path: Path):
    with people(dataset, tmp_path) as server:
        audit(dataset, tmp_path, (TALKER,), url=server.url, judge=JUDGE)
    live = (tmp_path / "run" / "trials.jsonl").read_bytes()
    (tmp_path / "run").rename(tmp_path / "live")
    done = audit(dataset, tmp_path, (TALKER,), judge=JUDGE, offline=True)
    assert done.outcome.pending == 0
    assert (tmp_path / "run" / "trials.jsonl").read_bytes() == live


def test_a_judge_never_sees_the_context(dataset: Path, tmp_path: Path):
    with people(dataset, tmp_path) as server:
        audit(dataset, tmp_path, (TALKER,), url=server.url, judge=JUDGE, limit=1)
    item = next(FrozenDataset.open(dataset).items())
    shown = {"solver": 0, "judge": 0}
    with ReplyStore(tmp_path / "r.sqlite") as store:
        for (key,) in store.connection.execute("SELECT key FROM requests").fetchall():
            request = store.request(key)
            whole = "\n".join(message.content for message in request.messages)
            shown[request.stage] += any(passage.text in whole for passage in item.passages)
    assert shown["judge"] == 0 < shown["solver"]
