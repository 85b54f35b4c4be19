"""Where the tests find public data, and how they write small files."""

from __future__ import annotations

import gzip
import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """Folder of public samples: $REALHOP_SHARED_DATA, or shared/data beside the checkout."""
    named = os.environ.get("REALHOP_SHARED_DATA")
    folder = Path(named) if named else ROOT.parent / "shared" / "data"
    if not folder.is_dir():
        pytest.skip(f"no public samples at {folder}; name their folder in REALHOP_SHARED_DATA")
    return folder


@pytest.fixture
def write_lines(tmp_path: Path) -> Callable[..., Path]:
    """Write values as JSON lines (texts as they are) to a file of a fresh folder."""

    def write(*lines: object, name: str = "records.jsonl") -> Path:
        texts = [line if isinstance(line, str) else json.dumps(line) for line in lines]
        content = "".join(f"{text}\n" for text in texts).encode()
        path = tmp_path / name
        path.write_bytes(gzip.compress(content) if name.endswith(".gz") else content)
        return path

    return write
