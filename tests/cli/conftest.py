"""A small dataset that commands are tried on."""

from __future__ import annotations

from pathlib import Path

import pytest

from realhop_kg.resources import resource_folder
from tests.processes import realhop as run

QUESTIONS = resource_folder("data") / "questions.jsonl"


@pytest.fixture(scope="session")
def dataset(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("cli") / "dataset"
    result = run("construct", "--dataset", "musique", QUESTIONS, "--out", out, "--limit", "4")
    assert result.returncode == 0, result.stderr
    return out
