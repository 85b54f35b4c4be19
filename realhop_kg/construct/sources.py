"""Refuses source texts that are no name of one thing: phrases, double names, garbled questions."""

from __future__ import annotations

import re

from realhop_kg.construct.names import shown_type
from realhop_kg.errors import Refusal
from realhop_kg.relations.types import Types

__all__ = ["check_answer", "check_question"]

_SMALL = frozenset(
    {
        "of", "and", "the", "de", "la", "le", "les", "du", "des", "von", "van", "der", "den", "del",
        "da", "di", "dos", "al", "el", "in", "on", "at", "for", "to", "y", "e", "af", "av", "zu",
        "no", "upon", "sur", "with", "from",
    }
)  # fmt: skip
"""Words that a name may hold in small letters, though not as its first word."""

_ARTICLES = frozenset({"the", "a", "an"})
"""`an American` stands for a country where a country is asked."""

_WORD = re.compile(r"[^\W_]+(?:[.'’-][^\W_]+)*")
_TWO = re.compile(r"\s/\s|;|\s&\s|\band\b|/")
_TWO_ANYWHERE = re.compile(r";")
_POSSESSIVE = re.compile(r"['’]s\s+\w|s['’]\s+\w")
_HONORIFICS = frozenset(
    {"king", "queen", "emperor", "empress", "pope", "sir", "dr", "mr", "mrs", "ms", "prince",
     "princess"}
)  # fmt: skip
_JUNIOR = re.compile(r"\b(?:Jr|Sr)\.?$")
_WHOLE = ("person", "place")
"""Types whose names join no two names by `and` or a stroke, as those of characters may."""


def check_question(question: str) -> None:
    """Raise a refusal where no name could be put into a question without a reader noticing.

    Raises:
        Refusal: Q3 if the question is written in capitals throughout.
    """
    if any(char.isalpha() for char in question) and question == question.upper():
        raise Refusal("Q3", "the question is written in capitals throughout")


def check_answer(answer: str, type_id: str, types: Types) -> None:
    """Raise a refusal where an answer of a hop is no name of one entity.

    Args:
        answer: the answer of an entity's type; values are recognised by their formats.
        type_id: the type that relation and question give it.
        types: the type tree.

    Raises:
        Refusal: Q6, since no name could be coined in its place.
    """
    words = _WORD.findall(answer)
    rest = words[1:] if words and words[0].casefold() in _ARTICLES else words
    if not rest or not (rest[0][0].isupper() or rest[0][0].isdigit()):
        raise Refusal("Q6", f"the answer {answer!r} is a phrase, not a name")
    if any(word[0].islower() and word not in _SMALL for word in rest[1:] if word.isalpha()):
        raise Refusal("Q6", f"the answer {answer!r} is a phrase, not a name")
    whole = any(types.is_a(type_id, kind) for kind in _WHOLE)
    if (_TWO if whole else _TWO_ANYWHERE).search(answer):
        raise Refusal("Q6", f"the answer {answer!r} seems to name two things")
    if whole and _POSSESSIVE.search(answer) and shown_type(answer) is None:
        raise Refusal("Q6", f"the answer {answer!r} is a phrase, not a name")
    named_person = words[0].casefold() in _HONORIFICS or _JUNIOR.search(answer)
    if types.is_a(type_id, "place") and named_person and shown_type(answer) is None:
        raise Refusal("R1", f"the answer {answer!r} seems to name a person, not a {type_id}")
