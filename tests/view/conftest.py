"""A dataset to look at, and a browser to look with."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from realhop_kg.cli.constructing import construct_to
from realhop_kg.cli.refusal_demo import refusal_demo
from realhop_kg.freeze.reader import FrozenDataset
from realhop_kg.resources import resource_folder
from realhop_kg.settings import ConstructConfig

if TYPE_CHECKING:
    from playwright.sync_api import Browser

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="session")
def bundled(tmp_path_factory: pytest.TempPathFactory) -> FrozenDataset:
    """The bundled questions, constructed: every shape of up to four hops."""
    folder = tmp_path_factory.mktemp("view") / "dataset"
    source = resource_folder("data") / "questions.jsonl"
    construct_to(source, ConstructConfig(dataset="musique"), folder, workers=1, force=False)
    return FrozenDataset.open(folder)


@pytest.fixture(scope="session")
def chains(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Nine questions without an answer, from the bundled pages."""
    folder = tmp_path_factory.mktemp("chains") / "dataset"
    built = refusal_demo(folder, 0, False)
    if built.skipped:
        pytest.skip(built.skipped)
    return folder


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Headless Chromium: $REALHOP_CHROMIUM, or the system's."""
    sync_api = pytest.importorskip("playwright.sync_api", reason="no playwright: pip install it")
    named = os.environ.get("REALHOP_CHROMIUM")
    found = named or next(filter(None, map(shutil.which, ("chromium", "google-chrome"))), None)
    if found is None:
        pytest.skip("no Chromium here; install one, or name it in REALHOP_CHROMIUM")
    with sync_api.sync_playwright() as playwright:
        started = playwright.chromium.launch(
            executable_path=found, args=["--no-sandbox", "--disable-gpu"]
        )
        yield started
        started.close()


@pytest.fixture(scope="session")
def pictures() -> Path:
    """Where screenshots are kept for people: a folder that git ignores."""
    folder = ROOT / "test-artifacts" / "view"
    folder.mkdir(parents=True, exist_ok=True)
    return folder
