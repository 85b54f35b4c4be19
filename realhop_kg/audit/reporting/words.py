"""Counts and lists in the sentences of a report."""

from __future__ import annotations

from collections.abc import Sequence

__all__ = ["counted", "some"]

_NAMED = 10
"""Names that a sentence lists."""


def counted(count: int, noun: str) -> str:
    """Return a count with its noun.

    Examples:
        >>> counted(1, "trial"), counted(2, "trial")
        ('1 trial', '2 trials')
    """
    return f"{count} {noun}{'' if count == 1 else 's'}"


def some(names: Sequence[str]) -> str:
    """Return names as a list that stays readable.

    Examples:
        >>> some(["a", "b"])
        'a, b'
    """
    more = len(names) - _NAMED
    return ", ".join(names[:_NAMED]) + (f" and {more} more" if more > 0 else "")
