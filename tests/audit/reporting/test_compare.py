"""Two runs, one of each side, compared question by question; sheets drawn from a run."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from realhop_kg.audit.folder import RunFolder
from realhop_kg.audit.reporting.compare import compare_runs
from realhop_kg.audit.reporting.records import RunRecords, read_run
from realhop_kg.audit.reporting.report import build_report
from realhop_kg.audit.sheets import judge_labels, suspects, verdict_sheet
from realhop_kg.audit.solvers import ABSTAINED, Answer, Prompt
from realhop_kg.errors import InputError
from tests.audit.runs import go, settings


class Half:
    """Right on every source question, and on the constructed ones of even rank; never after a
    Drop of the first hop."""

    name = "half"

    def answer(self, prompt: Prompt) -> Answer:
        rank = int(prompt.item.item[-1])
        known = prompt.item.side == "source" or rank % 2 == 0
        dropped = prompt.condition.condition == "drop" and prompt.condition.target == "h1"
        return Answer(text=prompt.item.answer if known and not dropped else "somewhere else")


class Never:
    name = "never"

    def answer(self, prompt: Prompt) -> Answer:
        return Answer(text=ABSTAINED)


@pytest.fixture(scope="module")
def runs(dataset: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path, Path]:
    """A source run, a constructed run of fewer questions, and a run of both sides."""
    folder = tmp_path_factory.mktemp("compare")
    solvers = [Half(), Never()]
    for name, sides, limit in (
        ("source", ("source",), 8),
        ("constructed", ("constructed",), 6),
        ("both", ("source", "constructed"), 6),
    ):
        chosen = settings("half", "never", sides=sides, conditions=("full", "drop"), limit=limit)
        go(folder / name, dataset, chosen, solvers)
    return folder / "source", folder / "constructed", folder / "both"


def opened(path: Path) -> tuple[RunFolder, RunRecords]:
    run = RunFolder.open(path)
    return run, read_run(run)


def figures(report) -> dict[tuple[str, str, str], object]:
    return {(each.model, each.side, each.measure): each for each in report.figures}


def test_two_runs_give_what_one_run_of_both_sides_gives(runs: tuple[Path, Path, Path]):
    source, constructed, both = runs
    report, records = compare_runs(opened(source), opened(constructed), 100)
    single = build_report(*opened(both), 100)
    assert figures(report) == figures(single)
    assert report.boards == single.boards
    assert {(each.item, each.side) for each in records.trials} == {
        (each.item, each.side) for each in opened(both)[1].trials
    }
    same, again = compare_runs(opened(both), opened(both), 100)
    assert figures(same) == figures(single)
    assert len(again.trials) == len(opened(both)[1].trials)


def test_differences_have_the_values_that_were_planted(runs: tuple[Path, Path, Path]):
    report, _ = compare_runs(opened(runs[0]), opened(runs[1]), 100)
    found = figures(report)
    assert found["half", "pair", "paired_difference"].value == -0.5
    assert found["half", "pair", "increase"].interval.value is not None
    test = next(each for each in report.tests if each.model == "half")
    assert (test.n, test.test.only_first, test.test.only_second) == (6, 3, 0)
    assert [board.side for board in report.boards] == ["source", "constructed"]
    assert any("source side alone" in warning for warning in report.warnings)


def test_what_is_left_out_of_a_comparison_is_said(
    dataset: Path, tmp_path: Path, runs: tuple[Path, Path, Path]
):
    other = tmp_path / "other"
    chosen = settings("half", "o", conditions=("full", "drop"), limit=6)
    go(other, dataset, chosen, [Half(), Named()])
    with (other / "trials.jsonl").open("a", encoding="utf-8") as file:
        file.write("no answer\n")
    run = RunFolder.open(other)
    gone = next(iter(run.items())).item
    source, constructed = RunFolder.open(runs[0]), read_run(run, [gone, "nobody"])
    report, records = compare_runs(
        (source, read_run(source, [gone, "nobody"])), (run, constructed), 0
    )
    assert "on the source side alone and left out: never" in report.warnings
    assert "on the constructed side alone and left out: o" in report.warnings
    assert (report.left_out, records.unknown) == ((gone,), ("nobody",))
    [line] = report.unreadable
    assert line.startswith("other/trials.jsonl:")
    assert report.items == {"source": 5, "constructed": 5}


def test_runs_that_cannot_be_compared_are_refused(
    dataset: Path, tmp_path: Path, runs: tuple[Path, Path, Path]
):
    source, constructed, _ = runs
    with pytest.raises(InputError, match="has no source side"):
        compare_runs(opened(constructed), opened(constructed), 0)
    chosen = settings("never", conditions=("full",), limit=6, trials=2)
    go(tmp_path / "twice", dataset, chosen, [Never()])
    with pytest.raises(InputError, match="same number"):
        compare_runs(opened(source), opened(tmp_path / "twice"), 0)
    go(tmp_path / "other", dataset, settings("o", conditions=("full",)), [Named()])
    with pytest.raises(InputError, match="share no model"):
        compare_runs(opened(source), opened(tmp_path / "other"), 0)


class Named(Never):
    name = "o"


# sheets


def test_a_verdict_sheet_withholds_verdicts_and_leaves_exact_matches_out(
    runs: tuple[Path, Path, Path],
):
    run, records = opened(runs[2])
    rows = verdict_sheet(run, records, 5, seed=1)
    assert len(rows) == len({row.id for row in rows}) == 5
    assert {row.verdict for row in rows} == {""}
    assert {row.response for row in rows} <= {"somewhere else", ABSTAINED}
    assert rows == verdict_sheet(run, records, 5, seed=1) != verdict_sheet(run, records, 5, seed=2)
    labels = judge_labels(records)
    assert {labels[row.id, "verdict"] for row in rows} == {"incorrect"}
    assert "incorrect" not in json.dumps([row.model_dump() for row in rows])


def test_the_screen_lists_source_questions_that_few_models_answer(
    runs: tuple[Path, Path, Path],
):
    run, records = opened(runs[0])
    assert suspects(run, records, 0) == []
    found = suspects(run, records, 1)
    assert len(found) == 8
    assert {(each.correct, each.models) for each in found} == {(1, 2)}
    assert found[0].responses[ABSTAINED] == 1
