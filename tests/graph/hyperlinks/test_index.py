"""An index agrees with counts made here, in another way, and answers by memory map."""

from __future__ import annotations

import gzip
import html
import json
import shutil
from pathlib import Path
from typing import NamedTuple
from urllib.parse import unquote

import numpy as np
import pytest

from graph_builders.kilt import build_index
from realhop_kg.errors import InputError, OutputExistsError
from realhop_kg.graph.hyperlinks.arrays import ArrayWriter, open_array
from realhop_kg.graph.hyperlinks.index import PageGraph
from realhop_kg.graph.hyperlinks.manifest import IndexManifest, broken_files
from realhop_kg.refusal.freeze import refusal_writer
from realhop_kg.resources import resource_folder
from tests.graph.hyperlinks.kilt_pages import built, opened, page, write_pages

SAMPLES = ("wikispeedia", "enwiki2016", "world")


class Counted(NamedTuple):
    """What an independent reader finds in a file."""

    titles: list[str]
    edges: set[tuple[str, str]]
    lead_edges: set[tuple[str, str]]
    own: int
    dangling: int


def counted(path: Path) -> Counted:
    """Read a file with the standard library, and resolve its links one by one with a dict."""
    pages = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    titles = [entry["wikipedia_title"] for entry in pages]
    known = set(titles)
    edges, lead = set(), set()
    own = dangling = 0
    for entry in pages:
        heads = [n for n, item in enumerate(entry["text"]) if item.startswith("Section::::")]
        first = min(heads, default=len(entry["text"]))
        for anchor in entry["anchors"]:
            name = html.unescape(unquote(anchor["href"])).split("#")[0].replace("_", " ").strip()
            candidates = (name, name[:1].upper() + name[1:], anchor.get("wikipedia_title"))
            target = next((c for c in candidates if c in known), None)
            if target is None:
                dangling += 1
            elif target == entry["wikipedia_title"]:
                own += 1
            else:
                edges.add((entry["wikipedia_title"], target))
                if 0 < anchor["paragraph_id"] < first:
                    lead.add((entry["wikipedia_title"], target))
    return Counted(titles, edges, lead, own, dangling)


def sample(name: str, shared_data: Path) -> Path:
    if name == "world":
        return resource_folder("data") / "kilt_world.jsonl"
    return shared_data / "kilt" / f"{name}_kilt.jsonl"


@pytest.fixture(scope="module", params=SAMPLES)
def sampled(
    request: pytest.FixtureRequest, shared_data: Path, tmp_path_factory: pytest.TempPathFactory
) -> tuple[PageGraph, Counted]:
    source = sample(request.param, shared_data)
    out = tmp_path_factory.mktemp("sample") / "index"
    build_index([source], out, created_by="test")
    return PageGraph.open(out), counted(source)


def test_links_agree_with_an_independent_count(sampled: tuple[PageGraph, Counted]) -> None:
    graph, expected = sampled
    assert list(graph.titles) == expected.titles
    every = range(len(graph))
    title = graph.titles
    assert {(title[p], title[q]) for p in every for q in graph.targets(p)} == expected.edges
    lead = {(title[p], title[q]) for p in every for q in graph.targets(p, lead=True)}
    assert lead == expected.lead_edges
    counts = graph.manifest.counts
    assert (counts.links, counts.lead_links) == (len(expected.edges), len(expected.lead_edges))
    assert (counts.self_links, counts.dangling) == (expected.own, expected.dangling)
    kept = counts.dangling + counts.self_links + counts.duplicates + counts.links
    assert kept + counts.misplaced_anchors + counts.empty_anchors == counts.anchors


def test_backlinks_are_the_links_turned_round(sampled: tuple[PageGraph, Counted]) -> None:
    graph, _ = sampled
    for lead in (False, True):
        out = {(p, q) for p in range(len(graph)) for q in graph.targets(p, lead)}
        back = [(p, q) for q in range(len(graph)) for p in graph.sources(q, lead)]
        assert len(back) == len(out)
        assert set(back) == out


