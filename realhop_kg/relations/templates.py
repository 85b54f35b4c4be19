"""Voice templates: small patterns over words that say how a question asks for a relation.

`the (seat|capital) of {x}` stands for two patterns, `[the] {kind} where {x:clause}` for two more.
A pattern is a sequence of words and slots; commas, quotes and the question mark are no words.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

__all__ = ["Pattern", "Slot", "Token", "expand", "matches", "tokenize"]

_TOKEN = re.compile(
    r"[’']s\b|(?<=s)[’'](?=\s)|#\d+|[$€£]?\w+(?:[.,:/&’'\-–](?!s\b)\w+)*%?|&", re.UNICODE
)
_SLOT = re.compile(r"\{(\w+)(:clause)?\}")
_SIDE_BY_SIDE = re.compile(r"\}\s*\{")
_CLOSES = {"(": ")", "[": "]"}


@dataclass(frozen=True, slots=True)
class Token:
    """A word of a text: its folded form and where it stands, in code points."""

    key: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Slot:
    """A gap of a pattern that one or more words fill."""

    name: str
    clause: bool = False
    """Whether a clause with a place gap fills it instead of a noun phrase."""


Pattern = tuple[str | Slot, ...]


def tokenize(text: str) -> tuple[Token, ...]:
    """Return the words of a text; a possessive ending is a word of its own.

    Examples:
        >>> [token.key for token in tokenize("Pacem in Terris' author, in 7,531?")]
        ['pacem', 'in', 'terris', "'s", 'author', 'in', '7,531']
    """
    return tuple(
        Token(_key(match.group()), match.start(), match.end()) for match in _TOKEN.finditer(text)
    )


def _key(word: str) -> str:
    folded = word.casefold().replace("’", "'")
    return "'s" if folded == "'" else folded


@lru_cache(maxsize=4096)
def expand(template: str) -> tuple[Pattern, ...]:
    """Return the patterns that a template stands for, without repeats.

    Raises:
        ValueError: if brackets or braces do not match, a slot is named twice, or nothing, not even
            a comma, is between two slots.
    """
    if re.search(r"[{}]", _SLOT.sub("", template)):
        raise ValueError(f"template {template!r} has a brace that makes no slot")
    patterns: dict[Pattern, None] = {}
    for text in _alternatives(template):
        if _SIDE_BY_SIDE.search(text):
            raise ValueError(f"template {template!r} has two slots side by side without a comma")
        pattern: list[str | Slot] = []
        last = 0
        for match in _SLOT.finditer(text):
            pattern += (token.key for token in tokenize(text[last : match.start()]))
            pattern.append(Slot(match.group(1), match.group(2) is not None))
            last = match.end()
        # A space keeps the possessive ending of `{x}'s` apart from the slot.
        pattern += (token.key for token in tokenize(text[last:]))
        names = [part.name for part in pattern if isinstance(part, Slot)]
        if len(names) > len(set(names)):
            raise ValueError(f"template {template!r} names a slot twice")
        patterns[tuple(pattern)] = None
    return tuple(patterns)


def _alternatives(template: str) -> list[str]:
    """Return every text that the brackets of a template allow."""
    start = next((at for at, char in enumerate(template) if char in "(["), len(template))
    if re.search(r"[)\]]", template[:start]):
        raise ValueError(f"template {template!r} closes a bracket that it never opened")
    if start == len(template):
        return [template]
    awaited: list[str] = []
    cuts = [start]
    for at in range(start, len(template)):
        char = template[at]
        if char in _CLOSES:
            awaited.append(_CLOSES[char])
        elif char in ")]" and char != awaited.pop():
            raise ValueError(f"template {template!r} closes a bracket by one of the other kind")
        elif char == "|" and len(awaited) == 1:
            cuts.append(at)
        if not awaited:
            cuts.append(at)
            break
    else:
        raise ValueError(f"template {template!r} never closes a bracket")
    options = [template[left + 1 : right] for left, right in pairwise(cuts)]
    if template[start] == "[":
        options.append("")
    head, tail = template[:start], _alternatives(template[cuts[-1] + 1 :])
    return [
        head + inner + rest
        for option in options
        for inner in _alternatives(option)
        for rest in tail
    ]


def matches(
    pattern: Pattern, tokens: tuple[Token, ...], start: int, end: int
) -> Iterator[dict[Slot, tuple[int, int]]]:
    """Yield every way in which a pattern covers `tokens[start:end]`, as token ranges by slot."""
    if not pattern:
        if start == end:
            yield {}
        return
    first, rest = pattern[0], pattern[1:]
    if not isinstance(first, Slot):
        if start < end and tokens[start].key == first:
            yield from matches(rest, tokens, start + 1, end)
        return
    for stop in range(start + 1, end - len(rest) + 1):
        if rest and not isinstance(rest[0], Slot) and tokens[stop].key != rest[0]:
            continue
        if not rest and stop != end:
            continue
        for found in matches(rest, tokens, stop, end):
            yield {first: (start, stop), **found}
