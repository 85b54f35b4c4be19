"""Sentence boundaries at which text may be inserted, and references that cross them.

Realizer and checks share these rules (contracts T3 and T5), so they err on one side only: a
boundary or a fresh sentence that is not recognised costs an insertion point, nothing else.
"""

from __future__ import annotations

import re
from collections.abc import Container, Sequence

__all__ = [
    "boundaries",
    "ends_sentence",
    "insertion_points",
    "names_in",
    "next_sentence",
    "opens_reference",
    "references",
    "separator",
]


def _words(*lines: str) -> frozenset[str]:
    return frozenset(word for line in lines for word in line.split())


_LEAD = "\"'“‘«([`"
_CLOSERS = "\"'”’»)\\]"
_END = re.compile(rf"[.!?][{_CLOSERS}]*\Z")
# Titles end in `!` and `?` (`Jeopardy! Host`), so only a full stop ends a sentence inside a text.
_STOP = re.compile(rf"\.[{_CLOSERS}]*(?=\s+[\"'“‘«(\[]*(\w))")
_WORD = re.compile(r"\w[\w'’\-]*")
_NAME_INSIDE = re.compile(r"(?<=[\w,;] )[^\W\d_a-z][\w’\-]*")
_MARK = re.compile(r"``|''|[\"“”«»()\[\]\n]")
_OPENING, _CLOSING = frozenset(("``", "“", "«", "(", "[")), frozenset(("''", "”", "»", ")", "]"))

_ABBREVIATIONS = _words(
    "adm al approx apr aug av ave bl blvd bros brig ca capt cf cie cmdr co col comm corp cpl ct",
    "dec dept dist div dr ed eds eg est esp etc ex feb fig figs fl fr ft gen gov hon hr ie inc jan",
    "jr jul jun km lb lt ltd maj mar messrs mi min mo mr mrs ms mt nov no nos nr oct op orig oz",
    "para ph pl pp pres prof pt pvt pub rd ref rep rev rs sen sep sept sgt sq sr st sta ste str",
    "supt tr trans tv univ var ver viz vol vols vs",
)

_REFERENCES = _words(
    "he him his himself she her hers herself it its itself they them their theirs themselves",
    # `that` is mostly a conjunction, but only a parser could tell.
    "this that these those such former latter",
)
_REFERENCE = re.compile(rf"\b(?:{'|'.join(sorted(_REFERENCES))})\b", re.IGNORECASE)

_OPENERS = _REFERENCES | _words(
    "the one ones both another other others each either neither all some many most several few any",
    "none no same and but or nor so yet however also then there here thus hence therefore moreover",
    "furthermore meanwhile nevertheless nonetheless otherwise instead still again later earlier",
    "afterwards afterward beforehand subsequently consequently accordingly additionally similarly",
    "likewise eventually finally ultimately initially originally previously formerly soon now",
    "today currently presently next first second third last besides indeed overall altogether",
    "together not only even just who whom whose which what where i we you my our your",
)
"""First words that tie a sentence to what stands before it, whatever else it names."""

_PLAIN = _words(
    "a an in on at by for from with without within upon under over during following as if like",
    "unlike to of after before until once when while although though because despite since between",
    "among through throughout near along across around about against approximately",
)
"""First words that are no part of a name and may open a sentence of its own."""

_POINTERS = re.compile(
    r"\b(?:he|she|it|they|him|hers|them|theirs|her(?= *[^\w ]|$)"
    r"|her(?= (?:and|or|in|to|at|as|for)\b))\b",
    re.IGNORECASE,
)
"""Pronouns whose antecedent may stand in an earlier sentence even where a name comes first."""

_THEIRS = re.compile(r"\b(?:his|her)\b", re.IGNORECASE)
"""After a person's name these belong to it; `its` and `their` belong to any name."""

_NO_PERSON = _words(
    "bay river lake county city park street island islands mountain mountains university school",
    "college hall bridge church museum station creek township valley hill road house castle tower",
    "airport league cup award prize company records press society institute",
)

_RETOLD = re.compile(
    r"\b[Tt]he (?:song|single|track|album|record|film|movie|book|novel|play|series|show|episode"
    r"|game|band|group|team|club|side|company|firm|school|university|college|city|town|village|county"
    r"|district|state|country|river|lake|island|bridge|battle|war|event|award|painting|magazine"
    r"|newspaper|station|network|character|author|writer|singer|actor|actress|artist|director|duo"
    r"|couple|man|woman|king|queen|organization|work|story|title|building|stadium|church)\b"
    r"(?! (?:of|in|that|which|who|whom|where|on|at|for|from|with|to|called|named|by)\b)"
)
"""A noun that may take up something that an earlier sentence named."""

_TIMES = _words(
    "i january february march april may june july august september october november december",
    "monday tuesday wednesday thursday friday saturday sunday",
)
"""Capitalised words that do not say what a sentence is about."""


def ends_sentence(text: str) -> bool:
    """Return whether a text ends in `.`, `!` or `?`, and quotes or brackets that follow it.

    Examples:
        >>> ends_sentence('He said "no." '), ends_sentence("Population: 412")
        (True, False)
    """
    return _END.search(text.rstrip()) is not None


