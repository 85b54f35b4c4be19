"""Sentences made by hand, and the rows of a whole set of them."""

from __future__ import annotations

from collections.abc import Iterable

from realhop_kg.graph.schema import FactStatus
from realhop_kg.quality.artifact import ArtifactReport, Sentences
from realhop_kg.quality.sentences import Host, Sentence

GOLD, BREAK, CONTINUATION = FactStatus.GOLD, FactStatus.BREAK, FactStatus.CONTINUATION


def sentence(
    item: object,
    status: FactStatus,
    skeleton: str = "{x} lies in {y}.",
    *,
    hop: int = 1,
    part: int = 0,
    support: bool = False,
    topical: bool = False,
    insertions: int = 1,
    rank: int = 0,
    place: float = 1.0,
) -> Sentence:
    """Return a sentence; whatever is not given is the same for all."""
    return Sentence(
        item=str(item),
        node="f",
        status=status,
        hop=hop,
        part=part,
        text=skeleton,
        skeleton=skeleton,
        host=Host(index=0, support=support, topical=topical, insertions=insertions),
        rank=rank,
        place=place,
    )


def judged(sentences: Iterable[Sentence]) -> ArtifactReport:
    """Return what A1 gives of some sentences."""
    kept = Sentences()
    for each in sentences:
        kept.add(each)
    return kept.report()
