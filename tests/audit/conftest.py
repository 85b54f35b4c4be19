"""A frozen dataset of bundled questions, constructed once."""

from __future__ import annotations

from pathlib import Path

import pytest

from realhop_kg.cli.constructing import construct_to
from realhop_kg.freeze.reader import FrozenDataset
from realhop_kg.model.frozen import FrozenItem
from realhop_kg.resources import resource_folder
from realhop_kg.settings import ConstructConfig


@pytest.fixture(scope="session")
def dataset(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Folder of a frozen dataset of the bundled questions."""
    out = tmp_path_factory.mktemp("audit") / "dataset"
    config = ConstructConfig(dataset="musique")
    construct_to(resource_folder("data") / "questions.jsonl", config, out, 1, False, "bundled")
    return out


@pytest.fixture(scope="session")
def frozen(dataset: Path) -> list[FrozenItem]:
    """Its items."""
    return list(FrozenDataset.open(dataset).items())
