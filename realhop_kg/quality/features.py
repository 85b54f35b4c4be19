"""What a classifier may look at to tell gold sentences from competitors, group by group."""

from __future__ import annotations

import re
from collections.abc import Mapping

from realhop_kg.quality.bayes import Signature
from realhop_kg.quality.sentences import Sentence

__all__ = ["GROUPS", "IN_TEXT", "PARTS", "WHOLE", "signature"]

PARTS: Mapping[str, int] = {"wording": 1, "position": 3, "visible host": 3, "support label": 3}
"""Sets of features that are counted apart, and the factor with which their scores add up.

A word stands in n-grams of three lengths, so without it the words would count three times.
"""

WHOLE = "all"
IN_TEXT = "all in the text"

GROUPS: Mapping[str, tuple[str, ...]] = {
    "wording": ("wording",),
    "position": ("position",),
    "host": ("visible host", "support label"),
    WHOLE: tuple(PARTS),
    IN_TEXT: ("wording", "position", "visible host"),
}
"""Parts by name of the groups that are reported. No reader sees the label, which H5 fixes for gold:
the last group is what the text itself gives away."""

_TOKEN = re.compile(r"\{\w+\}|\w+|[^\w\s]")
_LONGEST = 3
_MANY = 3
_FIFTHS = 5


def signature(part: str, sentence: Sentence) -> Signature:
    """Return the features of one part.

    Args:
        part: one of `PARTS`.
        sentence: the sentence.
    """
    host = sentence.host
    match part:
        case "wording":
            return tuple(("words", gram) for gram in _grams(sentence.skeleton))
        case "position":
            return (
                ("rank from the start", min(sentence.rank, _MANY)),
                ("rank from the end", min(host.insertions - 1 - sentence.rank, _MANY)),
                ("fifth of the host", min(int(sentence.place * _FIFTHS), _FIFTHS - 1)),
                ("at the end", sentence.place >= 1),
            )
        case "visible host":
            return (
                ("insertions in the host", min(host.insertions, 2 * _MANY)),
                ("host shares words with the question", host.topical),
            )
        case "support label":
            return (("host supports a hop", host.support),)
        case _:
            raise ValueError(f"unknown part {part!r}")


def _grams(text: str) -> list[str]:
    """Return the n-grams of one to three words, names being placeholders."""
    words = ["^", *(word.casefold() for word in _TOKEN.findall(text)), "$"]
    return [
        " ".join(words[start : start + length])
        for length in range(1, _LONGEST + 1)
        for start in range(len(words) - length + 1)
    ]
