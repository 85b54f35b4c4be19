"""Agents and judges by batch files: a round per turn, with the runs that live agents have."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest

from realhop_kg.jsonl import JsonlWriter
from realhop_kg.llm.batch import BatchAsker
from realhop_kg.llm.prompts import load_template
from realhop_kg.llm.replies import ReplyStore
from realhop_kg.llm.results import import_results
from realhop_kg.model.trajectory import AskedQuestion, Ending, Mode, State, Trajectory
from realhop_kg.refusal.evaluate.agents import ModelAgent
from realhop_kg.refusal.evaluate.folder import SEARCHES, RefusalRun
from realhop_kg.refusal.evaluate.judge import JudgeOutcome, ModelJudge, judge_runs
from realhop_kg.refusal.evaluate.run import Outcome, run_agent
from realhop_kg.refusal.evaluate.scripted import scripted
from realhop_kg.refusal.evaluate.searches import Searches
from realhop_kg.refusal.evaluate.settings import Arm, RunSettings, SearchSettings
from realhop_kg.search.index import SearchIndex
from tests.llm.stub_server import Script, answer_batch

TEMPLATES = {kind: load_template(f"refusal/{kind}") for kind in ("state", "timeline")}


@pytest.fixture
def writer(
    questions: list[AskedQuestion], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Script:
    with JsonlWriter(tmp_path / "served.jsonl") as lines:
        for question in questions:
            lines.write(question.model_dump(mode="json"))
    monkeypatch.setenv("SERVED_QUESTIONS", str(tmp_path / "served.jsonl"))
    return Script(None, "tests.refusal.evaluate.writer:AgentWriter")


class Batches:
    """A folder of runs whose requests go out, and come back, in files."""

    def __init__(
        self, folder: Path, questions: list[AskedQuestion], passages: Path, name: str, search: bool
    ) -> None:
        self.folder, self.questions, self.index = folder, questions, SearchIndex(passages)
        self.arm = Arm(
            model=f"openai/{name}",
            mode=Mode.SEARCH if search else Mode.PLAIN,
            search=SearchSettings() if search else None,
        )
        settings = RunSettings(dataset="set", dataset_digest="d")
        self.run = RefusalRun.start(folder / "run", settings, self.arm, questions)

    def ask(self) -> Outcome:
        """Run the command once."""

        async def work(store: ReplyStore) -> Outcome:
            digest = self.index.manifest.digest
            with (
                BatchAsker(store, self.folder / "batch") as asker,
                Searches(self.run.folder / SEARCHES, self.index.retriever, digest, 3) as found,
            ):
                search = found.search if self.arm.search else None
                agent = ModelAgent(self.arm.model, asker, store, {}, search is not None)
                return await run_agent(self.run, self.questions, agent, search, 8, 4)

        with ReplyStore(self.folder / "r.sqlite", write=True) as store:
            return asyncio.run(work(store))

    def judge(self) -> JudgeOutcome:
        """Judge once by a model."""

        async def work(store: ReplyStore) -> JudgeOutcome:
            with BatchAsker(store, self.folder / "batch") as asker:
                judge = ModelJudge("openai/judge", asker, TEMPLATES, {})
                pairs = [(each, self.runs()[each.item]) for each in self.questions]
                return await judge_runs(judge, pairs, {}, self.judged.append, 4)

        self.judged: list[object] = []
        with ReplyStore(self.folder / "r.sqlite", write=True) as store:
            return asyncio.run(work(store))

    def answer(self, writer: Script, leave: int = 0) -> int:
        """Answer the batch files but for some last lines; return the number of answers."""
        lines = [
            line
            for file in sorted((self.folder / "batch").glob("*.jsonl"))
            for line in answer_batch(file, writer)
        ]
        lines = lines[: len(lines) - leave]
        path = self.folder / "results.jsonl"
        path.write_text("".join(f"{json.dumps(line)}\n" for line in lines), encoding="utf-8")
        with ReplyStore(self.folder / "r.sqlite", write=True) as store:
            import_results(store, [path])
        return len(lines)

    def runs(self) -> dict[str, Trajectory]:
        return self.run.trajectories(self.arm.model, self.arm.mode)


def said(run: Trajectory) -> list[object]:
    return [
        (turn.text, [(call.query, call.documents) for call in turn.calls]) for turn in run.turns
    ]


def live(batches: Batches, name: str) -> dict[str, list[object]]:
    """Return what the script does when it is asked in this process."""
    search = batches.arm.search is not None
    agent = scripted(f"scripted/{name}", search)
    arm = batches.arm.model_copy(update={"model": agent.name})
    settings = RunSettings(dataset="set", dataset_digest="d")
    run = RefusalRun.start(batches.folder / "live", settings, arm, batches.questions)

    async def work() -> None:
        path = run.folder / SEARCHES
        with Searches(path, batches.index.retriever, "i", 3) as found:
            searching = found.search if search else None
            await run_agent(run, batches.questions, agent, searching, 8, 4)

    asyncio.run(work())
    return {item: said(each) for item, each in run.trajectories(arm.model, arm.mode).items()}


@pytest.mark.parametrize(
    ("name", "search", "rounds"),
    [("halts-right", False, 1), ("halts-right", True, 2), ("searches", True, 9),
     ("parallel", True, 2)],
)  # fmt: skip
def test_a_round_per_turn_gives_the_runs_of_live_agents(
    questions: list[AskedQuestion],
    passages: Path,
    writer: Script,
    tmp_path: Path,
    name: str,
    search: bool,
    rounds: int,
) -> None:
    batches = Batches(tmp_path, questions[:3], passages, name, search)
    for _ in range(rounds):
        outcome = batches.ask()
        assert (outcome.pending, outcome.asked) == (3, 0)
        assert batches.answer(writer) == 3  # one request a question and turn, none twice
    outcome = batches.ask()
    assert (outcome.pending, outcome.asked) == (0, 3)
    assert {item: said(each) for item, each in batches.runs().items()} == live(batches, name)
    ending = Ending.EXHAUSTED if name == "searches" else Ending.ANSWERED
    assert outcome.endings == {ending: 3}
    assert batches.ask().kept == 3


def test_replies_that_are_late_hold_up_their_own_question_alone(
    questions: list[AskedQuestion], passages: Path, writer: Script, tmp_path: Path
) -> None:
    batches = Batches(tmp_path, questions[:3], passages, "halts-right", search=True)
    batches.ask()
    assert batches.answer(writer, leave=1) == 2
    batches.ask()
    assert batches.answer(writer) == 3  # the second turn of two questions, the first of one
    outcome = batches.ask()
    assert (outcome.asked, outcome.pending) == (2, 1)
    assert batches.answer(writer) == 1
    assert batches.ask().endings == {Ending.ANSWERED: 3}


def test_a_judge_by_batch_gives_states_and_timelines(
    questions: list[AskedQuestion], passages: Path, writer: Script, tmp_path: Path
) -> None:
    batches = Batches(tmp_path, questions[:2], passages, "halts-right", search=True)
    for _ in range(2):
        batches.ask()
        batches.answer(writer)
    batches.ask()
    waiting = batches.judge()
    assert (waiting.judged, waiting.pending) == (0, 2)
    assert batches.answer(writer) == 2  # timelines are asked for once there is a state
    assert batches.judge().pending == 2
    assert batches.answer(writer) == 2
    assert batches.judge().judged == 2
    for each in batches.judged:
        state, timeline = each.state, each.timeline  # type: ignore[attr-defined]
        assert (state.state, timeline.trap, timeline.source) == (State.TACH, 2, "statement")
