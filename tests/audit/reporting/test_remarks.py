"""What a report says in words: degenerate figures, populations, incomplete panels, repeats."""

from __future__ import annotations

from dataclasses import replace

import pytest

from realhop_kg.audit.figures import Figure, pair_figures, panel_figures
from realhop_kg.audit.measures.common_full import common_full
from realhop_kg.audit.panel import Missing, Panel, panels
from realhop_kg.audit.reporting.boards import board
from realhop_kg.audit.reporting.formats import as_csv, as_html, as_markdown, shown
from realhop_kg.audit.reporting.gaps import gaps_of, incomplete_of
from realhop_kg.audit.reporting.report import Report
from realhop_kg.audit.reporting.tables import Table, tables
from realhop_kg.cli.report import print_fitted
from tests.audit.runs import settings
from tests.audit.scores import Row, panel, panel_and_missing, records


def report_of(figures: list[Figure], missing: list[Missing] | None = None) -> Report:
    lacking = missing or []
    return Report(
        settings=settings("m"),
        resamples=50,
        items={"constructed": 2},
        excluded=0,
        figures=tuple(figures),
        means=(),
        boards=(),
        tests=(),
        gaps=tuple(gaps_of(lacking)),
        incomplete=tuple(incomplete_of(lacking)),
        judged_by={},
    )


def table_of(report: Report, name: str) -> Table:
    [found] = [table for table in tables(report) if table.name == name]
    return found


def notes_of(report: Report, measure: str) -> set[str]:
    remarks = table_of(report, "remarks")
    return {str(row[0]) for row in remarks.rows if measure in str(row[4]).split(", ")}


def figures_of(*trials: dict[str, Row]) -> list[Figure]:
    return list(panel_figures(panel(*trials), 50))


def test_no_and_one_full_correct_question_are_said_on_every_page():
    none = report_of(
        figures_of({"a": {"full": "I", "drop": "II"}, "b": {"full": "I", "drop": "I"}})
    )
    one = report_of(figures_of({"a": {"full": "C", "drop": "IC"}, "b": {"full": "I", "drop": "I"}}))
    assert "none of 2 questions is Full-correct" in notes_of(none, "bnr")
    assert notes_of(one, "bnr") >= {
        "1 of 2 questions is Full-correct",
        "rests on one question: the interval says nothing",
    }
    for report, said in ((none, "none of 2"), (one, "1 of 2")):
        remarks = table_of(report, "remarks")
        assert said in as_markdown(remarks)
        assert said in as_html("t", [], [remarks])
        [row] = table_of(report, "main").rows
        assert "*" in shown(row[9])


def test_equal_resamples_are_said_and_others_bear_no_mark():
    report = report_of(
        figures_of({"a": {"full": "C", "drop": "II"}, "b": {"full": "I", "drop": "II"}})
    )
    assert any("no width" in note for note in notes_of(report, "drop_one"))
    [row] = table_of(report, "main").rows
    assert "*" not in shown(row[3])


def test_an_increase_counts_the_questions_that_it_rests_on():
    drops = {"drop": "II"}
    source = panel(
        {key: {"full": letter, **drops} for key, letter in zip("abcd", "CCII", strict=True)},
        side="source",
    )
    constructed = panel(
        {key: {"full": letter, **drops} for key, letter in zip("abcd", "CICI", strict=True)}
    )
    found = common_full(source, constructed)
    assert (found.own_increase.count, found.increase.count, found.change.count) == (3, 1, 3)
    said = {
        figure.measure: figure.interval.notes for figure in pair_figures(source, constructed, 20)
    }
    assert "rests on 2 source and 2 constructed questions of 4" in said["increase"]
    assert "1 of 4 questions is Full-correct on both sides" in said["common_increase"]


def test_a_difference_of_equals_is_zero_in_files_too():
    rows = {
        key: {"full": "C", "drop": drops}
        for key, drops in zip("abc", ("ICC", "II", "I"), strict=True)
    }
    source, constructed = panel(rows, side="source"), panel(rows)
    figures = list(pair_figures(source, constructed, 30))
    assert {figure.value for figure in figures if "increase" in figure.measure} == {0.0}
    table = table_of(report_of(figures), "common_full")
    assert "e-17" not in as_csv(table)


