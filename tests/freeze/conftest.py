"""A sound dataset, and copies of it to damage."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.freeze.samples import write_dataset


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A dataset that no test may touch."""
    folder = tmp_path_factory.mktemp("verify") / "sound"
    write_dataset(folder, items=3, excluded=2)
    return folder


@pytest.fixture
def folder(sound: Path, tmp_path: Path) -> Path:
    """A copy of it to damage."""
    return Path(shutil.copytree(sound, tmp_path / "ds"))
