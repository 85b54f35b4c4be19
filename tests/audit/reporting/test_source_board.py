"""Leaderboards beside a ranking that comes from elsewhere."""

from __future__ import annotations

from pathlib import Path

import pytest

from realhop_kg.audit.folder import RunFolder
from realhop_kg.audit.reporting.records import read_run
from realhop_kg.audit.reporting.report import build_report
from realhop_kg.audit.reporting.source_board import read_board
from realhop_kg.audit.reporting.tables import tables
from realhop_kg.errors import InputError
from tests.audit.runs import go, settings


@pytest.fixture(scope="module")
def run(dataset: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("board") / "run"
    chosen = settings(
        "scripted/recaller", "scripted/cue", "scripted/lexical", conditions=("full",), limit=3
    )
    go(folder, dataset, chosen)
    return folder


def test_ranks_change_against_a_table_of_scores(run: Path, tmp_path: Path) -> None:
    table = tmp_path / "published.csv"
    table.write_text(
        "model,score\nscripted/cue,71.5\nscripted/recaller,60\nscripted/other,55\n"
        "scripted/lexical,50.2\n"
    )
    opened = RunFolder.open(run)
    report = build_report(opened, read_run(opened), 0, read_board(table))
    before, after = report.boards
    assert [line.rank for line in before.lines] == [1, 2, 3, 4]
    assert before.spread == pytest.approx(0.213)
    assert {line.model: line.change for line in after.lines} == {
        "scripted/recaller": 1,
        "scripted/cue": -1,
        "scripted/lexical": 1,
    }
    assert "over 3 models" in after.agreement
    shown = {each.name: each for each in tables(report)}
    assert shown["board_source"].note == "From published.csv: Scores as given."


def test_another_run_is_a_ranking_too(run: Path) -> None:
    found = read_board(run)
    assert (found.side, found.n, found.lines[0].model) == ("source", 3, "scripted/recaller")
    assert found.origin == "the constructed side of run"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("name,score\na,1\n", "columns model and score"),
        ("model,score\na,1\n", "ranks 1 models"),
        ("model,score\na,1\na,2\n", ":3: a is ranked twice"),
        ("model,score\na,high\n", ":2: write a model and a score"),
        ("model,score\na,nan\n", ":2: write a model and a score"),
        ("model,score\n,3\n", ":2: write a model and a score"),
    ],
)
def test_a_table_that_ranks_nothing_is_refused(tmp_path: Path, text: str, told: str) -> None:
    table = tmp_path / "t.csv"
    table.write_text(text)
    with pytest.raises(InputError, match=told):
        read_board(table)
