"""Aligns a composed question with its steps: which words voice which hop, which name an anchor.

The question is parsed from its terminal step downwards with the catalogue's voice templates; a
parse covers every word, so that nothing of the question is left unexplained (contract Q2) and
every name is either an anchor of some step or part of a relation's own wording (contract R5).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from realhop_kg.construct.covering import LONGEST, Cover, cover, may_ask
from realhop_kg.construct.mentions import Mention, is_named, left_over, same_name, with_marks
from realhop_kg.construct.steps import Anchor, Filler, Reading
from realhop_kg.errors import Refusal
from realhop_kg.relations.catalogue import Catalogue
from realhop_kg.relations.relation import Voice
from realhop_kg.relations.templates import Pattern, Slot, Token, expand, matches, tokenize

__all__ = ["HopVoice", "QuestionVoice", "voice_question"]


@dataclass(frozen=True, slots=True)
class HopVoice:
    """How the question voices one hop."""

    reading: Reading
    voice: Voice | None
    """None where the words of a question voice it that no template has."""
    start: int
    end: int
    kind: str
    """Kind noun by which the question asks for the hop's answer, folded, or empty."""
    words: tuple[str, ...] = ()
    """The relation's own words in the question, folded."""


@dataclass(frozen=True, slots=True)
class QuestionVoice:
    """A complete parse of the question."""

    hops: dict[int, HopVoice]
    mentions: tuple[Mention, ...]


@dataclass(frozen=True, slots=True)
class _Parse:
    score: int
    hops: tuple[HopVoice, ...]
    mentions: tuple[Mention, ...]


@lru_cache(maxsize=4096)
def _worded(template: str) -> tuple[tuple[Pattern, tuple[str, ...]], ...]:
    """Return the patterns that a template stands for, each with its own words."""
    return tuple(
        (pattern, tuple(part for part in pattern if isinstance(part, str)))
        for pattern in expand(template)
    )


class _Parser:
    """Chart parser of one question; ranges are token ranges, results are memoised."""

    def __init__(
        self, question: str, readings: dict[int, list[Reading]], catalogue: Catalogue
    ) -> None:
        self.question = question
        self.tokens: tuple[Token, ...] = tokenize(question)
        self.readings = readings
        self.catalogue = catalogue
        self.memo: dict[tuple[int, int, int, str], _Parse | None] = {}

    def text(self, start: int, end: int) -> tuple[int, int]:
        """Return the code points of a token range, with a bracket that it opened."""
        first, last = self.tokens[start].start, self.tokens[end - 1].end
        inside = self.question[first:last]
        if inside.count("(") > inside.count(")") and self.question[last : last + 1] == ")":
            last += 1
        return first, last

    def parts(self, longest: int) -> Iterator[tuple[int, int, str]]:
        """Yield every range of at most so many words, with its text."""
        size = len(self.tokens)
        for start in range(size):
            for end in range(start + 1, min(size, start + longest) + 1):
                yield start, end, self.question[slice(*self.text(start, end))]

    def hop(self, hop: int, start: int, end: int, shape: str) -> _Parse | None:
        """Return the closest parse of a range as a hop's question, noun phrase or clause."""
        key = (hop, start, end, shape)
        if key not in self.memo:
            self.memo[key] = None  # a hop never contains itself
            best: _Parse | None = None
            for reading in self.readings[hop]:
                for parse in self._by_reading(reading, start, end, shape):
                    if best is None or parse.score > best.score:
                        best = parse
            self.memo[key] = best
        return self.memo[key]

    def _by_reading(self, reading: Reading, start: int, end: int, shape: str) -> list[_Parse]:
        voices: tuple[Voice, ...] = getattr(reading.relation, shape)
        found: list[_Parse] = []
        keys = {token.key for token in self.tokens[start:end]}
        for voice in (voice for voice in voices if not voice.step_only):
            for pattern, words in _worded(voice.text):
                if not keys.issuperset(words):
                    continue
                for ranges in matches(pattern, self.tokens, start, end):
                    parse = self._fill(reading, voice, ranges, (start, end), words)
                    if parse is not None:
                        found.append(parse)
        return found

    def _fill(
        self,
        reading: Reading,
        voice: Voice,
        ranges: dict[Slot, tuple[int, int]],
        whole: tuple[int, int],
        words: tuple[str, ...],
    ) -> _Parse | None:
        types = self.catalogue.types
        kind = ""
        parts: list[_Parse] = []
        fillers = dict(reading.fillers)
        named: set[str] = set()
        for slot, (start, end) in ranges.items():
            if slot.name == "kind":
                kind = self.question[slice(*self.text(start, end))].casefold()
                asked = types.of_kind(kind)
                if asked is None or not may_ask(asked, reading.relation, types):
                    return None
                continue
            filler = fillers.get(slot.name)
            if filler is None:
                return None
            named.add(slot.name)
            part = self._slot(reading, slot, filler, start, end)
            if part is None:
                return None
            parts.append(part)
        if named != set(fillers):
            return None
        own = HopVoice(reading, voice, *self.text(*whole), kind or reading.kind, words)
        return _Parse(
            len(words) + sum(part.score for part in parts),
            (own, *(voiced for part in parts for voiced in part.hops)),
            tuple(mention for part in parts for mention in part.mentions),
        )

    def _slot(
        self, reading: Reading, slot: Slot, filler: Filler, start: int, end: int
    ) -> _Parse | None:
        if isinstance(filler, Anchor):
            if slot.clause:
                return None
            start = self._past_kind(start, end, reading.relation.arguments[slot.name])
            first, last = self.text(start, end)
            if not is_named(self.question[first:last], filler.text):
                return None
            first, last = with_marks(self.question, first, last, filler.text)
            return _Parse(0, (), (Mention(reading.hop, slot.name, first, last),))
        voiced = self.hop(filler.hop, start, end, "clauses" if slot.clause else "nouns")
        if voiced and slot.clause and reading.relation.transitive:
            # `The state where a lake is located` leaves out the county that lies between.
            return None if voiced.hops[0].reading.relation.transitive else voiced
        return voiced

    def _past_kind(self, start: int, end: int, wanted: str) -> int:
        """Return where a name starts that has its kind before it: `the album Hollow Bells`."""
        types = self.catalogue.types
        if start + 2 >= end or self.tokens[start].key != "the":
            return start
        for stop in range(min(start + 3, end - 1), start + 1, -1):
            words = " ".join(token.key for token in self.tokens[start + 1 : stop])
            found = types.of_kind(words)
            if found and types.narrower(found, wanted) and self._capital(stop):
                return stop
        return start

    def _capital(self, at: int) -> bool:
        return self.question[self.tokens[at].start].isupper()

    def covered(self, terminal: int) -> _Parse | None:
        """Return the parse of a chain whose words are all there, in the order of its steps."""
        chain = sorted(self.readings)
        names = [
            filler.text
            for reading in self.readings[chain[0]]
            for _, filler in reading.fillers
            if isinstance(filler, Anchor)
        ]
        if chain[-1] != terminal or len(set(names)) != 1 or len(self.tokens) > LONGEST:
            return None
        spans = [
            (start, end)
            for start, end, text in self.parts(len(tokenize(names[0])) + 1)
            if is_named(text, names[0])
        ]
        spans.sort(key=lambda span: (span[0] - span[1], span[0]))
        found = cover(
            self.tokens, spans, [self.readings[hop] for hop in chain], self.catalogue.types
        )
        if found is None:
            return None
        return self._as_parse(found, names[0])

    def _as_parse(self, found: Cover, name: str) -> _Parse:
        first, last = found.name
        hops: list[HopVoice] = []
        for reading, own, kind in zip(found.readings, found.own, found.kinds, strict=True):
            first, last = min(first, *own), max(last, *(at + 1 for at in own))
            noun = self.question[slice(*self.text(*kind))].casefold() if kind else ""
            words = tuple(self.tokens[at].key for at in own)
            hops.append(
                HopVoice(reading, None, *self.text(first, last), noun or reading.kind, words)
            )
        start, end = with_marks(self.question, *self.text(*found.name), name)
        mention = Mention(found.readings[0].hop, found.readings[0].fillers[0][0], start, end)
        return _Parse(0, tuple(hops), (mention,))


