"""Reads `--dataset fictional`: a settings file in, one drawn item after the other out.

    items: 200
    seed: 7
    hops: [2, 3, 4, 5, 6]

Every setting has a default; see `WorldSettings`. The same file gives the same items on any machine,
and the first items of a longer run are those of a shorter one.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from graph_builders.base import Excluded, printable
from realhop_kg.construct.worlds.settings import read_settings
from realhop_kg.construct.worlds.world import DATASET, draw_world
from realhop_kg.errors import ContractError, InputError
from realhop_kg.model.finding import Code
from realhop_kg.model.item import SourceItem
from realhop_kg.relations.catalogue import catalogue

__all__ = ["BUILDER", "FictionalBuilder"]


@dataclass(frozen=True)
class FictionalBuilder:
    """A `Builder` whose records are drawn instead of read."""

    name: str = DATASET

    def read(self, path: Path, limit: int | None = None) -> Iterator[SourceItem | Excluded]:
        """Yield the items of a settings file one by one; see `Builder.read`."""
        if limit is not None and limit < 1:
            raise InputError(f"limit is {limit}; draw at least one item")
        settings = read_settings(path)
        relations = catalogue()
        file = printable(path.name)
        for number in range(1, min(settings.items, limit or settings.items) + 1):
            try:
                item = draw_world(settings, number, relations)
            except ContractError as error:
                yield Excluded(
                    dataset=self.name,
                    file=file,
                    line=number,
                    id=f"w{number:06}",
                    code=Code(error.code),
                    field="shapes" if settings.shapes else "hops",
                    message=f"{error.message}; name other shapes or numbers of hops",
                )
                continue
            yield item.model_copy(update={"file": file, "line": number})


BUILDER = FictionalBuilder()
"""The builder of `--dataset fictional`."""
