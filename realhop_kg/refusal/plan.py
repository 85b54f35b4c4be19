"""Plans how many questions of each cause, topology and depth are wanted, and says what was filled.

`AU:root:2=5 FP:*:*=2` asks for five questions of one cell and for two of each FP cell; later
entries override earlier ones.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import NamedTuple

from realhop_kg.errors import InputError
from realhop_kg.model.refusal import Cause
from realhop_kg.model.refusal_item import DEPTHS, Topology

__all__ = ["Cell", "Quotas", "cells", "parse_plan", "spread"]

_ENTRY = re.compile(r"(?P<cause>\w+|\*):(?P<topology>\w+|\*):(?P<depth>\w+|\*)=(?P<count>\d{1,6})")


class Cell(NamedTuple):
    """One combination of cause, topology and depth."""

    cause: Cause
    topology: Topology
    depth: int

    def __str__(self) -> str:
        return f"{self.cause}:{self.topology}:{self.depth}"


def cells() -> tuple[Cell, ...]:
    """Return every cell there can be; Middle needs two hyperlinks, so its least depth is 3."""
    return tuple(
        Cell(cause, topology, depth)
        for cause in Cause
        for topology in Topology
        for depth in DEPTHS
        if depth > DEPTHS.start or topology is not Topology.MIDDLE
    )


def spread(count: int) -> dict[Cell, int]:
    """Return a plan that spreads a number of questions evenly over all cells.

    Cells of one depth are filled across causes and topologies before the next depth gets more, so
    that a small number covers as much as it can.
    """
    ordered = sorted(cells(), key=lambda cell: cell.depth)
    share, rest = divmod(count, len(ordered))
    return {cell: share + (place < rest) for place, cell in enumerate(ordered)}


def parse_plan(text: str) -> dict[Cell, int]:
    """Return the plan that a text writes.

    Raises:
        InputError: naming the entry that cannot be read, or that no cell fits.
    """
    plan: dict[Cell, int] = {}
    for entry in text.replace(",", " ").split():
        found = _ENTRY.fullmatch(entry)
        fitting = [
            cell
            for cell in cells()
            if found is not None
            and found["cause"] in ("*", str(cell.cause))
            and found["topology"] in ("*", str(cell.topology))
            and found["depth"] in ("*", str(cell.depth))
        ]
        if found is None or not fitting:
            raise InputError(
                f"plan entry {entry!r} fits no cell; write cause:topology:depth=number, as in "
                "FP:middle:3=5 or *:root:*=2 (Middle has depths 3 to 5)"
            )
        plan |= dict.fromkeys(fitting, int(found["count"]))
    if not any(plan.values()):
        raise InputError("the plan asks for no question; give cause:topology:depth=number")
    return plan


@dataclass(slots=True)
class Quotas:
    """What a plan wants, and what was filled of it.

    Attributes:
        wanted: questions by cell.
        filled: questions by cell so far.
    """

    wanted: dict[Cell, int]
    filled: Counter[Cell] = field(default_factory=Counter)

    def open_cells(self) -> list[Cell]:
        """Return the cells that are not full, the deepest first: they are the hardest to fill."""
        short = [cell for cell in cells() if self.missing(cell)]
        return sorted(short, key=lambda cell: -cell.depth)

    def missing(self, cell: Cell) -> int:
        """Return how many questions a cell still lacks."""
        return max(0, self.wanted.get(cell, 0) - self.filled[cell])

    def add(self, cell: Cell) -> None:
        """Count a question."""
        self.filled[cell] += 1

    def table(self) -> dict[str, dict[str, int]]:
        """Return wanted and filled by cell, for the manifest."""
        return {
            str(cell): {"wanted": self.wanted[cell], "filled": self.filled[cell]}
            for cell in cells()
            if self.wanted.get(cell)
        }

    @classmethod
    def of(cls, wanted: dict[Cell, int], causes: Iterable[Cause] = tuple(Cause)) -> Quotas:
        """Return open quotas for the given causes."""
        kept = frozenset(causes)
        return cls({cell: count for cell, count in wanted.items() if cell.cause in kept})
