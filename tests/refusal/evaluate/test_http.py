"""Agents over HTTP through the real client: complete runs, faults, and going on at the turn."""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

import pytest

from realhop_kg.errors import BudgetError, ProviderError
from realhop_kg.llm.client import Client
from realhop_kg.llm.limits import Limits, Totals
from realhop_kg.llm.provider import Provider
from realhop_kg.llm.replies import ReplyStore
from realhop_kg.model.trajectory import AskedQuestion, CallFault, Ending, Mode, Trajectory
from realhop_kg.refusal.evaluate.agents import ModelAgent
from realhop_kg.refusal.evaluate.folder import REPLIES, SEARCHES, TRAJECTORIES, RefusalRun
from realhop_kg.refusal.evaluate.run import Outcome, run_agent
from realhop_kg.refusal.evaluate.searches import Searches
from realhop_kg.refusal.evaluate.settings import Arm, RunSettings, SearchSettings
from realhop_kg.search.index import SearchIndex
from tests.llm.stub import Stub
from tests.processes import realhop as run

Serve = Callable[..., AbstractContextManager[Stub]]
QUICK = Limits(call_timeout=8.0, attempts=3, longest_wait=0.2)


def go(
    url: str,
    out: Path,
    questions: list[AskedQuestion],
    passages: Path,
    name: str,
    search: bool = True,
    limits: Limits = QUICK,
) -> tuple[Outcome, Totals, dict[str, Trajectory]]:
    """Run one model as the command does."""
    mode = Mode.SEARCH if search else Mode.PLAIN
    arm = Arm(model=f"openai/{name}", mode=mode, search=SearchSettings() if search else None)
    settings = RunSettings(dataset="set", dataset_digest="d")
    run = RefusalRun.start(out, settings, arm, questions)
    index = SearchIndex(passages)

    async def work() -> tuple[Outcome, Totals]:
        with (
            Searches(out / SEARCHES, index.retriever, index.manifest.digest, 3) as found,
            ReplyStore(out / REPLIES, write=True) as store,
        ):
            async with Client(store, Provider(url, limits.call_timeout), limits) as client:
                agent = ModelAgent(arm.model, client, store, {"temperature": 0}, search)
                searching = found.search if search else None
                done = await run_agent(run, questions, agent, searching, 8, 8)
            return done, client.totals

    outcome, totals = asyncio.run(work())
    return outcome, totals, run.trajectories(arm.model, mode)


def test_scripts_over_http_do_what_they_do_here(
    agents: Serve, questions: list[AskedQuestion], passages: Path, tmp_path: Path
) -> None:
    told = {"halts-right": (2, 1), "searches": (9, 9), "parallel": (2, 10), "faulty": (4, 3)}
    with agents() as server:
        for name, (turns, calls) in told.items():
            outcome, totals, runs = go(server.url, tmp_path / "run", questions, passages, name)
            assert len(runs) == len(questions) == outcome.asked
            assert {(each.length, len(each.calls)) for each in runs.values()} == {(turns, calls)}
            assert totals.calls == turns * len(questions)
            ending = Ending.EXHAUSTED if name == "searches" else Ending.ANSWERED
            assert outcome.endings == {ending: len(questions)}
        assert server.stats()["unscripted"] == []
    some = next(iter(runs.values()))
    assert [each.fault for each in some.calls] == [
        CallFault.ARGUMENTS,
        CallFault.TOOL,
        CallFault.QUERY,
    ]


def test_tokens_come_from_the_provider_by_kind(
    agents: Serve, questions: list[AskedQuestion], passages: Path, tmp_path: Path
) -> None:
    with agents() as server:
        _, _, runs = go(server.url, tmp_path / "run", questions[:1], passages, "halts-right")
    [run] = runs.values()
    first, last = run.turns
    assert first.tokens.search == len(first.calls[0].arguments) // 4
    assert last.tokens.answer == len(last.text) // 4
    assert (first.tokens.answer, last.tokens.search, first.tokens.estimated) == (0, 0, False)
    assert last.prompt_tokens is not None
    assert first.prompt_tokens is not None
    assert last.prompt_tokens > first.prompt_tokens
    assert first.finish_reason == "tool_calls"
    assert first.reply != last.reply != ""


