"""Turns the sentence behind a link into one plain clause: its page is `⟦S⟧`, its target `⟦T⟧`.

Sentences of an encyclopedia open with what the page is about, under its title, a longer name or a
pronoun. Where that is not certain there is no clause, and the link is not worded.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from realhop_kg.model.sentences import boundaries
from realhop_kg.refusal.kinds import Kind, kind_in, kind_of_title

__all__ = [
    "SOURCE",
    "SOURCES",
    "TARGET",
    "clause_of",
    "kind_of_page",
    "opening_item",
    "plain_title",
    "sentences_in",
]

SOURCE, SOURCES, TARGET = "⟦S⟧", "⟦S's⟧", "⟦T⟧"

_BRACKET = re.compile(r"\s*\([^()]*\)$")
_INNER = re.compile(r"\s*[(\[][^()\[\]⟦]*[)\]]")
_SPLIT = re.compile(r"(?<=[\d)\]%])\. (?=[A-Z])")
_ARTICLE = re.compile(r"(?:the|an?) ", re.IGNORECASE)
_AFTER_NAME = re.compile(r"(?:['’]s)?[ ,]")
_COPULA = re.compile(r"\s(?=(?:is|was|are|were)\s)")
_PRONOUN = re.compile(r"(?:It|He|She)(?= )")
_POSSESSIVE = re.compile(r"(?:Its|His|Her)(?= )")
_PART = re.compile(r"The (?=(?:capital|capital city|largest city|largest town|seat)\b)")
# A person's dates and places: `(May 5, 1818, Trier, Germany - ...`.
_BIRTH = re.compile(
    r"^[^().]{3,80}\((?:born )?[^()⟦⟧–]*?\d{4}(?:,| in) (?P<place>(?:[A-ZÀ-Ý][\w'’-]*(?: [A-ZÀ-Ý]"
    r"[\w'’-]*)*, ){0,2})⟦T⟧(?=[,) –])"
)
# What is left of a pronunciation once its brackets are out.
_SOUND = re.compile(r"^(?:(?:listen|pronunciation|IPA:?)\b:?\s*)+(?=[a-z,])")
_DEEPEST = 6
"""Brackets inside one another that are taken out."""
_OPENINGS = 4
"""Paragraphs that are looked at for the one that opens a page."""
_LONGEST_NAME = 160
_LONGEST_ITEM = 20_000
"""Code points of a paragraph that is still looked into."""


class _Sentence(NamedTuple):
    start: int
    end: int


def plain_title(title: str) -> str:
    """Return a title without what only tells it from others: `Mercury (planet)`, `Mercury`."""
    return _BRACKET.sub("", title)


def sentences_in(item: str) -> list[_Sentence]:
    """Return where the sentences of a text item begin and end."""
    stops = set(boundaries(item)) | {match.start() + 1 for match in _SPLIT.finditer(item)}
    starts = [0, *sorted(stops)]
    return [_Sentence(a, b) for a, b in pairwise(starts) if item[a:b].strip()]


def _plain(text: str) -> str:
    """Return text without brackets and their content, and with single blanks."""
    for _ in range(_DEEPEST):
        text = _INNER.sub("", text)
    return " ".join(text.replace(" ,", ",").split())


def _named(sentence: str, name: str) -> int:
    """Return where a name ends that a sentence opens with, its article before it, or 0."""
    # No pattern: each page has a name of its own, and patterns take long to make.
    opening = _ARTICLE.match(sentence)
    for start in (0, opening.end() if opening else 0):
        end = start + len(name)
        if sentence[start:end].casefold() == name.casefold() and _AFTER_NAME.match(sentence, end):
            return end
    return 0


def _subject(sentence: str, title: str, opens: bool) -> str | None:
    """Return a sentence with its subject marked, if that is the page by name."""
    end = _named(sentence, plain_title(title))
    match = end > 0
    if match:
        of = sentence.startswith(("'s", "’s"), end)
        marked = SOURCES if of else SOURCE
        rest = _SOUND.sub("", sentence[end + 2 * of :].lstrip())
        if not rest.startswith((",", "(")):
            return f"{marked} {rest}"
    copula = _COPULA.search(sentence) if opens or match else None
    if copula is None or copula.start() > _LONGEST_NAME:
        return None
    words = set(re.findall(r"\w{3,}", plain_title(title).casefold()))
    if not words & set(re.findall(r"\w{3,}", sentence[: copula.start()].casefold())):
        return None
    return f"{SOURCE} {sentence[copula.end() :].lstrip()}"


def _referring(sentence: str) -> str | None:
    """Return a sentence with its subject marked, if that is a pronoun for the page."""
    for pattern, mark in ((_PRONOUN, SOURCE), (_POSSESSIVE, SOURCES), (_PART, f"{SOURCES} ")):
        match = pattern.match(sentence)
        if match is not None:
            return mark + sentence[match.end() :]
    return None


def clause_of(item: str, start: int, end: int, title: str, first: bool) -> str | None:
    """Return the clause of a link, or None where it is not certain what it is about.

    Args:
        item: the text item that holds the link.
        start: first code point of the link.
        end: one past its last.
        title: title of the page.
        first: whether the item is the page's first paragraph.
    """
    if len(item) > _LONGEST_ITEM:
        return None
    about = False
    for number, (begin, stop) in enumerate(sentences_in(item)):
        held = begin <= start and end <= stop
        text = item[begin:stop]
        if held:
            text = f"{item[begin:start]}{TARGET}{item[end:stop]}"
            if number == 0 and first and (birth := _BIRTH.search(text)):
                return f"{SOURCE} was born in {birth['place']}{TARGET}."
        text = _plain(text.strip())
        named = _subject(text, title, first and number == 0)
        marked = named or (_referring(text) if about else None)
        if held:
            return marked if marked is not None and TARGET in marked else None
        about = marked is not None
    return None


def opening_item(text: Sequence[str], title: str, lead_end: int) -> int:
    """Return the paragraph that opens a page: the first that begins with its name, else the first.

    Captions, notes and rests of tables stand before it on some pages.

    Args:
        text: items of the page.
        title: its title.
        lead_end: number of its first section heading.
    """
    held = [number for number in range(1, lead_end) if text[number].strip()][:_OPENINGS]
    for number in held:
        item = text[number]
        spans = sentences_in(item) if len(item) <= _LONGEST_ITEM else []
        opens = number == held[0]
        if spans and _subject(_plain(item[: spans[0].end].strip()), title, opens) is not None:
            return number
    return held[0] if held else 0


def kind_of_page(text: Sequence[str], title: str, lead_end: int) -> Kind | None:
    """Return what sort of thing a page is about, or None if its opening does not say it plainly.

    Args:
        text: items of the page.
        title: its title.
        lead_end: number of its first section heading.
    """
    opens = opening_item(text, title, lead_end)
    item = text[opens] if opens else ""
    spans = sentences_in(item) if len(item) <= _LONGEST_ITEM else []
    if not spans:
        return None
    opening = _plain(item[: spans[0].end].strip())
    marked = _subject(opening, title, True)
    if marked is None or opening.startswith(("A ", "An ")) or _is_common(title, item):
        return None
    # `Rwanda, officially the Republic of Rwanda, is a small landlocked country`.
    match = re.match(rf"{SOURCE} (?:[^.;]{{0,160}}? )??(?:is|was|are|were) (?P<rest>.*)", marked)
    found = kind_in(match["rest"]) if match else None
    if found is not None and match is not None and found.noun == "state":
        # `a state that distinguishes organisms` is no place.
        found = (
            None if re.search(r"\bstate (?:that|which|in which|where)\b", match["rest"]) else found
        )
    return found or kind_of_title(title)


def _is_common(title: str, text: str) -> bool:
    """Return whether a title is a common noun: its own page writes it small.

    `The West Bank is a territory on the west bank of the Jordan` names a thing all the same: a name
    of several words is common where it is written small as often as not.
    """
    plain = plain_title(title)
    small = plain.casefold()
    if small not in text:
        return False
    found = len(re.findall(rf"(?<=[a-z,] ){re.escape(small)}s?\b", text))
    named = text.count(plain) if plain.istitle() and " " in plain else 0
    return found > 0 and found >= named
