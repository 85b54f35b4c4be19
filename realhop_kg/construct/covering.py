"""Aligns a question with a chain of steps by its words alone, where no template covers it.

People word a composed question freely (`the one credited with the creation of the series`). Such a
question is still read if each of its words belongs to a step, and if they stand in the order of
the chain: towards the name from the last step to the first, and after it, where clauses close,
from the first to the last. A word that no step has, as `not`, `except` or `second`, refuses it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice, product

from realhop_kg.construct.steps import Anchor, Reading, Ref
from realhop_kg.relations.relation import Relation
from realhop_kg.relations.templates import Token, expand
from realhop_kg.relations.types import Types

__all__ = ["LONGEST", "Cover", "cover", "may_ask"]

_SMALL = frozenset(
    {
        "the", "of", "in", "on", "at", "by", "with", "to", "from", "for", "that", "which", "who",
        "whom", "whose", "what", "where", "when", "is", "was", "are", "were", "be", "been", "did",
        "does", "do", "has", "have", "had", "'s", "it", "its", "name", "a", "an", "can", "could",
        "you", "find",
    }
)  # fmt: skip
"""Words that say nothing of a relation by themselves."""
_BLAND = frozenset({"one", "credited", "responsible", "called"})
"""Words that may stand beside what a step says and change nothing of it."""
_ARTICLES = frozenset({"a", "an"})
_ANYBODY = frozenset({"person", "man", "woman", "individual"})
"""Kind nouns of people that say nothing of what a person does."""
_ENDINGS = frozenset(
    {
        "e", "d", "ed", "er", "ers", "or", "ors", "r", "s", "es", "ing", "ion", "ions", "ation",
        "ations", "ment", "ments", "al", "y", "ies", "ied", "ist", "ists", "ship",
    }
)  # fmt: skip
_STEM = 5
"""Letters by which two forms of one word agree before their endings."""
_COMBINATIONS = 64
"""So many combinations of readings are looked at."""
LONGEST = 60
"""Words of a question beyond which it is not looked at: people ask shorter ones."""
_NO_WAY_BACK = frozenset({"located_in"})
"""Relations of a place and a place that the kinds of both tell apart from their reverse."""
_ASKS = {"who": "agent", "whom": "agent", "where": "place", "when": "time"}


@dataclass(frozen=True, slots=True)
class Cover:
    """Which tokens of a question voice which hop, and by which kind noun."""

    readings: tuple[Reading, ...]
    """The reading of each hop, in the order of the chain."""
    own: tuple[tuple[int, ...], ...]
    """The tokens of each hop, in the order of the chain."""
    kinds: tuple[tuple[int, int] | None, ...]
    """The kind noun by which each hop's answer is asked for, as a range of tokens."""
    name: tuple[int, int]
    """The tokens that name the subject of the first hop."""


def cover(
    tokens: Sequence[Token],
    names: Sequence[tuple[int, int]],
    readings: Sequence[Sequence[Reading]],
    types: Types,
) -> Cover | None:
    """Return how a question voices a linear chain, or None if a word of it is left over.

    Args:
        tokens: the words of the question.
        names: where the subject of the first hop is named, the longest range first.
        readings: every reading of each hop of the chain, the first hop first.
        types: the type tree.
    """
    if not names or len(tokens) > LONGEST:
        return None
    first, last = names[0]
    if any(end > last or start < first for start, end in names):
        return None  # named twice: which of them is renamed for which step?
    kinds = tuple(_kind_nouns(tokens, types))
    words = {
        (reading.hop, reading.relation.id): _own_words(
            reading.relation, found is readings[-1], types
        )
        for found in readings
        for reading in found
    }
    for chosen in islice(product(*readings), _COMBINATIONS):
        if not _is_chain(chosen) or not all(_one_way(each.relation, types) for each in chosen):
            continue
        if not _asked(tokens, chosen[-1].relation, types):
            continue
        found = _Order(tokens, (first, last), kinds, chosen, words, types).found()
        if found is not None:
            return found
    return None


