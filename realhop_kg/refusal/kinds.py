"""What a page is about, by the noun of its opening sentence."""

from __future__ import annotations

import re
from functools import cache
from typing import NamedTuple

from realhop_kg.resources import load_yaml

__all__ = ["Kind", "kind_in", "kind_of_noun", "kind_of_title", "nouns"]

_ENDS = re.compile(
    r"[,.;:()⟦]|(?<![-\w])(?:in|of|on|that|which|who|whose|where|when|located|situated|from|with|at|"
    r"by|for|and|or|between|near|off|along|spoken|used|consisting|bordering|bordered|forming|comprising|"
    r"known|born|based|published|founded|built|established|as|to|is|was|are|were|lying|found|"
    r"within|nestled|flowing|after|(?:south|north|east|west)+(?= of\b))\b"
)
# `the world's second-largest and second most-populous continent`.
_SUPERLATIVE = re.compile(r"(?:[a-z]est|\bmost[ -][a-z]+)$")
# What is left of `a physicist widely known`, `a writer best known`.
_KNOWN = re.compile(r"(?: (?:widely|best|well|perhaps|most|commonly|generally|typically|also))+$")
_TITLE = re.compile(
    r"(?:[A-ZÀ-Ý][\w'’-]* )+(?P<last>Ocean|Sea|River|Lake|Desert|Canal|University|Island)|"
    r"(?P<first>Lake|Gulf|Bay|University|Strait) (?:of )?(?!District)(?:[A-ZÀ-Ý][\w'’-]* ?)+"
)
# `Germany's fourth-largest city` is one thing as `the fourth-largest city of Germany` is.
_ARTICLE = re.compile(r"(?:one of the |a |an |the |[A-ZÀ-Ý]\w+['’]s )", re.IGNORECASE)
_ADJECTIVES = 3
_LONGEST = 3
"""Words of the longest noun that is looked for."""


class Kind(NamedTuple):
    """What sort of thing a page is about."""

    noun: str
    """How it is called in a question: city, country, novelist."""
    family: str
    """Its class in `types.yaml`: city, country, person."""


@cache
def nouns() -> dict[str, Kind]:
    """Return kinds by noun."""
    found = {word: Kind(word, "person") for word in load_yaml("construct", "occupations.yaml")}
    for family, entries in load_yaml("refusal", "types.yaml").items():
        for entry in entries:
            noun, _, said = entry.partition(": ")
            found[noun] = Kind(said or noun, "country" if said == "country" else family)
    return found


def kind_of_noun(noun: str) -> Kind | None:
    """Return the kind that a noun names, by its last words.

    Examples:
        >>> kind_of_noun("small landlocked country"), kind_of_noun("dwarf planets")
        (Kind(noun='country', family='country'), Kind(noun='dwarf planet', family='planet'))
    """
    words = _KNOWN.sub("", noun.replace("’", "'")).split()
    for length in range(min(_LONGEST, len(words)), 0, -1):
        tail = " ".join(words[-length:])
        small = tail.casefold()
        for said in (tail, small, small.removesuffix("s"), re.sub("ies$", "y", small)):
            if (found := nouns().get(said)) is not None:
                return found
    return None


def kind_of_title(title: str) -> Kind | None:
    """Return the kind that a title names (`Indian Ocean`, `Gulf of Guinea`), or None.

    Examples:
        >>> kind_of_title("Indian Ocean")
        Kind(noun='ocean', family='ocean')
        >>> kind_of_title("Ocean current") is None
        True
    """
    found = _TITLE.fullmatch(title)
    return kind_of_noun(found["last"] or found["first"]) if found else None


def _person_in(rest: str) -> Kind | None:
    end = _ENDS.search(rest)
    found = kind_of_noun(rest[: end.start()].strip() if end else rest.strip())
    return found if found is not None and found.family == "person" else None


def kind_in(predicate: str) -> Kind | None:
    """Return the kind that a predicate states (`a small port in ...`), or None.

    Only the noun right before the first break counts, so that nothing is guessed.

    Examples:
        >>> kind_in("a landlocked country in the south of Africa")
        Kind(noun='country', family='country')
        >>> kind_in("the process by which nitrogen is taken") is None
        True
    """
    if "constituent countr" in predicate.partition(".")[0]:
        # It lies in another country, so `the country that contains ...` would be two.
        return Kind("constituent country", "country")
    article = _ARTICLE.match(predicate)
    if article is None:
        return None
    rest = predicate[article.end() :]
    for _ in range(_ADJECTIVES):
        end = _ENDS.search(rest)
        words = rest[: end.start()].strip() if end else rest.strip()
        found = kind_of_noun(words)
        if found is not None and end is not None and end[0] == "and" and found.family != "person":
            # `a film and stage actor`: no film.
            found = _person_in(rest[end.end() :]) or found
        if found is not None and found.family == "field" and "’s " in article[0].replace("'", "’"):
            return None  # `Canada's legislative branch` is no field
        # `a small, landlocked country`: what a comma ends may be an adjective.
        if found is not None or end is None or end[0] not in (",", "and"):
            return found
        if " " in words and not _SUPERLATIVE.search(words):
            return None
        rest = rest[end.end() :].strip()
    return None
