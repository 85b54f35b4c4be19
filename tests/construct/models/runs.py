"""Runs `realhop construct --backend llm` as users do, against the stub server."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from tests.construct.models.scribe import Scribe

REALHOP = (sys.executable, "-m", "realhop_kg.cli.app")
SCRIBE = ("--writer", "tests.construct.models.scribe:Scribe")


def construct(*words: str | Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command(*words), capture_output=True, text=True)


def command(*words: str | Path) -> list[str]:
    settings = (
        "--dataset",
        "musique",
        "--backend",
        "llm",
        "--model",
        "openai/scribe",
        "--param",
        "json=off",
    )
    return [*REALHOP, "construct", *settings, *map(str, words)]


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
