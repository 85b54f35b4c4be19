"""The quality report: figures counted by hand, and none that depends on anything else."""

from __future__ import annotations

import gc
import tracemalloc
from collections import Counter
from pathlib import Path

import pytest

from realhop_kg.freeze.freeze import DatasetWriter
from realhop_kg.freeze.reader import FrozenDataset
from realhop_kg.graph.schema import PathKind, PathNode
from realhop_kg.quality.lines import quality_lines
from realhop_kg.quality.report import QualityReport, quality_report
from realhop_kg.quality.sentences import sentences_of
from tests.freeze.samples import (
    PARENTS,
    PREDICATES,
    exclusion,
    provenance,
    sample_graph,
    write_dataset,
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Seven items, every second one of two branches, and four exclusions."""
    target = tmp_path_factory.mktemp("quality") / "ds"
    with DatasetWriter(target, provenance(), PREDICATES, PARENTS) as writer:
        for number in range(1, 8):
            writer.add(sample_graph(number))
        said = "no relation of the catalogue reads step 'Orm >> owned by'; add it"
        writer.exclude(exclusion(1, "Q5", id="musique/3hop1__1_2_3", message=said))
        plain = 'no relation of the catalogue reads step "who owns Orm"; add it'
        writer.exclude(exclusion(2, "Q5", id="musique/3hop1__1_2_4", message=plain))
        writer.exclude(exclusion(3, "U1", id="musique/2hop__9", stage="check"))
        writer.exclude(exclusion(4, "B2", id="", stage="read"))
    return target


@pytest.fixture(scope="module")
def report(folder: Path) -> QualityReport:
    return quality_report(FrozenDataset.open(folder))


def test_yield_is_counted_by_shape_code_and_stage(report: QualityReport) -> None:
    assert (report.read, report.constructed) == (11, 7)
    assert {shape: (y.constructed, y.excluded) for shape, y in report.shapes.items()} == {
        "2hop": (4, 1),
        "3hop1": (0, 2),
        "3hop2": (3, 0),
        "not said": (0, 1),
    }
    assert report.excluded_by_code == {"B2": 1, "Q5": 2, "U1": 1}
    assert report.excluded_by_stage == {"check": 1, "plan": 2, "read": 1}


def test_steps_of_excluded_records_are_those_that_reasons_quote(report: QualityReport) -> None:
    assert report.excluded_steps == {"not said": 2, "in plain words": 1, "owned by": 1}


def test_relations_are_counted_by_items_and_hops(report: QualityReport) -> None:
    hops = {relation: each.hops for relation, each in report.relations.items()}
    assert sum(hops.values()) == 4 * 2 + 3 * 3
    assert list(hops.values()) == sorted(hops.values(), reverse=True)
    assert report.relations["architect"].items == 4
    assert not any(each.made_for_item for each in report.relations.values())


def test_wordings_are_counted_with_names_left_open(report: QualityReport) -> None:
    every = [s for n in range(1, 8) for s in sentences_of(sample_graph(n))]
    counted = Counter(s.skeleton for s in every)
    assert report.sentences == len(every)
    assert report.distinct_wordings == len(counted)
    assert report.said_once == 0  # every item stands there three times or more
    most = report.wordings[0]
    assert most.gold + most.competitors == max(counted.values())
    assert len(report.wordings) == min(20, len(counted))


def test_lengths_are_in_words(report: QualityReport) -> None:
    words = sorted(
        len(s.text.split())
        for n in range(1, 8)
        for s in sentences_of(sample_graph(n))
        if s.status == "gold"
    )
    gold = report.lengths["gold"]
    assert (gold.sentences, gold.least, gold.most) == (len(words), words[0], words[-1])
    assert gold.median == words[(len(words) + 1) // 2 - 1]
    assert gold.p90 == words[-(-9 * len(words) // 10) - 1]
    assert report.lengths["competitors"].sentences == report.sentences - gold.sentences


def test_hosts_are_counted_by_insertions_and_by_path(report: QualityReport) -> None:
    assert sum(n * times for n, times in report.insertions_per_host.items()) == report.sentences
    assert report.passages == sum(report.insertions_per_host.values())
    assert report.hosts_per_path["gold"] == {2: 4, 3: 3}
    paths = [p.path_kind for n in range(1, 8) for p in sample_graph(n).nodes(PathNode)]
    for kind in PathKind:
        assert sum(report.hosts_per_path[kind].values()) == paths.count(kind)


def test_diagnostics_have_their_denominators(report: QualityReport, folder: Path) -> None:
    counts = FrozenDataset.open(folder).manifest.counts.certificates
    assert (report.v1, report.v2) == (counts.v1, counts.v2)
    assert report.v1.of == 4 * 2 + 3 * 3
    assert report.later_breaks.emitted == 0
    assert "(F1)" in report.later_breaks.why


def test_a_report_is_json_and_back(report: QualityReport) -> None:
    assert QualityReport.model_validate_json(report.model_dump_json()) == report


def test_the_lines_name_every_figure_of_a1(report: QualityReport) -> None:
    lines = list(quality_lines(report))
    assert lines[0] == "Yield: 7 of 11 constructed"
    assert any(line.startswith("A1: ") for line in lines)
    for name in ("all", "continuations", "near-misses"):
        assert sum(line.startswith(f"  {name}: ") for line in lines) == 1
    area = report.a1.contrasts["all"].figures["all in the text"].auc
    assert any("all in the text" in line and f"{area:.3f}" in line for line in lines)


def test_an_empty_dataset_has_a_report(tmp_path: Path) -> None:
    write_dataset(tmp_path / "ds", items=0, excluded=0)
    report = quality_report(FrozenDataset.open(tmp_path / "ds"))
    assert (report.read, report.sentences, report.passages) == (0, 0, 0)
    assert report.lengths["gold"].sentences == 0
    assert report.a1.holds is None
    assert "no figures: 0 items" in "\n".join(quality_lines(report))


def peak_of_reporting(folder: Path) -> int:
    dataset = FrozenDataset.open(folder)
    gc.collect()
    tracemalloc.start()
    try:
        quality_report(dataset)
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def test_no_graph_is_kept(tmp_path: Path) -> None:
    for number in (6, 18):
        write_dataset(tmp_path / str(number), items=number)
    peak_of_reporting(tmp_path / "6")
    small, large = (peak_of_reporting(tmp_path / str(number)) for number in (6, 18))
    # Twelve graphs would be 5 MiB; what A1 keeps of twelve items is a few kilobytes.
    assert large < small + 1_500_000
