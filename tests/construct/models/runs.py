"""Runs `realhop construct --backend llm` as users do, against the stub server."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

from tests.construct.models.scribe import Scribe
from tests.processes import realhop

SCRIBE = ("--writer", "tests.construct.models.scribe:Scribe")
SETTINGS = ("--backend", "llm", "--model", "openai/scribe", "--param", "json=off")


def construct(
    source: Path, *words: str | Path, dataset: str = "musique", **environment: str
) -> subprocess.CompletedProcess[str]:
    """Construct a source file with models."""
    said = ("construct", source, "--dataset", dataset, *SETTINGS, *words)
    return realhop(*said, environment=environment)


def contents(folder: Path) -> dict[str, bytes]:
    """Return every file of a folder."""
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir())}


def real_items(shared_data: Path, folder: Path) -> Path:
    """Write the real records that the scribe has replies for, and return their file."""
    wanted = {item["id"] for item in Scribe().items}
    source = shared_data / "multihop" / "musique" / "musique_ans_sample.jsonl"
    lines = source.read_text(encoding="utf-8").splitlines()
    path = folder / "records.jsonl"
    found = [line for line in lines if json.loads(line)["id"] in wanted]
    assert len(found) == len(wanted)
    path.write_text("\n".join(found) + "\n", encoding="utf-8")
    return path
