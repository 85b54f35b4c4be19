"""Reads a dataset of refusal questions, line by line."""

from __future__ import annotations

from collections.abc import Iterator

from realhop_kg.errors import InputError
from realhop_kg.freeze.manifest import EXCLUDED, ITEMS
from realhop_kg.model.refusal_item import LeftOutSeed, RefusalItem
from realhop_kg.refusal.folder import RefusalFolder
from realhop_kg.refusal.freeze import DATASET

__all__ = ["RefusalDataset"]


class RefusalDataset(RefusalFolder):
    """A folder that `realhop refusal build` wrote."""

    KIND = DATASET
    HOLDS = "refusal questions"
    WRITER = "realhop refusal build"

    def items(self) -> Iterator[RefusalItem]:
        """Yield the questions in their order.

        Raises:
            InputError: naming the line, if one cannot be read.
        """
        return self._records(ITEMS, RefusalItem)

    def left_out(self) -> Iterator[LeftOutSeed]:
        """Yield the uses of seeds that gave no question, in their order.

        Raises:
            InputError: naming the line, if one cannot be read.
        """
        return self._records(EXCLUDED, LeftOutSeed)

    def item(self, name: str) -> RefusalItem:
        """Return one question by its key, with or without `refusal/`.

        Raises:
            InputError: if there is none of that name, or a line cannot be read.
        """
        for item in self.items():
            if item.id in (name, f"refusal/{name}"):
                return item
        raise InputError(f"no question {name!r} in {self.folder / ITEMS}; its lines have the ids")
