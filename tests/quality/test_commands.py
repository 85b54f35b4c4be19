"""From questions to a quality report and a reading sheet, by the commands a user types."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from realhop_kg.freeze.manifest import MANIFEST, QUALITY
from realhop_kg.freeze.reader import FrozenDataset
from realhop_kg.freeze.verify import verify
from realhop_kg.quality.markup import READING_HTML, READING_ROWS
from realhop_kg.resources import resource_folder
from tests.processes import realhop

REALHOP = (sys.executable, "-m", "realhop_kg.cli.app")


def run(*words: str | Path, hash_seed: str | None = None) -> subprocess.CompletedProcess[str]:
    if hash_seed is None:
        return realhop(*words)
    environment = {**os.environ, "PYTHONHASHSEED": hash_seed}
    return subprocess.run(
        [*REALHOP, *map(str, words)], capture_output=True, text=True, env=environment
    )


@pytest.fixture(scope="module")
def dataset(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Eight bundled questions, constructed."""
    out = tmp_path_factory.mktemp("commands") / "dataset"
    questions = resource_folder("data") / "questions.jsonl"
    made = run("construct", "--dataset", "musique", questions, "--out", out, "--limit", "8")
    assert made.returncode == 0, made.stderr
    return out


def test_a_constructed_dataset_holds_its_quality_report(dataset: Path) -> None:
    report = json.loads((dataset / QUALITY).read_text())
    counts = FrozenDataset.open(dataset).manifest.counts
    assert (report["read"], report["constructed"]) == (8, counts.constructed)
    figures = report["a1"]["contrasts"]["all"]["figures"]
    assert set(figures) == {"wording", "position", "host", "all", "all in the text"}
    assert all(0 <= figure["low"] <= figure["high"] <= 1 for figure in figures.values())
    assert verify(dataset).ok


def test_continuations_are_worded_like_gold(dataset: Path) -> None:
    report = json.loads((dataset / QUALITY).read_text())
    wording = report["a1"]["contrasts"]["continuations"]["figures"]["wording"]
    assert wording["side_by_side"] == 0.5


@pytest.mark.parametrize("hash_seed", ["1", "2"])
def test_the_report_is_computed_again_to_the_byte(dataset: Path, hash_seed: str) -> None:
    again = run("quality", dataset, "--json", hash_seed=hash_seed)
    assert again.returncode == 0
    assert again.stderr == ""
    assert again.stdout == (dataset / QUALITY).read_text()


def test_the_report_is_printed(dataset: Path) -> None:
    printed = run("quality", dataset)
    assert printed.returncode == 0
    assert printed.stdout.startswith("Yield: 8 of 8 constructed\n")
    assert "A1: area under the ROC curve" in printed.stdout


def test_a_changed_report_is_found(dataset: Path) -> None:
    path = dataset / QUALITY
    content = path.read_bytes()
    path.write_bytes(content.replace(b'"read": 8', b'"read": 9', 1))
    try:
        found = verify(dataset).discrepancies
    finally:
        path.write_bytes(content)
    assert [(each.file, each.trouble) for each in found] == [(QUALITY, "hash")]
    assert verify(dataset).ok


def test_a_sheet_is_written_and_not_overwritten(dataset: Path, tmp_path: Path) -> None:
    written = run("sample", dataset, "--n", "5", "--out", tmp_path / "sheet", "--json")
    assert written.returncode == 0, written.stderr
    told = json.loads(written.stdout)
    rows = (tmp_path / "sheet" / READING_ROWS).read_text().splitlines()
    assert [json.loads(row)["id"] for row in rows] == told["items"]
    assert len(rows) == 5
    assert {path.name for path in (tmp_path / "sheet").iterdir()} == {READING_HTML, READING_ROWS}
    again = run("sample", dataset, "--out", tmp_path / "sheet")
    assert again.returncode == 2
    assert "choose another --out" in again.stderr
    assert len(again.stderr.splitlines()) == 1


def test_commands_refuse_what_is_no_dataset(tmp_path: Path) -> None:
    for words in (("quality", tmp_path), ("sample", tmp_path, "--out", tmp_path / "sheet")):
        refused = run(*words)
        assert refused.returncode == 2
        assert MANIFEST in refused.stderr
    assert not (tmp_path / "sheet").exists()
