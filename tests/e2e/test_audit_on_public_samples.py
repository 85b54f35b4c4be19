"""Audits of public samples end to end: what each scripted solver must show, and does."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli.inprocess import ran

PROBES = ("--model", "scripted/recaller", "--model", "scripted/cue", "--model", "scripted/lexical")


def run(*words: str | Path) -> None:
    result = ran(*words)
    assert result.returncode == 0, result.stderr


def audited(source: Path, out: Path, *words: str | Path) -> dict[str, dict[str, dict[str, Any]]]:
    """Audit, report, and return the plain values by model and side."""
    run("audit", source, *words, "--out", out)
    run("report", out, "--resamples", "1000", "--no-figures")
    models: dict[str, dict[str, dict[str, Any]]] = json.loads((out / "summary.json").read_text())[
        "models"
    ]
    return models


@pytest.mark.slow
def test_both_sides_of_musique(shared_data: Path, tmp_path: Path) -> None:
    source = shared_data / "multihop" / "musique" / "musique_ans_sample.jsonl"
    run("construct", "--dataset", "musique", source, "--out", tmp_path / "dataset")
    models = audited(tmp_path / "dataset", tmp_path / "run", *PROBES, "--model", "scripted/reader")
    reader = models["scripted/reader"]["constructed"]
    assert (reader["full"], reader["bnr"], reader["drop_one"], reader["control"]) == (1, 1, 0, 1)
    for side in ("source", "constructed"):
        recaller = models["scripted/recaller"][side]
        assert (recaller["full"], recaller["bnr"], recaller["control"]) == (1, 0, 1)
    lexical = models["scripted/lexical"]
    assert lexical["constructed"]["full"] < lexical["source"]["full"]
    low, high = lexical["pair"]["paired_difference_interval"]
    assert low < lexical["pair"]["paired_difference"] < 0
    assert high <= 0


@pytest.mark.slow
@pytest.mark.parametrize(
    ("form", "file", "questions"),
    [
        ("musique", "musique/musique_ans_sample.jsonl", 60),
        ("hotpotqa", "hotpotqa/hotpot_dev_distractor_sample.json", 40),
        ("hotpotqa", "hotpotqa/hotpot_hf_columnar_sample.jsonl", 6),
        ("twowiki", "2wikimultihopqa/2wiki_sample.json", 40),
        ("distractors", "plausible_distractors/named_True_2_sample.json", 31),
    ],
)
def test_source_datasets(
    shared_data: Path, tmp_path: Path, form: str, file: str, questions: int
) -> None:
    source = shared_data / "multihop" / file
    models = audited(source, tmp_path / "run", "--dataset", form, *PROBES)
    recaller = models["scripted/recaller"]["source"]
    assert (recaller["full"], recaller["bnr"], recaller["drop_one"]) == (1, 0, 1)
    assert recaller["full_n"] == recaller["bnr_n"] == questions
    assert recaller["control"] == 1
    assert recaller["control_n"] >= questions - 1
