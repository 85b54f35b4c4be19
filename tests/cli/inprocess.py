"""Runs a command in the process of the tests: what it prints and its exit code, in no time."""

from __future__ import annotations

import io
import signal
import sys
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import NamedTuple

import pytest

from realhop_kg.cli.app import main


class Ran(NamedTuple):
    """What a command left behind."""

    returncode: int
    stdout: str
    stderr: str


def ran(*words: str | Path) -> Ran:
    """Run a command in this process, from its words to its exit code."""
    before, argv = signal.getsignal(signal.SIGINT), sys.argv
    out, err = io.StringIO(), io.StringIO()
    sys.argv = ["realhop", *map(str, words)]
    try:
        with redirect_stdout(out), redirect_stderr(err), pytest.raises(SystemExit) as left:
            main()
    finally:
        sys.argv = argv
        signal.signal(signal.SIGINT, before)
    return Ran(int(left.value.code or 0), out.getvalue(), err.getvalue())
