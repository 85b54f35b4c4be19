from __future__ import annotations

import subprocess
import sys
import time
from textwrap import dedent

import pytest

# what Python never lets out: it prints "Exception ignored in ..." and goes on
SWALLOWED = """
    import os, signal, sys, time
    from realhop_kg.cli.interrupts import Interruption, Listening

    class Held:
        def __del__(self):
            os.kill(os.getpid(), signal.{name})
            for _ in range(1000):
                pass

    try:
        with Listening():
            held = Held()
            del held
            print("went on", flush=True)
            {then}
            print("ended")
    except Interruption as stop:
        print("stopped by", stop.signum)
"""


def _said(name: str, then: str) -> list[str]:
    script = dedent(SWALLOWED).format(name=name, then=then)
    run = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, timeout=90, check=True
    )
    assert "Exception ignored in" in run.stderr
    return run.stdout.splitlines()


@pytest.mark.parametrize(("name", "number"), [("SIGTERM", 15), ("SIGINT", 2)])
def test_a_signal_that_python_swallowed_comes_again(name: str, number: int) -> None:
    started = time.monotonic()
    assert _said(name, "time.sleep(60)") == ["went on", f"stopped by {number}"]
    assert time.monotonic() - started < 50, "it waited for the sleep to end"


def test_a_block_that_has_ended_is_not_interrupted_any_more() -> None:
    assert _said("SIGTERM", "pass") == ["went on", "ended"]


CLEANING = """
    import os, signal, time
    from realhop_kg.cli.interrupts import Interruption, Listening

    try:
        with Listening():
            try:
                os.kill(os.getpid(), signal.SIGTERM)
                time.sleep(30)
            finally:
                os.kill(os.getpid(), signal.SIGTERM)
                time.sleep(0.2)
                print("cleaned", flush=True)
    except Interruption as stop:
        print("stopped by", stop.signum)
"""


def test_a_second_sigterm_does_not_break_the_cleaning_up() -> None:
    run = subprocess.run(
        [sys.executable, "-c", dedent(CLEANING)], capture_output=True, text=True, timeout=60,
        check=True,
    )  # fmt: skip
    assert run.stdout.splitlines() == ["cleaned", "stopped by 15"]
    assert run.stderr == ""
