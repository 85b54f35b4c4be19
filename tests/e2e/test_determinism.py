"""The same input, seed and version give the same bytes, whatever runs them."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from realhop_kg.freeze.manifest import DATA_FILES
from realhop_kg.resources import resource_folder
from tests.construct.records import musique_line, record

QUESTIONS = resource_folder("data") / "questions.jsonl"


def construct(
    out: Path,
    *,
    seed: int = 0,
    workers: int = 1,
    hash_seed: str = "0",
    source: Path = QUESTIONS,
) -> dict[str, bytes]:
    """Construct eight questions in a process of its own; return its files and the digest."""
    command = [sys.executable, "-m", "realhop_kg.cli.app", "construct", "--dataset", "musique"]
    command += [str(source), "--out", str(out), "--seed", str(seed), "--workers", str(workers)]
    command += ["--limit", "8"]
    environment = {**os.environ, "PYTHONHASHSEED": hash_seed}
    subprocess.run(command, check=True, capture_output=True, env=environment)
    files = {name: (out / name).read_bytes() for name in DATA_FILES}
    digest = json.loads((out / "manifest.json").read_bytes())["digest"]
    return {**files, "digest": digest.encode()}


@pytest.fixture(scope="module")
def reference(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    return construct(tmp_path_factory.mktemp("reference") / "dataset")


@pytest.mark.parametrize(("workers", "hash_seed"), [(1, "1"), (3, "random")])
def test_workers_and_hash_seeds_change_no_byte_and_no_digest(
    reference: dict[str, bytes], tmp_path: Path, workers: int, hash_seed: str
) -> None:
    assert construct(tmp_path / "again", workers=workers, hash_seed=hash_seed) == reference


def test_another_seed_gives_other_names(reference: dict[str, bytes], tmp_path: Path) -> None:
    other = construct(tmp_path / "other", seed=1)
    assert other["items.jsonl"] != reference["items.jsonl"]
    before, after = (
        [json.loads(line) for line in files["items.jsonl"].splitlines()]
        for files in (reference, other)
    )
    assert [item["id"] for item in before] == [item["id"] for item in after]
    assert all(a["question"] != b["question"] for a, b in zip(before, after, strict=True))


def test_a_name_written_in_two_ways_and_refusals_do_not_depend_on_the_hash_seed(
    tmp_path: Path,
) -> None:
    twice = record(
        "When did the author of the Tin Kettle and the sibling of the author of Tin Kettle marry?",
        [
            ("Tin Kettle >> author", "Bert Vane"),
            ("#1 >> sibling", "Cleo Ash"),
            ("When did #1 and #2 marry?", "4 May 1861"),
        ],
    )
    refused = record("Who is the old mayor of Orm?", source_id="2hop__out_1")
    source = tmp_path / "own.jsonl"
    lines = [json.dumps(musique_line(item)) for item in (twice, refused)]
    source.write_text("\n".join(lines), encoding="utf-8")
    runs = [construct(tmp_path / seed, hash_seed=seed, source=source) for seed in ("0", "3")]
    assert runs[1] == runs[0]
    assert runs[0]["items.jsonl"].count(b"\n") == runs[0]["excluded.jsonl"].count(b"\n") == 1
