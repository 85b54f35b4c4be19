"""Start-up time of the command and of the import, beside imports of what lies beneath."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator

from bench.rows import Row, fastest

__all__ = ["rows"]

_PYTHON = (sys.executable, "-c")
_RUNS = {
    "realhop --help": (sys.executable, "-m", "realhop_kg.cli.app", "--help"),
    "import realhop_kg": (*_PYTHON, "import realhop_kg"),
    "pass": (*_PYTHON, "pass"),
    "import networkx": (*_PYTHON, "import networkx"),
    "import pydantic": (*_PYTHON, "import pydantic"),
}
_CLIENT = "import realhop_kg.llm.client, realhop_kg.cli.app"
_LITELLM = "import litellm"
"""What the client imports at its first call, and no earlier."""
_CLAIMS = (
    ("realhop --help", "import networkx"),
    ("realhop --help", "import pydantic"),
    ("realhop --help", "pass"),
    ("import realhop_kg", "pass"),
)


def rows(quick: bool) -> Iterator[Row]:
    """Yield the rows of this figure."""
    times = fastest(*map(_runner, _RUNS.values()), repeats=3 if quick else 15)
    spent = dict(zip(_RUNS, times, strict=True))
    for ours, peer in _CLAIMS:
        yield Row(
            f"start-up, {ours}",
            f"{spent[ours] * 1000:.0f} ms",
            f"{spent[peer] * 1000:.0f} ms",
            f"{spent[ours] / spent[peer]:.2f}x its time",
            f"peer: python -c '{peer}'",
        )
    yield _client(1 if quick else 3)


def _client(repeats: int) -> Row:
    ours, peer = fastest(
        *(_runner((*_PYTHON, work)) for work in (_CLIENT, _LITELLM)), repeats=repeats
    )
    return Row(
        "start-up, import of command line and client",
        f"{ours * 1000:.0f} ms",
        f"{peer * 1000:.0f} ms",
        f"{ours / peer:.2f}x its time",
        f"peer: python -c '{_LITELLM}', which the first call that is not in the store needs too",
    )


def _runner(command: tuple[str, ...]) -> Callable[[], object]:
    # Without the price list that litellm would fetch from the network.
    environment = {**os.environ, "LITELLM_LOCAL_MODEL_COST_MAP": "True"}
    return lambda: subprocess.run(command, check=True, stdout=subprocess.DEVNULL, env=environment)
