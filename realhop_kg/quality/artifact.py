"""A1: can gold sentences be told from competitor sentences by wording, position or host?

A naive Bayes classifier learns from four fifths of the items and ranks the sentences of the rest.
It sees no question, so whatever it finds gives gold away without any reasoning.
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice

from pydantic import Field

from realhop_kg.graph.schema import FactStatus
from realhop_kg.ids import digest
from realhop_kg.model.record import Record
from realhop_kg.quality.bayes import Feature, Signature, fold_scores
from realhop_kg.quality.features import IN_TEXT, PARTS, WHOLE, signature
from realhop_kg.quality.figures import DIGITS, RESAMPLES, Figure, figures
from realhop_kg.quality.sentences import Sentence

__all__ = ["THRESHOLD", "ArtifactReport", "Contrast", "GiveAway", "Sentences"]

THRESHOLD = 0.65
"""A1 holds where the area over all competitors is no larger."""

SEED = 20260925
FOLDS = 5

_CONTRASTS: Mapping[str, tuple[FactStatus, ...]] = {
    "all": (FactStatus.BREAK, FactStatus.CONTINUATION),
    "continuations": (FactStatus.CONTINUATION,),
    "near-misses": (FactStatus.BREAK,),
}

_MEANINGS = {
    "all": (
        "Every gold sentence against every competitor sentence: A1. Part of it cannot be avoided, "
        "since a near-miss has to say something else than gold."
    ),
    "continuations": (
        "Gold against continuations, for hops that have both. A continuation states the required "
        "relation in gold's own words, so wording should give 0.5 side by side; more over all "
        "sentences tells only which hops are repeated more often."
    ),
    "near-misses": (
        "Gold against near-misses, for hops that have both. They differ in the relation by design; "
        "wording above 0.5 means that a relation is known as right, or another as wrong, from "
        "other items, without reading the question."
    ),
}

_STATUSES = (FactStatus.GOLD, FactStatus.BREAK, FactStatus.CONTINUATION)
_PREMISES = 16
"""More premises than any fact has."""
_SHOWN = 8


class GiveAway(Record):
    """A feature that is more common with gold than with competitors, or less."""

    part: str
    feature: str
    gold: int
    """Gold sentences that have it."""
    competitors: int
    """Competitor sentences that have it."""
    auc: float
    """What it gives alone."""


class Contrast(Record):
    """Gold against some competitors."""

    meaning: str
    items: int
    gold: int
    """Gold sentences compared."""
    competitors: int
    problem: str = ""
    """Why there are no figures, where there are none."""
    figures: dict[str, Figure] = Field(default_factory=dict)
    """By group of features."""
    give_aways: tuple[GiveAway, ...] = ()
    """The features of each part that tell most when taken alone, best first."""


class ArtifactReport(Record):
    """What A1 gives."""

    holds: bool | None
    """Whether the area over all competitors and all features is at most the threshold."""
    holds_in_text: bool | None
    """The same without the support label, which no reader sees and H5 fixes for gold."""
    threshold: float = THRESHOLD
    folds: int = FOLDS
    resamples: int = RESAMPLES
    seed: int = SEED
    """Of the first contrast; each further one adds 1."""
    contrasts: dict[str, Contrast]


class Sentences:
    """What A1 keeps of the sentences that stream by: a few numbers of each.

    Distinct signatures are kept once. There are as many as there are wordings and places, which
    are far fewer than sentences.
    """

    def __init__(self) -> None:
        self._items: dict[str, int] = {}
        self._signatures: dict[str, dict[Signature, int]] = {part: {} for part in PARTS}
        self._seen = {part: array("l") for part in PARTS}
        self._item, self._status, self._set = array("l"), array("b"), array("l")

    def add(self, sentence: Sentence) -> None:
        """Take note of one sentence."""
        for part in PARTS:
            known = self._signatures[part]
            self._seen[part].append(known.setdefault(signature(part, sentence), len(known)))
        key = digest("a1", sentence.item)  # a key may be long
        self._item.append(self._items.setdefault(key, len(self._items)))
        self._status.append(_STATUSES.index(sentence.status))
        self._set.append(sentence.hop * _PREMISES + sentence.part)

    def report(self) -> ArtifactReport:
        """Return what the sentences so far give."""
        contrasts = {
            name: self._contrast(name, SEED + offset) for offset, name in enumerate(_CONTRASTS)
        }
        found = contrasts["all"].figures
        return ArtifactReport(
            holds=_holds(found.get(WHOLE)),
            holds_in_text=_holds(found.get(IN_TEXT)),
            contrasts=contrasts,
        )

    def _contrast(self, name: str, seed: int) -> Contrast:
        rows = self._rows(name)
        gold = [int(self._status[row] == 0) for row in rows]
        numbers: dict[int, int] = {}
        items = [numbers.setdefault(self._item[row], len(numbers)) for row in rows]
        draft = Contrast(
            meaning=_MEANINGS[name],
            items=len(numbers),
            gold=sum(gold),
            competitors=len(gold) - sum(gold),
        )
        problem = _problem(draft)
        if problem:
            return draft.model_copy(update={"problem": problem})
        sets = [self._set[row] for row in rows]
        areas = figures(self._scores(rows, gold), gold, items, sets, seed)
        update = {"figures": areas, "give_aways": tuple(self._give_aways(rows, gold))}
        return draft.model_copy(update=update)

    def _rows(self, name: str) -> list[int]:
        """Return the sentences to compare: gold only where it has something to compare to."""
        codes = {_STATUSES.index(status) for status in _CONTRASTS[name]}
        rivals = {
            (item, part)
            for item, part, status in zip(self._item, self._set, self._status, strict=True)
            if status in codes
        }
        return [
            row
            for row, status in enumerate(self._status)
            if status in codes
            or (status == 0 and (name == "all" or (self._item[row], self._set[row]) in rivals))
        ]

    def _scores(self, rows: Sequence[int], gold: Sequence[int]) -> dict[str, list[int]]:
        """Return the score of each sentence by part."""
        # As many items in each fold, dealt in the order of their digests.
        dealt = {self._items[key]: place % FOLDS for place, key in enumerate(sorted(self._items))}
        fold = [dealt[self._item[row]] for row in rows]
        found = {}
        for part in PARTS:
            seen = [self._seen[part][row] for row in rows]
            counted = Counter(zip(seen, fold, gold, strict=True))
            by_fold = fold_scores(list(self._signatures[part]), counted, FOLDS)
            found[part] = [by_fold[place] for place in zip(seen, fold, strict=True)]
        return found

    def _give_aways(self, rows: Sequence[int], gold: Sequence[int]) -> Iterator[GiveAway]:
        for part in PARTS:
            signatures = list(self._signatures[part])
            counts: tuple[Counter[Feature], Counter[Feature]] = (Counter(), Counter())
            seen = (self._seen[part][row] for row in rows)
            for (number, is_gold), times in Counter(zip(seen, gold, strict=True)).items():
                for feature in dict.fromkeys(signatures[number]):
                    counts[1 - is_gold][feature] += times
            yield from islice(_heaviest(part, *counts, sum(gold), len(gold)), _SHOWN)


def _heaviest(
    part: str, gold: Counter[Feature], others: Counter[Feature], of_gold: int, of_all: int
) -> Iterator[GiveAway]:
    """Yield the features of a part, those that tell most first, one for each pair of counts."""
    told: dict[tuple[int, int], Feature] = {}
    for feature in {**gold, **others}:
        told.setdefault((gold[feature], others[feature]), feature)
    areas = {
        counts: (1 + abs(counts[0] / of_gold - counts[1] / (of_all - of_gold))) / 2
        for counts in told
    }
    for counts in sorted(told, key=lambda counts: (-areas[counts], counts)):
        yield GiveAway(
            part=part,
            feature="{}: {}".format(*told[counts]),
            gold=counts[0],
            competitors=counts[1],
            auc=round(areas[counts], DIGITS),
        )


def _problem(contrast: Contrast) -> str:
    if contrast.items < FOLDS:
        return f"{contrast.items} items can be compared, and {FOLDS} are needed, one for each fold"
    if not contrast.gold or not contrast.competitors:
        return "one class only: there is nothing to tell apart"
    return ""


def _holds(figure: Figure | None) -> bool | None:
    return None if figure is None or figure.auc is None else figure.auc <= THRESHOLD
