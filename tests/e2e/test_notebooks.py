"""Every notebook runs from a clean state in under a minute, and is kept without outputs."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

import pytest

FOLDER = Path(__file__).parents[2] / "notebooks"
NOTEBOOKS = sorted(path.name for path in FOLDER.glob("*.ipynb"))

SHOWN = {
    "01_construct_and_freeze.ipynb": ("'constructed': 8", "(True, ", "items.jsonl", "needed hops"),
    "02_query_planned_chains.ipynb": ("'gold_chain'", "'Soren Varley'", "'break'", "\n[]\n"),
    "03_gold_versus_competitors.ipynb": ("<svg", "(False, ('path:"),
    "04_audit_and_bnr.ipynb": (
        "(860, 860, 0)",
        "('reader', 'bnr'): ('1.00', '[1.00, 1.00]')",
        "('recaller', 'bnr'): ('0.00', '[0.00, 0.00]')",
        "('Drop h1', '338 characters removed', ['unknown'], ['Besmouth'])",
    ),
    "05_refusal_questions.ipynb": (
        "{'middle': 3, 'root': 3, 'terminal': 3}",
        "BROKEN (AU)",
        "<svg",
        "(True, True)",
    ),
}
"""What the outputs of each must hold."""


def told(cell: Any) -> str:
    found = []
    for output in cell.outputs:
        found.append(output.get("text", ""))
        found += output.get("data", {}).values()
    return "\n".join(found)


def test_there_are_notebooks_and_all_are_checked() -> None:
    assert sorted(SHOWN) == NOTEBOOKS


@pytest.mark.parametrize("name", NOTEBOOKS)
def test_a_notebook_is_kept_without_outputs(name: str) -> None:
    book = json.loads((FOLDER / name).read_text(encoding="utf-8"))
    for cell in book["cells"]:
        if cell["cell_type"] == "code":
            assert cell["outputs"] == []
            assert cell["execution_count"] is None


@pytest.mark.parametrize("name", NOTEBOOKS)
def test_a_notebook_runs(name: str, tmp_path: Path) -> None:
    nbformat = pytest.importorskip("nbformat")
    nbclient = pytest.importorskip("nbclient")
    book = nbformat.read(FOLDER / name, as_version=4)
    started = time.monotonic()
    client = nbclient.NotebookClient(
        book, timeout=300, kernel_name="python3", resources={"metadata": {"path": str(tmp_path)}}
    )
    client.execute()
    assert time.monotonic() - started < 60
    outputs = "\n".join(f"\n{told(cell)}\n" for cell in book.cells if cell.cell_type == "code")
    for expected in SHOWN[name]:
        assert expected in outputs