def test_without_search_no_tool_is_offered(
    agents: Serve, questions: list[AskedQuestion], passages: Path, tmp_path: Path
) -> None:
    with agents() as server:
        _, _, runs = go(server.url, tmp_path / "r", questions, passages, "halts-right", False)
    assert all(each.length == 1 and not each.calls for each in runs.values())


@pytest.mark.parametrize("faults", ["reset,error", "limited,limited_bare", "slow,empty"])
def test_faults_that_pass_leave_nothing_out(
    agents: Serve, questions: list[AskedQuestion], passages: Path, tmp_path: Path, faults: str
) -> None:
    words = ("--faults", faults, "--fault-rate", "0.5", "--faulty-calls", "1")
    with agents(*words, "--retry-after", "0.1", "--slow", "0.1") as server:
        outcome, totals, runs = go(server.url, tmp_path / "a", questions, passages, "parallel")
        assert sum(server.stats()["faults"].values()) > 0
    assert outcome.endings == {Ending.ANSWERED: len(questions)}
    assert all(len(each.calls) == 10 for each in runs.values())
    assert totals.replies == 2 * len(questions)


@pytest.mark.parametrize(
    ("fault", "ending"),
    [
        ("cut", Ending.TRUNCATED),
        ("filtered", Ending.FILTERED),
        ("empty", Ending.NO_RESPONSE),
        ("bad", Ending.FAILED),
        ("overflow", Ending.FAILED),
    ],
)
def test_replies_that_are_of_no_use_end_in_a_defined_way(
    agents: Serve,
    questions: list[AskedQuestion],
    passages: Path,
    tmp_path: Path,
    fault: str,
    ending: Ending,
) -> None:
    with agents("--faults", fault) as server:
        outcome, _, runs = go(server.url, tmp_path / "run", questions[:3], passages, "answers")
    assert outcome.endings == {ending: 3}
    assert all(each.failure for each in runs.values())


def test_failed_runs_are_tried_again_and_others_kept(
    agents: Serve, questions: list[AskedQuestion], passages: Path, tmp_path: Path
) -> None:
    with agents("--faults", "bad") as server:
        go(server.url, tmp_path / "run", questions[:2], passages, "answers")
    with agents() as server:
        outcome, _, runs = go(server.url, tmp_path / "run", questions[:2], passages, "answers")
        again, totals, _ = go(server.url, tmp_path / "run", questions[:2], passages, "answers")
    assert (outcome.asked, outcome.kept) == (2, 0)
    assert {each.ending for each in runs.values()} == {Ending.ANSWERED}
    assert (again.asked, again.kept, totals.calls) == (0, 2, 0)


def test_a_stopped_run_goes_on_at_the_turn_and_pays_nothing_twice(
    agents: Serve, questions: list[AskedQuestion], passages: Path, tmp_path: Path
) -> None:
    few = Limits(call_timeout=8.0, attempts=3, max_calls=7)
    with agents() as server:
        for _ in range(3):
            with pytest.raises(BudgetError):
                go(server.url, tmp_path / "a", questions, passages, "faulty", limits=few)
        outcome, _, runs = go(server.url, tmp_path / "a", questions, passages, "faulty")
        paid = server.calls
        assert max(server.stats()["calls"].values()) == 1
        go(server.url, tmp_path / "b", questions, passages, "faulty")
    assert paid == 4 * len(questions)
    assert len(runs) == len(questions)
    assert outcome.endings == {Ending.ANSWERED: len(questions)}
    one, other = (_without_times(tmp_path / name / TRAJECTORIES) for name in "ab")
    assert one == other


def _without_times(path: Path) -> list[Trajectory]:
    found = [
        Trajectory.model_validate_json(line)
        for line in path.read_text(encoding="utf-8").splitlines()
    ]
    return [
        each.model_copy(
            update={"turns": tuple(turn.model_copy(update={"latency": 0}) for turn in each.turns)}
        )
        for each in found
    ]


