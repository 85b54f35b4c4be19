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
from realhop_kg.refusal.mentions import Mention, common_words, mentions, spellings
from realhop_kg.refusal.nominal import LANGUAGE_MODEL, mention_in, unfit, voice_seed
from realhop_kg.refusal.voices import LinkVoices

__all__ = ["Annotated", "Annotator", "LinkedWords", "RuleAnnotator", "Unlinked"]

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
        self._folded: dict[str, Counter[int]] = defaultdict(Counter)
        for words, found in counts.items():
            # `bath` is not Bath: one small word is no name that links write with one capital.
            if words != words.casefold() and (" " in words or words.isupper()):
                self._folded[words.casefold()] += found

    @classmethod
    def read(cls, graph: PageGraph, most: int) -> LinkedWords:
        """Read the words of all links of opening paragraphs; of an index larger than `most`, none.

        Args:
            graph: the index.
            most: pages above which this would take too long and too much memory.
        """
        counts: dict[str, Counter[int]] = defaultdict(Counter)
        pages = range(len(graph)) if len(graph) <= most else range(0)
        for source in pages:
            # `Dallas, Texas` is called Dallas.
            short, comma, _ = graph.titles[source].partition(",")
            if comma and graph.find(short) is None:
                counts[short][source] += 1
            text = graph.read(source).text
            for target in graph.targets(source, lead=True):
                place = graph.place(source, target)
                counts[text[place.paragraph][place.start : place.end]][target] += 1
        return cls(dict(counts))

    def page(self, words: str) -> int | None:
        """Return the page that these words most often lead to; the first of equals.

        Words that are written small may be a name that links write with capitals.
        """
        found = self._counts.get(words) or self._folded.get(words)
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
            return Unlinked(seed, RefusalCode.L1, self._why_none(seed.question))
        anchor, (start, end) = anchors[0]
        rest = f"{seed.question[:start]} {seed.question[end:]}"
        if seed.cause is Cause.UC and not seed.anchor and not _OPEN.search(rest):
            message = "the name itself may be what is underspecified; name an anchor for it"
            return Unlinked(seed, RefusalCode.L1, message)
        voice = voice_seed(seed.question, (start, end), self._model)
        if voice is None:
            message = unfit(seed.question) or "its words do not fit into a longer question"
            return Unlinked(seed, RefusalCode.L3, message)
        bridge, why = self._bridge(seed, voice, anchor)
        return Annotated(seed, voice, anchor, bridge, why, _rationale(seed))

    def _spellings(self, page: int, anchor: str) -> list[str]:
        names = (anchor, plain_title(anchor), *self._voices.names(page))
        return sorted(dict.fromkeys(names), key=lambda name: -len(name))

    def _mentioned(self, question: str) -> Iterator[tuple[int, tuple[int, int]]]:
        """Yield pages that a question names, with the place: titles first, then linked words."""
        for page, mention in self._named(question):
            place = mention_in(question, (question[mention.start : mention.end],))
            if place and not mention.owner and self._voices.kind(page) is not None:
                yield page, place

    def _named(self, question: str) -> Iterator[tuple[int, Mention]]:
        """Yield every page that a question may name, whatever it is about."""
        spans = list(mentions(question))
        for look_up in (self._titled, self._words.page):
            for mention in spans:
                page = look_up(question[mention.start : mention.end])
                if page is not None:
                    yield page, mention

    def _titled(self, words: str) -> int | None:
        found = (self._graph.find(each) for each in spellings(words))
        return next((page for page in found if page is not None), None)

    def _why_none(self, question: str) -> str:
        """Return why a question that its file names no anchor for has none."""
        if question.isupper():
            return "it is written in capitals, which a longer question would not be"
        vague = ""
        for page, mention in self._named(question):
            name = question[mention.start : mention.end]
            if self._voices.kind(page) is None:
                vague = vague or name
            elif mention.owner:
                return (
                    f"it names {name!r} only as an owner ({name}'s), and no description of it can "
                    "stand there"
                )
            else:
                return f"it names {name!r} more than once, or as part of a longer name"
        if vague:
            return (
                f"the page of {vague!r} does not say of what single thing it is, by a noun that "
                "the rules know"
            )
        for word in common_words(question):
            if (held := self._titled(word)) is not None:
                title = self._graph.titles[held]
                if self._voices.kind(held) is not None:
                    return f"{word!r} is too little to tell whether it names {title}"
                return (
                    f"it names no single thing; {word!r} has a page ({title}), but is no name in it"
                )
        return "it names nothing that has a page in this index"

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
