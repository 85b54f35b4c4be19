"""Walks keep the rules, and their draws depend on the seed alone."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from random import Random

import networkx as nx
import pytest

from graph_builders.kilt import build_index
from realhop_kg.errors import ContractError
from realhop_kg.graph.hyperlinks.coherence import Bm25Coherence, PageText
from realhop_kg.graph.hyperlinks.index import PageGraph
from realhop_kg.graph.hyperlinks.walk import (
    Candidates,
    Walker,
    WalkTally,
    distinct_walks,
    walked_graph,
)
from realhop_kg.ids import rng
from realhop_kg.model.refusal import WalkSettings
from realhop_kg.resources import resource_folder
from tests.graph.hyperlinks.kilt_pages import opened, page, star


class First:
    """Takes candidates in the order of the index, and notes what it was offered."""

    name = "first"

    def __init__(self) -> None:
        self.offered: list[list[str]] = []

    def rank(self, page: PageText, candidates: Sequence[PageText], top: int) -> list[int]:
        self.offered.append([candidate.title for candidate in candidates])
        return list(range(min(top, len(candidates))))


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> PageGraph:
    out = tmp_path_factory.mktemp("world") / "index"
    build_index([resource_folder("data") / "kilt_world.jsonl"], out, created_by="test")
    return PageGraph.open(out)


ALL = WalkSettings(low=0, high=1000)
SETTINGS = [
    WalkSettings(),
    WalkSettings(low=5, high=20, degree="in"),
    WalkSettings(low=5, high=20, degree="out", degree_over="lead"),
    WalkSettings(low=0, high=30, lead_only=False, disambiguation=False),
]


def expected(graph: PageGraph, page: int, settings: WalkSettings, back: bool) -> list[int]:
    """The allowed neighbours of a page, by the rules, one page at a time."""
    lead = settings.lead_only
    near = graph.sources(page, lead) if back else graph.targets(page, lead)

    def degree(other: int) -> int:
        over = settings.degree_over == "lead"
        ways = {"in": len(graph.sources(other, over)), "out": len(graph.targets(other, over))}
        return sum(ways.values()) if settings.degree == "total" else ways[settings.degree]

    return [
        other
        for other in near
        if settings.low <= degree(other) <= settings.high
        and (settings.disambiguation or graph.titles[other] != "Lanthorn")
    ]


@pytest.mark.parametrize("settings", SETTINGS)
def test_candidates_are_the_neighbours_that_the_rules_allow(
    world: PageGraph, settings: WalkSettings
) -> None:
    candidates = Candidates(world, settings)
    for number in range(len(world)):
        assert candidates.onward(number) == expected(world, number, settings, back=False)
        assert candidates.backward(number) == expected(world, number, settings, back=True)


def test_a_prefix_ends_and_a_suffix_starts_at_the_page(world: PageGraph) -> None:
    walker, start = Walker(world, Bm25Coherence()), world.page("Tamsin Dray")
    prefix = walker.prefix(start, 2, rng(0, "p"))
    suffix = walker.suffix(start, 3, rng(0, "s"), visited=prefix.pages)
    assert (prefix.kind, prefix.pages[-1], len(prefix.links)) == ("prefix", start, 2)
    assert (suffix.kind, suffix.pages[0], len(suffix.links)) == ("suffix", start, 3)
    assert len({*prefix.pages, *suffix.pages}) == 6
    for walk in (prefix, suffix):
        titles = [world.titles[number] for number in walk.pages]
        assert [(link.source, link.target) for link in walk.links] == [*pairwise(titles)]
        assert all(link.lead and link.anchor in link.sentence for link in walk.links)
        assert all(10 <= world.degree(number) <= 200 for number in walk.pages)


def test_the_same_seed_draws_the_same_walk(world: PageGraph) -> None:
    start = world.page("Ilsbury Academy")

    def drawn(seed: int) -> tuple[int, ...]:
        return Walker(world, Bm25Coherence()).suffix(start, 3, rng(seed, "s")).pages

    assert drawn(5) == drawn(5)
    assert len({drawn(seed) for seed in range(20)}) > 5


def test_one_of_the_best_is_drawn_evenly(tmp_path: Path) -> None:
    graph = opened(tmp_path, star(f"Town{n}" for n in range(9)))
    walker = Walker(graph, First(), ALL.model_copy(update={"top": 3}))
    drawn = [walker.suffix(0, 1, Random(seed)).pages[1] for seed in range(300)]
    assert {number: drawn.count(number) > 70 for number in set(drawn)} == {
        1: True, 2: True, 3: True
    }  # fmt: skip


def test_visited_pages_and_the_start_are_not_offered(tmp_path: Path) -> None:
    graph, ranking = opened(tmp_path, star("ABCDE")), First()
    Walker(graph, ranking, ALL).suffix(0, 2, Random(0), visited={1, 2})
    assert ranking.offered == [["D", "E"]]  # one candidate is left after that, and no choice


def test_many_candidates_are_thinned_before_they_are_ranked(tmp_path: Path) -> None:
    graph, ranking = opened(tmp_path, star(f"Town{n}" for n in range(40))), First()
    settings = ALL.model_copy(update={"pool": 10})
    Walker(graph, ranking, settings).prefix(0, 1, Random(0))
    assert len(ranking.offered[0]) == 10


def test_a_walk_that_ends_early_says_where(tmp_path: Path) -> None:
    pages = [
        page("A", "A is by B.", links=[("B", "B")]),
        page("B", "B is by A.", links=[("A", "A")]),
    ]
    graph = opened(tmp_path, pages)
    walker = Walker(graph, First(), ALL)
    with pytest.raises(
        ContractError, match="W1: no link to take after 1 of 2 hops, at 'B'"
    ) as info:
        walker.suffix(0, 2, Random(0))
    assert info.value.nodes == ("A", "B")
    with pytest.raises(ValueError, match="0 hops"):
        walker.suffix(0, 0, Random(0))


def test_pages_that_repeat_a_title_are_not_entered(tmp_path: Path) -> None:
    pages = [*star("ABC"), page("A", "A is by B.", links=[("B", "B")])]
    graph = opened(tmp_path, pages)
    assert Candidates(graph, ALL).backward(1) == [0, 2]


def test_walks_differ_and_the_rest_is_counted(tmp_path: Path) -> None:
    graph = opened(tmp_path, [*star("ABC"), page("D", "D is by A.", links=[("A", "A")])])
    walker, tally = Walker(graph, First(), ALL), WalkTally()
    found = [*distinct_walks(lambda draws: walker.suffix(0, 2, draws), 0, "a", 20, tally)]
    assert {walk.pages for walk in found} == {(0, 1, 2), (0, 2, 1)}
    assert (tally.complete, tally.incomplete, tally.duplicate) == (2, 0, 18)
    tally = WalkTally()
    assert [*distinct_walks(lambda draws: walker.suffix(0, 3, draws), 0, "a", 7, tally)] == []
    assert tally.incomplete == 7


def test_walks_become_a_networkx_graph(world: PageGraph, tmp_path: Path) -> None:
    walker, start = Walker(world, Bm25Coherence()), world.page("Corin Aldwyn")
    walks = [walker.prefix(start, 1, rng(1, "p")), walker.suffix(start, 2, rng(1, "s"))]
    graph = walked_graph(world, walks)
    assert set(graph) == {*walks[0].pages, *walks[1].pages}
    assert graph.nodes[start]["page_title"] == "Corin Aldwyn"
    for source, target, data in graph.edges(data=True):
        link = world.link(source, target)
        assert (data["sentence"], data["anchor"]) == (link.sentence, link.anchor)
    nx.write_graphml(graph, tmp_path / "walk.graphml")
    assert len(nx.read_graphml(tmp_path / "walk.graphml")) == len(graph)


def test_settings_whose_bounds_are_turned_round_are_refused() -> None:
    with pytest.raises(ValueError, match="low 9 is above high 3"):
        WalkSettings(low=9, high=3)
