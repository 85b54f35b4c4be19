"""Reports: right on what is there, plain about what is not."""

from __future__ import annotations

import csv
import io
import json
import random
from pathlib import Path

import pytest

from realhop_kg.audit.figures import Figure
from realhop_kg.audit.folder import RunFolder
from realhop_kg.audit.reporting.formats import as_csv, as_html, as_latex, as_markdown
from realhop_kg.audit.reporting.records import read_exclusions, read_run
from realhop_kg.audit.reporting.report import Report, build_report
from realhop_kg.audit.reporting.tables import Table, tables
from realhop_kg.audit.reporting.write_report import summary_of, write_report
from realhop_kg.audit.solvers import Answer, Prompt
from realhop_kg.errors import InputError
from realhop_kg.resources import load_yaml
from tests.audit.runs import go, settings

RESAMPLES = 200
EVERY = ("full", "drop", "drop_premise", "control", "mask", "closed_book")


def report_of(folder: Path, leave_out: tuple[str, ...] = ()) -> Report:
    run = RunFolder.open(folder)
    return build_report(run, read_run(run, leave_out), RESAMPLES)


def values(report: Report, model: str, side: str = "constructed") -> dict[str, float | None]:
    return {
        figure.measure: figure.value
        for figure in report.figures
        if (figure.model, figure.side, figure.ablation, figure.cohort) == (model, side, "both", "")
    }


