"""`realhop audit` and `realhop report` as users meet them."""

from __future__ import annotations

import asyncio
import json
import subprocess
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from realhop_kg.audit.auditable import Auditable
from realhop_kg.cli.asking import Channel
from realhop_kg.cli.audit_run import AuditRun, perform
from realhop_kg.cli.audit_settings import opened
from realhop_kg.errors import InputError
from realhop_kg.llm.limits import Limits
from realhop_kg.resources import resource_folder
from tests.processes import realhop

QUESTIONS = resource_folder("data") / "questions.jsonl"


def run(*words: str | Path) -> subprocess.CompletedProcess[str]:
    return realhop(*words)


@pytest.fixture(scope="module")
def dataset(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("cli") / "dataset"
    result = run("construct", "--dataset", "musique", QUESTIONS, "--out", out, "--limit", "4")
    assert result.returncode == 0, result.stderr
    return out


def test_a_frozen_dataset_is_audited_on_both_sides_and_reported(dataset: Path, tmp_path: Path):
    out = tmp_path / "run"
    words = ("audit", dataset, "--model", "scripted/recaller", "--out", out)
    first = run(*words, "--json")
    assert (first.returncode, first.stderr) == (0, "")
    figures = json.loads(first.stdout)
    assert figures["asked"] > 0
    assert (figures["kept"], figures["failed"], figures["pending"]) == (0, 0, 0)
    assert figures["cells"] == figures["judged"] == figures["asked"]
    again = json.loads(run(*words, "--json").stdout)
    assert (again["asked"], again["kept"]) == (0, figures["asked"])
    report = run("report", out, "--resamples", "100", "--json")
    assert (report.returncode, report.stderr) == (0, "")
    summary = json.loads(report.stdout)
    assert summary == json.loads((out / "summary.json").read_text())
    for side in ("source", "constructed"):
        assert summary["models"]["scripted/recaller"][side]["bnr"] == 0
    text = run("report", out, "--resamples", "0").stdout
    assert "Full, Drop-one, Control and BNR" in text
    assert "report.html" in text


def test_a_source_file_is_audited_as_it_is(tmp_path: Path):
    words = ("audit", QUESTIONS, "--dataset", "musique", "--model", "scripted/lexical")
    result = run(*words, "--out", tmp_path / "run", "--limit", "3", "--conditions", "drop,mask")
    assert result.returncode == 0, result.stderr
    settings = json.loads((tmp_path / "run" / "run.json").read_text())["settings"]
    assert settings["sides"] == ["source"]
    assert settings["conditions"] == ["full", "drop", "mask"]


def test_an_audit_of_nothing_says_so(tmp_path: Path):
    record = json.loads(QUESTIONS.read_text(encoding="utf-8").splitlines()[0])
    for step in record["question_decomposition"]:
        step["paragraph_support_idx"] = None
    path, out = tmp_path / "broken.jsonl", tmp_path / "run"
    path.write_text(json.dumps(record) + "\n", encoding="utf-8")
    words = ("audit", "--dataset", "musique", path, "--model", "scripted/recaller", "--out", out)
    result = run(*words)
    assert result.returncode == 2
    assert "no record of broken.jsonl can be audited" in result.stderr
    assert "shows what was found" not in result.stdout
    assert len((out / "excluded.jsonl").read_text(encoding="utf-8").splitlines()) == 1


def test_a_dataset_that_does_not_verify_is_not_audited(dataset: Path, tmp_path: Path):
    copy = tmp_path / "copy"
    copy.mkdir()
    for path in dataset.iterdir():
        (copy / path.name).write_bytes(path.read_bytes())
    content = bytearray((copy / "items.jsonl").read_bytes())
    content[200] ^= 1
    (copy / "items.jsonl").write_bytes(content)
    result = run("audit", copy, "--model", "scripted/recaller", "--out", tmp_path / "run")
    assert result.returncode == 1
    assert "does not verify" in result.stderr
    assert not (tmp_path / "run").exists()


def test_prompts_out_responses_in(dataset: Path, tmp_path: Path):
    words = ("audit", dataset, "--model", "some/model", "--out", tmp_path / "run")
    words = (*words, "--batch", tmp_path / "batch", "--judge", "some/judge", "--limit", "1")
    words = (*words, "--replies", tmp_path / "r.sqlite")
    first = json.loads(run(*words, "--json").stdout)
    assert first["pending"] == first["prompts"] > 0
    prompts = (tmp_path / "batch" / "prompts.jsonl").read_text().splitlines()
    with (tmp_path / "batch" / "responses.jsonl").open("a") as file:
        for line in prompts:
            answer = {"id": json.loads(line)["id"], "response": "no idea"}
            file.write(json.dumps(answer) + "\n")
    # Answers that match nothing go to the judge, through the same files.
    second = json.loads(run(*words, "--json").stdout)
    assert second["asked"] == first["pending"]
    judged = (tmp_path / "batch" / "prompts.jsonl").read_text().splitlines()
    assert {json.loads(line)["model"] for line in judged} == {"some/judge"}
    with (tmp_path / "batch" / "responses.jsonl").open("a") as file:
        for line in judged:
            verdict = json.dumps({"verdict": "incorrect", "reason": "none given"})
            file.write(json.dumps({"id": json.loads(line)["id"], "response": verdict}) + "\n")
    third = json.loads(run(*words, "--json").stdout)
    assert (third["pending"], third["failed"]) == (0, 0)
    report = json.loads(run("report", tmp_path / "run", "--resamples", "0", "--json").stdout)
    assert report["models"]["some/model"]["source"]["full"] == 0


def test_batch_files_out_results_in(dataset: Path, tmp_path: Path):
    batch, store = tmp_path / "batch", tmp_path / "r.sqlite"
    words = ("audit", dataset, "--model", "openai/m", "--out", tmp_path / "run", "--limit", "1")
    words = (*words, "--batch", batch, "--batch-form", "openai", "--replies", store)
    words = (*words, "--param", "temperature=0", "--trials", "2", "--json")
    first = json.loads(run(*words).stdout)
    assert [path.name for path in batch.iterdir()] == ["solver.jsonl"]
    lines = [json.loads(line) for line in (batch / "solver.jsonl").read_text().splitlines()]
    assert first["pending"] == first["prompts"] == len(lines)
    assert {each["body"]["temperature"] for each in lines} == {0}
    results = tmp_path / "results.jsonl"
    answer = {"choices": [{"message": {"content": "no idea"}, "finish_reason": "stop"}]}
    with results.open("w") as file:
        for each in lines[:-2]:
            body = {"status_code": 200, "body": answer}
            file.write(json.dumps({"custom_id": each["custom_id"], "response": body}) + "\n")
    assert run("replies", "import", results, "--replies", store).returncode == 0
    second = json.loads(run(*words).stdout)
    assert (second["asked"], second["pending"], second["prompts"]) == (len(lines) - 2, 2, 2)
    # Other parameters are another measurement: the run keeps its own.
    other = run(*words[:-1], "--param", "temperature=1")
    assert other.returncode == 2
    assert 'with parameters {"temperature":0}, not {"temperature":1}' in other.stderr
    replay = (*words[:8], "--replies", store, "--param", "temperature=0", "--trials", "2")
    offline = run(*replay, "--offline")
    assert offline.returncode == 3
    assert "2 answers or verdicts are not in" in offline.stderr


def test_a_judge_of_its_own_answers_is_warned_about(dataset: Path, tmp_path: Path):
    words = ("audit", dataset, "--model", "m", "--judge", "m", "--batch", tmp_path / "b")
    words = (*words, "--replies", tmp_path / "r.sqlite")
    result = run(*words, "--out", tmp_path / "run", "--limit", "1")
    assert result.returncode == 0
    assert "m judges its own answers" in result.stderr


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--model", "gpt"), "PROVIDER/NAME"),
        (("--model", "scripted/oracle"), "scripted/reader"),
        (("--model", "scripted/cue", "--side", "left"), "source, constructed or both"),
        (("--model", "scripted/reader", "--side", "source"), "answers no source question"),
        (("--model", "scripted/cue", "--conditions", "all"), "choose of full"),
        (("--model", "scripted/cue", "--judge", "offline:9"), "threshold"),
        (("--model", "scripted/cue", "--judge", "gpt"), "nobody serves a model 'gpt'"),
        (("--model", "scripted/cue", "--param", "temperature"), "NAME=VALUE"),
        (("--model", "scripted/cue", "--batch-form", "csv"), "openai, plain or both"),
        (("--model", "scripted/cue", "--unit", "page"), "--unit"),
        (("--model", "scripted/cue", "--template", "x=y"), "solver"),
        (("--model", "scripted/cue", "--template", "solver=none.v1"), "no template audit/none.v1"),
    ],
)
def test_usage_errors_are_one_line_and_exit_2(
    dataset: Path, tmp_path: Path, words: tuple[str, ...], said: str
):
    result = run("audit", dataset, *words, "--out", tmp_path / "run")
    assert result.returncode == 2
    assert said in result.stderr
    assert len(result.stderr.splitlines()) == 1
    assert not (tmp_path / "run").exists()


