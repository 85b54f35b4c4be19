"""Two tries to mend a question that fails a check: it is adjusted or built anew, else rejected."""

from __future__ import annotations

from collections import Counter

__all__ = ["REPAIRS", "Repairs"]

REPAIRS = 2
"""Tries to mend one question (HopRefusalBench: repaired when possible or otherwise removed)."""


class Repairs:
    """The tries that are left for one question, and what became of them."""

    def __init__(self, tally: Counter[str]) -> None:
        """Begin.

        Args:
            tally: questions by what became of them, counted on by `settle` and `reject`.
        """
        self._tally = tally
        self._left = REPAIRS
        self._last = ""

    def adjust(self) -> bool:
        """Return whether the same chain may be said otherwise."""
        return self._take("adjusted")

    def rebuild(self) -> bool:
        """Return whether another chain may be drawn."""
        return self._take("rebuilt")

    def settle(self) -> None:
        """Count a question that passed: under the last try, if there was one."""
        if self._last:
            self._tally[self._last] += 1

    def reject(self) -> None:
        """Count a question that was given up, if a check had failed."""
        if self._last:
            self._tally["rejected"] += 1

    def _take(self, name: str) -> bool:
        if not self._left:
            return False
        self._left -= 1
        self._last = name
        return True