def may_ask(type_id: str, relation: Relation, types: Types) -> bool:
    """Return whether a kind noun of a type may ask for what a relation gives."""
    if types.narrower(type_id, relation.value) is None:
        return False
    # Nobody is born in a river, and no town lies in a prison.
    odd = types.is_a(type_id, "water") or (relation.transitive and types.is_a(type_id, "facility"))
    return relation.value != "place" or not odd


def _is_chain(readings: Sequence[Reading]) -> bool:
    """Return whether the first step has a name alone, and each other the one before it alone."""
    (head, *rest) = readings
    return (
        len(head.fillers) == 1
        and isinstance(head.fillers[0][1], Anchor)
        and all(
            [filler for _, filler in reading.fillers] == [Ref(before.hop)]
            for before, reading in zip(readings, rest, strict=False)
        )
    )


def _one_way(relation: Relation, types: Types) -> bool:
    """Return whether the words of a relation cannot be meant the other way round."""
    (taken,) = relation.arguments.values()
    return (
        relation.symmetric
        or relation.id in _NO_WAY_BACK
        or types.narrower(taken, relation.value) is None
    )


def _asked(tokens: Sequence[Token], relation: Relation, types: Types) -> bool:
    """Return whether the question word fits what the last step gives."""
    first = tokens[0].key
    last = tokens[-1].key
    asked = _ASKS.get(first) or _ASKS.get(last)
    if asked:
        return types.narrower(asked, relation.value) is not None
    opening = [token.key for token in tokens[:2]]
    return "what" in opening or "which" in opening


def _kind_nouns(tokens: Sequence[Token], types: Types) -> Iterator[tuple[int, int, str]]:
    """Yield the longest kind nouns of a question: their range and type."""
    at = 0
    while at < len(tokens):
        for end in range(min(len(tokens), at + 3), at, -1):
            found = types.of_kind(" ".join(token.key for token in tokens[at:end]))
            if found is not None:
                yield at, end, found
                at = end
                break
        else:
            at += 1


def _own_words(relation: Relation, asked: bool, types: Types) -> frozenset[str]:
    """Return the words of a relation's wordings that are neither small nor kind nouns.

    A question's words belong to the last step alone: what one is "known for creating" need not be
    all that one created.
    """
    voices = (*relation.nouns, *relation.clauses, *(relation.questions if asked else ()))
    words = {
        part
        for voice in voices
        if not voice.step_only
        for pattern in expand(voice.text)
        for part in pattern
        if isinstance(part, str)
    }
    return frozenset(word for word in words - _SMALL if not _is_noun_of_kind(word, types))


def _is_noun_of_kind(word: str, types: Types) -> bool:
    """Return whether a word says what something is and nothing else: `city`, not `writer`."""
    found = types.of_kind(word)
    return found is not None and (found != "person" or word in _ANYBODY)


def _is_form(word: str, other: str) -> bool:
    """Return whether two words are forms of one: `creation` and `created`."""
    if word == other or word == "former":  # which is no form of `formed`
        return word == other
    shared = 0
    while shared < min(len(word), len(other)) and word[shared] == other[shared]:
        shared += 1
    return shared >= _STEM and {word[shared:], other[shared:]} <= _ENDINGS | {""}


_Given = tuple[int, int, int, bool | None]
"""A range of words, the hop it belongs to, and whether the words are the hop's own, its kind noun
or neither."""


