"""Finds the sentences that a model wove into a passage, and leaves the passage as it was."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import SequenceMatcher

from realhop_kg.errors import ContractError

__all__ = ["nearest_place", "recovered_places"]


def recovered_places(
    original: str, rewritten: str, sentences: Sequence[str], places: Sequence[int]
) -> tuple[list[int], bool]:
    """Return an offset of the original for each sentence, and whether the rest was untouched.

    Where the rest was altered the source body is rebuilt: each sentence goes back to the safe
    place nearest to where it stood. One that does not stand in the passage at all is appended.

    Args:
        original: the passage as it was.
        rewritten: the passage as a model gave it back.
        sentences: what it says that it added.
        places: the safe places of the original, in order.

    Raises:
        ContractError: T2 if a sentence stands in the passage twice.

    Source: REALHOP, Appendix I.3.
    """
    starts: list[int | None] = []
    for sentence in sentences:
        if rewritten.count(sentence) > 1:
            raise ContractError("T2", f"{sentence!r} stands in the passage twice")
        at = rewritten.find(sentence)
        starts.append(None if at < 0 else at)
    rest, kept = _without(rewritten, sentences, starts)
    if rest == original:
        offsets = [kept[i] if starts[i] is not None else places[-1] for i in range(len(sentences))]
        return [nearest_place(offset, places) for offset in offsets], None not in starts
    blocks = SequenceMatcher(None, rest, original, autojunk=False).get_matching_blocks()
    offsets = []
    for number, start in enumerate(starts):
        if start is None:
            offsets.append(places[-1])
            continue
        before = [block for block in blocks if block.a <= kept[number]]
        block = before[-1] if before else blocks[0]
        inside = min(kept[number] - block.a, block.size)
        offsets.append(nearest_place(block.b + max(0, inside), places))
    return offsets, False


def nearest_place(offset: int, places: Sequence[int]) -> int:
    """Return the safe place nearest to an offset, the later one of two equally near."""
    return min(places, key=lambda place: (abs(place - offset), -place))


def _without(
    rewritten: str, sentences: Sequence[str], starts: Sequence[int | None]
) -> tuple[str, list[int]]:
    """Return the text without the sentences and their separators, and where each stood in it."""
    found = sorted((start, number) for number, start in enumerate(starts) if start is not None)
    kept = [0] * len(sentences)
    pieces: list[str] = []
    last = length = 0
    for start, number in found:
        before = rewritten[last:start]
        trimmed = before[:-1] if before[-1:].isspace() else before
        pieces.append(trimmed)
        length += len(trimmed)
        kept[number] = length
        last = start + len(sentences[number])
    pieces.append(rewritten[last:])
    return "".join(pieces), kept
