"""`realhop search`, run as a user runs it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from realhop_kg.resources import resource_folder
from tests.processes import realhop
from tests.search.small import dpr_file

PAGES = resource_folder("data") / "kilt_world.jsonl"


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("search") / "index"
    done = realhop("search", "index", PAGES, "--out", out)
    assert done.returncode == 0, done.stderr
    assert "passages of 79 titles" in done.stdout
    return out


def test_an_index_answers_and_passes_its_check(index: Path) -> None:
    found = realhop("search", "query", index, "seat of Kestrane", "zzz", "--top-k", 2, "--json")
    first, nothing = json.loads(found.stdout)
    assert first["documents"][0]["title"] == "Kestrane"
    assert len(first["documents"]) == 2
    assert nothing["documents"] == []
    plain = realhop("search", "query", index, "seat of Kestrane")
    assert plain.stdout.startswith("seat of Kestrane: 3 passages\n  1. Kestrane [")
    checked = realhop("search", "check", index, "--json")
    assert checked.returncode == 0
    assert [each["ok"] for each in json.loads(checked.stdout)["checks"]] == [True] * 5


def test_lines_without_a_passage_are_told_and_the_exit_code_says_so(tmp_path: Path) -> None:
    path = dpr_file(tmp_path, [("1", "a", "one word"), ("2", "b", " "), ("3", "c", "two words")])
    done = realhop("search", "index", path, "--out", tmp_path / "index")
    assert done.returncode == 1
    assert done.stderr == "realhop: psgs.tsv:3: no text; left out\n"
    assert (tmp_path / "index" / "search.json").is_file()


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("index", PAGES, "--form", "wiki"), "--form 'wiki'"),
        (("index", PAGES, "--kind", "dense"), "name one with --encoder"),
        (("index", PAGES, "--kind", "sparse"), "choose bm25 or dense"),
        (("index", "gone.tsv"), "gone.tsv"),
        (("query", "nowhere", "x"), "no search index"),
        (("check", "ftp://x"), "no search index"),
    ],
)
def test_a_wrong_call_is_one_line_and_exit_2(
    tmp_path: Path, words: tuple[object, ...], message: str
) -> None:
    out = ("--out", tmp_path / "out") if words[0] == "index" else ()
    done = realhop("search", *words, *out)
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert message in done.stderr
    assert not (tmp_path / "out").exists()
