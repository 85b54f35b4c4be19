"""Commands run in this process, as users meet them."""

from __future__ import annotations

import subprocess
from pathlib import Path

from typer.testing import CliRunner

from realhop_kg.cli.app import app
from realhop_kg.errors import RealHopError

__all__ = ["run"]


def run(*words: str | Path) -> subprocess.CompletedProcess[str]:
    """Run a command in this process, with errors of ours as `main` prints them."""
    line = list(map(str, words))
    result = CliRunner().invoke(app, line)
    error, said = result.exception, result.stderr
    if isinstance(error, RealHopError):
        return subprocess.CompletedProcess(
            line, error.exit_code, result.stdout, f"{said}realhop: {error}\n"
        )
    assert error is None or isinstance(error, SystemExit), error
    return subprocess.CompletedProcess(line, result.exit_code, result.stdout, said)