def test_a_wrong_key_or_model_stops_the_run_at_once(
    agents: Serve, questions: list[AskedQuestion], passages: Path, tmp_path: Path
) -> None:
    with agents() as server, pytest.raises(ProviderError, match="cannot be asked"):
        go(server.url, tmp_path / "run", questions, passages, "missing")
    assert RefusalRun.open(tmp_path / "run").settings.arms == ()
    with agents() as server:
        outcome, _, _ = go(server.url, tmp_path / "run", questions, passages, "halts-right")
    assert outcome.asked == len(questions)
    arms = RefusalRun.open(tmp_path / "run").settings.arms
    assert [each.model for each in arms] == ["openai/halts-right"]


@pytest.mark.parametrize(
    ("name", "ending", "turns", "faults"),
    [
        ("odd-object", Ending.ANSWERED, 2, {}),
        ("odd-same-ids", Ending.ANSWERED, 2, {}),
        ("odd-text-and-call", Ending.EXHAUSTED, 9, {CallFault.BUDGET: 1}),
        ("odd-numbers", Ending.ANSWERED, 2, {CallFault.ARGUMENTS: 1, CallFault.TOOL: 1}),
        ("odd-silent", Ending.NO_RESPONSE, 0, {}),
        ("odd-silent-after", Ending.EXHAUSTED, 8, {}),
    ],
)
def test_models_that_misbehave_end_in_a_defined_way(
    agents: Serve,
    questions: list[AskedQuestion],
    passages: Path,
    tmp_path: Path,
    name: str,
    ending: Ending,
    turns: int,
    faults: dict[CallFault, int],
) -> None:
    with agents() as server:
        outcome, _, runs = go(server.url, tmp_path / "run", questions[:1], passages, name)
    [run] = runs.values()
    assert (run.ending, run.length) == (ending, turns)
    assert outcome.faults == Counter(faults)


@pytest.mark.soak
@pytest.mark.slow
def test_run_judge_and_report_over_http_as_a_user_runs_them(
    agents: Serve, dataset: Path, passages: Path, questions: list[AskedQuestion], tmp_path: Path
) -> None:
    out = tmp_path / "runs"

    def realhop(*words: object) -> dict[str, Any]:
        done = run("refusal", *words, "--json")
        assert done.returncode == 0, done.stderr
        return dict(json.loads(done.stdout))

    with agents() as server:
        asked = ("--out", out, "--api-base", server.url)
        for name in ("halts-right", "searches"):
            words = ("run", dataset, "--model", f"openai/{name}", *asked)
            plain = realhop(*words)
            assert (plain["asked"], plain["parameters"]) == (len(questions), {"temperature": 0})
            searched = realhop(*words, "--search", "--index", passages)
            assert searched["asked"] == len(questions)
        judging = ("judge", out, "--judge", "openai/judge", "--api-base", server.url)
        first = realhop(*judging)
        paid = server.calls
        again = realhop(*judging)
        assert server.calls == paid
    # 1 + 2 turns of the one, 1 + 9 of the other, and judgements: a state for each of two responses
    # (equal in both modes, and so asked once) and a timeline.
    assert paid == (1 + 2 + 1 + 9 + 2 + 1) * len(questions)
    assert {each["failed"] for each in first["arms"].values()} == {0}
    assert {each["kept"] for each in again["arms"].values()} == {len(questions)}
    summary = realhop("report", out, "--resamples", 0)
    rates = {
        (each["model"], each["mode"], each["measure"]): each["value"]
        for each in summary["figures"]
        if each["by"] == "all"
    }
    assert rates["openai/halts-right", "no_search", "tchr"] == 1
    assert rates["openai/halts-right", "search", "tchr"] == 1
    assert rates["openai/halts-right", "search", "evidence_coverage"] == 1
    assert rates["openai/searches", "search", "sehr"] == 1
    assert rates["openai/searches", "no_search", "shdr"] == 1
    assert rates["openai/halts-right", "paired", "overturn"] == 0
    assert rates["openai/searches", "paired", "rescue"] == 0