def test_a_control_of_other_questions_than_full_is_said():
    report = report_of(
        figures_of(
            {
                "a": {"full": "C", "drop": "I", "control": "C"},
                "b": {"full": "C", "drop": "I", "control": "-"},
            }
        )
    )
    assert any(
        note.startswith("rests on 1 questions with a judged control, Full on 2")
        for note in notes_of(report, "control")
    )


def test_incomplete_panels_are_listed_by_question_with_their_reason():
    found, missing = panel_and_missing(
        {
            "a": {"full": "C", "drop": "I-", "control": "CC"},
            "b": {"full": "C", "drop": "II", "control": "C-"},
        }
    )
    report = report_of(list(panel_figures(found[0], 20)), missing)
    [row] = table_of(report, "incomplete").rows
    assert row == ("m", "constructed", "both", "a", "drop h2 in trial 1", "timed out")


def test_long_lists_are_cut_on_pages_and_whole_in_files():
    rows = tuple((f"q{number}",) for number in range(50))
    table = Table("incomplete", "t", ("Question",), rows, "A note.", limit=40)
    assert as_markdown(table).count("\n| q") == 40
    assert "10 more rows are in tables/incomplete.csv." in as_html("t", [], [table])
    assert as_csv(table).count("q") == 50


def test_a_terminal_gets_tables_that_fit_and_text_stays_text(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("COLUMNS", "90")
    report = report_of(
        figures_of({"a": {"full": "C", "drop": "II"}, "b": {"full": "I", "drop": "I"}})
    )
    main = table_of(report, "main")
    print_fitted(replace(main, title="[red]Full[/red] :smile:"))
    lines = capsys.readouterr().out.splitlines()
    assert max(map(len, lines)) <= 90
    assert lines[0].strip() == "[red]Full[/red] :smile:"
    [row] = [at for at, line in enumerate(lines) if line.split()[:1] == ["m"]]
    assert "50.0" in lines[row]
    assert "[0.0," in lines[row + 1]


def repeated(found: Panel) -> Panel:
    return replace(found, repeats={"b": "a"})


def test_records_of_one_question_are_resampled_as_one_question():
    rows = {
        "a": {"full": "C", "drop": "I"},
        "b": {"full": "C", "drop": "C"},
        "c": {"full": "I", "drop": "I"},
    }
    plain = {each.measure: each.interval for each in panel_figures(panel(rows), 200)}
    grouped = {each.measure: each.interval for each in panel_figures(repeated(panel(rows)), 200)}
    assert grouped["full"].value == plain["full"].value
    assert (grouped["full"].n, grouped["full"].resampled) == (3, 2)
    assert grouped["bnr"].value == 0.5
    assert "3 records ask 2 questions, which are resampled whole" in grouped["full"].notes
    assert (grouped["full"].low, grouped["full"].high) == (0.0, 1.0)


def test_panels_know_which_records_ask_one_question():
    items, conditions, answers = records([{key: {"full": "C"} for key in "abc"}])
    same = items[1].model_copy(update={"question": items[0].question})
    [found], _ = panels([items[0], same, items[2]], conditions, answers, ["m"], [1])
    assert found.repeats == {"b": "a"}


def test_two_models_agree_or_disagree_by_chance_and_that_is_said():
    def side(name: str, letters: str) -> Panel:
        rows = {key: {"full": letter} for key, letter in zip("abc", letters, strict=True)}
        return replace(panel(rows), model=name)

    before = board([side("x", "CCC"), side("y", "CII")])
    after = board([side("x", "CCI"), side("y", "III")], before)
    assert after is not None
    assert "over 2 models, which can only be 1 or -1 and says nothing" in after.agreement
    flat = board([side("x", "CCC"), side("y", "CCC")], before)
    assert flat is not None
    assert "not defined: a board is constant" in flat.agreement
