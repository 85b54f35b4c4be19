"""Tells when a question's words are a step's name, and what of its text goes with the name."""

from __future__ import annotations

import re
from dataclasses import dataclass

from realhop_kg.relations.templates import tokenize

__all__ = ["Mention", "is_named", "left_over", "same_name", "with_marks"]


@dataclass(frozen=True, slots=True)
class Mention:
    """A name in the question: the hop and slot it fills, and where it stands in code points."""

    hop: int
    slot: str
    start: int
    end: int


_ARTICLES = re.compile(r"^(?:the|a|an)\s+", re.IGNORECASE)
_NOISE = re.compile(r"[\W_]+", re.UNICODE)
_POSSESSIVE = re.compile(r"\A['’]s?(?!\w)")
_QUOTES = {'"': '"', "'": "'", "“": "”", "‘": "’", "«": "»", "(": ")"}


def _folded(text: str) -> str:
    return _NOISE.sub(" ", _ARTICLES.sub("", text.strip().casefold()).replace("'", "")).strip()


def same_name(left: str, right: str) -> bool:
    """Return whether two texts name the same thing, up to case, quotes, articles and a qualifier.

    Examples:
        >>> same_name("the Handmaid's Tale", "handmaid's tale")
        True
        >>> same_name("Gmina Stężyca", "Gmina Stężyca, Lublin Voivodeship")
        True
        >>> same_name("Paris", "Paris Hilton")
        False
    """

    def bare(text: str) -> str:
        return re.split(r",| \(", text, maxsplit=1)[0]

    first, second = _folded(left), _folded(right)
    if not (first and second):
        return False
    return first == second or _folded(bare(left)) == second or first == _folded(bare(right))


def is_named(mention: str, name: str) -> bool:
    """Return whether a question's words are a step's name, with or without its qualifier.

    The reverse does not hold: "Tam Fenn, the poet" says more than "Tam Fenn".
    """
    return same_name(mention, name) and (
        len(tokenize(mention)) <= len(tokenize(name)) or _folded(mention) == _folded(name)
    )


def with_marks(question: str, start: int, end: int, name: str) -> tuple[int, int]:
    """Return a range with the characters beside it that are no words but belong to the name.

    Examples:
        >>> with_marks("Who wrote Help! in Rome?", 10, 14, "Help!")
        (10, 15)
    """
    at = name.casefold().find(question[start:end].casefold())
    if at < 0:
        return start, end
    before, after = name[:at], name[at + end - start :]
    while before and question[:start].endswith(before[-1]):
        before, start = before[:-1], start - 1
    while after and question[end:].startswith(after[0]):
        after, end = after[1:], end + 1
    return start, end


def left_over(question: str, mention: Mention) -> str:
    """Return a character beside a mention that would be left over of the old name, if any."""
    before, after = question[: mention.start], question[mention.end :]
    if before[-1:] in _QUOTES and _QUOTES[before[-1:]] == after[:1]:
        before, after = before[:-1], after[1:]
    after = _POSSESSIVE.sub("", after, count=1)
    if before[-1:] and not (before[-1].isspace() or before[-1] in ",-–—/"):
        return before[-1]
    if after[:1] and not (after[0].isspace() or after[0] in "),;:-–—/"):
        return "" if after.strip() in ("?", ".", "!", "?!", "??") else after[0]
    return ""
