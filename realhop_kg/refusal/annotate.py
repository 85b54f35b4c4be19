"""Links seeds to pages: the entity a prefix leads to, and the page a suffix starts from.

HopRefusalBench, annotation: backward anchor and forward bridge. By rules, an anchor is what the
seed's file names, or a mention that is a title, a redirect, or words that link to a page (ranked by
how often they do). A bridge is what the file names, or the page most like the seed among the
neighbours of the anchor that are of the kind that the seed asks for.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol

from realhop_kg.graph.hyperlinks.coherence import Bm25Coherence
from realhop_kg.graph.hyperlinks.index import PageGraph
from realhop_kg.model.refusal import Cause, Seed
from realhop_kg.model.refusal_item import RefusalCode, SeedVoice
from realhop_kg.refusal.clauses import plain_title
from realhop_kg.refusal.nominal import LANGUAGE_MODEL, mention_in, voice_seed
from realhop_kg.refusal.voices import LinkVoices
from realhop_kg.resources import load_yaml

__all__ = ["Annotated", "Annotator", "LinkedWords", "RuleAnnotator", "Unlinked"]

_MENTION = re.compile(
    r"[A-ZÀ-Ý][\w’'.-]*(?: (?:(?:of|the|and|de|la|von|van|in) ){0,2}[A-ZÀ-Ý0-9][\w’'.-]*)*"
)
_CANDIDATES = 400
"""Neighbours that are looked at for a bridge."""
# What an underspecified question leaves open, where its anchor is not it.
_OPEN = re.compile(
    r"\b(?:the|this|that|these|those) [a-z]+|\b(?:he|she|it|they|him|her|his|their|its|there)\b",
    re.IGNORECASE,
)
_PRONOUN = re.compile(
    r"(?:it|he|she|they|its|his|her|their|this|that|these|those|such)\b",
    re.IGNORECASE,
)
_DEFAULT_REASONS = {
    Cause.AU: "What the question asks for is not known: nothing records or decides it.",
    Cause.FP: "The question takes for granted what does not hold, so there is nothing to answer.",
    Cause.UC: "The question leaves out what an answer depends on, and nothing else supplies it.",
}


@dataclass(frozen=True, slots=True)
class Annotated:
    """A seed that is linked to pages.

    Attributes:
        seed: the seed.
        voice: its words, ready to be set into a chain.
        anchor: page that a prefix leads to.
        bridge: page that a suffix starts from, or None.
        no_bridge: why there is none.
        rationale: why the seed has no answer.
    """

    seed: Seed
    voice: SeedVoice
    anchor: int
    bridge: int | None
    no_bridge: str
    rationale: str


@dataclass(frozen=True, slots=True)
class Unlinked:
    """A seed that cannot be used with these pages.

    Attributes:
        seed: the seed.
        code: L1 (no anchor) or L3 (cannot be set into a longer question).
        message: what is wrong.
    """

    seed: Seed
    code: RefusalCode
    message: str


class Annotator(Protocol):
    """Links seeds to pages; a model's is one more of these."""

    @property
    def name(self) -> str:
        """What a manifest calls it."""
        ...

    def annotate(self, seed: Seed) -> Annotated | Unlinked:
        """Return a seed with its pages, or why it has none."""
        ...


class LinkedWords:
    """Which pages the same linked words lead to, and how often; read once from a whole index."""

    def __init__(self, counts: dict[str, Counter[int]]) -> None:
        self._counts = counts

    @classmethod
    def read(cls, graph: PageGraph, most: int) -> LinkedWords:
        """Read the words of all links of opening paragraphs; of an index larger than `most`, none.

        Args:
            graph: the index.
            most: pages above which this would take too long and too much memory.
        """
        counts: dict[str, Counter[int]] = defaultdict(Counter)
        for source in range(len(graph)) if len(graph) <= most else ():
            text = graph.read(source).text
            for target in graph.targets(source, lead=True):
                place = graph.place(source, target)
                counts[text[place.paragraph][place.start : place.end]][target] += 1
        return cls(dict(counts))

    def page(self, words: str) -> int | None:
        """Return the page that these words most often lead to; the first of equals."""
        found = self._counts.get(words)
        return min(found, key=lambda page: (-found[page], page)) if found else None


