"""`realhop refusal build` and `realhop verify`, run by the words that a user writes."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from realhop_kg.resources import resource_folder
from tests.processes import realhop

SEEDS = resource_folder("data") / "refusal_seeds.jsonl"


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("world") / "index"
    pages = resource_folder("data") / "kilt_world.jsonl"
    assert realhop("kilt", "index", pages, "--out", out).returncode == 0
    return out


def test_a_set_is_built_verified_and_its_damage_found(index: Path, tmp_path: Path) -> None:
    out = tmp_path / "set"
    done = realhop(
        "refusal", "build", "--index", index, "--seeds", SEEDS, "--n", 9, "--out", out, "--json"
    )
    assert done.returncode == 0, done.stderr
    said = json.loads(done.stdout)
    assert said["constructed"] == sum(said["topologies"].values()) == 9
    assert said["figures"]["sources"]["plain"]["questions"] == 9
    verified = realhop("verify", out)
    assert (verified.returncode, verified.stdout[:11]) == (0, "ok: 9 items")
    shown = realhop("refusal", "show", out)
    assert (shown.returncode, shown.stdout.count("BROKEN")) == (0, 9)
    sampled = realhop("refusal", "sample", out, "--n", 3, "--out", tmp_path / "sheet", "--json")
    assert len(json.loads(sampled.stdout)["items"]) == 3
    text = (out / "items.jsonl").read_text(encoding="utf-8")
    (out / "items.jsonl").write_text(text.replace("Which", "What", 1), encoding="utf-8")
    broken = realhop("verify", out)
    assert broken.returncode == 1
    assert "NOT ok" in broken.stdout


def test_a_plan_is_reported_cell_by_cell(index: Path, tmp_path: Path) -> None:
    done = realhop(
        "refusal", "build", "--index", index, "--seeds", f"plain={SEEDS}",
        "--plan", "UC:terminal:2=1 FP:root:3=1", "--out", tmp_path / "set",
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "2 of 2 questions" in done.stdout
    assert "FP:root      depth 3: 1/1" in done.stdout


def test_lines_without_a_seed_are_named_counted_and_give_exit_code_1(
    index: Path, tmp_path: Path
) -> None:
    seeds = tmp_path / "own.jsonl"
    seeds.write_text(f"{SEEDS.read_text(encoding='utf-8')}no json\n", encoding="utf-8")
    done = realhop(
        "refusal", "build", "--index", index, "--seeds", seeds, "--plan", "FP:terminal:2=1",
        "--out", tmp_path / "set", "--json",
    )  # fmt: skip
    assert done.returncode == 1
    assert re.search(r"own\.jsonl:\d+: unreadable", done.stderr)
    said = json.loads(done.stdout)
    assert (said["constructed"], said["figures"]["unreadable"]) == (1, 1)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--plan", "FP:middle:2=1"), "fits no cell"),
        (("--backend", "magic"), "write rules, llm, or STAGE=rules|llm"),
        (("--backend", "llm"), "stage annotate has no model"),
        (("--low", "9", "--high", "3"), "is above --high"),
        (("--seeds", "gone.jsonl"), "gone.jsonl cannot be read"),
    ],
)
def test_a_call_that_cannot_be_met_says_so_in_one_line(
    index: Path, tmp_path: Path, words: tuple[str, ...], message: str
) -> None:
    out = tmp_path / "set"
    done = realhop("refusal", "build", "--index", index, "--seeds", SEEDS, "--out", out, *words)
    assert done.returncode == 2
    assert message in done.stderr
    assert done.stderr.count("\n") == 1
    assert not out.exists()


def test_drops_of_a_realhop_set_become_refusal_questions(tmp_path: Path) -> None:
    demo, out = tmp_path / "demo", tmp_path / "drops"
    questions = resource_folder("data") / "questions.jsonl"
    built = realhop("construct", "--dataset", "musique", questions, "--limit", 3, "--out", demo)
    assert built.returncode == 0, built.stderr
    done = realhop("refusal", "from-drops", demo, "--out", out)
    assert done.returncode == 0, done.stderr
    assert "6 of 6 Drops leave no derivable answer: root 3, terminal 3" in done.stdout
    assert realhop("verify", out).returncode == 0
    again = realhop("refusal", "from-drops", demo, "--out", out)
    assert (again.returncode, "exists" in again.stderr) == (2, True)
