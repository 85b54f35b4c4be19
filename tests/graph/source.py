"""A source item of any shape, with plain names, for tests of graphs and operators."""

from __future__ import annotations

from collections.abc import Mapping

from realhop_kg.graph.dependency import terminal
from realhop_kg.model.item import SourceHop, SourceItem
from realhop_kg.model.text import Passage

__all__ = ["source_item"]


def source_item(
    deps: Mapping[int, tuple[int, ...]],
    texts: Mapping[int, str] | None = None,
    spare: int = 4,
) -> SourceItem:
    """Return an item whose hop h is supported by passage h - 1, and some passages more."""
    size = len(deps)
    texts = texts or {}
    last = terminal(deps)
    return SourceItem(
        dataset="test",
        id="1",
        question="What is asked?",
        answer=f"Old {last}",
        passages=tuple(
            Passage(
                index=index,
                title=f"Page {index}",
                text=texts.get(index, f"Page {index} is short. It ends here."),
                is_support=index < size,
            )
            for index in range(size + spare)
        ),
        hops=tuple(
            SourceHop(
                index=hop,
                question=" and ".join(f"#{earlier}" for earlier in before) or f"Root {hop}",
                answer=f"Old {hop}",
                support=hop - 1,
                depends_on=before,
            )
            for hop, before in deps.items()
        ),
    )