@pytest.fixture(scope="module")
def whole(dataset: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("report") / "run"
    chosen = settings(
        "scripted/reader",
        "scripted/recaller",
        "scripted/lexical",
        sides=("source", "constructed"),
        conditions=EVERY,
        ablations=("both", "gold_only", "flexible_only", "strict_only"),
        limit=12,
    )
    go(folder, dataset, chosen)
    return folder


def test_the_reader_and_the_recaller_have_their_known_results(whole: Path):
    report = report_of(whole)
    reader, recaller = values(report, "scripted/reader"), values(report, "scripted/recaller")
    assert (reader["full"], reader["bnr"], reader["drop_one"], reader["control"]) == (1, 1, 0, 1)
    assert (reader["drop_survival"], reader["control_survival"]) == (0, 1)
    assert (reader["premise_necessity"], reader["closed_book"]) == (1, 0)
    assert (recaller["full"], recaller["bnr"], recaller["control"]) == (1, 0, 1)
    assert (recaller["premise_necessity"], recaller["closed_book"]) == (0, 1)
    assert recaller["all_mask_survival"] == 1


def test_ablations_are_panels_of_their_own(whole: Path):
    found = {
        (figure.ablation, figure.measure): figure.value
        for figure in report_of(whole).figures
        if (figure.model, figure.side) == ("scripted/reader", "constructed")
    }
    for kept in ("gold_only", "flexible_only", "strict_only"):
        assert found[kept, "full"] == found[kept, "bnr"] == 1


def test_pairs_boards_and_tests_compare_the_sides(whole: Path):
    report = report_of(whole)
    pair = values(report, "scripted/recaller", "pair")
    assert (pair["paired_difference"], pair["increase"], pair["change"]) == (0, 0, 0)
    source, board = report.boards
    # The reader derives from constructed items: it has no place on the source board.
    assert [line.model for line in source.lines] == ["scripted/recaller", "scripted/lexical"]
    assert [line.rank for line in board.lines][:2] == [1, 1]
    assert "over 2 models, which can only be 1 or -1" in board.agreement
    names = {(test.model, test.first, test.second) for test in report.tests}
    assert ("scripted/recaller", "source", "constructed") in names
    assert ("scripted/recaller", "gold_only", "strict_only") in names


def test_every_number_is_recomputable_from_the_rows_beside_it(whole: Path):
    run = RunFolder.open(whole)
    records = read_run(run)
    report = build_report(run, records, RESAMPLES)
    write_report(whole, report, records)
    with (whole / "tables" / "items.csv").open(newline="") as file:
        rows = [
            row
            for row in csv.DictReader(file)
            if (row["side"], row["competitors"]) == ("constructed", "both")
        ]
    for model in run.settings.models:
        own = [row for row in rows if row["model"] == model]
        found = values(report, model)
        full = [row["full"] == "correct" for row in own]
        assert sum(full) / len(full) == found["full"]
        counted = [row for row in own if row["in_bnr"] == "1"]
        if counted:
            shares = [int(row["drops_lost"]) / int(row["targets"]) for row in counted]
            assert sum(shares) / len(shares) == pytest.approx(found["bnr"])
        else:
            assert found["bnr"] is None


def test_stored_answers_that_fit_nothing_or_change_are_said(dataset: Path, tmp_path: Path):
    folder = tmp_path / "run"
    go(folder, dataset, settings("scripted/recaller"))
    before = report_of(folder)
    path = folder / "trials.jsonl"
    first = json.loads(path.read_text(encoding="utf-8").splitlines()[0])
    strays = ({"trial": 9}, {"item": "x/y"}, {"model": "m"}, {"condition": "mask"})
    with path.open("a", encoding="utf-8") as file:
        for change in (*strays, {"verdict": "incorrect"}):
            file.write(json.dumps(first | change) + "\n")
    found = report_of(folder)
    assert (
        "4 stored answers of no question, context, model or trial of this run: left out"
        in found.warnings
    )
    assert "1 cell had two different verdicts; the later one counts" in found.warnings
    assert before.judged_by["exact"] == found.judged_by["exact"]
    values_before, after = values(before, "scripted/recaller"), values(found, "scripted/recaller")
    assert (values_before["full"], after["full"]) == (1, 0.75)


def test_a_report_is_the_same_whatever_the_order_of_stored_answers(whole: Path, tmp_path: Path):
    twin = tmp_path / "twin"
    twin.mkdir()
    for name in (
        "run.json",
        "items.jsonl",
        "shortcuts.jsonl",
        "conditions.jsonl",
        "excluded.jsonl",
    ):
        (twin / name).write_bytes((whole / name).read_bytes())
    lines = (whole / "trials.jsonl").read_text().splitlines(keepends=True)
    random.Random(1).shuffle(lines)
    (twin / "trials.jsonl").write_text("".join(lines))
    assert report_of(twin) == report_of(whole)


def test_a_run_with_missing_and_malformed_answers_says_so_and_stays_right(
    dataset: Path, tmp_path: Path
):
    folder = tmp_path / "run"
    go(folder, dataset, settings("scripted/recaller", "scripted/reader", limit=None))
    lines = (folder / "trials.jsonl").read_text().splitlines()
    chosen = random.Random(3).sample(range(len(lines)), len(lines) * 3 // 100)
    gone, broken = chosen[::2], chosen[1::2]
    for at in broken:
        lines[at] = lines[at][: len(lines[at]) // 2]
    kept = [line for at, line in enumerate(lines) if at not in gone]
    (folder / "trials.jsonl").write_text("\n".join(kept) + "\n")
    report = report_of(folder)
    assert sum(gap.count for gap in report.gaps) == len(chosen) > 4
    assert len(report.unreadable) == len(broken)
    assert values(report, "scripted/reader")["bnr"] == 1
    assert values(report, "scripted/recaller")["bnr"] == 0
    bnr = next(figure for figure in report.figures if figure.measure == "bnr")
    assert 0 < bnr.interval.n < 24


def test_an_exclusion_list_leaves_items_out_by_name(whole: Path, tmp_path: Path):
    items = sorted({item.item for item in RunFolder.open(whole).items()})
    path = tmp_path / "defects.txt"
    path.write_text(f"# read by hand\n{items[0]}  # two answers\n{items[1].partition('/')[2]}\n\n")
    names = read_exclusions(path)
    report = report_of(whole, (*names, "musique/nowhere"))
    assert report.left_out == names
    assert any("1 name of the exclusion list" in said for said in report.warnings)
    assert report.items == {"source": 10, "constructed": 10}
    with pytest.raises(InputError, match="cannot be read"):
        read_exclusions(tmp_path / "none")
    with pytest.raises(InputError, match="not left out"):
        report_of(whole, tuple(items))


def test_files_are_written_whole_and_the_same_again(whole: Path):
    run = RunFolder.open(whole)
    records = read_run(run)
    report = build_report(run, records, RESAMPLES)
    paths = write_report(whole, report, records)
    content = {path: path.read_bytes() for path in paths}
    write_report(whole, report, records)
    assert content == {path: path.read_bytes() for path in paths}
    names = {path.relative_to(whole).as_posix() for path in paths}
    assert {"report.md", "report.html", "summary.json", "tables/main.csv"} <= names
    assert {"tables/main.tex", "tables/rows.csv", "tables/missing.csv"} <= names
    summary = json.loads((whole / "summary.json").read_text())
    reader = summary["models"]["scripted/reader"]["constructed"]
    assert (reader["bnr"], reader["full"], reader["drop_one"], reader["control"]) == (1, 1, 0, 1)
    assert reader["bnr_interval"] == [1, 1]


def test_trials_are_shown_one_by_one_and_average_to_the_whole(dataset: Path, tmp_path: Path):
    class Changing:
        name = "changing"

        def answer(self, prompt: Prompt) -> Answer:
            wrong = prompt.trial == 2 and prompt.item.item.endswith("1")
            return Answer(text="nowhere" if wrong else prompt.item.answer)

    chosen = settings("changing", sides=("source", "constructed"), trials=3)
    go(tmp_path / "run", dataset, chosen, [Changing()])
    report = report_of(tmp_path / "run")
    trials = {
        figure.cohort: figure.value
        for figure in report.figures
        if (figure.measure, figure.side) == ("full", "constructed") and figure.cohort
    }
    assert trials == {"trial 1": 1, "trial 2": 0.75, "trial 3": 1}
    assert values(report, "changing")["full"] == pytest.approx(11 / 12)
    [table] = [table for table in tables(report) if table.name == "trials"]
    assert len(table.rows) == 6
    assert [row[6] for row in table.rows if row[1] == "constructed"] == [4, 3, 4]
    common = next(each for each in report.figures if each.measure == "common_increase")
    assert common.interval.notes[0] == "common Full-correct questions by trial: 4/3/4"


# tables and formats


def figure(value: float | None, low: float | None = None, high: float | None = None) -> Figure:
    return Figure.model_validate(
        {
            "measure": "full",
            "model": "m",
            "side": "source",
            "interval": {"value": value, "low": low, "high": high, "n": 3, "resampled": 3},
        }
    )


TABLE = Table(
    "t",
    "A <b>title</b> & more_50%",
    ("Model", "Full"),
    (("=cmd()|<i>", figure(0.8731, 0.85, 0.891)), ("b\nc", figure(None)), ("d", None)),
    "A *note*.",
)


def test_markdown_escapes_what_would_be_markup():
    text = as_markdown(TABLE)
    assert "| =cmd()\\|\\<i\\> | 87.3 \\[85.0, 89.1\\] |" in text
    assert "| b\\\\nc | not defined |" in text
    assert text.count("\n| ") == 5


def test_csv_has_exact_fractions_and_no_formulas():
    rows = list(csv.reader(io.StringIO(as_csv(TABLE))))
    assert rows[0] == ["Model", "Full", "Full low", "Full high"]
    assert rows[1] == ["'=cmd()|<i>", "0.8731", "0.85", "0.891"]
    assert rows[2] == ["b\nc", "", "", ""]


def test_latex_and_html_escape_and_need_nothing_else():
    latex, page = as_latex(TABLE), as_html("A & B", ["<fact>"], [TABLE])
    assert r"more\_50\%" in latex
    assert latex.count(r" \\") == 4
    assert "&lt;i&gt;" in page
    assert "<i>" not in page
    assert "&lt;fact&gt;" in page
    assert "<script" not in page
    assert "http" not in page


def test_every_declared_measure_is_one_that_reports_hold(whole: Path):
    declared = {
        measure
        for table in load_yaml("audit/reporting", "tables.yaml")
        for measure in table["measures"]
    }
    assert declared <= {figure.measure for figure in report_of(whole).figures}


def test_tables_show_only_what_was_asked(dataset: Path, tmp_path: Path):
    go(tmp_path / "run", dataset, settings("scripted/recaller", conditions=("full",)))
    report = report_of(tmp_path / "run")
    assert {table.name for table in tables(report)} == {
        "main",
        "wrong_hits",
        "remarks",
        "shortcuts",
    }
    assert "bnr" not in summary_of(report)["models"]["scripted/recaller"]["constructed"]
