"""Prints every figure: `python -m bench [--quick]`.

Times say nothing outside the run that measured them; read the ratios.
"""

from __future__ import annotations

import argparse

from bench import (
    audit,
    certificates,
    checks,
    longcontext,
    memory,
    replies,
    search,
    startup,
    stores,
    throughput,
    view,
)
from bench.rows import print_head, print_row

_FIGURES = (
    throughput,
    checks,
    certificates,
    audit,
    longcontext,
    memory,
    startup,
    stores,
    replies,
    view,
    search,
)


def main() -> int:
    """Print the table, each row as soon as it is measured."""
    parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="smaller inputs, fewer repeats")
    quick = parser.parse_args().quick
    print_head()
    for figure in _FIGURES:
        for row in figure.rows(quick):
            print_row(row)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
