"""Reads a dataset of refusal questions, line by line."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import TypeVar

from realhop_kg.errors import InputError
from realhop_kg.freeze.manifest import EXCLUDED, ITEMS, Manifest, read_manifest
from realhop_kg.model.record import Record
from realhop_kg.model.refusal_item import LeftOutSeed, RefusalItem
from realhop_kg.refusal.freeze import DATASET

__all__ = ["RefusalDataset"]

Item = TypeVar("Item", bound=Record)


class RefusalDataset:
    """A folder that `realhop refusal build` wrote; reading trusts it, `realhop verify` checks it.

    Attributes:
        folder: where it lies.
        manifest: what it says of itself.
    """

    def __init__(self, folder: Path, manifest: Manifest) -> None:
        self.folder, self.manifest = folder, manifest

    @classmethod
    def open(cls, folder: Path) -> RefusalDataset:
        """Open a dataset folder.

        Raises:
            InputError: if it is no such dataset, is damaged, or is of a newer schema.
        """
        manifest = read_manifest(folder)
        if manifest.dataset != DATASET:
            raise InputError(
                f"{folder} holds {manifest.dataset!r} items, not refusal questions; name a folder "
                "that `realhop refusal build` wrote"
            )
        return cls(folder, manifest)

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

    def _records(self, file: str, model: type[Item]) -> Iterator[Item]:
        path = self.folder / file
        try:
            with path.open("rb") as stream:
                for number, line in enumerate(stream, 1):
                    yield self._record(f"{path}, line {number}", line, model)
        except OSError as error:
            raise InputError(f"{path} cannot be read: {error.strerror}") from error

    def _record(self, place: str, line: bytes, model: type[Item]) -> Item:
        try:
            return model.model_validate(json.loads(line))
        except (ValueError, RecursionError) as error:
            raise InputError(
                f"{place}, cannot be read; `realhop verify {self.folder}` says what is wrong"
            ) from error
