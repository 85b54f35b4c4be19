"""Importing the package does no work: heavy libraries load where they are used."""

from __future__ import annotations

import subprocess
import sys

import pytest

import realhop_kg

HEAVY = (
    "numpy", "networkx", "litellm", "spacy", "neo4j", "scipy", "pydantic", "rdflib", "yaml", "rich",
    "lemminflect", "kglite",
)  # fmt: skip


@pytest.mark.parametrize("module", ["realhop_kg", "realhop_kg.cli.app", "graph_builders"])
def test_importing_loads_no_heavy_library(module: str) -> None:
    code = f"import {module}, sys; print(*(m for m in {HEAVY!r} if m in sys.modules))"
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert result.returncode == 0, result.stderr
    assert result.stdout.strip() == ""


def test_help_names_every_command() -> None:
    command = [sys.executable, "-m", "realhop_kg.cli.app", "--help"]
    result = subprocess.run(command, capture_output=True, text=True)
    assert result.returncode == 0
    for name in ("construct", "demo", "explain", "show", "validate", "verify"):
        assert f"\n  {name} " in result.stdout


def test_the_version_is_that_of_the_package() -> None:
    command = [sys.executable, "-m", "realhop_kg.cli.app", "--version"]
    result = subprocess.run(command, capture_output=True, text=True)
    assert (result.returncode, result.stdout) == (0, f"realhop-kg {realhop_kg.__version__}\n")
