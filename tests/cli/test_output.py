"""What goes to which stream, in whole runs of the command."""

from __future__ import annotations

import json
import os
import pty
import select
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from realhop_kg.freeze.manifest import FILES
from realhop_kg.resources import resource_folder
from tests.construct.records import musique_line, record
from tests.processes import realhop as ran

REALHOP = (sys.executable, "-m", "realhop_kg.cli.app")


def lines() -> Iterator[str]:
    """Two good questions, one that is refused, and one broken line."""
    for number in (1, 2):
        yield json.dumps(musique_line(record(source_id=f"2hop__own_{number}")))
    refused = record("Who is the old mayor of Orm?", source_id="2hop__out_1")
    yield json.dumps(musique_line(refused))
    yield '{"id": "2hop__out_2"'


BROKEN = "own.jsonl:4: B2 not JSON: expecting ',' delimiter (character 21)\n"
"""What a run says of the broken record of `source`."""


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("source") / "own.jsonl"
    path.write_text("".join(f"{line}\n" for line in lines()), encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def dataset(source: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("dataset") / "frozen"
    result = ran("construct", "--dataset", "musique", source, "--out", out)
    assert result.returncode == 0, result.stderr
    return out


def test_the_summary_counts_what_was_read_constructed_and_excluded(
    source: Path, tmp_path: Path
) -> None:
    result = ran("construct", "--dataset", "musique", source, "--out", tmp_path / "out")
    assert result.stderr == BROKEN
    said = [line.split(maxsplit=1) for line in result.stdout.splitlines()]
    figures = {words[0]: words[1] for words in said}
    assert figures["read"] == "4"
    assert figures["constructed"] == "2  (2hop 2)"
    assert figures["excluded"] == "2  (B2 1, Q1 1)"
    assert figures["certificates"] == (
        "unique answer 2/2, necessary hops 4/4, necessary premises 4/4"
    )
    assert figures["written"] == f"to {tmp_path / 'out'}"
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == sorted(FILES)


def test_json_is_the_whole_of_standard_output(dataset: Path, source: Path, tmp_path: Path) -> None:
    every = [
        ran("construct", "--dataset", "musique", source, "--out", tmp_path / "out", "--json"),
        ran("validate", source, "--json"),
        ran("verify", dataset, "--json"),
        ran("show", dataset, "2hop__own_1", "--json"),
        ran("explain", dataset, "2hop__own_1", "--json"),
        ran("explain", dataset, "2hop__out_1", "--json"),
    ]
    assert [(each.returncode, each.stderr) for each in every] == [
        (0, BROKEN),
        (1, ""),
        (0, ""),
        (0, ""),
        (0, ""),
        (0, ""),
    ]
    built, checked, verified, item, left, excluded = (json.loads(each.stdout) for each in every)
    assert (built["read"], built["constructed"], built["excluded"]) == (4, 2, 2)
    assert (checked["read"], checked["usable"], len(checked["findings"])) == (4, 3, 1)
    assert (verified["ok"], verified["discrepancies"]) == (True, [])
    assert item["id"] == "musique/2hop__own_1"
    assert left == {"id": "musique/2hop__own_1", "constructed": True, "pruned": []}
    assert [entry["code"] for entry in excluded] == ["Q1"]


def test_the_demo_constructs_and_verifies_the_bundled_questions(tmp_path: Path) -> None:
    told = ran("demo", "--out", tmp_path / "demo")
    assert (told.returncode, told.stderr) == (0, "")
    assert "Verified: every hash and every blocking check holds" in told.stdout
    assert f"The dataset lies in {tmp_path / 'demo'}" in told.stdout
    assert "And 9 questions that have no answer" in told.stdout
    assert f"Verified: every check holds; they lie in {tmp_path / 'demo-refusal'}" in told.stdout
    again = ran("demo", "--out", tmp_path / "demo")
    assert (again.returncode, again.stdout) == (2, "")
    assert "exists" in again.stderr
    figures = json.loads(ran("demo", "--out", tmp_path / "demo", "--force", "--json").stdout)
    assert figures["ok"] is True
    shown = [(one["topology"], one["question"][-1]) for one in figures["refusal"]["shown"]]
    assert shown == [("root", "?"), ("middle", "?"), ("terminal", "?")]
    questions = (resource_folder("data") / "questions.jsonl").read_text("utf-8").splitlines()
    assert figures["constructed"] == figures["read"] == len(questions)
    assert f"digest       {figures['digest']}" in told.stdout


def test_progress_goes_to_a_terminal_on_standard_error_and_data_stay_clean(
    source: Path, tmp_path: Path
) -> None:
    ours, theirs = pty.openpty()
    words = ("construct", "--dataset", "musique", source, "--out", tmp_path / "out", "--json")
    process = subprocess.Popen(
        [*REALHOP, *map(str, words)],
        stdout=subprocess.PIPE,
        stderr=theirs,
        env={**os.environ, "TERM": "xterm"},
    )
    os.close(theirs)
    assert process.stdout is not None
    seen = b""
    while select.select([ours], [], [], 60)[0]:
        try:
            chunk = os.read(ours, 4096)
        except OSError:  # the terminal is closed on the other side
            break
        if not chunk:
            break
        seen += chunk
    out = process.stdout.read()
    process.stdout.close()
    os.close(ours)
    assert process.wait() == 0
    assert b"constructing" in seen
    assert json.loads(out)["constructed"] == 2


def test_show_leaves_the_passages_out_on_request(dataset: Path) -> None:
    whole = ran("show", dataset, "2hop__own_2").stdout
    less = ran("show", dataset, "2hop__own_2", "--no-passages").stdout
    assert "Passages with insertions" in whole
    assert "Passages with insertions" not in less
    assert whole.startswith(less.rstrip("\n"))


@pytest.mark.parametrize(
    ("command", "name", "said"),
    [
        ("show", "2hop__own_7", "no record '2hop__own_7'"),
        ("show", "2hop", "no record '2hop'"),
        ("show", "", "no record ''"),
        ("explain", "2hop__own_7", "no record '2hop__own_7'"),
    ],
)
def test_an_item_that_is_not_there_is_one_line_with_the_nearest(
    dataset: Path, command: str, name: str, said: str
) -> None:
    result = ran(command, dataset, name)
    assert (result.returncode, result.stdout) == (2, "")
    assert said in result.stderr
    assert "2hop__own_1" in result.stderr
    assert len(result.stderr.splitlines()) == 1


def test_explain_looks_among_constructed_and_excluded_items(dataset: Path) -> None:
    said = ran("explain", dataset, "2hop__none").stderr
    assert "excluded.jsonl; nearest: musique/2hop__out_1" in said
    assert "items.jsonl; nearest: musique/2hop__own_" in said


def test_explain_takes_the_end_of_an_id_where_it_is_unique(dataset: Path) -> None:
    assert "excluded: Q1" in ran("explain", dataset, "out_1").stdout
    assert "nothing was pruned" in ran("explain", dataset, "own_2").stdout


def test_show_of_an_excluded_item_says_where_the_reason_is(dataset: Path) -> None:
    result = ran("show", dataset, "2hop__out_1")
    assert result.returncode == 2
    assert f"realhop explain {dataset} musique/2hop__out_1" in result.stderr


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("", "is empty"),
        ("just some text\nand more\n", "is no MuSiQue file"),
        ('[{"a": 1}, {"a": 2}]', "is no MuSiQue file"),
        ('{"question": "q", "hops": []}\n', "use --dataset jsonl"),
    ],
)
@pytest.mark.parametrize("command", ["construct", "validate"])
def test_a_file_that_is_no_musique_is_one_line_and_exit_code_2(
    command: str, content: str, said: str, tmp_path: Path
) -> None:
    path = tmp_path / "other.jsonl"
    path.write_text(content, encoding="utf-8")
    words = ("--dataset", "musique", "--out", tmp_path / "out") if command == "construct" else ()
    result = ran(command, path, *words)
    assert (result.returncode, result.stdout) == (2, "")
    assert said in result.stderr
    assert len(result.stderr.splitlines()) == 1
    assert [each.name for each in tmp_path.iterdir()] == ["other.jsonl"]


