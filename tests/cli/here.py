"""Runs a command in this process, as `main` does: errors of ours become a code and one line."""

from __future__ import annotations

from typing import NamedTuple

from typer.testing import CliRunner

from realhop_kg.cli.app import app
from realhop_kg.errors import RealHopError

__all__ = ["Done", "realhop"]


class Done(NamedTuple):
    """What a command did."""

    returncode: int
    stdout: str
    stderr: str


def realhop(*words: object) -> Done:
    """Run a command; what it raises that is no error of ours is raised here, too."""
    result = CliRunner().invoke(app, [str(word) for word in words])
    error = result.exception
    if isinstance(error, RealHopError):
        return Done(error.exit_code, result.stdout, f"{result.stderr}realhop: {error}\n")
    if error is not None and not isinstance(error, SystemExit):
        raise error
    return Done(result.exit_code, result.stdout, result.stderr)
