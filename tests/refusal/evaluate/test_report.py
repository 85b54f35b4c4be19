"""Reports of whole runs with known states, and pages that hostile text cannot break."""

from __future__ import annotations

import asyncio
import csv
import json
import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

from realhop_kg.appending import Appender
from realhop_kg.audit.figures import Figure as Share
from realhop_kg.errors import InputError
from realhop_kg.model.refusal_item import Topology
from realhop_kg.model.trajectory import AskedQuestion, Mode, State
from realhop_kg.refusal.evaluate.behind import Behind
from realhop_kg.refusal.evaluate.charts import Point, curves_svg, heat_svg, sankey_svg, scatter_svg
from realhop_kg.refusal.evaluate.folder import JUDGED, SEARCHES, RefusalRun
from realhop_kg.refusal.evaluate.judge import judge_runs
from realhop_kg.refusal.evaluate.report import RefusalReport, build_report, joined, report_tables
from realhop_kg.refusal.evaluate.rules import RuleJudge
from realhop_kg.refusal.evaluate.run import run_agent
from realhop_kg.refusal.evaluate.scripted import STATES, scripted
from realhop_kg.refusal.evaluate.searches import Searches
from realhop_kg.refusal.evaluate.settings import Arm, RunSettings, SearchSettings
from realhop_kg.refusal.evaluate.timeline import MeasureSettings
from realhop_kg.refusal.evaluate.write_report import write_report
from realhop_kg.search.index import SearchIndex

HOSTILE = '</title><script>alert(1)</script>"\u202e\x1b[2J&amp;'


def filled(
    out: Path, questions: list[AskedQuestion], passages: Path, names: list[str], window: int = 8
) -> RefusalRun:
    """Run scripts in both modes and judge them by rules."""
    index = SearchIndex(passages)
    settings = RunSettings(dataset="set", dataset_digest="d")

    async def work(name: str, mode: Mode) -> RefusalRun:
        found = SearchSettings(retriever=index.retriever.settings) if mode is Mode.SEARCH else None
        arm = Arm(model=f"scripted/{name}", mode=mode, search=found)
        run = RefusalRun.start(out, settings, arm, questions)
        with Searches(out / SEARCHES, index.retriever, "i", 3) as searches:
            search = searches.search if mode is Mode.SEARCH else None
            agent = scripted(arm.model, mode is Mode.SEARCH)
            await run_agent(run, questions, agent, search, 8, window)
        runs = run.trajectories(arm.model, mode)
        with Appender(out / JUDGED) as file:
            pairs = [(each, runs[each.item]) for each in questions]
            await judge_runs(RuleJudge(), pairs, {}, file.write, window)
        return run

    for name in names:
        for mode in Mode:
            run = asyncio.run(work(name, mode))
    return run


def report_of(run: RefusalRun, resamples: int = 50) -> RefusalReport:
    return build_report(run, "rules", MeasureSettings(), resamples)


@pytest.fixture(scope="module")
def report(
    questions: list[AskedQuestion], passages: Path, tmp_path_factory: pytest.TempPathFactory
) -> tuple[RefusalReport, Path]:
    out = tmp_path_factory.mktemp("report") / "runs"
    found = report_of(filled(out, questions, passages, list(STATES)))
    write_report(out, found)
    return found, out


def value(report: RefusalReport, model: str, mode: str, measure: str) -> float | None:
    figure = report.figure(f"scripted/{model}", mode, measure)
    assert figure is not None
    return figure.interval.value


def test_every_script_has_exactly_its_known_states(report: tuple[RefusalReport, Path]) -> None:
    names = {
        "TACH": "tchr",
        "SHD": "shdr",
        "SEH": "sehr",
        "PPH": "pphr",
        "WRH": "wrhr",
        "URH": "urhr",
    }
    found, _ = report
    for name, states in STATES.items():
        for mode, state in zip(Mode, states, strict=True):
            for other, measure in names.items():
                if mode is Mode.SEARCH or other != "SEH":
                    expected = float(other == state)
                    assert value(found, name, str(mode), measure) == expected, (name, mode, other)