def test_every_sentence_holds_its_words(sampled: tuple[PageGraph, Counted]) -> None:
    graph, _ = sampled
    links = [graph.link(p, q) for p in range(len(graph)) for q in graph.targets(p)]
    assert len(links) == graph.links
    assert all(link.anchor and link.anchor in link.sentence for link in links)


def test_every_checksum_holds(sampled: tuple[PageGraph, Counted]) -> None:
    graph = sampled[0]
    assert list(broken_files(graph.folder, graph.manifest)) == []


def test_disambiguation_pages_of_a_sample_are_found(shared_data: Path, tmp_path: Path) -> None:
    source = sample("enwiki2016", shared_data)
    counts = build_index([source], tmp_path / "i", created_by="t").manifest.counts
    assert counts.disambiguation == 4
    source = sample("wikispeedia", shared_data)
    counts = build_index([source], tmp_path / "j", created_by="t").manifest.counts
    assert (counts.disambiguation, counts.as_written, counts.by_first_letter) == (0, 8707, 5832)


PAGES = [
    page("Ostra", "Ostra lies on the Vell.", "Section::::A.", "Ostra has a mill.",
         links=[("Vell", "Vell"), ("mill", "Mill")]),
    page("Vell", "The Vell is a river. It passes Ostra.", links=[("Ostra", "ostra")]),
    page("Mill", "A mill is old."),
]  # fmt: skip


def test_a_link_is_read_with_its_place(tmp_path: Path) -> None:
    graph = opened(tmp_path, PAGES)
    link = graph.link(graph.page("Vell"), graph.page("Ostra"))
    assert (link.anchor, link.lead, link.paragraph) == ("Ostra", True, 1)
    assert link.sentence == "It passes Ostra."
    assert not graph.link(0, 2).lead
    with pytest.raises(KeyError):
        graph.link(2, 0)


def test_pages_are_found_by_title_address_and_first_letter(tmp_path: Path) -> None:
    graph = opened(tmp_path, [*PAGES, page("ostra", "Another."), page("x", "x")])
    assert graph.find("Ostra") == 0
    assert graph.find("ostra") == 3
    assert graph.find("vell") == graph.find("Vell#Course") == 1
    assert graph.find("X") == graph.find("x") == 4
    assert graph.find("OSTRA") is None
    assert graph.find("") is None
    with pytest.raises(InputError, match="no page 'Nowhere'"):
        graph.page("Nowhere")


def test_degree_counts_both_ways(tmp_path: Path) -> None:
    graph = opened(tmp_path, PAGES)
    assert [graph.degree(p) for p in range(3)] == [3, 2, 1]


def test_the_same_pages_give_the_same_bytes(tmp_path: Path) -> None:
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
        built(tmp_path / name, PAGES)
    one, other = (
        {p.name: p.read_bytes() for p in (tmp_path / n / "index").iterdir()} for n in "ab"
    )
    assert one == other


def test_plain_gzipped_copied_and_columnar_pages_give_the_same_links(tmp_path: Path) -> None:
    source = write_pages(tmp_path / "pages.jsonl", PAGES)
    zipped = tmp_path / "pages.jsonl.gz"
    zipped.write_bytes(gzip.compress(source.read_bytes()))
    halves = [write_pages(tmp_path / f"{n}.jsonl", PAGES[n : n + 2]) for n in (0, 2)]
    graphs = []
    for number, (paths, copy) in enumerate(
        [([source], False), ([zipped], False), ([source], True), (halves, False)]
    ):
        out = tmp_path / f"index{number}"
        build_index(paths, out, created_by="t", copy=copy)
        graphs.append(PageGraph.open(out))
    links = [[graph.link(p, q) for p in range(3) for q in graph.targets(p)] for graph in graphs]
    assert links[0] == links[1] == links[2] == links[3]


