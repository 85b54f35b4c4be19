"""A step cut into its words and slots, with its words as the composed question writes them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from realhop_kg.model.item import REFERENCE, SourceHop, SourceItem
from realhop_kg.relations.templates import Token, tokenize

__all__ = ["Segmented", "cut_step"]

_SLOTS = ("x", "w", "z")


@dataclass(frozen=True, slots=True)
class Segmented:
    """A step as a sequence of words and slots."""

    parts: tuple[str, ...]
    """Folded words, and `{x}`, `{w}` where names or references stand."""
    fillers: tuple[tuple[str, str], ...]
    """For each slot, the text that fills it: `#1`, or a name as the step writes it."""
    cased: tuple[str, ...]
    """The parts as the composed question writes them; folded where it does not have them."""

    def text(self, start: int, end: int | None = None) -> str:
        """Return a run of parts as text, names as slots."""
        return " ".join(self.cased[start:end]).replace(" 's", "'s")


def cut_step(item: SourceItem, hop: SourceHop) -> Segmented | None:
    """Return a step cut into words and slots, or None if it names nothing.

    References are slots. A step without any is cut around the one name that the question has too:
    the longest run of its words that is a capitalised run of the question or a passage title.
    """
    tokens = tokenize(hop.question)
    ranges = [
        (at, at + 1)
        for at, token in enumerate(tokens)
        if REFERENCE.fullmatch(token.key) and int(token.key[1:]) in hop.depends_on
    ]
    if not ranges:
        name = _name_range(item, tokens)
        if name is None:
            return None
        ranges = [name]
    if len(ranges) > len(_SLOTS):
        return None
    return _cut(hop.question, tokens, ranges, tokenize(item.question), item.question)


def _cut(
    step: str,
    tokens: Sequence[Token],
    ranges: list[tuple[int, int]],
    asked: Sequence[Token],
    question: str,
) -> Segmented:
    parts: list[str] = []
    cased: list[str] = []
    fillers: list[tuple[str, str]] = []
    last = 0
    for slot, (start, end) in zip(_SLOTS, ranges, strict=False):
        _words(tokens[last:start], asked, question, parts, cased)
        parts.append(f"{{{slot}}}")
        cased.append(f"{{{slot}}}")
        fillers.append((slot, step[tokens[start].start : tokens[end - 1].end]))
        last = end
    _words(tokens[last:], asked, question, parts, cased)
    return Segmented(tuple(parts), tuple(fillers), tuple(cased))


def _words(
    tokens: Sequence[Token],
    asked: Sequence[Token],
    question: str,
    parts: list[str],
    cased: list[str],
) -> None:
    """Append words, written as in the question where it has the same run of words."""
    keys = [token.key for token in tokens]
    run = next(
        (
            asked[at : at + len(keys)]
            for at in range(len(asked) - len(keys) + 1)
            if keys and [token.key for token in asked[at : at + len(keys)]] == keys
        ),
        None,
    )
    parts += keys
    cased += [question[token.start : token.end] for token in run] if run else keys


def _name_range(item: SourceItem, tokens: Sequence[Token]) -> tuple[int, int] | None:
    """Return the token range of the longest name of a step, or None."""
    names = _capitalised_runs(item.question) | {
        tuple(token.key for token in tokenize(passage.title)) for passage in item.passages
    }
    keys = [token.key for token in tokens]
    for length in range(len(keys) - 1, 0, -1):
        for start in range(1, len(keys) - length + 1):
            if tuple(keys[start : start + length]) in names:
                return start, start + length
    return None


def _capitalised_runs(question: str) -> set[tuple[str, ...]]:
    """Return the runs of capitalised words, with small words between them, after the first word."""
    tokens = tokenize(question)
    capital = [question[token.start].isupper() or token.key == "'s" for token in tokens]
    small = {"of", "the", "and", "in", "for", "a", "to", "on", "de", "la"}
    runs: set[tuple[str, ...]] = set()
    for start in range(1, len(tokens)):
        if not question[tokens[start].start].isupper():
            continue
        for end in range(start + 1, len(tokens) + 1):
            if not capital[end - 1] and tokens[end - 1].key not in small:
                break
            if question[tokens[end - 1].start].isupper():
                runs.add(tuple(token.key for token in tokens[start:end]))
    return runs