def test_process_measures_of_scripts_are_the_known_ones(
    report: tuple[RefusalReport, Path],
) -> None:
    found, _ = report
    assert value(found, "knows-and-searches", "search", "ptos") == 1
    assert value(found, "halts-right", "search", "ptos") == 0
    assert value(found, "halts-right", "search", "evidence_coverage") == 1
    assert value(found, "answers", "search", "evidence_coverage") == 0
    assert value(found, "searches", "search", "evidence_coverage") is None
    arm = next(each for each in found.arms if each.arm.model == "scripted/knows-and-searches"
               and each.arm.mode is Mode.SEARCH)  # fmt: skip
    assert {each.calls_after for each in arm.outcomes} == {3}
    by_hand = [
        sum(turn.tokens.search for turn in arm.trajectories[each.item].turns[1:4])
        for each in arm.outcomes
    ]
    assert [each.tokens_after for each in arm.outcomes] == by_hand
    assert value(found, "knows-and-searches", "search", "pttw") == sum(by_hand) / len(by_hand)


def test_files_are_complete_and_figures_exact(report: tuple[RefusalReport, Path]) -> None:
    found, out = report
    rows = list(csv.DictReader((out / "tables" / "figures.csv").read_text().splitlines()))
    assert len(rows) == len(found.figures)
    summary = json.loads((out / "summary.json").read_text(encoding="utf-8"))
    assert len(summary["figures"]) == len(found.figures)
    assert sum(summary["flows"]["scripted/answers search"].values()) == len(found.arms[0].questions)
    for table in report_tables(found):
        assert (out / "tables" / f"{table.name}.csv").is_file()
        assert r"\begin{tabular}" in (out / "tables" / f"{table.name}.tex").read_text()


def test_every_link_leads_to_something(report: tuple[RefusalReport, Path]) -> None:
    _, out = report
    anchors = {
        page: set(re.findall(r'id="([^"]+)"', page.read_text(encoding="utf-8")))
        for page in out.rglob("*.html")
    }
    for page in [*anchors, *(out / "figures").glob("*.svg")]:
        links = re.findall(r'href="([^"#]+)(?:#([^"]+))?"', page.read_text(encoding="utf-8"))
        assert links, page
        for file, anchor in links:
            target = (page.parent / file).resolve()
            assert target.is_file(), (page, file)
            assert not anchor or anchor in anchors[target], (page, file, anchor)


def test_every_number_leads_to_the_questions_that_it_counts(
    report: tuple[RefusalReport, Path],
) -> None:
    found, out = report
    behind, total = Behind(found), len(found.arms[0].questions)
    for table in report_tables(found):
        for at, row in enumerate(table.rows):
            for to, value in enumerate(row):
                told = behind.cell(table, at, to)
                assert bool(told) == (not isinstance(value, str | None)), (table.name, row)
                if isinstance(value, Share) and value.measure == "tchr" and value.cohort == "all":
                    assert value.value is not None
                    counts, rest = (_counted(out, told, adds) for adds in (1, 0))
                    assert (counts, counts + rest) == (round(value.value * total), total)
                if isinstance(value, int) and table.name.startswith("transitions"):
                    assert _counted(out, told, 1) == value
    figure = found.figure("scripted/knows-and-searches", "search", "pttw")
    assert figure is not None
    assert figure.interval.value == sum(adds for _, adds in figure.counted) / figure.interval.n


def _counted(out: Path, link: str, adds: int) -> int:
    """Return how many questions the section of a link lists as adding so much."""
    file, _, anchor = link.partition("#")
    text = (out / file).read_text(encoding="utf-8")
    section = text.partition(f'<h2 id="{anchor}">')[2].partition("<h2")[0]
    listed = re.search(rf"<p>Adds {adds}, (\d+) questions: (.*)</p>", section)
    if listed is None:
        return 0
    assert int(listed[1]) == listed[2].count(", ") + 1
    return int(listed[1])


