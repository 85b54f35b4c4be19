from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from graph_builders.validate import ValidationReport, validate
from realhop_kg.errors import InputError
from realhop_kg.model.finding import Code
from tests.graph_builders.supported_records import hotpot

Raw = dict[str, Any]
Write = Callable[..., Path]


@pytest.fixture
def mixed(write_lines: Write, musique: Raw) -> Path:
    step = {"question": "#2 >> owner", "answer": "Brask", "paragraph_support_idx": 3}
    longer = {
        **musique,
        "id": "c",
        "answer": "Brask",
        "question_decomposition": [*musique["question_decomposition"], step],
    }
    return write_lines(
        musique,
        {**musique, "answerable": False},
        {**musique, "id": "b"},
        "no json",
        {**musique, "id": ""},
        longer,
    )


def test_a_validation_yields_what_is_wrong_and_counts_everything(mixed: Path):
    run = validate(mixed, "musique")
    assert [(finding.line, finding.code) for finding in run] == [(2, "B1"), (4, "B2"), (5, "B2")]
    assert run.report() == ValidationReport(
        dataset="musique",
        file="records.jsonl",
        read=6,
        usable=3,
        excluded={Code.B1: 1, Code.B2: 2},
        topologies={"2hop": 2, "3hop1": 1},
        hops=7,
    )


def test_findings_come_while_the_file_is_read(mixed: Path):
    run = validate(mixed, "musique")
    first = next(iter(run))
    assert first.line == 2
    assert run.report().read == 2


def test_a_second_run_counts_anew(mixed: Path):
    run = validate(mixed, "musique")
    assert list(run) == list(run)
    assert run.report().read == 6


def test_a_limit_counts_records(mixed: Path):
    run = validate(mixed, "musique", limit=3)
    assert len(list(run)) == 1
    assert run.report().read == 3


def test_a_file_of_another_form_is_refused(mixed: Path):
    with pytest.raises(InputError, match="no plain question file"):
        list(validate(mixed, "jsonl"))


def test_an_unknown_dataset_is_refused(mixed: Path):
    with pytest.raises(InputError, match="no dataset"):
        validate(mixed, "squad")


def test_the_65_real_records_are_all_counted(shared_data: Path):
    folder = shared_data / "multihop" / "musique"
    reports = []
    for path in sorted(folder.glob("*.jsonl")):
        run = validate(path, "musique")
        assert sum(1 for _ in run) == sum(run.report().excluded.values())
        reports.append(run.report())
    assert sum(report.read for report in reports) == 65
    assert all(report.read == report.usable + sum(report.excluded.values()) for report in reports)
    assert [report.usable for report in reports] == [60, 0]


def test_questions_without_steps_are_counted_by_their_units(write_lines: Write):
    run = validate(
        write_lines(hotpot(), hotpot(_id="b", supporting_facts=[["Nil", 0]])), "hotpotqa"
    )
    assert [finding.code for finding in run] == [Code.D2]
    report = run.report()
    assert (report.topologies, report.hops) == ({"2 units": 1}, 0)
