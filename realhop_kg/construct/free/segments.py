"""Tells whether a step names anything that could be renamed."""

from __future__ import annotations

from collections.abc import Sequence

from realhop_kg.model.item import SourceHop, SourceItem
from realhop_kg.relations.templates import Token, tokenize

__all__ = ["names_something"]

_SMALL = frozenset({"of", "the", "and", "in", "for", "a", "to", "on", "de", "la"})


def names_something(item: SourceItem, hop: SourceHop) -> bool:
    """Return whether a step refers to an earlier one, or has a name that the item has too.

    Its name is a run of words that is a capitalised run of the question or a passage title,
    whatever the case in the step.

    Args:
        item: the source item.
        hop: one of its steps.
    """
    if hop.depends_on:
        return True
    names = _capitalised_runs(item.question) | {
        tuple(token.key for token in tokenize(passage.title)) for passage in item.passages
    }
    keys = [token.key for token in tokenize(hop.question)]
    return any(
        tuple(keys[start:end]) in names
        for start in range(1, len(keys))
        for end in range(start + 1, len(keys) + 1)
    )


def _capitalised_runs(question: str) -> set[tuple[str, ...]]:
    """Return the runs of capitalised words, with small words between them, after the first word."""
    tokens = tokenize(question)
    runs: set[tuple[str, ...]] = set()
    for start in range(1, len(tokens)):
        if not question[tokens[start].start].isupper():
            continue
        for end in range(start + 1, len(tokens) + 1):
            last = tokens[end - 1]
            capital = question[last.start].isupper()
            if not (capital or last.key == "'s" or last.key in _SMALL):
                break
            if capital:
                runs.add(_keys(tokens[start:end]))
    return runs


def _keys(tokens: Sequence[Token]) -> tuple[str, ...]:
    return tuple(token.key for token in tokens)
