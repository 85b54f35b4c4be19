"""The columns of links agree with plain sets, however the links are cut into chunks."""

from __future__ import annotations

from pathlib import Path
from random import Random

import numpy as np
import pytest

from realhop_kg.graph.hyperlinks import adjacency, write
from realhop_kg.graph.hyperlinks.index import PageGraph
from realhop_kg.graph.hyperlinks.places import pack
from realhop_kg.graph.hyperlinks.resolve import KeyTable
from realhop_kg.graph.hyperlinks.walk import Candidates
from realhop_kg.graph.hyperlinks.write import PlacedLink, index_writer
from realhop_kg.model.refusal import WalkSettings

Links = list[tuple[int, bool, int]]
"""Target (some are no page), whether it stands in the opening, and where."""


def random_links(draws: Random, count: int) -> list[Links]:
    return [
        [
            (draws.randrange(count + 2), draws.random() < 0.5, draws.randrange(50))
            for _ in range(draws.choice([0, 0, 1, 3, 9, 30]))
        ]
        for _ in range(count)
    ]


def indexed(out: Path, pages: list[Links]) -> PageGraph:
    with index_writer(out) as writer:
        for number, links in enumerate(pages):
            placed: list[PlacedLink] = []
            for target, lead, at in links:
                place = pack(lead, 1, at, at + 1)
                assert place is not None
                placed.append((f"P{target}", place, None))
            writer.add(f"P{number}", "", 0, (0, 0, 0), placed)
        writer.finish("test")
    return PageGraph.open(out)


@pytest.mark.parametrize("chunk", [1, 2, 7, 1 << 16])
def test_columns_agree_with_plain_sets(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, chunk: int
) -> None:
    monkeypatch.setattr(adjacency, "_CHUNK", chunk)
    monkeypatch.setattr(write, "_SPILL", chunk)
    for seed in range(8):
        draws = Random(seed)
        count = draws.randrange(1, 25)
        pages = random_links(draws, count)
        graph = indexed(tmp_path / str(seed), pages)
        kept = [(p, t, lead, at) for p, links in enumerate(pages) for t, lead, at in links]
        kept = [link for link in kept if link[1] < count and link[0] != link[1]]
        edges = {(p, t) for p, t, _, _ in kept}
        lead = {(p, t) for p, t, opening, _ in kept if opening}
        every = range(count)
        assert {(p, t) for p in every for t in graph.targets(p)} == edges
        assert {(p, t) for p in every for t in graph.targets(p, lead=True)} == lead
        assert {(p, t) for t in every for p in graph.sources(t)} == edges
        assert {(p, t) for t in every for p in graph.sources(t, lead=True)} == lead
        assert graph.links == len(edges)
        for p, t in edges:
            places = [(not opening, at) for q, u, opening, at in kept if (q, u) == (p, t)]
            assert (not graph.place(p, t).lead, graph.place(p, t).start) == min(places)
        settings = WalkSettings(low=2, high=12)
        degree = [sum(p in edge for edge in edges) for p in every]
        candidates = Candidates(graph, settings)
        for p in every:
            allowed = [t for t in sorted(every) if (p, t) in lead and 2 <= degree[t] <= 12]
            assert candidates.onward(p) == allowed
            allowed = [q for q in sorted(every) if (q, p) in lead and 2 <= degree[q] <= 12]
            assert candidates.backward(p) == allowed


def test_names_are_found_as_a_dict_finds_them() -> None:
    draws = np.random.default_rng(3)
    for size in (0, 1, 2, 3, 1000):
        # Some keys are near one another, so that steps of more than one are taken.
        near = np.arange(size // 2, dtype=np.uint64) + np.uint64(7)
        far = draws.integers(0, 2**64 - 3, size - len(near), np.uint64)
        keys = np.unique(np.concatenate([near, far]))
        known = dict(zip(keys.tolist(), range(len(keys)), strict=True))
        wanted = np.concatenate(
            [keys, keys ^ np.uint64(1), draws.integers(0, 2**64 - 3, 500, np.uint64)]
        )
        found = KeyTable(keys, np.arange(len(keys), dtype=np.uint32)).find(wanted)
        for key, page, raised in zip(wanted.tolist(), *found, strict=True):
            expected = known.get(key, known.get(key ^ 1, -1))
            assert page == expected
            assert raised == (key not in known and expected >= 0)