def test_files_need_their_form_and_have_no_constructed_side(tmp_path: Path):
    words = ("audit", QUESTIONS, "--model", "scripted/cue", "--out", tmp_path / "run")
    assert "name its form with --dataset" in run(*words).stderr
    result = run(*words, "--dataset", "musique", "--side", "both")
    assert (result.returncode, "needs a frozen dataset" in result.stderr) == (2, True)


def test_an_audit_of_another_form_leaves_no_folder_and_the_corrected_command_runs(tmp_path: Path):
    source, out = tmp_path / "plain.jsonl", tmp_path / "run"
    source.write_text('[{"_id": "a"}]')
    words = ("--model", "scripted/cue", "--out", out)
    assert run("audit", source, "--dataset", "musique", *words).returncode == 2
    assert not out.exists()
    assert run("audit", QUESTIONS, "--dataset", "musique", "--limit", "2", *words).returncode == 0


def test_a_source_that_breaks_after_the_plan_costs_no_plan_and_no_answer(tmp_path: Path):
    source, out = tmp_path / "own.jsonl", tmp_path / "run"
    lines = QUESTIONS.read_text(encoding="utf-8").splitlines(keepends=True)
    source.write_text("".join(lines[:2]), encoding="utf-8")
    model = ("scripted/cue",)
    audited = opened(source, "musique", "", "full", (), "offline", None, models=model)
    reading = iter((audited.items, broken))
    audited = replace(audited, items=lambda: next(reading)())
    channel = Channel(replies=tmp_path / "r.sqlite", limits=Limits())
    with pytest.raises(InputError, match="gone"):
        asyncio.run(perform(AuditRun(audited, model, "offline", channel, out)))
    assert (out / "conditions.jsonl").is_file()