class _Order:
    """Looks for hops for the words of a question, in the order of the chain."""

    def __init__(
        self,
        tokens: Sequence[Token],
        name: tuple[int, int],
        kinds: Iterable[tuple[int, int, str]],
        readings: tuple[Reading, ...],
        words: dict[tuple[int, str], frozenset[str]],
        types: Types,
    ) -> None:
        self.tokens = tokens
        self.name = name
        self.readings = readings
        self.kinds = {start: (end, type_id) for start, end, type_id in kinds}
        self.types = types
        self.words = [words[reading.hop, reading.relation.id] for reading in readings]
        self.failed: set[tuple[int, int, int, int]] = set()

    def found(self) -> Cover | None:
        """Return the assignment of words to hops, or None."""
        given = self._given(0, len(self.readings) - 1, 0, 0)
        return None if given is None else self._cover(given)

    def _given(self, at: int, hop: int, nouns: int, own: int) -> tuple[_Given, ...] | None:
        """Return hops for the words from `at`, or None.

        Args:
            at: a word; before the name hops fall, and from the name on they rise again.
            hop: the hop of the words before.
            nouns: bits of the hops that have a kind noun already; one is enough.
            own: bits of the hops that have words of their own already.
        """
        size, name = len(self.tokens), self.name[0]
        while at < size and at != name and self.tokens[at].key in _SMALL | _BLAND:
            at += 1
        if at == name:
            return self._given(self.name[1], 0, nouns, own)
        if at == size:
            return () if self._is_whole(nouns, own) else None
        state = at, hop, nouns, own
        if state in self.failed:
            return None
        rising = at >= self.name[1]
        stop = size if rising else name
        # What stands near the name belongs to an early step.
        for each in range(hop, len(self.readings)) if rising else range(hop + 1):
            for end, is_own in self._ways(at, each):
                bit = 1 << each
                if end > stop or (is_own is False and nouns & bit):
                    continue
                named = bit if is_own is False else 0
                rest = self._given(end, each, nouns | named, own | (bit if is_own else 0))
                if rest is not None:
                    return ((at, end, each, is_own), *rest)
        self.failed.add(state)
        return None

    def _ways(self, at: int, hop: int) -> Iterator[tuple[int, bool | None]]:
        """Yield how a hop may own the words from `at`: their end, and whether they are its own."""
        relation = self.readings[hop].relation
        if at in self.kinds:
            end, type_id = self.kinds[at]
            if not self._is_any(at) and may_ask(type_id, relation, self.types):
                yield end, False
            if end == self.name[0] and hop == 0 and self._describes(type_id):
                yield end, None
        key = self.tokens[at].key
        if any(_is_form(key, word) for word in self.words[hop]):
            yield at + 1, True

    def _is_any(self, at: int) -> bool:
        """Return whether a kind noun is any of its kind: `a county` is not the county."""
        before = at - 1
        while before >= 0 and self.tokens[before].key in _BLAND - {"one"}:
            before -= 1
        return before >= 0 and self.tokens[before].key in _ARTICLES

    def _describes(self, type_id: str) -> bool:
        """Return whether a kind noun beside the name fits it: `the album Hollow Bells`."""
        (taken,) = self.readings[0].relation.arguments.values()
        return self.types.narrower(type_id, taken) is not None

    def _is_whole(self, nouns: int, own: int) -> bool:
        """Return whether each hop has the words that it needs."""
        last = len(self.readings) - 1
        for hop, reading in enumerate(self.readings):
            voiced = bool(own & 1 << hop)
            if reading.relation.id in _NO_WAY_BACK:
                # `The state where a lake lies` leaves out the county that lies between.
                voiced = bool(nouns & 1 << hop) or (voiced and hop == last)
            if not voiced:
                return False
        return True

    def _cover(self, given: Sequence[_Given]) -> Cover:
        own: list[tuple[int, ...]] = []
        kinds: list[tuple[int, int] | None] = []
        for hop in range(len(self.readings)):
            mine = [each for each in given if each[2] == hop]
            own.append(tuple(at for start, end, *_ in mine for at in range(start, end)))
            nouns = ((start, end) for start, end, _, is_own in mine if is_own is False)
            kinds.append(next(nouns, None))
        return Cover(self.readings, tuple(own), tuple(kinds), self.name)
