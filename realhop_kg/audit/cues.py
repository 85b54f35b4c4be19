"""Word overlap and candidate answers: what shortcuts are made of, without any model."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import log

from realhop_kg.audit.tokens import count_tokens
from realhop_kg.model.answers import normalize_answer
from realhop_kg.model.sentences import boundaries

__all__ = [
    "Candidate",
    "Sentence",
    "answer_kind",
    "candidates",
    "options",
    "polar",
    "sentences_of",
    "weights",
    "words",
]

_STOP = frozenset(
    word
    for line in (
        "a an the of in on at by for from to with and or is was are were be been did do does what",
        "which who whom whose when where why how that this these those it its his her he she they",
        "their as than into",
    )
    for word in line.split()
)
_WORD = re.compile(r"\w+")
_MONTH = "January|February|March|April|May|June|July|August|September|October|November|December"
_CANDIDATE = re.compile(
    rf"(?P<date>\d{{1,2}} (?:{_MONTH}) \d{{3,4}}|(?:{_MONTH}) \d{{1,2}},? \d{{3,4}})"
    r"|(?P<year>\b1\d{3}\b|\b20\d{2}\b)"
    r"|(?P<number>\b\d[\d,.]*\d\b|\b\d\b)"
    r"|(?P<name>\b[A-Z][\w'’-]*(?:(?:,? (?:of|the|de|von|van|and|for|in) | )[A-Z][\w'’-]*)*)"
)
_KINDS = {
    "when": ("date", "year"),
    "what year": ("year", "date"),
    "which year": ("year", "date"),
    "in which year": ("year", "date"),
    "what date": ("date", "year"),
    "how many": ("number",),
    "how much": ("number",),
    "how old": ("number",),
    "population": ("number",),
}


_POLAR = re.compile(
    r"(?:is|are|was|were|do|does|did|has|have|had|can|could|will|would)\b(?!.* or )", re.IGNORECASE
)
_OPTIONS = re.compile(r"(?:^|[,:] )(?P<first>[^,:?]+?),? or (?P<second>[^?]+?) ?\?\s*$")


@dataclass(frozen=True)
class Sentence:
    """A sentence of a context, under the title of its passage."""

    title: str
    text: str
    position: int
    """Rank in the context, from 0."""


@dataclass(frozen=True)
class Candidate:
    """A name, date or number of a sentence."""

    text: str
    kind: str
    start: int


def words(text: str) -> frozenset[str]:
    """Return the words of a text that carry meaning, lower-cased."""
    return frozenset(word for word in _WORD.findall(text.lower()) if word not in _STOP)


def sentences_of(context: str) -> list[Sentence]:
    """Return the sentences of a rendered context; passages are parted by blank lines."""
    found: list[Sentence] = []
    for block in context.split("\n\n"):
        title, line, text = block.partition("\n")
        if not line:
            title, text = "", block
        start = 0
        for end in boundaries(text):
            sentence = text[start:end].strip()
            start = end
            if sentence:
                found.append(Sentence(title, sentence, len(found)))
    return found


def weights(sentences: Iterable[Sentence]) -> dict[str, float]:
    """Return the inverse document frequency of each word over sentences."""
    counts: Counter[str] = Counter()
    total = 0
    for sentence in sentences:
        counts.update(words(sentence.text))
        total += 1
    return {word: log((1 + total) / (1 + count)) + 1 for word, count in counts.items()}


def answer_kind(question: str) -> Sequence[str]:
    """Return the kinds of candidates that a question asks for, by its wording, best first."""
    asked = question.lower()
    for cue, kinds in _KINDS.items():
        if cue in asked:
            return kinds
    return ("name",)


def polar(question: str) -> bool:
    """Return whether a question is answered by yes or no.

    Examples:
        >>> polar("Were Orm and Hask born in one town?"), polar("Is it Orm or Hask?")
        (True, False)
    """
    return _POLAR.match(question.strip()) is not None


def options(question: str) -> tuple[str, ...]:
    """Return the two answers between which a question lets choose, if it does.

    Examples:
        >>> options("Which mill burnt first, Orm Mill or Hask Mill?")
        ('Orm Mill', 'Hask Mill')
        >>> options("Who burnt the mill?")
        ()
    """
    match = _OPTIONS.search(question.strip())
    return (match["first"].strip(), match["second"].strip()) if match else ()


def candidates(sentence: str, question: str) -> list[Candidate]:
    """Return the names, dates and numbers of a sentence that the question does not name.

    A lone first word is no name: every sentence begins with a capital.
    """
    known = f" {normalize_answer(question)} "
    found = []
    for match in _CANDIDATE.finditer(sentence):
        kind = match.lastgroup or "name"
        text = match[0]
        if match.start() == 0 and kind == "name" and count_tokens(text) == 1:
            continue
        said = normalize_answer(text)
        if said and f" {said} " not in known:
            found.append(Candidate(text, kind, match.start()))
    return found
