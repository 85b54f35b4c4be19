"""The command line as users and scripts meet it: output, exit codes, files."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from realhop_kg.resources import resource_folder
from tests.processes import realhop as run

REALHOP = (sys.executable, "-m", "realhop_kg.cli.app")
QUESTIONS = resource_folder("data") / "questions.jsonl"


def test_construct_prints_the_figures_and_nothing_on_standard_error(tmp_path: Path) -> None:
    out = tmp_path / "out"
    words = ("construct", "--dataset", "musique", QUESTIONS, "--out", out, "--limit", "2")
    result = subprocess.run([*REALHOP, *map(str, words), "--json"], capture_output=True, text=True)
    assert result.returncode == 0
    assert result.stderr == ""
    figures = json.loads(result.stdout)
    assert figures["read"] == figures["constructed"] + figures["excluded"] == 2
    assert (out / "manifest.json").is_file()


def test_an_existing_folder_is_replaced_by_force_only(dataset: Path) -> None:
    before = (dataset / "manifest.json").read_bytes()
    words = ("construct", "--dataset", "musique", QUESTIONS, "--out", dataset, "--limit", "4")
    refused = run(*words)
    assert refused.returncode == 2
    assert "--force" in refused.stderr
    assert (dataset / "manifest.json").read_bytes() == before
    assert run(*words, "--force").returncode == 0
    assert (dataset / "manifest.json").read_bytes() == before


def test_verify_says_ok_and_names_a_changed_file(dataset: Path, tmp_path: Path) -> None:
    assert run("verify", dataset).returncode == 0
    copy = tmp_path / "copy"
    copy.mkdir()
    for path in dataset.iterdir():
        (copy / path.name).write_bytes(path.read_bytes())
    content = bytearray((copy / "items.jsonl").read_bytes())
    content[100] ^= 1
    (copy / "items.jsonl").write_bytes(content)
    result = run("verify", copy, "--json")
    assert result.returncode == 1
    report = json.loads(result.stdout)
    assert report["ok"] is False
    assert {found["file"] for found in report["discrepancies"]} >= {"items.jsonl"}


def test_show_prints_gold_first_and_marks_the_insertions(dataset: Path) -> None:
    result = run("show", dataset, "2hop__fict_001")
    assert result.returncode == 0
    lines = result.stdout.splitlines()
    paths = [line for line in lines if "path" in line and "->" in line]
    assert paths[0].startswith("Gold path")
    assert any(line.startswith("Strict path s1a") for line in paths)
    assert "[[gold g: " in result.stdout
    assert "[[near-miss s1a: " in result.stdout


def test_show_as_json_is_the_frozen_item(dataset: Path) -> None:
    item = json.loads(run("show", dataset, "2hop__fict_001", "--json").stdout)
    lines = (dataset / "items.jsonl").read_text(encoding="utf-8").splitlines()
    assert item in [json.loads(line) for line in lines]


def test_explain_gives_code_sentence_and_fix_of_an_exclusion(tmp_path: Path) -> None:
    record = json.loads(QUESTIONS.read_text(encoding="utf-8").splitlines()[0])
    record["question"] = "What is it all about?"
    source = tmp_path / "one.jsonl"
    source.write_text(json.dumps(record) + "\n", encoding="utf-8")
    out = tmp_path / "out"
    assert run("construct", "--dataset", "musique", source, "--out", out).returncode == 0
    result = run("explain", out, record["id"])
    assert result.returncode == 0
    assert "excluded: Q1" in result.stdout
    assert "one.jsonl, line 1" in result.stdout
    assert "let question and steps name the entity alike" in result.stdout


def test_explain_of_a_constructed_item_says_what_was_pruned(dataset: Path) -> None:
    result = run("explain", dataset, "2hop__fict_001")
    assert result.returncode == 0
    assert "nothing was pruned" in result.stdout


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("construct", "--dataset", "nope", QUESTIONS, "--out", "x"), "choose one of"),
        (
            ("construct", "--dataset", "musique", QUESTIONS, "--out", "x", "--backend", "llm"),
            "stage plan has no model",
        ),
        (
            (
                "construct",
                "--dataset",
                "musique",
                QUESTIONS,
                "--out",
                "x",
                "--api-base",
                "http://h",
            ),
            "--backend rules asks no model, so --api-base would do nothing",
        ),
        (("construct", "--dataset", "musique", "absent.jsonl", "--out", "x"), "cannot be read"),
        (("verify", "/"), "no frozen dataset"),
        (("validate", "absent.jsonl"), "cannot be read"),
    ],
)
def test_bad_usage_is_one_clean_line_and_exit_code_2(
    words: tuple[str, ...], said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    result = run(*words)
    assert result.returncode == 2
    assert said in result.stderr
    assert len(result.stderr.strip().splitlines()) == 1
    assert result.stdout == ""


def test_a_file_of_another_kind_stops_with_one_line(tmp_path: Path) -> None:
    path = tmp_path / "other.jsonl"
    path.write_text('{"a": 1}\n', encoding="utf-8")
    words = ("construct", "--dataset", "musique", path, "--out", tmp_path / "out")
    result = subprocess.run([*REALHOP, *map(str, words)], capture_output=True, text=True)
    assert result.returncode == 2
    assert "is no MuSiQue file" in result.stderr
    assert len(result.stderr.strip().splitlines()) == 1
    assert not (tmp_path / "out").exists()


def test_validate_counts_and_ends_with_1_where_a_record_is_unusable(tmp_path: Path) -> None:
    lines = QUESTIONS.read_text(encoding="utf-8").splitlines()[:2]
    path = tmp_path / "some.jsonl"
    path.write_text("\n".join([*lines, '{"id": "x", "paragraphs": []}', "{"]), encoding="utf-8")
    result = run("validate", path, "--json")
    assert result.returncode == 1
    report = json.loads(result.stdout)
    assert (report["read"], report["usable"]) == (4, 2)
    assert [finding["line"] for finding in report["findings"]] == [3, 4]
    assert run("validate", QUESTIONS).returncode == 0


def test_a_closed_pipe_leaves_no_traceback(dataset: Path) -> None:
    show = subprocess.Popen(
        [*REALHOP, "show", str(dataset), "2hop__fict_001"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert show.stdout is not None
    assert show.stderr is not None
    show.stdout.close()
    assert "Traceback" not in show.stderr.read()
    show.stderr.close()
    show.wait()


@pytest.mark.parametrize(("stop", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
@pytest.mark.parametrize("workers", [1, 2])
def test_a_stopped_run_leaves_nothing(
    tmp_path: Path, stop: signal.Signals, code: int, workers: int
) -> None:
    lines = QUESTIONS.read_text(encoding="utf-8").splitlines()
    path = tmp_path / "many.jsonl"
    with path.open("w", encoding="utf-8") as stream:
        for turn in range(60):
            for line in lines:
                record = json.loads(line)
                record["id"] += f"_{turn}"
                stream.write(json.dumps(record) + "\n")
    out = tmp_path / "out"
    words = ("--out", str(out), "--workers", str(workers))
    process = subprocess.Popen(
        [*REALHOP, "construct", "--dataset", "musique", str(path), *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    while process.poll() is None and not any(tmp_path.glob(".out.partial-*")):
        time.sleep(0.05)
    time.sleep(0.5)
    os.kill(process.pid, stop)
    _, said = process.communicate()
    assert process.returncode == code
    assert "interrupted" in said
    assert sorted(path.name for path in tmp_path.iterdir()) == ["many.jsonl"]
