"""Runs commands in forks of a process that has loaded everything: a start costs no loading.

It reads commands as JSON lines (words, folder, environment, files for the output); for each it
prints the child's process id, and its exit code when it has ended.
"""

from __future__ import annotations

import asyncio
import importlib
import json
import os
import pkgutil
import sys
from pathlib import Path

HEAVY = ("jinja2", "kglite", "litellm", "matplotlib.figure", "rich.table")


def load() -> None:
    """Load every module of the product, what they load late, and what is read once."""
    import graph_builders
    import realhop_kg
    from realhop_kg.llm.provider import Provider
    from realhop_kg.relations.catalogue import catalogue

    for package in (realhop_kg, graph_builders):
        for module in pkgutil.walk_packages(package.__path__, package.__name__ + "."):
            importlib.import_module(module.name)
    asyncio.run(Provider().prepare("openai/any"))
    for name in HEAVY:
        importlib.import_module(name)
    assert catalogue().predicates


def serve() -> None:
    """Serve until the standard input ends."""
    load()
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

    words, environment = command["words"], command["environment"]
    assert isinstance(words, list)
    assert isinstance(environment, dict)
    with Path(os.devnull).open("rb") as nothing:
        os.dup2(nothing.fileno(), 0)
    for fd, name in ((1, "stdout"), (2, "stderr")):
        with Path(str(command[name])).open("wb") as file:
            os.dup2(file.fileno(), fd)
    os.chdir(str(command["folder"]))
    os.environ.clear()
    os.environ.update(environment)
    sys.argv = ["realhop", *words]
    try:
        main()
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else 1
    except BaseException:
        sys.excepthook(*sys.exc_info())
        return 1
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
    return 0


if __name__ == "__main__":
    serve()
