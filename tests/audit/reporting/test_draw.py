"""Figures: drawn for what there is, the same bytes again, safe with any name of a model."""

from __future__ import annotations

from pathlib import Path

import pytest

from realhop_kg.audit.folder import RunFolder
from realhop_kg.audit.reporting.draw import draw
from realhop_kg.audit.reporting.records import read_run
from realhop_kg.audit.reporting.report import Report, build_report
from realhop_kg.audit.scripted import Lexical, Recaller
from tests.audit.runs import go, settings

PNG = b"\x89PNG\r\n\x1a\n"


class Named:
    """Answers as another solver does, under a name of its own."""

    def __init__(self, name: str, inner: Recaller | Lexical) -> None:
        self.name = name
        self.answer = inner.answer


@pytest.fixture(scope="module")
def report(dataset: Path, tmp_path_factory: pytest.TempPathFactory) -> Report:
    folder = tmp_path_factory.mktemp("draw") / "run"
    names = ("a_$b$ <i>&", "lab/other")
    chosen = settings(
        *names, sides=("source", "constructed"), conditions=("full", "drop", "mask"), limit=3
    )
    solvers = [Named(names[0], Recaller()), Named(names[1], Lexical())]
    go(folder, dataset, chosen, solvers)
    run = RunFolder.open(folder)
    return build_report(run, read_run(run), 50)


def test_figures_are_drawn_in_both_formats_the_same_each_time(report: Report):
    found = draw(report)
    assert [drawing.name for drawing in found] == ["full_bnr", "masks", "ranks"]
    for drawing, again in zip(found, draw(report), strict=True):
        assert drawing.svg.startswith("<svg")
        assert drawing.svg == again.svg
        assert drawing.png == again.png
        assert drawing.png.startswith(PNG)
        assert "a_$b$ &lt;i&gt;&amp;" in drawing.svg
        assert "lab/other" in drawing.svg


def test_the_legend_of_masks_names_a_side_that_the_first_model_lacks(report: Report):
    figures = [
        each
        for each in report.figures
        if (each.model, each.side) != (report.figures[0].model, "source")
    ]
    [masks] = [
        each
        for each in draw(report.model_copy(update={"figures": tuple(figures)}))
        if each.name == "masks"
    ]
    assert ">source</text>" in masks.svg
    assert ">constructed</text>" in masks.svg


def test_nothing_is_drawn_without_numbers(report: Report):
    assert draw(report.model_copy(update={"figures": (), "boards": ()})) == []
