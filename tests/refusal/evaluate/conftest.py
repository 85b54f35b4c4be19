"""A small refusal dataset, its index, and a server that scripted agents stand behind."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

import pytest

from graph_builders.kilt import build_index
from realhop_kg.cli.refusal_build import build_to
from realhop_kg.jsonl import JsonlWriter
from realhop_kg.model.trajectory import AskedQuestion
from realhop_kg.refusal.evaluate.settings import asked
from realhop_kg.refusal.plan import spread
from realhop_kg.refusal.reader import RefusalDataset
from realhop_kg.resources import resource_folder
from realhop_kg.search.index import build_search_index
from tests.llm.stub import Stub, stub

PAGES = resource_folder("data") / "kilt_world.jsonl"


@pytest.fixture(scope="session")
def dataset(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One question of every cell that the bundled world gives."""
    folder = tmp_path_factory.mktemp("refusal")
    build_index([PAGES], folder / "index", created_by="test")
    seeds = [str(resource_folder("data") / "refusal_seeds.jsonl")]
    build_to(folder / "index", seeds, folder / "set", spread(12), 0)  # type: ignore[arg-type]
    return folder / "set"


@pytest.fixture(scope="session")
def passages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """BM25 over the bundled pages."""
    out = tmp_path_factory.mktemp("passages") / "index"
    build_search_index(PAGES, out, "kilt", created_by="test")
    return out


@pytest.fixture(scope="session")
def questions(dataset: Path) -> list[AskedQuestion]:
    return [asked(item) for item in RefusalDataset.open(dataset).items()]


@pytest.fixture
def agents(
    questions: list[AskedQuestion], tmp_path: Path
) -> Callable[..., AbstractContextManager[Stub]]:
    """Serve the scripted agents over HTTP, each as the model of its name."""

    @contextmanager
    def serve(*words: str) -> Iterator[Stub]:
        path = tmp_path / "served.jsonl"
        with JsonlWriter(path) as lines:
            for question in questions:
                lines.write(question.model_dump(mode="json"))
        os.environ["SERVED_QUESTIONS"] = str(path)
        try:
            with stub("--writer", "tests.refusal.evaluate.writer:AgentWriter", *words) as server:
                yield server
        finally:
            del os.environ["SERVED_QUESTIONS"]

    return serve
