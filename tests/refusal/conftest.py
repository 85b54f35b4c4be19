"""The made-up world of Ardessa as an index, with its seeds, shared by these tests."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from graph_builders.kilt import build_index
from graph_builders.seeds import seed_builder
from realhop_kg.graph.hyperlinks.index import PageGraph
from realhop_kg.model.refusal import Seed
from realhop_kg.model.refusal_item import RefusalItem
from realhop_kg.refusal.annotate import LinkedWords, RuleAnnotator
from realhop_kg.refusal.fuse import RuleFuser
from realhop_kg.refusal.pipeline import Builder
from realhop_kg.refusal.plan import Quotas, spread
from realhop_kg.refusal.voices import LinkVoices
from realhop_kg.resources import resource_folder


def seeds_of(path: Path) -> list[Seed]:
    return [seed for seed in seed_builder("plain").read(path) if isinstance(seed, Seed)]


def builder_on(voices: LinkVoices, seed: int = 0) -> Builder:
    words = LinkedWords.read(voices.graph, 10_000)
    return Builder(voices, RuleAnnotator(voices, words), RuleFuser(), seed=seed)


@pytest.fixture(scope="session")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[PageGraph]:
    out = tmp_path_factory.mktemp("ardessa") / "index"
    build_index([resource_folder("data") / "kilt_world.jsonl"], out, created_by="test")
    with PageGraph.open(out) as graph:
        yield graph


@pytest.fixture(scope="session")
def voices(world: PageGraph) -> LinkVoices:
    return LinkVoices(world)


@pytest.fixture(scope="session")
def world_seeds() -> list[Seed]:
    return seeds_of(resource_folder("data") / "refusal_seeds.jsonl")


@pytest.fixture(scope="session")
def items(voices: LinkVoices, world_seeds: list[Seed]) -> list[RefusalItem]:
    """One question of every cell that the world gives."""
    return list(builder_on(voices).build(world_seeds, Quotas(spread(33))))