def test_reports_do_not_depend_on_how_many_run_at_a_time(
    questions: list[AskedQuestion], passages: Path, tmp_path: Path
) -> None:
    for name, window in (("a", 1), ("b", 16)):
        run = filled(tmp_path / name, questions, passages, ["parallel"], window)
        write_report(tmp_path / name, report_of(run))
    for file in sorted((tmp_path / "a").rglob("*")):
        if file.is_file():
            other = tmp_path / "b" / file.relative_to(tmp_path / "a")
            assert file.read_bytes() == other.read_bytes(), file


def test_hostile_text_stays_text(
    questions: list[AskedQuestion], passages: Path, tmp_path: Path
) -> None:
    asked = [each.model_copy(update={"question": HOSTILE, "rationale": HOSTILE, "premise": HOSTILE})
             for each in questions[:2]]  # fmt: skip
    run = filled(tmp_path / "run", asked, passages, ["halts-right"])
    write_report(tmp_path / "run", report_of(run))
    for page in (tmp_path / "run").rglob("*.html"):
        text = page.read_text(encoding="utf-8")
        assert "<script" not in text
        assert "\x1b" not in text


def test_models_of_two_folders_stand_side_by_side(
    questions: list[AskedQuestion], passages: Path, tmp_path: Path
) -> None:
    runs = [
        filled(tmp_path / name, questions[:3], passages, [name]) for name in ("vague", "answers")
    ]
    found = joined(runs, [report_of(run, 0) for run in runs])
    assert found.models == ["scripted/vague", "scripted/answers"]
    with pytest.raises(InputError, match="stands in two of the folders"):
        joined([runs[0], runs[0]], [report_of(runs[0], 0)] * 2)
    other = RefusalRun(
        runs[1].folder, runs[1].settings.model_copy(update={"dataset_digest": "other"})
    )
    with pytest.raises(InputError, match="on other questions"):
        joined([runs[0], other], [report_of(run, 0) for run in runs])


def test_questions_without_an_outcome_are_listed_with_their_reason(
    questions: list[AskedQuestion], passages: Path, tmp_path: Path
) -> None:
    run = filled(tmp_path / "run", questions[:3], passages, ["answers"])
    lines = (run.folder / JUDGED).read_text(encoding="utf-8").splitlines(keepends=True)
    (run.folder / JUDGED).write_text("".join(lines[1:]), encoding="utf-8")
    found = report_of(run, 0)
    tables = {table.name: table for table in report_tables(found)}
    assert tables["missing"].rows == (
        ("scripted/answers", "no_search", "not judged (answered)", 1),
    )


def parsed(svg: str) -> str:
    root = ElementTree.fromstring(svg)
    return " ".join(text for text in root.itertext() if text.strip())


def test_charts_are_sound_and_say_their_numbers() -> None:
    flows = {(Topology.ROOT, State.TACH): 3, (Topology.MIDDLE, State.SEH): 5}
    sankey = parsed(sankey_svg(flows, HOSTILE, "runs/1.html"))
    assert all(told in sankey for told in ("root 3", "middle 5", "TACH 3", "SEH 5"))
    curves = parsed(curves_svg({"TCHR": {2: 0.5, 5: 0.25}, "SEHR": {2: 0.25}}, "t"))
    assert "TCHR 25.0" in curves
    heat = parsed(heat_svg([HOSTILE, "m"], ["AU", "FP"], {("m", "AU"): 0.123}, "t"))
    assert "12.3" in heat
    assert heat.count("-") >= 3
    points = [Point("m", 0.5, 0.4), Point("n", 0, 1)]
    assert "PTOS (%)" in parsed(scatter_svg(points, "PTOS", "EIFR", "t"))


def test_charts_of_nothing_are_drawn_too() -> None:
    for svg in (sankey_svg({}, "t", "p"), curves_svg({}, "t"), heat_svg([], [], {}, "t"),
                scatter_svg([], "x", "y", "t")):  # fmt: skip
        assert parsed(svg).startswith("t")
