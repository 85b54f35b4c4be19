"""Runs: stored as they go, resumed where they stopped, batches out and in."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from realhop_kg.audit.folder import BadTrial, RunFolder
from realhop_kg.audit.judge import Judgement, OfflineJudge
from realhop_kg.audit.reporting.records import read_run
from realhop_kg.audit.scripted import Recaller
from realhop_kg.audit.solvers import Answer, Prompt
from realhop_kg.errors import InputError
from realhop_kg.model.run import Condition, TrialRecord, Verdict
from tests.audit.runs import go, go_by_batch, settings


def stored(folder: Path) -> list[TrialRecord | BadTrial]:
    return list(RunFolder.open(folder).trials())


class Stops:
    """Answers so many prompts, then the process is interrupted."""

    name = "scripted/recaller"

    def __init__(self, after: int) -> None:
        self.left = after
        self.asked: list[str] = []

    def answer(self, prompt: Prompt) -> Answer:
        if not self.left:
            raise KeyboardInterrupt
        self.left -= 1
        self.asked.append(prompt.key)
        return Recaller().answer(prompt)


def test_a_run_stores_items_contexts_and_one_answer_per_cell(dataset: Path, tmp_path: Path):
    chosen = settings("scripted/recaller", "scripted/reader", trials=2)
    outcome = go(tmp_path / "run", dataset, chosen)
    run = RunFolder.open(tmp_path / "run")
    contexts = list(run.conditions())
    assert run.settings == chosen
    assert len(list(run.items())) == 4
    assert outcome.asked == len(contexts) * 4 == len(stored(tmp_path / "run"))
    assert outcome.failed == outcome.pending == 0


def test_a_finished_run_asks_nothing_more(dataset: Path, tmp_path: Path):
    chosen = settings("scripted/recaller")
    first = go(tmp_path / "run", dataset, chosen)
    content = (tmp_path / "run" / "trials.jsonl").read_bytes()
    again = go(tmp_path / "run", dataset, chosen, [Stops(0)])
    assert (again.asked, again.kept) == (0, first.asked)
    assert (tmp_path / "run" / "trials.jsonl").read_bytes() == content


def test_a_run_stopped_anywhere_goes_on_and_ends_the_same(dataset: Path, tmp_path: Path):
    chosen = settings("scripted/recaller", limit=2)
    total = go(tmp_path / "whole", dataset, chosen).asked
    whole = (tmp_path / "whole" / "trials.jsonl").read_bytes()
    asked: list[str] = []
    folder = tmp_path / "stopped"
    for after in (0, 1, 3, total):
        solver = Stops(after)
        try:
            go(folder, dataset, chosen, [solver])
        except KeyboardInterrupt:
            # A half line, as a kill in the middle of a write leaves it.
            with (folder / "trials.jsonl").open("ab") as file:
                file.write(b'{"item": "musique/2')
        asked += solver.asked
    assert len(asked) == len(set(asked)) == total
    assert (folder / "trials.jsonl").read_bytes() == whole


def test_more_models_may_join_and_nothing_else_may_change(dataset: Path, tmp_path: Path):
    go(tmp_path / "run", dataset, settings("scripted/recaller"))
    go(tmp_path / "run", dataset, settings("scripted/lexical"))
    assert RunFolder.open(tmp_path / "run").settings.models == (
        "scripted/recaller",
        "scripted/lexical",
    )
    with pytest.raises(InputError, match="a run with trials 1, not 2"):
        go(tmp_path / "run", dataset, settings("scripted/recaller", trials=2))


def test_a_folder_that_holds_something_else_is_left_alone(dataset: Path, tmp_path: Path):
    (tmp_path / "notes.txt").write_text("mine")
    with pytest.raises(InputError, match="no audit run"):
        go(tmp_path, dataset, settings("scripted/recaller"))
    assert [path.name for path in tmp_path.iterdir()] == ["notes.txt"]
    with pytest.raises(InputError, match="is no audit run"):
        RunFolder.open(tmp_path)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
def test_a_full_disk_is_one_clear_message(dataset: Path, tmp_path: Path):
    folder = tmp_path / "run"
    folder.mkdir()
    chosen = settings("scripted/recaller", limit=1)
    go(folder, dataset, chosen)
    (folder / "trials.jsonl").unlink()
    (folder / "trials.jsonl").symlink_to("/dev/full")
    with pytest.raises(InputError, match="make room and run the same command again"):
        go(folder, dataset, chosen)


class Fails:
    name = "scripted/recaller"

    def answer(self, prompt: Prompt) -> Answer:
        if prompt.condition.target == "h1" and prompt.condition.condition is Condition.DROP:
            return Answer(failure="timed out")
        return Recaller().answer(prompt)


def test_failed_answers_are_stored_counted_and_asked_again(dataset: Path, tmp_path: Path):
    chosen = settings("scripted/recaller")
    first = go(tmp_path / "run", dataset, chosen, [Fails()])
    assert first.failed == first.unanswered == 4
    assert first.cells == first.judged + first.failed
    lines = (tmp_path / "run" / "trials.jsonl").read_bytes()
    assert go(tmp_path / "run", dataset, chosen, [Fails()]).failed == 4
    assert (tmp_path / "run" / "trials.jsonl").read_bytes() == lines
    panel = read_run(RunFolder.open(tmp_path / "run"))
    assert {lack.reason for lack in panel.missing} == {"timed out"}
    second = go(tmp_path / "run", dataset, chosen)
    assert (second.asked, second.failed) == (4, 0)
    assert read_run(RunFolder.open(tmp_path / "run")).missing == []


class Silent(OfflineJudge):
    def judge(self, question: str, references: object, response: str) -> Judgement:
        return Judgement(verdict=None, by="silent", failure="no JSON")


def test_a_failed_judgement_keeps_its_answer_and_is_judged_again_without_asking(
    dataset: Path, tmp_path: Path
):
    chosen = settings("scripted/recaller")
    first = go(tmp_path / "run", dataset, chosen, judge=Silent())
    assert first.failed == first.asked > 0 == first.unanswered
    lines = (tmp_path / "run" / "trials.jsonl").read_bytes()
    assert go(tmp_path / "run", dataset, chosen, judge=Silent()).failed == first.failed
    assert (tmp_path / "run" / "trials.jsonl").read_bytes() == lines
    second = go(tmp_path / "run", dataset, chosen, [Stops(0)])
    assert (second.asked, second.failed) == (0, 0)
    last = stored(tmp_path / "run")[-1]
    assert isinstance(last, TrialRecord)
    assert last.verdict is Verdict.CORRECT


def test_the_reader_is_asked_on_the_constructed_side_alone(dataset: Path, tmp_path: Path):
    chosen = settings("scripted/reader", "scripted/recaller", sides=("source", "constructed"))
    outcome = go(tmp_path / "run", dataset, chosen)
    assert outcome.failed == 0
    assert outcome.cells == outcome.judged
    records = read_run(RunFolder.open(tmp_path / "run"))
    assert records.missing == []
    assert [(panel.model, panel.side) for panel in records.panels] == [
        ("scripted/reader", "constructed"),
        ("scripted/recaller", "constructed"),
        ("scripted/recaller", "source"),
    ]


# batches


def test_prompts_go_out_and_responses_come_in(dataset: Path, tmp_path: Path):
    chosen = settings("some/model")
    run, batch = tmp_path / "run", tmp_path / "batch"
    first = go_by_batch(run, dataset, batch, chosen)
    prompts = [json.loads(line) for line in (batch / "prompts.jsonl").read_text().splitlines()]
    assert first.pending == len(prompts) == len({each["id"] for each in prompts})
    assert stored(run) == []
    assert prompts[0].keys() == {"id", "model", "messages"}
    answers = {item.question: item.answer for item in RunFolder.open(run).items()}
    lines = []
    for each in prompts:
        text = each["messages"][-1]["content"]
        [answer] = {answer for question, answer in answers.items() if question in text}
        lines.append(json.dumps({"id": each["id"], "response": answer}))
    half = len(lines) // 2
    (batch / "responses.jsonl").write_text("\n".join(lines[:half]) + "\n")
    second = go_by_batch(run, dataset, batch, chosen)
    assert (second.asked, second.pending) == (half, len(lines) - half)
    assert len((batch / "prompts.jsonl").read_text().splitlines()) == len(lines) - half
    (batch / "responses.jsonl").write_text("\n".join(lines[half:]) + "\n")
    third = go_by_batch(run, dataset, batch, chosen)
    assert (third.kept, third.asked, third.pending) == (half, len(lines) - half, 0)
    assert (batch / "prompts.jsonl").read_text() == ""
    assert len(stored(run)) == len(lines)


def test_a_prompt_shows_no_gold_answer(dataset: Path, tmp_path: Path):
    chosen = settings("some/model", conditions=("full", "closed_book"))
    go_by_batch(tmp_path / "run", dataset, tmp_path / "batch", chosen)
    for line in (tmp_path / "batch" / "prompts.jsonl").read_text().splitlines():
        text = json.loads(line)["messages"][-1]["content"]
        if "Passages:" not in text:
            for item in RunFolder.open(tmp_path / "run").items():
                assert item.answer not in text or item.question not in text