def separator(original: str, offset: int) -> str:
    """Return what stands before a sentence inserted at an offset: a blank, or a newline.

    A newline where the text before it lacks end punctuation, as in a list or a table.
    """
    return " " if ends_sentence(original[:offset]) else "\n"


def boundaries(text: str) -> list[int]:
    """Return the offsets at which a whole sentence may be inserted, the last at the text's end.

    Inside the text these are ends of sentences outside quotes and brackets, before a capital or a
    digit, and not after an abbreviation, an initial or a small number. Never offset 0.

    Examples:
        >>> text = "Calder is a town. It lies near St. Orm. J. Hask was born there."
        >>> [text[:offset][-6:] for offset in boundaries(text)]
        [' town.', '. Orm.', 'there.']
    """
    end = len(text.rstrip())
    nested = _nested(text)
    found = [
        match.end()
        for match in _STOP.finditer(text, 0, end)
        if (match[1].isupper() or match[1].isdigit())
        and not _abbreviates(text, match.start())
        and not any(first < match.end() <= last for first, last in nested)
    ]
    return [*found, end] if end else []


def next_sentence(text: str, offset: int, stops: Sequence[int]) -> str:
    """Return the sentence that follows an offset, empty at the end of the text.

    Args:
        text: the original text.
        offset: a boundary of it.
        stops: all its boundaries.
    """
    after = next((stop for stop in stops if stop > offset), len(text))
    return text[offset:after].strip()


def insertion_points(text: str) -> list[int]:
    """Return the boundaries at which nothing that follows refers back across the insertion."""
    stops = boundaries(text)
    names = names_in(text)
    return [stop for stop in stops if not opens_reference(next_sentence(text, stop, stops), names)]


def names_in(text: str) -> frozenset[str]:
    """Return the words of a text that stand inside a sentence with a capital."""
    return frozenset(_NAME_INSIDE.findall(text))


def opens_reference(sentence: str, names: Container[str] = ()) -> bool:
    """Return whether a sentence may refer to what stands before it.

    It does not if it begins with a name of two words or more, or with a known name or a
    preposition and names something before any definite noun, and holds no pronoun, no
    demonstrative and no noun (`the song`) that may take up what an earlier sentence named. An
    empty one never does.

    Args:
        sentence: a sentence of a text.
        names: words known to be names, since a capital tells nothing of a first word.

    Examples:
        >>> opens_reference("Dorian Hask sold his mill."), opens_reference("He sold a mill.")
        (False, True)
        >>> opens_reference("In 1911 Calder burnt."), opens_reference("In 1911 the town burnt.")
        (False, True)
        >>> opens_reference("Dr. Fenn taught him."), opens_reference("In Calder, the song sold.")
        (True, True)
    """
    body = sentence.strip()
    if not body:
        return False
    words = _WORD.findall(body)
    if not words or not body.lstrip(_LEAD)[:1].isupper():
        return True
    first = words[0].casefold()
    if first in _OPENERS or _POINTERS.search(body) or _RETOLD.search(body):
        return True
    if _THEIRS.search(body) and (len(words) < 2 or words[1].casefold() in _NO_PERSON):
        return True
    if first in _PLAIN:
        return bool(references(body)) or not _names_first(words[1:])
    if len(words) > 1 and _is_name(words[0]) and _is_name(words[1]):
        return False
    return bool(references(body)) or words[0].removesuffix("'s").removesuffix("’s") not in names


def references(text: str) -> list[str]:
    """Return the third-person pronouns and demonstratives of a text, as they stand there.

    Examples:
        >>> references("The mill that Dorian Hask sold kept its name.")
        ['that', 'its']
    """
    return _REFERENCE.findall(text)


def _names_first(words: Sequence[str]) -> bool:
    """Return whether a name comes before any definite noun."""
    for word, following in zip(words, [*words[1:], ""], strict=True):
        if _is_name(word):
            return True
        if word == "the" and not following[:1].isupper():
            return False
    return False


def _is_name(word: str) -> bool:
    return word[0].isupper() and word.casefold() not in _TIMES


def _abbreviates(text: str, stop: int) -> bool:
    """Return whether the full stop at an offset may belong to the word before it."""
    start = max(text.rfind(" ", 0, stop), text.rfind("\n", 0, stop)) + 1
    last = text[start:stop].lstrip(_LEAD).rsplit("-", 1)[-1]
    return (
        len(last) < 2
        or "." in last
        or last.casefold() in _ABBREVIATIONS
        or (last.isdigit() and len(last) < 3)
    )


def _nested(text: str) -> list[tuple[int, int]]:
    """Return the ranges inside quotes or brackets; one that never closes ends with its line."""
    ranges: list[tuple[int, int]] = []
    start, depth, quoted = 0, 0, False
    for match in _MARK.finditer(text):
        mark, open_before = match.group(), depth > 0 or quoted
        if mark == "\n":
            depth, quoted = 0, False
        elif mark == '"':
            quoted = not quoted
        elif mark in _OPENING:
            depth += 1
        elif mark in _CLOSING:
            depth = max(0, depth - 1)
        open_now = depth > 0 or quoted
        if open_now and not open_before:
            start = match.start()
        elif open_before and not open_now:
            ranges.append((start, match.start()))
    if depth > 0 or quoted:
        ranges.append((start, len(text)))
    return ranges
