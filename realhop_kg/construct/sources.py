"""Refuses source texts that are no name of one thing: phrases, double names, garbled questions."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence

from realhop_kg.construct.names import shown_type
from realhop_kg.construct.values import value_format
from realhop_kg.errors import Refusal
from realhop_kg.relations.types import Types

__all__ = ["check_answer", "check_mention", "check_question", "may_be_one"]

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

_PRONOUNS = frozenset(
    {"he", "she", "it", "they", "him", "her", "his", "its", "their", "himself", "herself", "itself",
     "themselves", "nobody", "everyone", "someone", "none", "unknown", "same"}
)  # fmt: skip

_WORD = re.compile(r"[^\W_]+(?:[.'’-][^\W_]+)*")
_TWO = re.compile(r"\s/\s|;|\s&\s|\band\b|/")
_TWO_ANYWHERE = re.compile(r";")
_POSSESSIVE = re.compile(r"['’]s\s+\w|s['’]\s+\w")
_HONORIFICS = frozenset(
    {"king", "queen", "emperor", "empress", "pope", "sir", "dr", "mr", "mrs", "ms", "prince",
     "princess"}
)  # fmt: skip
_JUNIOR = re.compile(r"\b(?:Jr|Sr)\.?$")
_WHOLE = ("person", "place", "language", "religion")
"""Types whose names join no two names by `and` or a stroke, as those of characters may."""


_TITLES = re.compile(
    r"\b(?:the|a|an|of|king|queen|emperor|empress|pope|saint|st|sir|lady|lord|dr|mr|mrs|ms|prince"
    r"|princess|jr|sr|republic|kingdom|state|commonwealth|federation|people|democratic|inc|ltd|llc"
    r"|co|company|corporation|corp|group|holdings|fc|afc|club)\b",
)
_DEMONYM = re.compile(r"(?:ese|ish|ian|an|ic|i|er|ite)\Z")


def may_be_one(left: str, right: str) -> bool:
    """Return whether two texts may name one entity: `James I` and `King James I of England`.

    Names of one kind only should be compared: a county may be named like its town.

    Examples:
        >>> may_be_one("Quillane", "the Republic of Quillane"), may_be_one("USA", "United States")
        (True, True)
        >>> may_be_one("Ada Finch", "Otto Finch")
        False
    """
    names = [_core(left), _core(right)]
    if not all(names):
        return False
    short, long = sorted(names, key=len)
    if set(short) <= set(long):
        return True
    if len(short) == len(long) == 1:
        stem, longer = sorted((short[0], long[0]), key=len)
        rest = longer.removeprefix(stem[:-1])
        return len(stem) > 3 and rest != longer and _DEMONYM.search(rest) is not None
    return any(_is_acronym(a, b) for a, b in ((left, right), (right, left)))


def _core(name: str) -> tuple[str, ...]:
    """Return the words that tell a name from others: no titles, no initials, no accents."""
    plain = unicodedata.normalize("NFKD", name.casefold())
    plain = "".join(char for char in plain if not unicodedata.combining(char))
    words = [word.strip(".") for word in _WORD.findall(plain.replace("'s", ""))]
    telling = [word for word in words if not _TITLES.fullmatch(word)]
    return tuple(word for word in telling if len(word) > 1 or len(telling) < 2 or word.isdigit())


def _is_acronym(short: str, name: str) -> bool:
    letters = short.replace(".", "").strip()
    initials = "".join(word[0] for word in _WORD.findall(name) if word[0].isupper())
    return (
        2 <= len(letters) <= 6
        and letters.isupper()
        and (letters == initials or (len(initials) > 1 and letters.startswith(initials)))
    )


def check_question(question: str) -> None:
    """Raise a refusal where no name could be put into a question without a reader noticing.

    Raises:
        Refusal: Q3 if the question is written in capitals throughout.
    """
    if any(char.isalpha() for char in question) and question == question.upper():
        raise Refusal("Q3", "the question is written in capitals throughout")


def check_mention(name: str, type_id: str, texts: Iterable[str], types: Types) -> None:
    """Raise a refusal where the question says no name but a common noun: `the oldest church`.

    Args:
        name: what the question says, in its own letters.
        type_id: the type of what it names.
        texts: titles and texts of the passages, for questions in small letters.
        types: the type tree.

    Raises:
        Refusal: Q4, since nothing could be renamed.
    """
    words = [word for word in _WORD.findall(name) if word.casefold() not in _SMALL | _ARTICLES]
    plain = _is_plain([word.casefold() for word in words], types)
    if not words or (plain and not types.is_a(type_id, "work")) or not _is_written(words, texts):
        raise Refusal("Q4", f"{name!r} is no name, so nothing of it can be renamed")


def _is_written(words: Sequence[str], texts: Iterable[str]) -> bool:
    """Return whether words are written as a name: where they stand, or in some text."""
    if all(word[0].isupper() or any(map(str.isdigit, word)) for word in words):
        return True
    capitalised = [word[0].upper() + word[1:] for word in words]
    return any(_in_order(capitalised, _WORD.findall(each)) for each in texts)


def _in_order(wanted: Sequence[str], words: Sequence[str]) -> bool:
    """Return whether words hold all that are wanted, in order, with two others between at most."""
    ends = {at for at, word in enumerate(words) if word == wanted[0]}
    for each in wanted[1:]:
        near = {end + gap for end in ends for gap in (1, 2, 3)}
        ends = {at for at in near if at < len(words) and words[at] == each}
    return bool(ends)


_ORDINALS = frozenset(
    {"first", "second", "third", "last", "only", "main", "next", "original", "current", "former"}
)


def _is_plain(words: Sequence[str], types: Types) -> bool:
    """Return whether folded words make a common noun: `airport`, `first railway`."""
    if not words:
        return False
    ranked = words[0] in _ORDINALS or (words[0].endswith("est") and len(words[0]) > 5)
    kinds = [types.of_kind(word) is not None or word in ("railway", "railroad") for word in words]
    return all(kinds) or (ranked and kinds[-1])


def check_answer(answer: str, type_id: str, types: Types) -> None:
    """Raise a refusal where an answer of a hop is no name of one entity.

    Args:
        answer: the answer of an entity's type; values are recognised by their formats.
        type_id: the type that relation and question give it.
        types: the type tree.

    Raises:
        Refusal: Q6, since no name could be coined in its place.
    """
    if value_format(answer) and not types.is_a(type_id, "work"):
        raise Refusal("Q6", f"the answer {answer!r} is a value, where a {type_id} is asked for")
    words = _WORD.findall(answer)
    if words and words[0].casefold() in _PRONOUNS:
        raise Refusal("Q6", f"the answer {answer!r} is a phrase, not a name")
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
