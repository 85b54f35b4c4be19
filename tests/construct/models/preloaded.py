"""Runs the command in forks of a process that has loaded everything: a start costs no loading.

It reads argument lists as JSON lines; for each it prints the child's process id, and its exit code
when it has ended.
"""

from __future__ import annotations

import json
import os
import sys


def serve() -> None:
    """Serve until the standard input ends."""
    import realhop_kg.cli.construct_models
    import realhop_kg.construct.models.run  # noqa: F401
    from realhop_kg.cli.app import main
    from realhop_kg.llm.provider import loaded_litellm

    assert loaded_litellm().acompletion
    for line in sys.stdin:
        child = os.fork()
        if child == 0:
            sys.argv = ["realhop", *json.loads(line)]
            os.dup2(2, 1)
            try:
                main()
            except SystemExit as end:
                os._exit(end.code if isinstance(end.code, int) else 1)
            os._exit(0)
        print(child, flush=True)
        print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)


if __name__ == "__main__":
    serve()
