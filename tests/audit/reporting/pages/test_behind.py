"""Every number of a report leads to its questions, and those to their rows."""

from __future__ import annotations

import json
import re
from fractions import Fraction
from html import unescape
from pathlib import Path

import pytest

from realhop_kg.audit.estimand import Estimand, Ratio, Term
from realhop_kg.audit.folder import RunFolder
from realhop_kg.audit.reporting.compare import compare_runs
from realhop_kg.audit.reporting.pages.shares import shares
from realhop_kg.audit.reporting.records import read_exclusions, read_run
from realhop_kg.audit.reporting.report import Report, build_report
from realhop_kg.audit.reporting.tables import tables
from realhop_kg.audit.reporting.write_report import write_report
from realhop_kg.audit.solvers import Answer, Prompt
from realhop_kg.jsonl import canonical
from tests.audit.runs import go, settings

RESAMPLES = 20


class Wavering:
    """Right on some questions, in some trials, with some evidence; says markup now and then."""

    def __init__(self, name: str, every: int) -> None:
        self.name = name
        self._every = every

    def answer(self, prompt: Prompt) -> Answer:
        condition = prompt.condition
        said = f"{prompt.item.item} {condition.condition} {condition.target} {prompt.trial}"
        if sum(said.encode()) % self._every:
            return Answer(text=prompt.item.answer)
        return Answer(text='<b onclick="x">"elsewhere" & so on</b>')


