"""`realhop replies` as users meet it."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from realhop_kg.llm.records import ReplyStatus
from realhop_kg.llm.replies import ReplyStore
from tests.llm.asked import reply, request
from tests.processes import realhop

PLAN, AUDIT = request("plan"), request("audit", stage="audit")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "r.sqlite"
    with ReplyStore(path, write=True) as store:
        store.put(PLAN, reply(PLAN))
        store.put(AUDIT, reply(AUDIT, status=ReplyStatus.FAILED, cost=None, text=""))
    return path


def run(*words: str | Path) -> subprocess.CompletedProcess[str]:
    return realhop("replies", *words)


def test_stats_count_by_stage_and_status(path: Path) -> None:
    text = run("stats", "--replies", path).stdout.splitlines()
    assert text[0] == "audit  openai/small  construct/plan.v1"
    assert text[-1] == "2 replies, $0.2500 and 1 of unknown price"
    assert [
        each["replies"] for each in json.loads(run("stats", "--replies", path, "--json").stdout)
    ] == [
        {"failed": 1},
        {"good": 1},
    ]


def test_list_and_show_name_a_reply_by_its_key(path: Path) -> None:
    (line,) = run("list", "--replies", path, "--stage", "plan").stdout.splitlines()
    assert line.split()[:3] == [PLAN.key[:12], "good", "plan"]
    shown = run("show", "--replies", path, line.split()[0]).stdout
    assert "--- user\nplan\n" in shown
    assert "attempt 1: 429 rate limit" in shown
    assert shown.endswith("In Orm.\n")
    assert (
        json.loads(run("show", "--replies", path, PLAN.key, "--json").stdout)["request"]["trial"]
        == 1
    )


def test_prune_wants_to_know_what_and_removes_that(path: Path) -> None:
    assert run("prune", "--replies", path).returncode == 2
    assert (
        run("prune", "--replies", path, "--unusable", "--dry-run").stdout == "1 would be removed\n"
    )
    assert run("prune", "--replies", path, "--unusable").stdout == "1 removed\n"
    assert len(run("list", "--replies", path).stdout.splitlines()) == 1


def test_export_writes_lines_and_replaces_no_file(path: Path, tmp_path: Path) -> None:
    out = tmp_path / "replies.jsonl"
    assert run("export", "--replies", path, "--out", out).returncode == 0
    lines = out.read_text().splitlines()
    assert [json.loads(line)["key"] for line in lines] == sorted([PLAN.key, AUDIT.key])
    assert run("export", "--replies", path).stdout.splitlines() == lines
    assert run("export", "--replies", path, "--out", out).returncode == 2


def test_a_wrong_status_or_file_is_one_clean_line(path: Path, tmp_path: Path) -> None:
    for words in (
        ("list", "--replies", path, "--status", "fine"),
        ("stats", "--replies", tmp_path / "none"),
    ):
        done = run(*words)
        assert done.returncode == 2
        assert done.stderr.startswith("realhop: ")
        assert len(done.stderr.splitlines()) == 1
