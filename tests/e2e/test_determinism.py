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


def construct(
    out: Path, *, seed: int = 0, workers: int = 1, hash_seed: str = "0"
) -> dict[str, bytes]:
    """Construct the bundled questions in a process of its own and return the data files."""
    source = resource_folder("data") / "questions.jsonl"
    command = [sys.executable, "-m", "realhop_kg.cli.app", "construct", "--dataset", "musique"]
    command += [str(source), "--out", str(out), "--seed", str(seed), "--workers", str(workers)]
    environment = {**os.environ, "PYTHONHASHSEED": hash_seed}
    subprocess.run(command, check=True, capture_output=True, env=environment)
    return {name: (out / name).read_bytes() for name in DATA_FILES}


@pytest.fixture(scope="module")
def reference(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, bytes]]:
    out = tmp_path_factory.mktemp("reference") / "dataset"
    return out, construct(out)


@pytest.mark.parametrize(("workers", "hash_seed"), [(1, "1"), (2, "random"), (3, "77")])
def test_workers_and_hash_seeds_change_no_byte(
    reference: tuple[Path, dict[str, bytes]], tmp_path: Path, workers: int, hash_seed: str
) -> None:
    again = construct(tmp_path / "again", workers=workers, hash_seed=hash_seed)
    assert again == reference[1]


def test_the_digest_is_the_same_too(
    reference: tuple[Path, dict[str, bytes]], tmp_path: Path
) -> None:
    construct(tmp_path / "again", workers=2, hash_seed="5")
    manifests = [
        json.loads((folder / "manifest.json").read_bytes())
        for folder in (reference[0], tmp_path / "again")
    ]
    assert manifests[0]["digest"] == manifests[1]["digest"]


def test_another_seed_gives_other_names(
    reference: tuple[Path, dict[str, bytes]], tmp_path: Path
) -> None:
    other = construct(tmp_path / "other", seed=1)
    assert other["items.jsonl"] != reference[1]["items.jsonl"]
    before, after = (
        [json.loads(line) for line in files["items.jsonl"].splitlines()]
        for files in (reference[1], other)
    )
    assert [item["id"] for item in before] == [item["id"] for item in after]
    assert all(a["question"] != b["question"] for a, b in zip(before, after, strict=True))