def test_an_index_with_its_pages_may_be_moved(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    built(tmp_path / "a", PAGES)
    shutil.move(tmp_path / "a", tmp_path / "b")
    assert PageGraph.open(tmp_path / "b" / "index").link(0, 1).anchor == "Vell"


def test_pages_that_are_gone_or_changed_are_named(tmp_path: Path) -> None:
    built(tmp_path, PAGES)
    source = tmp_path / "pages.jsonl"
    content = source.read_bytes()
    source.write_bytes(content + b"\n")
    with pytest.raises(InputError, match="has changed since it was indexed"):
        PageGraph.open(tmp_path / "index").link(0, 1)
    source.write_bytes(b"x" * len(content))
    with pytest.raises(InputError, match="is not as it was indexed"):
        PageGraph.open(tmp_path / "index").link(0, 1)
    source.unlink()
    with pytest.raises(InputError, match="put them back, or index them with --copy"):
        PageGraph.open(tmp_path / "index").link(0, 1)


def test_copied_texts_need_no_pages(tmp_path: Path) -> None:
    graph = opened(tmp_path, PAGES, copy=True)
    (tmp_path / "pages.jsonl").unlink()
    assert graph.link(0, 1).sentence == "Ostra lies on the Vell."


def test_a_flipped_byte_is_found_and_named(tmp_path: Path) -> None:
    built(tmp_path, PAGES)
    path = tmp_path / "index" / "out_pages.npy"
    content = bytearray(path.read_bytes())
    content[-1] ^= 1
    path.write_bytes(content)
    (tmp_path / "index" / "ids.npy").unlink()
    folder = tmp_path / "index"
    broken = list(broken_files(folder, IndexManifest.read(folder)))
    assert broken == ["ids.npy is missing", "out_pages.npy has changed"]
    with pytest.raises(InputError, match=r"ids\.npy cannot be used"):
        PageGraph.open(folder)


@pytest.mark.parametrize(
    ("name", "numbers", "said"),
    [
        ("out_pages", "<u4", r"out_pages\.npy has changed"),
        ("titles_at", "<u8", r"titles_at\.npy has changed"),
        ("out_bounds", "<u8", r"out_bounds\.npy does not fit"),
    ],
)
def test_damaged_columns_give_one_clear_error(
    tmp_path: Path, name: str, numbers: str, said: str
) -> None:
    built(tmp_path, PAGES)
    path = tmp_path / "index" / f"{name}.npy"
    size = len(open_array(path))
    with ArrayWriter(path, numbers) as column:
        column.write(np.full(size, 2**31, numbers))
    with pytest.raises(InputError, match=said):
        PageGraph.open(tmp_path / "index", verify=True)
    if name != "out_bounds":
        graph = PageGraph.open(tmp_path / "index")
        with pytest.raises(InputError, match="kilt info --verify"):
            [graph.titles[page] for page in graph.targets(0)]


def test_what_is_no_index_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no hyperlink index"):
        PageGraph.open(tmp_path)
    (tmp_path / "manifest.json").write_text('{"kind": "dataset"}')
    with pytest.raises(InputError, match="no hyperlink index"):
        PageGraph.open(tmp_path)
    (tmp_path / "manifest.json").write_text('{"kind": "hyperlinks", "format": 99}')
    with pytest.raises(InputError, match="format 99"):
        PageGraph.open(tmp_path)


def test_an_index_is_replaced_only_on_demand_and_nothing_else_is(tmp_path: Path) -> None:
    built(tmp_path, PAGES)
    with pytest.raises(OutputExistsError):
        built(tmp_path, PAGES)
    built(tmp_path, PAGES[:2], force=True)
    assert len(PageGraph.open(tmp_path / "index")) == 2
    dataset = tmp_path / "dataset"
    dataset.mkdir()
    (dataset / "manifest.json").write_text("{}")
    with pytest.raises(InputError, match="no hyperlink index"):
        build_index([tmp_path / "pages.jsonl"], dataset, created_by="t", force=True)
    (tmp_path / "index" / "replies.sqlite").write_bytes(b"paid")
    with pytest.raises(InputError, match=r"it holds replies\.sqlite"):
        built(tmp_path, PAGES[:2], force=True)
    with (
        pytest.raises(InputError, match=r"its manifest\.json is not that of a dataset"),
        refusal_writer(tmp_path / "index", force=True),
    ):
        pytest.fail("an index is no dataset")
    assert (dataset / "manifest.json").read_text() == "{}"
