"""`realhop refusal run`, `judge` and `sheet`, run as a user runs them."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

from realhop_kg.refusal.evaluate.scripted import SCRIPTS, STATES
from realhop_kg.resources import resource_folder
from tests.processes import realhop

DATA = resource_folder("data")


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A dataset `set` and an index `passages` in one folder."""
    folder = tmp_path_factory.mktemp("made")
    pages, seeds = DATA / "kilt_world.jsonl", DATA / "refusal_seeds.jsonl"
    for words in (
        ("kilt", "index", pages, "--out", folder / "graph"),
        ("refusal", "build", "--index", folder / "graph", "--seeds", seeds, "--n", 9,
         "--out", folder / "set"),
        ("search", "index", pages, "--out", folder / "passages"),
    ):  # fmt: skip
        done = realhop(*words)
        assert done.returncode == 0, done.stderr
    return folder


@pytest.fixture(scope="module")
def runs(made: Path) -> Path:
    """Two scripts in both modes, judged by rules."""
    for name in ("halts-right", "searches"):
        for words in ((), ("--search", "--index", made / "passages")):
            done = realhop(
                "refusal", "run", made / "set", "--model", f"scripted/{name}",
                "--out", made / "runs", *words, "--json",
            )  # fmt: skip
            assert done.returncode == 0, done.stderr
    judged = realhop("refusal", "judge", made / "runs")
    assert judged.returncode == 0, judged.stderr
    return made / "runs"


def test_runs_are_complete_and_their_states_are_the_known_ones(runs: Path) -> None:
    states: Counter[tuple[str, str, str]] = Counter()
    for line in (runs / "judged.jsonl").read_text(encoding="utf-8").splitlines():
        found = json.loads(line)
        states[found["model"], found["mode"], found["state"]["state"]] += 1
    expected = {
        (f"scripted/{name}", mode, str(state)): 9
        for name in ("halts-right", "searches")
        for mode, state in zip(("no_search", "search"), STATES[name], strict=True)
    }
    assert states == expected
    assert set(STATES) == set(SCRIPTS)


def test_the_manifest_records_how_searches_were_carried_out(runs: Path) -> None:
    arms = json.loads((runs / "run.json").read_text(encoding="utf-8"))["settings"]["arms"]
    assert [(each["model"], each["mode"]) for each in arms][:2] == [
        ("scripted/halts-right", "no_search"),
        ("scripted/halts-right", "search"),
    ]
    search = arms[1]["search"]
    assert (search["budget"], search["top_k"], search["final_turn"]) == (8, 3, "free")
    assert search["retriever"]["kind"] == "bm25"
    assert arms[1]["coverage"]["missing"] == []
    assert all(each["ok"] for each in arms[1]["checks"])


def test_a_second_run_and_judgement_find_nothing_to_do(made: Path, runs: Path) -> None:
    before = {each.name: each.read_bytes() for each in runs.iterdir()}
    again = realhop(
        "refusal", "run", made / "set", "--model", "scripted/searches", "--out", runs, "--json"
    )
    said = json.loads(again.stdout)
    assert (said["asked"], said["kept"], said["endings"]) == (0, 9, {"answered": 9})
    judged = realhop("refusal", "judge", runs, "--json")
    assert {each["kept"] for each in json.loads(judged.stdout)["arms"].values()} == {9}
    assert {each.name: each.read_bytes() for each in runs.iterdir()} == before


def test_a_sheet_and_the_judge_agree_where_a_reader_copies_it(runs: Path, tmp_path: Path) -> None:
    out = tmp_path / "sheet"
    done = realhop("refusal", "sheet", runs, "--out", out, "--n", 12, "--json")
    assert done.returncode == 0, done.stderr
    reader = tmp_path / "reader.jsonl"
    reader.write_bytes((out / "judge.jsonl").read_bytes())
    found = realhop(
        "agreement", "--field", "state", "--field", "evidence", "--json", reader,
        out / "judge.jsonl",
    )  # fmt: skip
    state, evidence = json.loads(found.stdout)
    assert state["pairs"][0]["agree"] == state["pairs"][0]["n"] == 12
    assert evidence["pairs"][0]["n"] < 12