def broken() -> Iterator[Auditable]:
    raise InputError("the source is gone")


def test_a_report_of_something_else_is_refused(tmp_path: Path):
    result = run("report", tmp_path)
    assert result.returncode == 2
    assert "no audit run" in result.stderr


def test_runs_are_compared_and_people_s_labels_scored(dataset: Path, tmp_path: Path):
    out, sheet = tmp_path / "run", tmp_path / "a.jsonl"
    words = ("--model", "scripted/lexical", "--model", "scripted/recaller", "--out", out)
    assert run("audit", dataset, *words, "--conditions", "drop").returncode == 0
    compared = run("compare", out, out, "--out", tmp_path / "pair", "--resamples", "50")
    assert compared.returncode == 0, compared.stderr
    assert "Full accuracy on the questions judged on both sides" in compared.stdout
    assert (tmp_path / "pair" / "report.html").is_file()
    assert run("compare", out, out, "--out", tmp_path / "pair").returncode == 2
    assert run("verdicts", out, "--out", sheet, "--n", "6").returncode == 0
    rows = [json.loads(line) for line in sheet.read_text().splitlines()]
    assert len(rows) == 6
    sheet.write_text("".join(json.dumps({**row, "verdict": "incorrect"}) + "\n" for row in rows))
    [found] = json.loads(run("agreement", sheet, "--run", out, "--json").stdout)
    assert (found["field"], found["n"], found["both_reject"]) == ("verdict", 6, 6)
    assert found["readers"] == ["a.jsonl", "judge offline-f1-0.8"]
    assert "agree on 6/6" in run("agreement", sheet, "--run", out).stdout
    alone = run("agreement", sheet)
    assert (alone.returncode, "needs two readers" in alone.stderr) == (2, True)
    screened = run("screen", out, "--out", tmp_path / "s.jsonl", "--at-most", "1")
    assert screened.returncode == 0
    assert run("screen", out, "--out", sheet).returncode == 2


def test_a_dry_run_counts_and_writes_nothing(dataset: Path, tmp_path: Path):
    words = ("audit", dataset, "--model", "a", "--model", "b", "--trials", "3", "--dry-run")
    out = tmp_path / "run"
    found = json.loads(run(*words, "--side", "constructed", "--out", out, "--json").stdout)
    assert not out.exists()
    contexts = found["contexts"]
    assert contexts["full"] == found["items"] == 4
    assert contexts["drop"] == contexts["control"] + found["infeasible"]
    assert found["prompts"] == sum(contexts.values()) * 2 * 3
    assert found["tokens"] > found["prompts"] * 100
    words = ("audit", dataset, "--model", "scripted/recaller", "--out", out)
    asked = json.loads(run(*words, "--side", "constructed", "--json").stdout)["asked"]
    assert asked == sum(contexts.values())


def test_an_estimate_of_an_audit_needs_no_dry_run(dataset: Path, tmp_path: Path):
    store = tmp_path / "none.sqlite"
    words = ("estimate", dataset, "--model", "scripted/cue", "--model", "openai/gpt-4o-mini")
    words = (*words, "--trials", "2", "--judge-model", "openai/gpt-4o", "--replies", store)
    found = json.loads(run(*words, "--json").stdout)
    solver, judge = found["asked"]
    assert (solver["model"], judge["stage"]) == ("openai/gpt-4o-mini", "judge")
    assert solver["calls"] * 2 == judge["calls"] == found["prompts"]
    assert solver["calls"] == sum(found["contexts"].values()) * 2
    assert found["cost"] == pytest.approx(solver["cost"] + judge["cost"])
    assert found["cost"] > 0
    assert not store.exists()
    nobody = run("estimate", dataset)
    assert (nobody.returncode, "--model" in nobody.stderr) == (2, True)


def test_a_server_that_is_not_there_is_said_and_exits_3(dataset: Path, tmp_path: Path):
    words = ("audit", dataset, "--model", "openai/x", "--api-base", "http://127.0.0.1:9/v1")
    words = (*words, "--attempts", "1", "--replies", tmp_path / "r.sqlite", "--limit", "1")
    result = run(*words, "--out", tmp_path / "run")
    assert result.returncode == 3
    assert "no server answered" in result.stderr
    assert "see that the address is right" in result.stderr
