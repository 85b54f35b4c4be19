"""Reading sheets: who is drawn, what is shown, and that hostile text stays text."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from realhop_kg.errors import OutputExistsError
from realhop_kg.freeze.freeze import DatasetWriter
from realhop_kg.freeze.reader import FrozenDataset
from realhop_kg.graph.schema import InsertionNode, ItemNode, PassageNode
from realhop_kg.ids import digest
from realhop_kg.quality.markup import READING_HTML, READING_ROWS
from realhop_kg.quality.reading import reading, shown_passages
from realhop_kg.quality.sheet import draw, quotas, write_sheet
from tests.freeze.samples import (
    PARENTS,
    PREDICATES,
    provenance,
    sample_graph,
    write_dataset,
)


@pytest.fixture(scope="module")
def dataset(tmp_path_factory: pytest.TempPathFactory) -> FrozenDataset:
    """Five items of two hops and four of three."""
    folder = tmp_path_factory.mktemp("sheet") / "ds"
    write_dataset(folder, items=9)
    return FrozenDataset.open(folder)


def rows_of(folder: Path) -> list[dict[str, Any]]:
    lines = (folder / READING_ROWS).read_text().removesuffix("\n").split("\n")
    return [json.loads(line) for line in lines]


class Page(HTMLParser):
    """The elements, attributes and text of a page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str | None]] = []
        self.text = ""
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += attrs

    def handle_data(self, data: str) -> None:
        self.text += data


# Who is drawn


@pytest.mark.parametrize(
    ("strata", "n", "expected"),
    [
        ({2: 430, 3: 244, 4: 116}, 100, {2: 54, 3: 31, 4: 15}),  # Appendix J.1
        ({2: 1, 3: 1, 4: 1}, 2, {2: 1, 3: 1, 4: 0}),
        ({2: 10}, 4, {2: 4}),
        ({2: 3, 3: 2}, 5, {2: 3, 3: 2}),
        ({2: 3, 3: 2}, 99, {2: 3, 3: 2}),
        ({}, 5, {}),
    ],
)
def test_quotas_go_by_largest_remainder(
    strata: dict[int, int], n: int, expected: dict[int, int]
) -> None:
    assert quotas(strata, n) == expected


def test_quotas_never_exceed_their_strata_and_add_up() -> None:
    for n in range(1, 30):
        sizes = {2: 13, 3: 1, 4: 7, 5: 8}
        shared = quotas(sizes, n)
        assert sum(shared.values()) == n
        assert all(shared[hops] <= sizes[hops] for hops in sizes)


def test_a_sample_is_stratified_by_hops(dataset: FrozenDataset) -> None:
    sample = draw(dataset, 4, seed=0)
    assert (sample.of, sample.drawn) == ({2: 5, 3: 4}, {2: 2, 3: 2})
    hops = [len(dataset.item(key).hops) for key in sample.items]
    assert sorted(hops) == [2, 2, 3, 3]
    assert sample.sentence == "4 of 9 items: 2 of 5 with 2 hops, 2 of 4 with 3 hops"


def test_a_draw_depends_on_seed_and_keys_alone(dataset: FrozenDataset) -> None:
    assert draw(dataset, 4, seed=0) == draw(dataset, 4, seed=0)
    assert len({draw(dataset, 4, seed).items for seed in range(6)}) > 1
    small, large = draw(dataset, 4, seed=3), draw(dataset, 7, seed=3)
    assert set(small.items) < set(large.items)
    ranks = [digest(3, "reading", key) for key in large.items]
    assert ranks == sorted(ranks)


def test_a_sample_larger_than_the_dataset_has_all_and_says_so(dataset: FrozenDataset) -> None:
    sample = draw(dataset, 40, seed=0)
    assert len(sample.items) == 9
    assert sample.sentence.startswith("all 9 items, fewer than the 40 asked for: 5 of 5")


# What is shown


def test_gold_and_competitors_are_shown_hop_by_hop(dataset: FrozenDataset) -> None:
    key = "musique/2hop__1"
    row = reading(
        dataset.item(key), dataset.graph(key), dataset.predicates_of(key), "d" * 64, seed=2
    )
    assert [(s.hop, len(s.sentences), s.answer) for s in row.gold.steps] == [
        (1, 1, dataset.item(key).hops[0].answer),
        (2, 2, dataset.item(key).answer),
    ]
    assert [path.id for path in row.competitors] == ["s1a", "s1b", "f1a", "s2a", "s2b", "f2a"]
    first, last = row.competitors[0], row.competitors[-1]
    assert [(s.hop, s.role) for s in first.steps] == [(1, "near-miss"), (2, "continuation")]
    assert (first.inherits, last.inherits, last.breaks_at) == ((), (1,), 2)
    assert last.endpoint == last.steps[-1].answer


def test_a_near_miss_is_shown_with_what_must_not_follow(dataset: FrozenDataset) -> None:
    key = "musique/2hop__1"
    row = reading(
        dataset.item(key), dataset.graph(key), dataset.predicates_of(key), "d" * 64, seed=2
    )
    step = row.competitors[0].steps[0]
    gold = row.gold.steps[0]
    assert (step.misses, gold.relation) == ("architect", "architect")
    assert step.must_not_follow == gold.sentences[0].text.replace(gold.answer, step.answer)
    assert step.must_not_follow not in {s.text for s in step.sentences}
    assert all(not s.must_not_follow for s in (*row.gold.steps, *row.competitors[0].steps[1:]))


