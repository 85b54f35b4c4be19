"""Resources are found from a wheel and from an editable checkout alike."""

from __future__ import annotations

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

PROBE = """
import importlib.util
from realhop_kg.resources import load_yaml, resource_folder
from realhop_kg.relations.catalogue import catalogue
assert (resource_folder("cypher") / "README.md").is_file()
assert (resource_folder("prompts") / "README.md").is_file()
assert (resource_folder("data") / "questions.jsonl").is_file()
assert "person" in load_yaml("relations", "types.yaml")
assert len(catalogue().relations) > 100
for name in ("cypher", "prompts"):
    spec = importlib.util.find_spec(name)
    assert spec is None or spec.origin is None, f"{name} is importable as a package"
print(resource_folder("cypher"))
"""


def probe(path: Path | None, cwd: Path) -> str:
    """Run the probe in a fresh process, with the package taken from `path` if one is given."""
    start = f"import sys; sys.path.insert(0, {str(path)!r})\n" if path else ""
    result = subprocess.run(
        [sys.executable, "-c", start + PROBE], cwd=cwd, capture_output=True, text=True
    )
    assert result.returncode == 0, result.stderr
    return result.stdout.strip()


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    return next(folder.glob("*.whl"))


def test_the_wheel_holds_packages_and_resources(wheel: Path) -> None:
    names = set(zipfile.ZipFile(wheel).namelist())
    assert "realhop_kg/py.typed" in names
    assert "realhop_kg/prompts/README.md" in names
    assert "realhop_kg/cypher/README.md" in names
    assert "realhop_kg/relations/types.yaml" in names
    assert "realhop_kg/view/assets/cytoscape.min.js" in names
    assert "realhop_kg/view/assets/cytoscape.LICENSE" in names
    assert "realhop_kg/view/assets/item.html.jinja" in names
    assert "graph_builders/musique.py" in names
    assert not any(name.startswith(("cypher/", "prompts/", "tests/", "bench/")) for name in names)


def test_an_unpacked_wheel_finds_its_resources(wheel: Path, tmp_path: Path) -> None:
    zipfile.ZipFile(wheel).extractall(tmp_path / "site")
    found = probe(tmp_path / "site", tmp_path)
    assert Path(found) == tmp_path / "site" / "realhop_kg" / "cypher"


def test_the_checkout_finds_its_resources(tmp_path: Path) -> None:
    assert Path(probe(None, tmp_path)) == ROOT / "cypher"
