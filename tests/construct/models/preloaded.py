"""Runs commands in forks of a process that has loaded everything: a start costs no loading.

It reads commands as JSON lines (arguments, environment to add, files for the output); for each it
prints the child's process id, and its exit code when it has ended.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
from pathlib import Path


def serve() -> None:
    """Serve until the standard input ends."""
    import realhop_kg.cli.construct_models
    import realhop_kg.construct.models.estimate
    import realhop_kg.construct.models.run  # noqa: F401
    from graph_builders.base import builder
    from realhop_kg.llm.provider import Provider
    from realhop_kg.relations.catalogue import catalogue

    asyncio.run(Provider().prepare("openai/any"))
    assert catalogue().predicates
    assert builder("musique")
    for line in sys.stdin:
        command = json.loads(line)
        child = os.fork()
        if child == 0:
            os._exit(run(command))
        print(child, flush=True)
        print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)


def run(command: dict[str, object]) -> int:
    """Run one command as a fresh process would, and return its exit code."""
    from realhop_kg.cli.app import main

    words, added = command["words"], command["environment"]
    assert isinstance(words, list)
    assert isinstance(added, dict)
    for fd, name in ((1, "stdout"), (2, "stderr")):
        with Path(str(command[name])).open("wb") as file:
            os.dup2(file.fileno(), fd)
    os.environ.update(added)
    sys.argv = ["realhop", *words]
    try:
        main()
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else 1
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
    return 0


if __name__ == "__main__":
    serve()
