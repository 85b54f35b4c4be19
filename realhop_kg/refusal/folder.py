"""What datasets of refusal questions of either kind share: a folder, its manifest, its lines."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, ClassVar, Self, TypeVar

from realhop_kg.errors import InputError
from realhop_kg.freeze.manifest import Manifest, read_manifest
from realhop_kg.model.record import Record

__all__ = ["RefusalFolder"]

Item = TypeVar("Item", bound=Record)


class RefusalFolder:
    """A dataset folder; reading trusts it, `realhop verify` checks it.

    Attributes:
        folder: where it lies.
        manifest: what it says of itself.
    """

    KIND: ClassVar[str]
    """What its manifest calls the dataset."""
    HOLDS: ClassVar[str]
    """What messages call its items."""
    WRITER: ClassVar[str]
    """The command that writes it."""

    def __init__(self, folder: Path, manifest: Manifest) -> None:
        self.folder, self.manifest = folder, manifest

    @classmethod
    def open(cls, folder: Path) -> Self:
        """Open a dataset folder.

        Raises:
            InputError: if it is no such dataset, is damaged, or is of a newer schema.
        """
        manifest = read_manifest(folder)
        if manifest.dataset != cls.KIND:
            raise InputError(
                f"{folder} holds {manifest.dataset!r} items, not {cls.HOLDS}; name a folder that "
                f"`{cls.WRITER}` wrote"
            )
        return cls(folder, manifest)

    def _records(self, file: str, model: type[Item]) -> Iterator[Item]:
        """Yield the records of a file.

        Raises:
            InputError: naming the line, if one cannot be read.
        """
        for number, content in self._lines(file):
            try:
                record = model.model_validate(self._json(file, number, content))
            except (ValueError, RecursionError) as error:
                raise self._damaged(file, number) from error
            yield record

    def _lines(self, file: str) -> Iterator[tuple[int, bytes]]:
        try:
            with (self.folder / file).open("rb") as stream:
                yield from enumerate(stream, 1)
        except OSError as error:
            raise self._damaged(file, 0) from error

    def _json(self, file: str, number: int, content: bytes) -> dict[str, Any]:
        try:
            data = json.loads(content)
        except (ValueError, RecursionError) as error:
            raise self._damaged(file, number) from error
        if not isinstance(data, dict):
            raise self._damaged(file, number)
        return data

    def _damaged(self, file: str, line: int) -> InputError:
        place = f"{self.folder / file}, line {line}," if line else str(self.folder / file)
        return InputError(
            f"{place} cannot be read; `realhop verify {self.folder}` says what is wrong"
        )
