"""Finds where a question may name pages, and how titles may spell what stands there."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

from realhop_kg.resources import load_yaml

__all__ = ["Mention", "common_words", "mentions", "spellings"]

_RUN = re.compile(
    r"[A-ZÀ-Ý][\w’'.-]*(?: (?:(?:of|the|and|de|la|von|van|in) ){0,2}[A-ZÀ-Ý0-9][\w’'.-]*)*"
)
_OWNER = re.compile(r"(?<=\w)(?:['’]s|(?<=s)['’])$")
_BEHIND = re.compile(r"(?: ([a-z]{3,}))(?: ([a-z]{3,}))?")
_WORD = re.compile(r"[^\W_][\w’'.-]*")
_US = re.compile(r"\bthe (us|uk|un|eu)\b(?!['’])")
"""Names that are common words, or too short, without their article."""
_BREAKS = frozenset(("and", "in"))
"""Words at which a run of capitals may be two names: `Rome in Italy`, never `Joan of Arc`."""
_ARTICLE = re.compile(r"(?:the|an?) ", re.IGNORECASE)
_LONGEST = 5
"""Words of the longest name that is looked for among small letters."""


class Mention(NamedTuple):
    """Words of a question that may be a name."""

    start: int
    end: int
    owner: bool
    """Whether `'s` follows: `Ada Orm's bridge`."""


def mentions(question: str) -> Iterator[Mention]:
    """Yield where names may stand: runs of capitals, then runs of small letters, longest first.

    Part of a run of capitals is no name of its own: `Michael Jordan` names no country. One small
    word is a name only in a question that is written without capitals (`russia`), behind a word
    that no name ends with.

    Examples:
        >>> asked = "Is Ada Orm's age known?"
        >>> [(asked[one.start : one.end], one.owner) for one in mentions(asked)][2:]
        [('Ada Orm', True), ('age known', False)]
    """
    yield from _capitals(question)
    yield from _smalls(question)


def _capitals(question: str) -> Iterator[Mention]:
    openers = load_yaml("refusal", "words.yaml")["openers"]
    for run in _RUN.finditer(question):
        words = list(re.finditer(r"[^ ]+", run[0]))
        while words and (words[0][0].casefold() in openers or words[0][0].islower()):
            words = words[1:]
        whole = [(words[0].start(), words[-1].end())] if words else []
        cuts = [n for n, word in enumerate(words) if word[0] in _BREAKS]
        # An owner ends a name, too: `Petra Sundew's Oume`.
        owners = [n + 1 for n, word in enumerate(words[:-1]) if _OWNER.search(word[0])]
        ends = sorted({0, len(words), *cuts, *owners})
        parts = [words[a:b] for a, b in pairwise(ends)]
        trimmed = [part[part[0][0] in _BREAKS :] for part in parts]
        spans = [(part[0].start(), part[-1].end()) for part in trimmed if part]
        for start, end in dict.fromkeys((*whole, *spans)):
            if run[0][start].isupper():
                first, last = run.start() + start, run.start() + end
                # `the Amazon rainforest`: its page may write the small words with capitals.
                behind = _BEHIND.match(question, last) if last == run.end() else None
                longer = [behind.end(n) for n in (2, 1) if behind[n]] if behind else []
                for each in (*longer, last):
                    yield _mention(question, first, each)


def _smalls(question: str) -> Iterator[Mention]:
    """Yield runs of small words; where a question has capitals, at least two words."""
    without = question.islower()
    words = list(_WORD.finditer(question))
    lists = load_yaml("refusal", "words.yaml")
    loose = frozenset((*lists["openers"], *lists["before_names"]))
    for length in range(_LONGEST, 0 if without else 1, -1):
        for at in range(len(words) - length + 1):
            first, last = words[at], words[at + length - 1]
            span = question[first.start() : last.end()]
            if not span.islower() or first[0] in loose or last[0] in loose:
                continue
            before = words[at - 1][0] if at else "the"
            if length == 1 and (before not in loose or span in lists["pronouns"]):
                continue
            yield _mention(question, first.start(), last.end())
    for found in _US.finditer(question) if without else ():
        yield Mention(*found.span(1), False)


def _mention(question: str, start: int, end: int) -> Mention:
    written = question[start:end].rstrip(".-")
    bare = _OWNER.sub("", written)
    if bare != written:
        return Mention(start, start + len(bare), True)
    trimmed = written.rstrip("'’")
    quoted = start > 0 and question[start - 1] in "'‘"
    return Mention(start, start + len(trimmed), trimmed != written and not quoted)


def spellings(words: str) -> Iterator[str]:
    """Yield how a title may spell a name, the spelling of the question first.

    Examples:
        >>> list(spellings("the league of nations"))
        ['the league of nations', 'league of nations', 'The League of Nations', 'League of Nations']
        >>> list(spellings("nasa"))
        ['nasa', 'Nasa', 'NASA']
    """
    plain = dict.fromkeys((words, _ARTICLE.sub("", words, count=1)))
    found = dict(plain)
    shout = words.isupper() and len(words) > 4
    found |= dict.fromkeys(_titled(each.casefold() if shout else each) for each in plain)
    for each in plain:
        if words.islower() and each.isalpha() and 1 < len(each) < 7:
            found[each.upper()] = None
    yield from filter(None, found)


def _titled(words: str) -> str:
    """Return a name with capitals, but for the small words within it."""
    inner = load_yaml("refusal", "words.yaml")["inner"]
    parts = words.split(" ")
    raised = [
        part if number and part in inner else part[:1].upper() + part[1:]
        for number, part in enumerate(parts)
    ]
    return " ".join(raised)


def common_words(question: str) -> Iterator[str]:
    """Yield the small words of a question as their pages may be called: `dogs`, then `dog`."""
    words = load_yaml("refusal", "words.yaml")
    skipped = {*words["openers"], *words["before_names"], *words["inner"]}
    for found in _WORD.finditer(question):
        word = _OWNER.sub("", found[0].rstrip(".'’-"))
        if len(word) < 3 or not word.islower() or word in skipped:
            continue
        yield word
        if word.endswith("ies"):
            yield f"{word[:-3]}y"
        elif word.endswith("s") and not word.endswith("ss"):
            yield word[:-1]
            if word.endswith("es"):
                yield word[:-2]