def test_passages_are_shown_whole_with_each_insertion_marked(dataset: FrozenDataset) -> None:
    item = dataset.item("musique/2hop__2")
    graph = dataset.graph(item.id)
    shown = list(shown_passages(graph))
    assert [("".join(p.text for p in page.pieces), page.title) for page in shown] == [
        (passage.text, passage.title) for passage in item.passages
    ]
    marked = [piece.text for page in shown for piece in page.pieces if piece.role]
    assert sorted(marked) == sorted(node.text[1:] for node in graph.nodes(InsertionNode))
    roles = [piece.role for page in shown for piece in page.pieces if piece.role == "gold"]
    assert len(roles) == sum(len(hop.evidence) for hop in item.hops)


def test_rows_have_empty_labels_and_the_items_of_the_page(
    dataset: FrozenDataset, tmp_path: Path
) -> None:
    sample = write_sheet(dataset, 5, 1, tmp_path / "sheet")
    rows = rows_of(tmp_path / "sheet")
    assert tuple(row["id"] for row in rows) == sample.items
    labels = ("gold_supports", "competitors_fail", "natural", "reader", "comment")
    assert {row[label] for row in rows for label in labels} == {""}
    assert list(rows[0])[:6] == ["id", *labels]
    assert {row["digest"] for row in rows} == {dataset.manifest.digest}
    page = (tmp_path / "sheet" / READING_HTML).read_text()
    places = [page.index(f"<small>{key} ") for key in sample.items]
    assert places == sorted(places)
    assert Page(page).tags.count("section") == 5


def test_the_same_sample_gives_the_same_bytes(dataset: FrozenDataset, tmp_path: Path) -> None:
    for name in ("one", "two"):
        write_sheet(dataset, 3, 0, tmp_path / name)
    for file in (READING_HTML, READING_ROWS):
        assert (tmp_path / "one" / file).read_bytes() == (tmp_path / "two" / file).read_bytes()


def test_a_sheet_is_never_overwritten(dataset: FrozenDataset, tmp_path: Path) -> None:
    write_sheet(dataset, 3, 0, tmp_path / "sheet")
    before = (tmp_path / "sheet" / READING_ROWS).read_bytes()
    with pytest.raises(OutputExistsError, match="may be filled in"):
        write_sheet(dataset, 5, 0, tmp_path / "sheet")
    assert (tmp_path / "sheet" / READING_ROWS).read_bytes() == before


# Hostile text

HOSTILE = (
    "<script>alert(1)</script><img src=x onerror=\"alert(2)\">\"' onmouseover='alert(3)' "
    "</p></section></body><!-- <style>*{display:none}</style> javascript:alert(4) "
    "&lt;b&gt; \x00\x1b[2J \u202egnp.exe \ud83d"
)


def hostile_dataset(folder: Path) -> FrozenDataset:
    """Write an item whose question, answer, titles and texts are hostile."""
    graph = sample_graph(1)
    for item in graph.nodes(ItemNode):
        changes = {"question": item.question + HOSTILE, "aliases": [HOSTILE]}
        graph.add(item.model_copy(update=changes))
    for page in graph.nodes(PassageNode):
        changes = {"page_title": page.page_title + HOSTILE, "text": page.text + HOSTILE}
        graph.add(page.model_copy(update=changes))
    with DatasetWriter(folder, provenance(name=HOSTILE[:-1]), PREDICATES, PARENTS) as writer:
        writer.add(graph)
    return FrozenDataset.open(folder)


def test_hostile_text_stays_text(tmp_path: Path) -> None:
    write_sheet(hostile_dataset(tmp_path / "ds"), 1, 0, tmp_path / "sheet")
    text = (tmp_path / "sheet" / READING_HTML).read_text()
    page = Page(text)
    assert not {"script", "img", "link", "iframe", "object", "b&gt;"} & set(page.tags)
    assert page.tags.count("style") == page.tags.count("section") == page.tags.count("body") == 1
    assert not [name for name, _ in page.attributes if name.startswith("on")]
    assert not [name for name, _ in page.attributes if name in ("src", "href", "style")]
    assert "<script>alert(1)</script><img src=x" in page.text
    assert "&lt;b&gt;" in page.text  # shown as it stands, not decoded once more
    assert not re.search("[\x00\x1b\u202e]", text)


def test_a_page_loads_nothing_and_runs_nothing(dataset: FrozenDataset, tmp_path: Path) -> None:
    write_sheet(dataset, 2, 0, tmp_path / "sheet")
    text = (tmp_path / "sheet" / READING_HTML).read_text()
    page = Page(text)
    assert ("content", "default-src 'none'; style-src 'unsafe-inline'") in page.attributes
    assert not {"script", "img", "link", "iframe"} & set(page.tags)
    assert "url(" not in text
    assert "@import" not in text
    # Three questions of three boxes for each item.
    assert page.tags.count("input") == 2 * 9


def test_half_a_character_reads_back_from_the_rows(tmp_path: Path) -> None:
    dataset = hostile_dataset(tmp_path / "ds")
    write_sheet(dataset, 1, 0, tmp_path / "sheet")
    [row] = rows_of(tmp_path / "sheet")
    assert row["aliases"] == [HOSTILE]
