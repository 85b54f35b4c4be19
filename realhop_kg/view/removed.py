"""Where on a page stands what a condition of an audit removed, on either side of an item."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress

from realhop_kg.audit.auditable import source_side
from realhop_kg.audit.context import Context, render
from realhop_kg.model.frozen import FrozenItem
from realhop_kg.model.item import TextRange
from realhop_kg.model.text import Insertion
from realhop_kg.view.answers import Asked

__all__ = ["in_realized", "removed_parts"]

Part = tuple[int, int, int]
"""(passage, start, end) in code points of its realized text."""


def removed_parts(item: FrozenItem, asked: Sequence[Asked]) -> list[list[Part]]:
    """Return what each condition removed, as places in the passages that the page shows.

    Args:
        item: the item.
        asked: the conditions; ranges of the source side are those of its own context.
    """
    if not asked:
        return []
    contexts = {"constructed": render(item.passages)}
    # Where the insertions are not where the item says, its source text is not known.
    with suppress(ValueError):
        contexts["source"] = source_side(item).context
    return [list(_parts(item, contexts.get(one.side), one)) for one in asked]


def _parts(item: FrozenItem, context: Context | None, asked: Asked) -> Iterator[Part]:
    if context is None:
        return
    for part in context.parts(asked.removed):
        if asked.side == "constructed":
            yield part.passage, part.start, part.end
        else:
            added = [each for each in item.insertions if each.passage == part.passage]
            yield from in_realized(part, added)


def in_realized(part: TextRange, added: Iterable[Insertion]) -> Iterator[Part]:
    """Yield a range of an original text as ranges of the realized one, insertions left out.

    Args:
        part: the range.
        added: every insertion of its passage.
    """
    start, shift = part.start, 0
    for insertion in sorted(added, key=lambda each: each.offset):
        if insertion.offset >= part.end:
            break
        if insertion.offset > start:
            yield part.passage, start + shift, insertion.offset + shift
            start = insertion.offset
        shift += len(insertion.text)
    if start < part.end:
        yield part.passage, start + shift, part.end + shift