def test_force_replaces_a_dataset_and_nothing_else(source: Path, tmp_path: Path) -> None:
    words = ("construct", "--dataset", "musique", source, "--limit", "1", "--force", "--out")
    notes = tmp_path / "notes"
    notes.mkdir()
    (notes / "diary.txt").write_text("dear diary")
    refused = ran(*words, notes)
    assert refused.returncode == 2
    assert "no dataset that --force may replace" in refused.stderr
    assert [path.name for path in notes.iterdir()] == ["diary.txt"]
    empty = tmp_path / "empty"
    empty.mkdir()
    assert ran(*words, empty).returncode == 0
    assert (empty / "manifest.json").is_file()


@pytest.mark.parametrize("words", [("--bogus",), ("construct",), ("show", "x"), ("frobnicate",)])
def test_wrong_usage_exits_with_2_and_a_hint(words: tuple[str, ...]) -> None:
    result = ran(*words)
    assert (result.returncode, result.stdout) == (2, "")
    assert "Usage: " in result.stderr
    assert "Traceback" not in result.stderr


@pytest.mark.parametrize("command", ["show", "construct"])
def test_a_reader_that_has_gone_costs_no_data_and_no_traceback(
    command: str, dataset: Path, source: Path, tmp_path: Path
) -> None:
    words: tuple[str | Path, ...] = ("show", dataset, "2hop__own_1")
    if command == "construct":
        words = ("construct", "--dataset", "musique", source, "--out", tmp_path / "out")
    process = subprocess.Popen(
        [*REALHOP, *map(str, words)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.close()
    assert process.stderr.read() == (BROKEN if command == "construct" else "")
    process.stderr.close()
    assert process.wait() == 0
    if command == "construct":
        assert ran("verify", tmp_path / "out").returncode == 0


def test_an_interrupt_of_a_run_with_workers_is_one_line_and_leaves_nothing(tmp_path: Path) -> None:
    path = tmp_path / "many.jsonl"
    with path.open("w", encoding="utf-8") as stream:
        for number in range(1500):
            item = record(source_id=f"2hop__own_{number}")
            stream.write(json.dumps(musique_line(item)) + "\n")
    words = ("construct", "--dataset", "musique", path, "--out", tmp_path / "out", "--workers", "2")
    process = subprocess.Popen(
        [*REALHOP, *map(str, words)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    partial = list(tmp_path.glob(".out.partial-*/items.jsonl"))
    until = time.monotonic() + 60
    while process.poll() is None and time.monotonic() < until:
        partial = partial or list(tmp_path.glob(".out.partial-*/items.jsonl"))
        if partial and partial[0].stat().st_size:
            break
        time.sleep(0.05)
    os.killpg(process.pid, signal.SIGINT)  # as Ctrl-C does: to the workers, too
    out, said = process.communicate(timeout=60)
    assert process.returncode == 130
    assert out == ""
    assert said == "realhop: interrupted; nothing was left half-written\n"
    assert [each.name for each in tmp_path.iterdir()] == ["many.jsonl"]


def test_what_the_output_cannot_hold_is_escaped() -> None:
    code = r"from realhop_kg.cli.output import echo; echo('Zürich \ud800')"
    for encoding, said in (("utf-8", "Zürich \\ud800\n"), ("ascii", "Z\\xfcrich \\ud800\n")):
        done = subprocess.run(
            (sys.executable, "-c", code),
            capture_output=True,
            check=True,
            env={**os.environ, "PYTHONIOENCODING": encoding},
        )
        assert done.stdout.decode() == said
