"""Prints every figure: `python -m bench [--quick]`.

Times say nothing outside the run that measured them; read the ratios.
"""

from __future__ import annotations

import argparse
import sys

from bench import certificates, checks, memory, startup, throughput
from bench.rows import Row

_HEAD = Row("what", "ours", "peer", "ratio", "note")


def main() -> int:
    """Print the table, each row as soon as it is measured."""
    parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="smaller inputs, fewer repeats")
    quick = parser.parse_args().quick
    _print(_HEAD)
    for figure in (throughput, checks, certificates, memory, startup):
        for row in figure.rows(quick):
            _print(row)
    return 0


def _print(row: Row) -> None:
    line = f"{row.what:<44} {row.ours:>16} {row.peer:>14} {row.ratio:>16}  {row.note}"
    sys.stdout.write(line.rstrip() + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    raise SystemExit(main())
