"""Prints every figure: `python -m bench [--quick]`."""

from __future__ import annotations

import argparse
import sys

from bench import construct, process
from bench.rows import Row

_COLUMNS = ("what", "ours", "peer", "ratio", "note")


def main() -> int:
    """Print the table, a row as soon as it is measured."""
    parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="smaller inputs")
    quick = parser.parse_args().quick
    _print(Row(*_COLUMNS))
    for module in (construct, process):
        for row in module.rows(quick):
            _print(row)
    return 0


def _print(row: Row) -> None:
    line = f"{row.what:<44} {row.ours:>18} {row.peer:>18} {row.ratio:>20}  {row.note}"
    sys.stdout.write(line.rstrip() + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    raise SystemExit(main())