@pytest.fixture(scope="module")
def run(dataset: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run of two models on both sides, some answers of which are gone or have no verdict."""
    folder = tmp_path_factory.mktemp("behind") / "run"
    chosen = settings(
        "first",
        "second",
        sides=("source", "constructed"),
        conditions=("full", "drop", "drop_premise", "control", "mask", "closed_book"),
        ablations=("both", "gold_only", "flexible_only", "strict_only"),
        trials=2,
        limit=6,
    )
    go(folder, dataset, chosen, [Wavering("first", 3), Wavering("second", 4)])
    trials = folder / "trials.jsonl"
    lines = trials.read_text(encoding="utf-8").splitlines()
    failed = json.loads(lines[40]) | {"verdict": None, "failure": "the judge was <silent>"}
    kept = [*lines[:40], canonical(failed), *lines[41:200], *lines[230:]]
    trials.write_text("\n".join(kept) + "\n", encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def report(run: Path) -> Report:
    opened = RunFolder.open(run)
    records = read_run(opened)
    found = build_report(opened, records, RESAMPLES)
    write_report(run, found, records)
    return found


def links_of(page: Path) -> list[str]:
    found = re.findall(r'href="([^"]+)"', page.read_text(encoding="utf-8"))
    return [unescape(link) for link in found]


def assert_links_lead_somewhere(folder: Path) -> None:
    pages = {
        path.resolve(): path for path in (folder / "report.html", *(folder / "behind").iterdir())
    }
    anchors = {
        there: set(re.findall(r'id="([^"]+)"', path.read_text(encoding="utf-8")))
        for there, path in pages.items()
    }
    for path in pages.values():
        for link in links_of(path):
            file, _, name = link.partition("#")
            there = (path.parent / file).resolve()
            assert there.is_file(), (path, link)
            assert not name or name in anchors[there], (path, link)


def test_every_link_leads_somewhere(run: Path, report: Report) -> None:
    assert report.gaps
    assert report.incomplete
    assert_links_lead_somewhere(run)


def test_every_number_of_the_tables_is_a_link(run: Path, report: Report) -> None:
    text = (run / "report.html").read_text(encoding="utf-8")
    bare = re.findall(r"<td>(not defined\*?|[-\d][^<]*)(?:<br>.*?)?</td>", text)
    trial_column = [str(test.trial) for test in report.tests]
    assert sorted(each for each in bare if each != "-" and not each.endswith("%")) == sorted(
        trial_column
    )


def told(words: str) -> list[tuple[int, str]]:
    """Return the sign and what is added of every term in the words of a list."""
    return [
        (-1 if part.startswith("minus ") else 1, part.rpartition(": ")[2])
        for part in words.split("; ")
    ]


def recomputed(estimand: Estimand) -> Fraction | None:
    """Return a figure's value from what its page says of each question alone."""
    sums = [(Fraction(0), Fraction(0))] * len(estimand.terms)
    signs = [1] * len(estimand.terms)
    for words, items in shares(estimand).items():
        if words == "not counted":
            continue
        for at, (sign, added) in enumerate(told(words)):
            signs[at] = sign
            if added == "not counted":
                continue
            above, _, below = added.partition(" of ")
            number = (Fraction(above), Fraction(below or 1))
            sums[at] = tuple(  # type: ignore[assignment]
                total + len(items) * each for total, each in zip(sums[at], number, strict=True)
            )
    if any(not below for _, below in sums):
        return None
    parts = (sign * above / below for sign, (above, below) in zip(signs, sums, strict=True))
    return sum(parts, Fraction(0)) / estimand.divisor


def test_what_the_questions_add_is_the_figure(report: Report) -> None:
    met = set()
    for figure in report.figures:
        assert figure.rests_on is not None
        value = recomputed(figure.rests_on)
        if figure.value is None:
            assert value is None
        else:
            assert value is not None
            assert float(value) == pytest.approx(figure.value, abs=1e-12), figure.measure
        met.add(figure.measure)
    assert {"bnr", "competitor_share", "change", "mask_difference", "control_minus_drop"} <= met


def test_questions_that_weigh_differently_say_so() -> None:
    uneven = Estimand(("a", "b", "c"), (Term(1, Ratio((2, 1, 0), (2, 3, 0))),))
    assert shares(uneven) == {"2 of 2": ["a"], "1 of 3": ["b"], "not counted": ["c"]}
    stray = Estimand(("a", "b"), (Term(1, Ratio((1, 1), (1, 0))),))
    assert shares(stray) == {"1 of 1": ["a"], "1 of 0": ["b"]}


def test_rows_name_condition_trial_verdict_and_reason(run: Path, report: Report) -> None:
    pages = "".join(
        path.read_text(encoding="utf-8") for path in sorted((run / "behind").glob("rows-*.html"))
    )
    assert pages.count("<h2 ") == 6 * 2 * (1 + 4)
    cells = sum(len(panel.conditions) for panel in read_run(RunFolder.open(run)).panels) * 2
    assert pages.count("<tr><td") == cells
    assert "the judge was &lt;silent&gt;" in pages
    assert "no answer stored" in pages
    assert "<b onclick" not in pages
    assert "&lt;b onclick=&#34;x&#34;&gt;" in pages or "&lt;b onclick=&quot;x&quot;&gt;" in pages


def test_cues_stand_in_one_table_a_side(run: Path, report: Report) -> None:
    text = (run / "behind" / "cues.html").read_text(encoding="utf-8")
    assert re.findall(r'<h2 id="(\w+)"', text) == ["source", "constructed"]
    assert text.count("<tr><td>") == 12


def test_means_beside_each_other_are_over_the_same_models(report: Report) -> None:
    by_measure: dict[str, set[tuple[str, ...]]] = {}
    for mean in report.means:
        by_measure.setdefault(mean.measure, set()).add(mean.models)
    assert by_measure["full"] == {("first", "second")}
    assert all(len(over) == 1 for over in by_measure.values())


def test_pages_of_an_earlier_report_go(run: Path, report: Report, tmp_path: Path) -> None:
    opened = RunFolder.open(run)
    stale = run / "behind" / "rows-99-1.html"
    stale.write_text("old", encoding="utf-8")
    leave_out = tmp_path / "out.txt"
    leave_out.write_text(next(iter(opened.items())).item, encoding="utf-8")
    records = read_run(opened, read_exclusions(leave_out))
    write_report(run, build_report(opened, records, 0), records)
    assert not stale.exists()
    assert_links_lead_somewhere(run)


def test_a_comparison_has_its_pages_too(run: Path, tmp_path: Path) -> None:
    opened = RunFolder.open(run)
    both = (opened, read_run(opened))
    found, records = compare_runs(both, both, 0)
    write_report(tmp_path, found, records)
    assert any(table.name == "paired" for table in tables(found))
    assert_links_lead_somewhere(tmp_path)