class RuleAnnotator:
    """Annotates by names and links, without a model."""

    name = "rules"

    def __init__(self, voices: LinkVoices, words: LinkedWords, model: str = LANGUAGE_MODEL) -> None:
        self._voices, self._graph = voices, voices.graph
        self._words, self._model = words, model
        self._coherence = Bm25Coherence()

    def annotate(self, seed: Seed) -> Annotated | Unlinked:
        """Return a seed with its pages, or why it has none."""
        if seed.anchor:
            found = self._graph.find(seed.anchor)
            if found is None:
                return Unlinked(seed, RefusalCode.L1, f"no page is called {seed.anchor!r}")
            place = mention_in(seed.question, self._spellings(found, seed.anchor))
            if place is None:
                message = f"the question does not name {seed.anchor!r} once, as a whole name"
                return Unlinked(seed, RefusalCode.L1, message)
            anchors = [(found, place)]
        else:
            anchors = list(self._mentioned(seed.question))
        if not anchors:
            vague = next(self._vague(seed.question), "")
            message = (
                f"the page of {vague!r} does not say plainly what it is about"
                if vague
                else "it names nothing that has a page of its own"
            )
            return Unlinked(seed, RefusalCode.L1, message)
        anchor, (start, end) = anchors[0]
        rest = f"{seed.question[:start]} {seed.question[end:]}"
        if seed.cause is Cause.UC and not seed.anchor and not _OPEN.search(rest):
            message = "the name itself may be what is underspecified; name an anchor for it"
            return Unlinked(seed, RefusalCode.L1, message)
        voice = voice_seed(seed.question, (start, end), self._model)
        if voice is None:
            message = "it is no single question that names its anchor once"
            return Unlinked(seed, RefusalCode.L3, message)
        bridge, why = self._bridge(seed, voice, anchor)
        return Annotated(seed, voice, anchor, bridge, why, _rationale(seed))

    def _spellings(self, page: int, anchor: str) -> list[str]:
        names = (anchor, plain_title(anchor), *self._voices.names(page))
        return sorted(dict.fromkeys(names), key=lambda name: -len(name))

    def _mentioned(self, question: str) -> Iterator[tuple[int, tuple[int, int]]]:
        """Yield pages that a question names, with the place: titles first, then linked words."""
        spans = list(_mentions(question))
        for look_up in (self._graph.find, self._words.page):
            for start, end in spans:
                words = question[start:end]
                page = look_up(words.title() if words.islower() else words)
                place = page is not None and mention_in(question, (question[start:end],))
                if page is not None and place and self._voices.kind(page) is not None:
                    yield page, place

    def _vague(self, question: str) -> Iterator[str]:
        """Yield names that have a page, whatever it is about."""
        for start, end in _mentions(question):
            if self._graph.find(question[start:end]) is not None:
                yield question[start:end]

    def _bridge(self, seed: Seed, voice: SeedVoice, anchor: int) -> tuple[int | None, str]:
        """Return the page that a suffix starts from, or why there is none."""
        if not voice.nominal:
            return None, "what it asks for cannot be named in a longer question"
        if seed.bridge:
            found = self._graph.find(seed.bridge)
            kind = None if found is None else self._voices.kind(found)
            if kind is None or kind.family != voice.family:
                return None, f"{seed.bridge!r} is no page about a {voice.noun}"
            return found, ""
        near = (*self._graph.targets(anchor, lead=True), *self._graph.sources(anchor, lead=True))
        alike = [
            page
            for page in dict.fromkeys(near[:_CANDIDATES])
            if (kind := self._voices.kind(page)) is not None and kind.family == voice.family
        ]
        if not alike:
            return None, f"no page beside its anchor is about a {voice.noun}"
        texts = [_Text(self._graph.titles[page], self._graph.lead(page)) for page in alike]
        best = self._coherence.rank(_Text(seed.question, ""), texts, 1)
        return alike[best[0]], ""


@dataclass(frozen=True, slots=True)
class _Text:
    """Words that a ranking compares."""

    title: str
    lead: str


def _mentions(question: str) -> Iterator[tuple[int, int]]:
    """Yield where names may stand, longest first within each run of capitals."""
    openers = load_yaml("refusal", "words.yaml")["openers"]
    if question.islower():
        yield from _small_mentions(question)
    for match in _MENTION.finditer(question):
        words = list(re.finditer(r"[^ ]+", match[0]))
        while words and words[0][0].casefold() in openers:
            words = words[1:]
        spans = [
            (words[one].start(), words[other].end())
            for one in range(len(words))
            for other in range(len(words) - 1, one - 1, -1)
            if words[one][0][0].isupper()
        ]
        for start, end in sorted(spans, key=lambda span: (span[0] - span[1], span[0])):
            trimmed = match[0][start:end].rstrip(".'’")
            yield match.start() + start, match.start() + start + len(trimmed)


def _small_mentions(question: str) -> Iterator[tuple[int, int]]:
    """Yield runs of one to four words of a question that is written without capitals.

    Pages about a common noun say of themselves what it is, not what they are: they have no kind,
    so that one word alone is taken for a name only where it is one (`russia`).
    """
    words = list(re.finditer(r"[^\s?]+", question))
    for length in (4, 3, 2, 1):
        for first, last in zip(words, words[length - 1 :], strict=False):
            yield first.start(), last.end()


def _rationale(seed: Seed) -> str:
    """Return why a seed has no answer: in its source's words, or in those of its cause.

    A reason that opens with a pronoun speaks of what the seed names, which a longer question says
    otherwise; then the seed is put before it.
    """
    for reason in seed.rationales:
        if not _PRONOUN.match(reason):
            return reason
    if seed.rationales:
        return f"Of \u201c{seed.question}\u201d: {seed.rationales[0]}"
    if seed.premise:
        return f"The question takes for granted that {seed.premise}, which does not hold."
    return _DEFAULT_REASONS[seed.cause]