def voice_question(
    question: str, readings: dict[int, list[Reading]], terminal: int, catalogue: Catalogue
) -> QuestionVoice:
    """Return the closest parse of a composed question.

    Args:
        question: the composed question.
        readings: every reading of each hop.
        terminal: the hop whose answer the question asks for.
        catalogue: the relations by whose voices the question is parsed.

    Raises:
        Refusal: Q1 if a name that every reading of a step needs is not in the question, or not
            whole; Q2 if the question does not voice its steps.
    """
    parser = _Parser(question, readings, catalogue)
    parse = parser.hop(terminal, 0, len(parser.tokens), "questions") or parser.covered(terminal)
    if parse is None:
        missing = _missing_name(parser)
        if missing:
            raise Refusal("Q1", f"the question does not name {missing!r}, which its steps name")
        raise Refusal("Q2", f"the catalogue's wordings do not cover the question {question!r}")
    hops: dict[int, HopVoice] = {}
    for voiced in parse.hops:
        first = hops.setdefault(voiced.reading.hop, voiced)
        if first.reading != voiced.reading:
            raise Refusal("Q2", f"the question voices hop {voiced.reading.hop} in two ways")
    for mention in parse.mentions:
        mark = left_over(question, mention)
        if mark:
            name = question[mention.start : mention.end]
            raise Refusal("Q1", f"{mark!r} beside {name!r} would be left over of the old name")
    return QuestionVoice(hops, parse.mentions)


def _missing_name(parser: _Parser) -> str:
    for hop in sorted(parser.readings):
        names = [
            [filler.text for _, filler in reading.fillers if isinstance(filler, Anchor)]
            for reading in parser.readings[hop]
        ]
        for first in names[0] if names else []:
            # A name may have an article more in the question than in the step.
            longest = len(tokenize(first)) + 1
            parts = parser.parts(longest) if longest <= LONGEST else ()
            if not any(same_name(text, first) for _, _, text in parts):
                return first
    return ""