def test_broken_lines_are_told_and_the_rest_is_used(made: Path, tmp_path: Path) -> None:
    out = tmp_path / "run"
    words = ("refusal", "run", made / "set", "--model", "scripted/vague", "--out", out)
    assert realhop(*words, "--limit", 3).returncode == 0
    path = out / "trajectories.jsonl"
    first, *rest = path.read_text(encoding="utf-8").splitlines(keepends=True)
    path.write_text(first[:50] + "\n" + "".join(rest) + '{"item": "half', encoding="utf-8")
    again = realhop(*words, "--limit", 3, "--json")
    assert json.loads(again.stdout)["asked"] == 1
    assert again.stderr.startswith("realhop: trajectories.jsonl:1: not JSON")
    judged = realhop("refusal", "judge", out, "--json")
    assert json.loads(judged.stdout)["arms"]["scripted/vague no_search"]["judged"] == 3


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--model", "scripted/nobody"), "no script 'scripted/nobody'"),
        (("--model", "scripted/vague", "--search"), "name an index or an address"),
        (("--model", "scripted/vague", "--search", "--index", "nowhere"), "no search index"),
        (("--model", "openai/x", "--param", "tools=1"), "not for here"),
        (("--model", "openai/x", "--param", "cold"), "write NAME=VALUE"),
    ],
)
def test_a_wrong_call_is_one_line_and_leaves_no_folder(
    made: Path, tmp_path: Path, words: tuple[str, ...], message: str
) -> None:
    out = tmp_path / "run"
    done = realhop("refusal", "run", made / "set", "--out", out, *words)
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert message in done.stderr
    assert not out.exists()


def test_other_settings_are_refused(made: Path, runs: Path) -> None:
    search = ("--search", "--index", made / "passages")
    words = ("refusal", "run", made / "set", "--model", "scripted/searches", "--out", runs)
    other = realhop(*words, *search, "--budget", 4)
    fewer = realhop(*words, "--limit", 2)
    assert (other.returncode, fewer.returncode) == (2, 2)
    assert "holds runs of scripted/searches search with search" in other.stderr
    assert "holds runs with limit None, not 2" in fewer.stderr


def test_what_is_no_run_or_not_judged_is_told(made: Path, tmp_path: Path) -> None:
    assert "holds no refusal runs" in realhop("refusal", "judge", made / "set").stderr
    out = tmp_path / "run"
    realhop("refusal", "run", made / "set", "--model", "scripted/vague", "--out", out)
    sheet = realhop("refusal", "sheet", out, "--out", tmp_path / "sheet")
    assert (sheet.returncode, "is not judged" in sheet.stderr) == (2, True)


def test_a_report_is_printed_and_written(made: Path, runs: Path, tmp_path: Path) -> None:
    done = realhop("refusal", "report", runs, "--resamples", 20)
    assert done.returncode == 0, done.stderr
    assert "States, % of questions" in done.stdout
    assert "EIFR is a share of V" in done.stdout
    for name in ("report.html", "report.md", "summary.json", "tables/states.tex", "runs/1.html"):
        assert (runs / name).is_file()
    other = tmp_path / "other"
    words = ("refusal", "run", made / "set", "--model", "scripted/vague", "--out", other)
    assert realhop(*words).returncode == 0
    assert realhop("refusal", "judge", other).returncode == 0
    out = tmp_path / "compared"
    compared = realhop(
        "refusal", "compare", runs, other, "--out", out, "--resamples", 0, "--json",
        "--eifr-over", "exposed",
    )  # fmt: skip
    summary = json.loads(compared.stdout)
    assert {each["model"] for each in summary["figures"]} == {
        "scripted/halts-right",
        "scripted/searches",
        "scripted/vague",
    }
    assert summary["settings"]["eifr_over"] == "exposed"
    assert (out / "report.html").is_file()
    wrong = realhop("refusal", "report", runs, "--eifr-over", "all")
    assert (wrong.returncode, wrong.stderr.count("\n")) == (2, 1)
    again = realhop("refusal", "compare", runs, other, "--out", out)
    assert (again.returncode, "exists" in again.stderr) == (2, True)
